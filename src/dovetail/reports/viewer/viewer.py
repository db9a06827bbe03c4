"""Solutions of a packing as one HTML file: to be turned, exploded and stepped through.

The file has all that it needs, three.js too (`bundle.js`, built from `viewer/` at the top of
the repository), and asks nothing of any host: its policy lets no request through.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from xml.etree.ElementTree import Element

from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.elements import element, html_text
from dovetail.reports.html import document
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.scripts import data_block
from dovetail.reports.solution_noun import SolutionNoun, solution_noun
from dovetail.reports.viewer.data import viewer_data

MAX_SOLUTIONS = 500
MAX_CELLS = 200_000  # of all solutions together: about 1.5 MB

HELP = (
    "Turn: drag or arrow keys. Zoom: wheel, two fingers, or + and −. "
    "Step through the pieces: Page Down and Page Up. Reset: 0."
)
NO_WEBGL = (
    "This browser does not support WebGL 2 and cannot show the {one} in three dimensions. "
    "The layers show the same {one} as text."
)
NO_SCRIPT = "This page draws the {many} with JavaScript, which this browser does not run."


def viewer_page(
    puzzle: PackingPuzzle, solutions: Sequence[PackingSolution], found: int | None = None
) -> str:
    """The text of the file: a viewer for the first of `solutions`.

    There are at most `MAX_SOLUTIONS` of them in it, fewer where they have more than
    `MAX_CELLS` cells together.

    `found` is how many solutions there are if `solutions` are not all of them; the page shows both
    numbers. Flat packings are shown as one layer.

    Raises `PuzzleError` for a lattice of other than two or three dimensions, or without solids.
    """
    embedded = solutions[: _max_embedded(puzzle)]
    several = len(embedded) > 1
    noun = solution_noun(puzzle)
    count = _count_text(noun, len(solutions) if found is None else found, len(embedded))
    made = document(
        puzzle.name,
        element("h1", puzzle.name),
        element("p", count),
        element("noscript", element("p", NO_SCRIPT.format(many=noun.many), class_="warning")),
        element("main", _picture(noun, several), _beside(noun), class_="viewer"),
        data_block(viewer_data(puzzle, embedded), "viewer-data"),
        scripts=[_own_text("bundle.js")],
        style=picture_style() + _own_text("viewer.css"),
    )
    return html_text(made)


def _max_embedded(puzzle: PackingPuzzle) -> int:
    """How many solutions there is room for, one at least."""
    return max(1, min(MAX_SOLUTIONS, MAX_CELLS // len(puzzle.region)))


def _count_text(noun: SolutionNoun, found: int, embedded: int) -> str:
    """How many solutions there are, and how many of them are in the page."""
    if not found:
        return f"No {noun.one} found; the picture shows the empty region."
    text = noun.of(found)
    if embedded == found:
        return f"{text} in this file."
    return f"{text}; this file contains the first {embedded:,}."


def _picture(noun: SolutionNoun, several: bool) -> Element:
    """The canvas and all that changes what is in it.

    What goes by an identity `viewer-...` is known to the script by it.
    """
    no_webgl = NO_WEBGL.format(one=noun.one)
    return element(
        "section",
        element("p", no_webgl, id="viewer-no-picture", class_="warning", hidden="hidden"),
        _canvas(noun),
        element("p", id="viewer-status", class_="status", role="status"),
        _group(
            "Steps",
            _button("first", "First", "First piece"),
            _button("back", "Back", "Previous piece"),
            _button("on", "Next", "Next piece"),
            _button("last", "Last", "Last piece"),
            _button("play", "Play"),
            _button("reset", "Reset", "Reset view and steps"),
        ),
        _group(
            noun.many.capitalize(),
            _button("previous", f"Previous {noun.one}"),
            _button("next", f"Next {noun.one}"),
            **({} if several else {"hidden": "hidden"}),
        ),
        _view(),
        aria_label="Picture",
    )


def _canvas(noun: SolutionNoun) -> Element:
    return element(
        "canvas",
        id="viewer-canvas",
        tabindex=0,
        role="application",
        aria_label=f"The {noun.one} in three dimensions",
        aria_describedby="viewer-status viewer-help",
    )


def _view() -> Element:
    """What only changes how one looks at the picture."""
    slider = element("input", id="viewer-explode", type="range", min=0, max=100, value=0)
    return element(
        "div",
        _group(
            "View",
            element("label", "Explode", slider),
            _button("nearer", "+", "Nearer"),
            _button("farther", "−", "Farther"),
            _button("save", "Save PNG"),
        ),
        element("p", HELP, id="viewer-help", class_="help"),
        id="viewer-view",
    )


def _beside(noun: SolutionNoun) -> Element:
    """The pieces by name and the layers as text, which the script writes."""
    return element(
        "section",
        element("h2", "Pieces"),
        element("ol", id="viewer-pieces", class_="pieces"),
        element("h2", "Layers"),
        element("div", id="viewer-layers", class_="layers"),
        aria_label=f"The {noun.one} as text",
    )


def _group(label: str, *children: Element, **attributes: object) -> Element:
    return element(
        "div", *children, class_="controls", role="group", aria_label=label, **attributes
    )


def _button(name: str, text: str, label: str | None = None) -> Element:
    """Return a button; `label` describes it more fully than its `text`."""
    labels = {} if label is None else {"aria_label": label, "title": label}
    return element("button", text, id=f"viewer-{name}", type="button", **labels)


def _own_text(name: str) -> str:
    return files("dovetail.reports.viewer").joinpath(name).read_text(encoding="utf-8")
