"""Looks of series: as many as there are solvers in a long comparison."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise

import pytest

from dovetail.reports.charts.marks import COLOURS, line_class, mark
from reports.eyes import min_contrast, min_difference


def variables(scheme: str) -> dict[str, str]:
    """The colours of pages by their names."""
    style = files("dovetail.reports").joinpath("style.css").read_text(encoding="utf-8")
    light, dark, *others = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in style.split("@media ")
    )
    printed = others[-1]
    return {"light": light, "dark": dark, "print": light | printed}[scheme]


def series(scheme: str) -> list[str]:
    """The colours of series, in their order."""
    return [variables(scheme)[f"series-{number}"] for number in range(COLOURS)]


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
@pytest.mark.parametrize(
    ("eyes", "bound"),
    [("usual", 17.0), ("deuteranopia", 14.0), ("protanopia", 14.0), ("tritanopia", 14.0)],
)
def test_colours_can_be_distinguished(scheme: str, eyes: str, bound: float) -> None:
    """As they are seen; eight after Okabe and Ito came to 8.5, 1.2, 3.5 and 2.9."""
    assert min_difference(series(scheme), eyes) > bound


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_colours_are_seen_on_paper(scheme: str) -> None:
    """At the contrast that is asked of what has to be seen to understand a picture."""
    assert min_contrast(series(scheme), variables(scheme)["paper"]) > 3


def test_many_series_differ() -> None:
    """In the shape and colour of their marks, and in the colour and dashes of their lines."""
    marks = [mark(style, 0, 0) for style in range(64)]
    assert len({(one.get("d"), one.get("class")) for one in marks}) == 64
    assert len({line_class(style) for style in range(32)}) == 32


def test_neighbours_differ_in_all() -> None:
    """In shape, colour and dashes, also where colours come again."""
    shapes = [mark(style, 0, 0, hollow=True).get("d") for style in range(64)]
    styles = [(line_class(style) + " none").split()[1:3] for style in range(64)]
    for (one, other), (shape, next_shape) in zip(pairwise(styles), pairwise(shapes), strict=True):
        assert one[0] != other[0]
        assert one[1] != other[1]
        assert shape != next_shape


def test_dashes_from_the_first_series_on() -> None:
    """The first has none; after eight colours those go on by one more."""
    assert [line_class(style) for style in (0, 1, 2, 3, 4, 7, 8)] == [
        "line series-0",
        "line series-1 dashes-1",
        "line series-2 dashes-2",
        "line series-3 dashes-3",
        "line series-4",
        "line series-7 dashes-3",
        "line series-0 dashes-1",
    ]
