"""Bare cover problems as lists: they have no shape to draw."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from dovetail.models.cover import CoverProblem
from dovetail.reports.elements import element


def options_list(problem: CoverProblem, options: Iterable[int]) -> Element:
    """Options by number, each with its name and its members."""
    return element("ul", *(_option(problem, option) for option in options))


def _option(problem: CoverProblem, option: int) -> Element:
    members = "; ".join(
        member if isinstance(member, str) else f"{member[0]} = {member[1]}"
        for member in problem.members(option)
    )
    name = None if problem.option_names is None else element("b", problem.option_names[option])
    return element("li", f"{option} ", name, f" ({members})")
