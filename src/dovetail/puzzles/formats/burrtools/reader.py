"""Reads the shapes of an xmpuzzle file and those of its problems that are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element, read_xml
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.printable import printable
from dovetail.puzzles.formats.burrtools.colours import Allowance
from dovetail.puzzles.formats.burrtools.grids import Grid, grids
from dovetail.puzzles.formats.burrtools.problem import (
    MAX_POSITION,
    Part,
    Problem,
    Shape,
    coordinate,
)
from dovetail.puzzles.formats.burrtools.puzzle import as_puzzle

MAX_SIDE = 1_000
MAX_CELLS = 250_000  # of all shapes in a file, and of all shapes used by its problems
MAX_PIECES = 10_000  # of all problems
MAX_COPIES = 65_535
MAX_HOTSPOT = MAX_POSITION - 2 * MAX_SIDE  # so that a piece about it has a position

AXES = ("x", "y", "z")
CUBES = "0"

# How a piece is taken apart may be long, and is not needed.
_SKIPPED = ("separation", "separationInfo", "assembler", "comment")


class ProblemReader:
    """The problems of a file, each read when it is asked for: an unfinished one spoils no other.

    They are numbered from 0, and `lines` has where each begins. Raises `FormatError` for mistakes
    outside of the problems. The bounds are on all problems that one reader reads.
    """

    def __init__(self, file: TextFile) -> None:
        root = read_xml(file, _SKIPPED)
        if root.tag != "puzzle":
            raise file.error(f"element {shorten(root.tag)!r}; expected puzzle", root.line)
        version = root.attributes.get("version", "")
        if version not in ("1", "2"):
            raise file.error(f"version {shorten(version)!r}; expected 1 or 2", root.line)
        self.grid = _grid(file, root)
        self._file = file
        self._declared = len(root.all("colors", "color"))
        self._shapes = _shapes(file, root.all("shapes", "voxel"), self.grid, self._declared)
        self._elements = root.all("problems", "problem")
        if not self._elements:
            raise file.error("the file has no problem; expected at least one", root.line)
        self.lines = [element.line for element in self._elements]
        self._known = dict[int, Problem]()
        self._cells = self._pieces = 0
        self._allowance = Allowance()

    def __len__(self) -> int:
        return len(self._elements)

    def problem(self, number: int) -> Problem:
        """One problem, its shapes looked up. Raises `FormatError` for mistakes in it."""
        if number not in self._known:
            element = self._elements[number]
            problem = _problem(self._file, element, self.grid, self._shapes, self._declared)
            shapes = [problem.result, *(part.shape for part in problem.parts)]
            cells = self._cells + sum(map(len, shapes))
            pieces = self._pieces + len(problem.parts)
            if cells > MAX_CELLS or pieces > MAX_PIECES:
                raise self._file.error(
                    f"the problems have too many cells; expected at most {MAX_CELLS:,}, "
                    f"and {MAX_PIECES:,} pieces",
                    element.line,
                )
            self._known[number] = problem
            self._cells, self._pieces = cells, pieces
        return self._known[number]

    def puzzle(self, number: int) -> PackingPuzzle:
        """One problem as a puzzle, named after the file. Raises `FormatError`."""
        stem = self._file.stem
        name = stem if len(self) == 1 else f"{stem}#{number + 1}"
        return as_puzzle(self._file, self.problem(number), name, self._allowance)

    def equal(self, puzzle: PackingPuzzle) -> list[tuple[int, PackingPuzzle]]:
        """The problems that are `puzzle`, by number; those that cannot be read are not."""
        found = list[tuple[int, PackingPuzzle]]()
        for number in range(len(self)):
            try:
                one = self.puzzle(number)
            except FormatError:
                continue
            if one.digest == puzzle.digest:
                found.append((number, one))
        return found


def _grid(file: TextFile, root: Element) -> Grid:
    """The grid of all shapes: that of cubes unless the file names another."""
    found = grids()[CUBES]
    for element in root.all("gridType"):
        kind = element.attributes.get("type", "")
        if kind not in grids():
            valid = ", ".join(f"{one.kind} ({one.lattice.name})" for one in grids().values())
            raise file.error(f"grid type {shorten(kind)!r}; expected one of {valid}", element.line)
        found = grids()[kind]
    return found


def _shapes(file: TextFile, elements: Sequence[Element], grid: Grid, colours: int) -> list[Shape]:
    shapes = list[Shape]()
    volume = 0
    for element in elements:
        sides = [_number(file, element, axis) for axis in AXES]
        if not all(side <= MAX_SIDE for side in sides):
            size = " x ".join(map(str, sides))
            raise file.error(f"a shape of {size}; expected sides of 0 to {MAX_SIDE}", element.line)
        volume += sides[0] * sides[1] * sides[2]
        if volume > MAX_CELLS:
            raise file.error(
                f"the shapes have too many cells; expected at most {MAX_CELLS:,}", element.line
            )
        shape = _shape(file, element, sides, colours)
        try:
            grid.cells((*shape.filled, *shape.variable))
        except PuzzleError as error:
            raise file.error(f"shape S{len(shapes) + 1}: {error}", element.line) from None
        shapes.append(shape)
    return shapes


def _shape(file: TextFile, element: Element, sides: list[int], declared: int) -> Shape:
    kind = element.attributes.get("type", "0")
    if kind != "0":
        raise file.error(f"voxel type {shorten(kind)!r}; expected 0", element.line)
    text = "".join(element.text.split())
    odd = re.search(r"^[0-9]|[^#+_0-9]", text)
    if odd:
        raise file.error(f"{odd[0]!r} in a shape; expected #, +, _ and colours", element.line)
    columns, rows, layers = sides
    states = re.findall(r"[#+_][0-9]*", text)
    if len(states) != columns * rows * layers:
        raise file.error(
            f"{how_many(len(states), 'cell')} in a shape; expected {columns} · {rows} · {layers} "
            f"= {columns * rows * layers}",
            element.line,
        )
    cells: dict[str, list[Cell]] = {"#": [], "+": [], "_": []}
    colours: dict[Cell, int] = {}
    for index, state in enumerate(states):
        cell = (index % columns, index // columns % rows, index // (columns * rows))
        cells[state[0]].append(cell)
        if state[0] != "_":
            colours[cell] = _colour(file, state[1:], element.line, declared)
    return Shape(
        line=element.line,
        name=printable(element.attributes.get("name", ""), mark=" "),
        hotspot=tuple(_position(file, element, f"h{axis}") for axis in AXES),
        filled=tuple(sorted(cells["#"])),
        variable=tuple(sorted(cells["+"])),
        colours=colours,
    )


def _colour(file: TextFile, word: str, line: int, declared: int) -> int:
    colour = file.integer(word, line, "a colour") if word else 0
    if colour > declared:
        valid = f"0 to {declared}" if declared else "none"
        raise file.error(f"colour {colour} is not declared; expected {valid}", line)
    return colour


def _number(file: TextFile, element: Element, key: str) -> int:
    """An attribute that has to be a natural number or 0."""
    word = element.attributes.get(key)
    if word is None:
        raise file.error(f"{element.tag} has no {key}; expected a whole number", element.line)
    number = file.integer(word, element.line, key)
    if number < 0:
        raise file.error(f"{key} is {number}; expected 0 or more", element.line)
    return number


def _position(file: TextFile, element: Element, key: str) -> int:
    return coordinate(file, element.attributes.get(key, "0"), element.line, key, MAX_HOTSPOT)


def _problem(
    file: TextFile, element: Element, grid: Grid, shapes: list[Shape], declared: int
) -> Problem:
    results = element.all("result")
    if len(results) != 1:
        raise file.error(
            f"a problem with {how_many(len(results), 'result')}; expected one", element.line
        )
    result = _shape_of(file, results[0], shapes)[1]
    parts: list[Part] = []
    names: dict[str, int] = {}
    for part in element.all("shapes", "shape"):
        number, shape = _shape_of(file, part, shapes)
        min_count, max_count = _counts(file, part)
        if max_count == 0:
            continue
        if shape.variable:
            raise file.error(
                f"shape S{number + 1} is a piece with variable cells; expected # and _",
                shape.line,
            )
        if not shape.filled:
            raise file.error(f"shape S{number + 1} is a piece without cells", part.line)
        name = _unique(shape.name if shape.name.strip() else f"S{number + 1}", names)
        parts.append(Part(name, shape, min_count, max_count))
    allowed = frozenset(
        (_paired(file, pair, "piece", declared), _paired(file, pair, "result", declared))
        for pair in element.all("bitmap", "pair")
    )
    problem = Problem(element, grid, tuple(parts), result, allowed)
    _check_holes(file, problem)
    return problem


def _paired(file: TextFile, element: Element, key: str, declared: int) -> int:
    """A colour of a pair; colours are numbered from 1, and the bitmap counts them from 0."""
    number = _number(file, element, key)
    if number >= declared:
        valid = f"0 to {declared - 1}" if declared else "no pair"
        raise file.error(
            f"{key} {number} of a pair is not declared; expected {valid}", element.line
        )
    return number + 1


def _shape_of(file: TextFile, element: Element, shapes: list[Shape]) -> tuple[int, Shape]:
    """The shape that an element's `id` says; BurrTools writes 4294967295 for none."""
    word = element.attributes.get("id", "")
    if not re.fullmatch("[0-9]{1,9}", word) or int(word) >= len(shapes):
        raise file.error(
            f"shape {shorten(word)!r} of a {element.tag}; expected one of the {len(shapes)} "
            "shapes, numbered from 0",
            element.line,
        )
    return int(word), shapes[int(word)]


def _counts(file: TextFile, element: Element) -> tuple[int, int]:
    keys = element.attributes
    if "count" in keys:
        min_count = max_count = _number(file, element, "count")
    elif "min" in keys or "max" in keys:
        min_count, max_count = _number(file, element, "min"), _number(file, element, "max")
    else:
        min_count = max_count = 1
    if not min_count <= max_count <= MAX_COPIES:
        raise file.error(
            f"a piece used {min_count} to {max_count} times; expected min <= max <= {MAX_COPIES:,}",
            element.line,
        )
    return min_count, max_count


def _unique(name: str, names: dict[str, int]) -> str:
    """`name`, or `name (2)` and so on where it is taken; `names` counts them."""
    found = name
    while found in names:
        names[name] += 1
        found = f"{name} ({names[name]})"
    names[found] = 1
    return found


def _check_holes(file: TextFile, problem: Problem) -> None:
    """A limit on empty cells must not say more than the pieces do.

    Where every piece has one count, BurrTools knows the holes and does not look at it.
    """
    element, parts = problem.element, problem.parts
    if "maxHoles" not in element.attributes or all(
        part.min_count == part.max_count for part in parts
    ):
        return
    word = element.attributes["maxHoles"]
    min_count = sum(part.min_count * len(part.shape.filled) for part in parts)
    possible = min(len(problem.result.variable), len(problem.result) - min_count)
    if not re.fullmatch("[0-9]{1,10}", word) or int(word) < possible:
        raise file.error(
            f"a limit of {shorten(word)!r} holes, which a packing puzzle cannot represent; "
            f"expected none, or at least {possible}",
            element.line,
        )
