"""Reads the shapes and problems of an xmpuzzle file; each problem is a puzzle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.xml_tree import Element, read_xml
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.printable import printable
from dovetail.puzzles.formats.burrtools.colours import Allowance, Colouring, Places
from dovetail.puzzles.formats.burrtools.counting import assembly_count, markings
from dovetail.puzzles.formats.burrtools.grids import Grid, grids
from dovetail.puzzles.formats.burrtools.problem import (
    MAX_POSITION,
    Part,
    Problem,
    Shape,
    coordinate,
)

MAX_SIDE = 1_000
MAX_CELLS = 250_000  # of all shapes in a file, and of all shapes used by its problems
MAX_PIECES = 10_000  # of all problems
MAX_COPIES = 65_535
MAX_HOTSPOT = MAX_POSITION - 2 * MAX_SIDE  # so that a piece about it has a position

AXES = ("x", "y", "z")
CUBES = "0"

# How a piece is taken apart may be long, and is not needed.
_SKIPPED = ("separation", "separationInfo", "assembler", "comment")


def read_burrtools(file: TextFile) -> tuple[PackingPuzzle, ...]:
    """The problems in `file`, named after it. Raises `FormatError` at the first mistake."""
    problems = read_problems(file)
    stem = file.stem
    names = [stem] if len(problems) == 1 else [f"{stem}#{n + 1}" for n in range(len(problems))]
    allowance = Allowance()
    return tuple(
        _puzzle(file, problem, name, allowance)
        for problem, name in zip(problems, names, strict=True)
    )


def read_problems(file: TextFile) -> list[Problem]:
    """The problems in `file`, their shapes looked up. Raises `FormatError`."""
    root = read_xml(file, _SKIPPED)
    if root.tag != "puzzle":
        raise file.error(f"element {shorten(root.tag)!r}; expected puzzle", root.line)
    version = root.attributes.get("version", "")
    if version not in ("1", "2"):
        raise file.error(f"version {shorten(version)!r}; expected 1 or 2", root.line)
    grid = _grid(file, root)
    shapes = _shapes(file, root.all("shapes", "voxel"), grid, len(root.all("colors", "color")))
    elements = root.all("problems", "problem")
    if not elements:
        raise file.error("the file has no problem; expected at least one", root.line)
    problems: list[Problem] = []
    cells = pieces = 0
    for element in elements:
        problem = _problem(file, element, grid, shapes)
        cells += sum(map(len, [problem.result, *(part.shape for part in problem.parts)]))
        pieces += len(problem.parts)
        if cells > MAX_CELLS or pieces > MAX_PIECES:
            raise file.error(
                f"the problems have too many cells; expected at most {MAX_CELLS:,}, "
                f"and {MAX_PIECES:,} pieces",
                element.line,
            )
        problems.append(problem)
    return problems


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
        if not all(1 <= side <= MAX_SIDE for side in sides):
            size = " x ".join(map(str, sides))
            raise file.error(f"a shape of {size}; expected sides of 1 to {MAX_SIDE}", element.line)
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


def _problem(file: TextFile, element: Element, grid: Grid, shapes: list[Shape]) -> Problem:
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
    problem = Problem(element, grid, tuple(parts), result)
    _check_holes(file, problem)
    return problem


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


def _colouring(file: TextFile, problem: Problem, allowance: Allowance) -> Colouring:
    """Colours are numbered from 1; the bitmap counts them from 0."""
    allowed = {
        (_number(file, pair, "piece") + 1, _number(file, pair, "result") + 1)
        for pair in problem.element.all("bitmap", "pair")
    }
    return Colouring(problem.grid, problem.result.colours, frozenset(allowed), allowance)


def _puzzle(file: TextFile, problem: Problem, name: str, allowance: Allowance) -> PackingPuzzle:
    grid, result = problem.grid, problem.result
    colouring = _colouring(file, problem, allowance)
    try:
        places = [
            colouring.places(part.shape.colours, part.shape.hotspot) for part in problem.parts
        ]
        puzzle = PackingPuzzle(
            name=name,
            lattice=grid.lattice,
            region=grid.cells(result.filled + result.variable),
            pieces=tuple(map(partial(_piece, grid), problem.parts, places)),
            optional=grid.cells(result.variable),
            markings=markings(problem),
            assembled=assembly_count(
                file,
                problem,
                [part.name for part, its in zip(problem.parts, places, strict=True) if its.several],
            ),
        )
    except PuzzleError as error:
        raise file.error(str(error), problem.element.line) from None
    if len(set(puzzle.equal_pieces)) < len(puzzle.pieces):
        puzzle = replace(puzzle, interchangeable=False)
    return puzzle


def _piece(grid: Grid, part: Part, places: Places) -> Piece:
    return Piece(
        part.name,
        grid.lattice.normalise(grid.cells(part.shape.filled)),
        part.min_count,
        part.max_count,
        placements=places.listed,
    )
