"""A self-contained HTML file in which a reader turns and explodes a solution, or chooses another.

The file includes three.js (`bundle.js`, built from `viewer/` at the top of the repository). Its
content security policy permits no request.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dovetail.disassembly.plan import Disassembly
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.result import SolutionNoun, solution_noun
from dovetail.reports.elements import data_block, element
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.rendering.html import document
from dovetail.reports.viewer.data import viewer_data

MAX_SOLUTIONS = 500
MAX_CELLS = 200_000  # cells of all solutions together: about 1.5 MB
NO_SCRIPT = "This page draws the {many} with JavaScript, which this browser does not run."


def viewer_page(
    puzzle: PackingPuzzle,
    solutions: Sequence[PackingSolution],
    found: int | None = None,
    taken_apart: Sequence[Disassembly] = (),
    *,
    framed: bool = False,
) -> str:
    """Return a page with a viewer of `solutions`, or of the empty region without a solution.

    Only the first solutions are on the page if there are more than `MAX_SOLUTIONS` or they have
    more than `MAX_CELLS` cells. `found` is the number of all solutions if `solutions` are not all.
    `taken_apart` has the result of taking each solution apart; the page plays the moves. Flat
    packings are shown as a layer. A `framed` page has no heading and no number of solutions. Raises
    `PuzzleError` for a lattice that has no solids, or not two or three dimensions.
    """
    room = max(1, min(MAX_SOLUTIONS, MAX_CELLS // len(puzzle.region)))
    embedded = solutions[:room]
    noun = solution_noun(puzzle)
    count = _count_text(noun, len(solutions) if found is None else found, len(embedded))
    head = () if framed else (element("h1", puzzle.name), element("p", count))
    data = viewer_data(puzzle, embedded, taken_apart)
    return packing_page(puzzle.name, head, noun, data, has_several=len(embedded) > 1)


def packing_page(
    name: str,
    head: Sequence[Element],
    noun: SolutionNoun,
    data: dict[str, object],
    *,
    has_several: bool,
) -> str:
    """Return a page with `head` and, below it, a viewer of `data`."""
    return document(
        name,
        *head,
        element("noscript", element("p", NO_SCRIPT.format(many=noun.many), class_="warning")),
        _content(noun, has_several=has_several),
        data_block(data, "viewer-data"),
        scripts=[_file("bundle.js")],
        style=picture_style() + _file("viewer.css"),
    )


def _count_text(noun: SolutionNoun, found: int, embedded: int) -> str:
    if not found:
        return f"No {noun.one} found; the picture shows the empty region."
    text = noun.of(found)
    if embedded == found:
        return f"{text} in this file."
    return f"{text}; this file contains the first {embedded:,}."


def _content(noun: SolutionNoun, *, has_several: bool) -> Element:
    """Return the canvas, the controls and the texts.

    The controls that choose a solution are hidden unless the page `has_several` solutions.
    """
    title = noun.many.capitalize()
    root = ElementTree.fromstring(_file("viewer.html").format(one=noun.one, title=title))
    for node in root.iter():  # without the indentation of the file
        node.text, node.tail = (" ".join((text or "").split()) for text in (node.text, node.tail))
    if not has_several:
        for group in root.iterfind(f".//div[@aria-label='{title}']"):
            group.set("hidden", "hidden")
    return root


def _file(name: str) -> str:
    return files("dovetail.reports.viewer").joinpath(name).read_text(encoding="utf-8")
