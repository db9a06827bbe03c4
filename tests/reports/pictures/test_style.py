"""The style of pictures."""

from __future__ import annotations

import re

from dovetail.reports.pictures.palette import DARK, LIGHT
from dovetail.reports.pictures.style import picture_style


def test_every_variable_is_defined_three_times() -> None:
    """For light, dark and print; and none is used that is not."""
    style = picture_style()
    defined = re.findall(r"(--[\w-]+): #", style)
    assert set(re.findall(r"var\((--[\w-]+)", style)) <= set(defined)
    assert {defined.count(name) for name in defined} == {3}


def test_programs_without_variables_have_colours() -> None:
    """The light one stands before each."""
    style = picture_style()
    assert f"fill: {LIGHT.pieces[6]}; fill: var(--piece-6);" in style
    assert style.count("; stroke: var(") == style.count("stroke: var(") > 0
    assert DARK.pieces[6] in style


def test_nothing_is_asked_of_any_host() -> None:
    """No address and no import."""
    assert not re.search(r"url\(|@import|http", picture_style())
