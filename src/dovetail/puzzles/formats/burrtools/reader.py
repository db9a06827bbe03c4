"""Reader of the shapes and problems of an xmpuzzle file, and conversion into puzzles.

BurrTools counts assemblies up to symmetries. A symmetry of a result preserves its states and its
colours, even colours that forbid nothing. Assemblies that a rotation maps to each other always
count once. A reflection is a symmetry if the mirror image of each piece, colours included, is a
piece of the problem. BurrTools has an option to keep mirror images nevertheless. Its files do not
record the option, so `harness.parameters` compares counts with the number in the file. Source:
assembler_0.cpp, assembler_1.cpp and assembly.cpp of A. Röver's BurrTools 0.6.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import overload

import numpy as np

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile, whole_number
from dovetail.files.xml_tree import Element, read_xml
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packings.packing import MAX_WEIGHT, AssemblyCount, PackingPuzzle, Piece
from dovetail.printable import printable
from dovetail.puzzles.formats.burrtools.grids import Allowance, Colouring, Grid, grids

MAX_SIDE = 1_000
MAX_CELLS = 250_000  # for the positions of all shapes in a file, and for the cells of all problems
MAX_PIECES = 10_000  # for the pieces of all problems
MAX_COPIES = 65_535
MAX_POSITION = 1_000_000
MAX_HOTSPOT = MAX_POSITION - 2 * MAX_SIDE  # cells around a hotspot stay within MAX_POSITION

AXES = ("x", "y", "z")
CUBES = "0"  # kind of the grid of cubes
SOLVED = "2"  # state of a solved problem

# Tags of elements that are never read. Separations are skipped, too, unless they are needed.
_SKIPPED = ("separationInfo", "assembler", "comment")


@dataclass(frozen=True)
class BurrShape:
    """A voxel element: the positions of its cells."""

    name: str
    hotspot: Cell
    filled: Cells
    variable: Cells
    colours: dict[Cell, int]  # colour of each cell, 0 for none; `writer` has coloured cells only
    line: int = 0

    def __len__(self) -> int:
        """Return the number of cells, variable cells included."""
        return len(self.filled) + len(self.variable)

    @property
    def cells(self) -> Cells:
        """Positions of all cells, of filled cells first."""
        return self.filled + self.variable


@dataclass(frozen=True)
class BurrPiece:
    """A piece of a problem."""

    name: str
    shape: BurrShape
    min_count: int
    max_count: int
    weight: int = 1
    groups: tuple[tuple[int, int], ...] = ()  # (group, number of the piece's copies in it)


@dataclass(frozen=True)
class BurrProblem:
    """A problem element with its pieces and its result."""

    element: Element
    grid: Grid
    parts: tuple[BurrPiece, ...]
    result: BurrShape
    allowed: frozenset[tuple[int, int]]  # pairs of the bitmap: a piece's and the result's colour


class ProblemReader(Sequence[PackingPuzzle]):
    """The problems of a file as puzzles, named after the file.

    If there are several problems, #1, #2 and so on follow the name. Each problem is read when it is
    accessed, so that an invalid problem does not affect the others. Access to an invalid problem
    raises `FormatError`, as the constructor does for a mistake outside of the problems. The limits
    on cells, pieces and steps hold for all accessed problems together.
    """

    def __init__(self, file: TextFile, *, separations: bool = False) -> None:
        root = read_xml(file, _SKIPPED if separations else ("separation", *_SKIPPED))
        self._file = file
        if root.tag != "puzzle":
            raise self._error(f"element {shorten(root.tag)!r}; expected puzzle", root)
        version = root.attributes.get("version", "")
        if version not in ("1", "2"):
            raise self._error(f"version {shorten(version)!r}; expected 1 or 2", root)
        self.grid = grids()[CUBES]
        for element in root.all("gridType"):
            kind = element.attributes.get("type", "")
            if kind not in grids():
                valid = ", ".join(f"{each.kind} ({each.lattice.name})" for each in grids().values())
                raise self._error(f"grid type {shorten(kind)!r}; expected one of {valid}", element)
            self.grid = grids()[kind]
        self._declared = len(root.all("colors", "color"))
        self._shapes = self._read_shapes(root.all("shapes", "voxel"))
        self._elements = root.all("problems", "problem")
        if not self._elements:
            raise self._error("the file has no problem; expected at least one", root)
        self.lines = [element.line for element in self._elements]  # first lines of the problems
        self._known = dict[int, BurrProblem]()
        self._cells = self._pieces = 0
        self._allowance = Allowance()

    def __len__(self) -> int:
        return len(self._elements)

    def problem(self, number: int) -> BurrProblem:
        """Return problem `number` (from 0) with its shapes; raise `FormatError` for a mistake."""
        if number not in self._known:
            element = self._elements[number]
            problem = self._problem(element)
            shapes = [problem.result, *(part.shape for part in problem.parts)]
            cells = self._cells + sum(map(len, shapes))
            pieces = self._pieces + len(problem.parts)
            if cells > MAX_CELLS or pieces > MAX_PIECES:
                raise self._error(
                    f"the problems have too many cells or pieces; expected at most {MAX_CELLS:,} "
                    f"cells and {MAX_PIECES:,} pieces",
                    element,
                )
            self._known[number] = problem
            self._cells, self._pieces = cells, pieces
        return self._known[number]

    @overload
    def __getitem__(self, index: int) -> PackingPuzzle: ...
    @overload
    def __getitem__(self, index: slice) -> list[PackingPuzzle]: ...
    def __getitem__(self, index: int | slice) -> PackingPuzzle | list[PackingPuzzle]:
        numbers = range(len(self))[index]
        return self._puzzle(numbers) if isinstance(numbers, int) else [*map(self._puzzle, numbers)]

    def __iter__(self) -> Iterator[PackingPuzzle]:
        """Yield all puzzles; an error names the number of the puzzle if there are several."""
        for number in range(len(self)):
            try:
                yield self._puzzle(number)
            except FormatError as error:
                if len(self) == 1:
                    raise
                raise self._file.error(
                    f"problem {number + 1}: {error.message}; choose another with FILE#N", error.line
                ) from None

    def _puzzle(self, number: int) -> PackingPuzzle:
        stem = self._file.stem
        problem = self.problem(number)
        grid, result = problem.grid, problem.result
        colouring = Colouring(grid, result.colours, problem.allowed, self._allowance)
        pieces, several = [], []
        with self._file.at(problem.element.line):
            for part in problem.parts:
                places = colouring.places(part.shape.colours, part.shape.hotspot)
                cells = grid.lattice.normalise(grid.cells(part.shape.filled))
                pieces.append(
                    Piece(
                        part.name,
                        cells,
                        part.min_count,
                        part.max_count,
                        placements=places.listed,
                        weight=part.weight,
                        groups=part.groups,
                    )
                )
                if places.several:
                    several.append(part.name)
            puzzle = PackingPuzzle(
                name=stem if len(self) == 1 else f"{stem}#{number + 1}",
                lattice=grid.lattice,
                region=grid.cells(result.cells),
                pieces=tuple(pieces),
                optional=grid.cells(result.variable),
                markings=markings(problem),
                assembled=assembly_count(problem, several),
            )
        if puzzle.has_equal_pieces:
            puzzle = replace(puzzle, interchangeable=False)
        return puzzle

    def equal(self, puzzle: PackingPuzzle) -> list[tuple[int, PackingPuzzle]]:
        """Return the numbers (from 0) and puzzles of the valid problems that equal `puzzle`."""
        found = list[tuple[int, PackingPuzzle]]()
        for number in range(len(self)):
            try:
                problem = self._puzzle(number)
            except FormatError:
                continue
            if problem.digest == puzzle.digest:
                found.append((number, problem))
        return found

    def _error(self, message: str, element: Element) -> FormatError:
        return self._file.error(message, element.line)

    def _read_shapes(self, elements: Sequence[Element]) -> list[BurrShape]:
        shapes = list[BurrShape]()
        volume = 0
        for element in elements:
            with self._file.at(element.line):
                sides = [self._number(element, axis, (0, MAX_SIDE)) for axis in AXES]
                volume += prod(sides)
                if volume > MAX_CELLS:
                    raise PuzzleError(
                        f"the shapes have too many cells; expected at most {MAX_CELLS:,}"
                    )
                shape = self._shape(element, sides)
                try:
                    self.grid.cells(shape.cells)
                except PuzzleError as error:
                    raise PuzzleError(f"shape S{len(shapes) + 1}: {error}") from None
                shapes.append(shape)
        return shapes

    def _shape(self, element: Element, sides: list[int]) -> BurrShape:
        kind = element.attributes.get("type", "0")
        if kind != "0":
            raise PuzzleError(f"voxel type {shorten(kind)!r}; expected 0")
        text = "".join(element.text.split())
        odd = re.search(r"^[0-9]|[^#+_0-9]", text)
        if odd:
            raise PuzzleError(f"{odd[0]!r} in a shape; expected #, +, _ and colours")
        columns, rows, layers = sides
        states = re.findall(r"[#+_][0-9]*", text)
        if len(states) != prod(sides):
            raise PuzzleError(
                f"{how_many(len(states), 'cell')} in a shape; expected {columns} · {rows} · "
                f"{layers} = {prod(sides)}"
            )
        cells: dict[str, list[Cell]] = {"#": [], "+": [], "_": []}
        colours: dict[Cell, int] = {}
        what, limits = f"a colour ({self._declared} declared)", (0, self._declared)
        for index, state in enumerate(states):
            cell = (index % columns, index // columns % rows, index // (columns * rows))
            cells[state[0]].append(cell)
            if state[0] != "_":
                colours[cell] = whole_number(state[1:], what, limits) if state[1:] else 0
        return BurrShape(
            line=element.line,
            name=printable(element.attributes.get("name", ""), mark=" "),
            hotspot=tuple(
                self._number(element, f"h{axis}", (-MAX_HOTSPOT, MAX_HOTSPOT), "0") for axis in AXES
            ),
            filled=tuple(sorted(cells["#"])),
            variable=tuple(sorted(cells["+"])),
            colours=colours,
        )

    def _number(
        self, element: Element, key: str, limits: tuple[int, int], default: str = ""
    ) -> int:
        """Return the whole number in an attribute; raise `FormatError` unless within `limits`."""
        word, what = element.attributes.get(key, default), f"{key} of a {element.tag}"
        with self._file.at(element.line):
            return whole_number(word, what, limits)

    def _problem(self, element: Element) -> BurrProblem:
        results = element.all("result")
        if len(results) != 1:
            raise self._error(
                f"the problem has {how_many(len(results), 'result')}; expected one", element
            )
        result = self._shapes[self._shape_number(results[0])]
        parts: list[BurrPiece] = []
        names: dict[str, int] = {}
        for part in element.all("shapes", "shape"):
            number = self._shape_number(part)
            shape = self._shapes[number]
            min_count, max_count = self._counts(part)
            if max_count == 0:
                continue
            if shape.variable:
                raise self._file.error(
                    f"shape S{number + 1} is a piece with variable cells; expected # and _",
                    shape.line,
                )
            if not shape.filled:
                raise self._error(f"shape S{number + 1} is a piece without cells", part)
            name = _unique(shape.name if shape.name.strip() else f"S{number + 1}", names)
            weight = self._number(part, "weight", (-MAX_WEIGHT, MAX_WEIGHT), "1")
            groups = self._groups(part, max_count)
            parts.append(BurrPiece(name, shape, min_count, max_count, weight, groups))
        # Colours are numbered from 1 in shapes, but from 0 in the bitmap.
        limits = (0, self._declared - 1)
        allowed = frozenset(
            (self._number(pair, "piece", limits) + 1, self._number(pair, "result", limits) + 1)
            for pair in element.all("bitmap", "pair")
        )
        problem = BurrProblem(element, self.grid, tuple(parts), result, allowed)
        self._check_holes(problem)
        return problem

    def _shape_number(self, element: Element) -> int:
        """Return the number in an element's `id`; raise `FormatError` if no shape has it.

        The number 4294967295 stands for no shape.
        """
        return self._number(element, "id", (0, len(self._shapes) - 1))

    def _counts(self, element: Element) -> tuple[int, int]:
        keys, limits = element.attributes, (0, MAX_COPIES)
        low, high = ("min", "max") if "min" in keys or "max" in keys else ("count", "count")
        default = "1" if low not in keys and low == high else ""
        min_count = self._number(element, low, limits, default)
        max_count = self._number(element, high, limits, default)
        if min_count > max_count:
            raise self._error(
                f"a piece is used {min_count} to {max_count} times; expected min <= max", element
            )
        return min_count, max_count

    def _groups(self, element: Element, max_count: int) -> tuple[tuple[int, int], ...]:
        """Return (group, number of the piece's copies in it) for each group of a piece.

        Pieces of a group need not come apart. In the file, the groups are an attribute or elements
        of the piece.
        """
        found = dict[int, int]()
        if "group" in element.attributes:
            found[self._number(element, "group", (0, MAX_COPIES))] = max_count
        for group in element.all("group"):
            number = self._number(group, "group", (0, MAX_COPIES))
            found[number] = self._number(group, "count", (0, MAX_COPIES))
        return tuple(each for each in found.items() if each[0] and each[1])

    def _check_holes(self, problem: BurrProblem) -> None:
        """Raise `FormatError` for a limit on empty cells that excludes assemblies or is no number.

        BurrTools ignores the limit if the count of each piece is fixed, since the number of empty
        cells is known then.
        """
        element, parts = problem.element, problem.parts
        varying = any(part.min_count < part.max_count for part in parts)
        if "maxHoles" not in element.attributes or not varying:
            return
        word = element.attributes["maxHoles"]
        min_count = sum(part.min_count * len(part.shape.filled) for part in parts)
        possible = min(len(problem.result.variable), len(problem.result) - min_count)
        if not re.fullmatch("[0-9]{1,10}", word) or int(word) < possible:
            raise self._error(
                f"a packing puzzle cannot represent the limit of {shorten(word)!r} holes; "
                f"expected no limit, or at least {possible}",
                element,
            )


def _unique(name: str, names: dict[str, int]) -> str:
    """Return `name`, or `name (2)` and so on if `name` is taken; add the result to `names`.

    The keys of `names` are the taken names. The value of a name is the last number that was
    appended to it, or 1.
    """
    found = name
    while found in names:
        names[name] += 1
        found = f"{name} ({names[name]})"
    names[found] = 1
    return found


def markings(problem: BurrProblem) -> tuple[Cells, ...]:
    """Return the cells of each colour of the result but 0; () if colours remove no symmetries."""
    result, grid = problem.result, problem.grid
    colours = set(result.colours.values())
    if len(colours) < 2 or _symmetry_count(problem) == _symmetry_count(problem, colours=False):
        return ()
    return tuple(
        grid.cells(tuple(cell for cell, its in result.colours.items() if its == colour))
        for colour in sorted(colours - {0})
    )


def assembly_count(problem: BurrProblem, several: Sequence[str]) -> AssemblyCount:
    """Return the file's number of assemblies, and reasons why other counts may differ from it.

    `several` names the pieces whose colours fit the cells of some place in several ways. The number
    is None if the file has none, or if the problem is not solved.
    """
    doubts = list[str]()
    if several:
        doubts.append(
            f"the colours of {', '.join(several)} can lie on the same cells in several ways: "
            "BurrTools counts each, here they count once"
        )
    number = problem.element.attributes.get("assemblies", "")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return AssemblyCount(doubts=tuple(doubts))
    varying = any(part.min_count < part.max_count for part in problem.parts)
    if varying and _reflects(problem) and not _all_have_mirror_images(problem):
        doubts.append(
            "if numbers of copies vary, BurrTools counts some assemblies and their mirror "
            "images once; here they count twice"
        )
    solved = problem.element.attributes.get("state") == SOLVED
    return AssemblyCount(int(number) if solved else None, tuple(doubts))


def _symmetry_count(problem: BurrProblem, *, colours: bool = True, reflections: bool = True) -> int:
    """Return the number of symmetries of the result: rotations, and reflections if `reflections`.

    Symmetries preserve filled and variable cells and, with `colours`, the colours.
    """
    result, grid = problem.result, problem.grid
    if not result.cells:
        return 0
    is_filled = np.arange(len(result)) < len(result.filled)
    colour = np.array([result.colours[cell] if colours else 0 for cell in result.cells])
    cells = np.array(grid.cells(result.cells), dtype=np.int64)
    maps = grid.lattice.symmetries(cells, reflections=reflections)
    keeps = (is_filled[maps] == is_filled) & (colour[maps] == colour)
    return int(np.count_nonzero(keeps.all(axis=1)))


def _reflects(problem: BurrProblem) -> bool:
    """Return True if the result has symmetries that are not rotations."""
    return _symmetry_count(problem) > _symmetry_count(problem, reflections=False)


def _all_have_mirror_images(problem: BurrProblem) -> bool:
    """Return True if the mirror image of each piece is a piece with the same counts."""
    keys, mirrored = (
        Counter(
            (
                problem.grid.coloured_orientations(
                    part.shape.colours, part.shape.hotspot, reflected=reflected
                ),
                part.min_count,
                part.max_count,
            )
            for part in problem.parts
        )
        for reflected in (False, True)
    )
    return keys == mirrored
