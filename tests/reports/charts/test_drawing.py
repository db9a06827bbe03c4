"""Charts as SVG: everything is inside, named, and drawn once."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Bar, BarChart, Line, LineChart, Point
from dovetail.reports.charts.drawing import draw
from dovetail.reports.charts.plot import CHARACTER, WIDTH
from dovetail.reports.numbers import show_rounded


def line_chart(lines: int = 6, boards: int = 48) -> LineChart:
    """Lines of which every seventh point is a bound and every eleventh is missing."""
    made = tuple(
        Line(
            f"series {style}",
            style,
            tuple(
                Point(x, 10.0 ** (1 + (x + style) % 7), f"board {x}", hollow=x % 7 == 0)
                for x in range(1, boards + 1)
                if x % 11
            ),
        )
        for style in range(lines)
    )
    y = logarithmic_axis("nodes", [10, 10**7], show_rounded)
    return LineChart("a <title>", "what it shows", Axis("boards", 0.5, 48.5, False, str), y, made)


def marks(svg: Element) -> list[Element]:
    return [path for path in svg.iter("path") if path.find("title") is not None]


def test_lines_with_bounds_and_gaps() -> None:
    """Bounds are hollow; nothing joins them, or points that are not neighbours."""
    svg = draw(line_chart(lines=1), "chart")
    drawn = marks(svg)
    assert len(drawn) == 44
    assert sum("hollow" in path.get("class", "") for path in drawn) == 6
    (path,) = (path for path in svg.iter("path") if path.get("class") == "line series-0")
    present = {x for x in range(1, 49) if x % 11 and x % 7}
    strokes = path.get("d", "")
    assert strokes.count("L") == sum(x + 1 in present for x in present)
    assert strokes.count("L") + strokes.count("M") == len(drawn)


def test_everything_is_inside() -> None:
    """Marks, strokes and, by the width that letters take at most, texts."""
    for chart in (line_chart(), bar_chart()):
        svg = draw(chart, "chart")
        _, _, width, height = map(float, svg.get("viewBox", "").split())
        places = []
        for element in svg.iter():
            for name, value in element.attrib.items():
                if name in ("x", "x1", "x2"):
                    places.append((float(value), 0.0))
                if name in ("y", "y1", "y2"):
                    places.append((0.0, float(value)))
                if name == "transform":
                    x, y = re.findall(r"-?[\d.]+", value)
                    places.append((float(x), float(y)))
                if (
                    name == "d"
                    and element.find("title") is None
                    and element.get("transform") is None
                ):
                    pairs = re.findall(r"([\d.]+),([\d.]+)", value)
                    places += [(float(x), float(y)) for x, y in pairs]
        for text in svg.iter("text"):
            length = CHARACTER * len(text.text or "")
            begin = float(text.get("x", ""))
            begin -= {"start": 0.0, "middle": length / 2, "end": length}[
                text.get("text-anchor", "")
            ]
            places += [(begin, 0.0), (begin + length, 0.0)]
        assert width == WIDTH
        assert all(0 <= x <= width and 0 <= y <= height for x, y in places)


def test_a_legend_may_stand_elsewhere() -> None:
    """Then the plot begins higher up, and nothing else changes."""
    with_names, without = (draw(line_chart(), "chart", legend=one) for one in (True, False))
    names = {f"series {style}" for style in range(6)}
    assert names <= {text.text for text in with_names.iter("text")}
    assert names.isdisjoint({text.text for text in without.iter("text")})
    assert len(marks(with_names)) == len(marks(without)) == 6 * 44
    heights = [float(svg.get("viewBox", "").split()[3]) for svg in (with_names, without)]
    assert heights[0] - heights[1] == 17


def test_it_can_be_read_aloud() -> None:
    """A picture with a title and a description of its own."""
    svg = draw(line_chart(), "figure-5-1")
    names = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    assert svg.get("role") == "img"
    assert [names[word] for word in svg.get("aria-labelledby", "").split()] == [
        "a <title>",
        "what it shows",
    ]


def bar_chart() -> BarChart:
    """Bars with names of all lengths, and an empty one."""
    bars = (Bar("none", 8, "8 s"), Bar("no remaining-tile rules", 2, "2.34 s"), Bar("x", 0, "0 s"))
    return BarChart("time", "8 s and less", bars)


def test_bars_are_as_long_as_their_values() -> None:
    """From one left edge; an empty one can still be seen."""
    svg = draw(bar_chart(), "chart")
    long, short, empty = (float(bar.get("width", "")) for bar in svg.iter("rect"))
    assert short == pytest.approx(long / 4, abs=0.01)
    assert 0 < empty <= 1
    assert len({bar.get("x") for bar in svg.iter("rect")}) == 1
