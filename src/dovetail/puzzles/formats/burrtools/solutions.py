"""Solutions in xmpuzzle files: reading, and writing back into the file of the puzzle.

Solutions that are written back replace the `<solutions>` of the problem, or are inserted behind the
last element of a problem without `<solutions>`. The rest of the document stays the same, even the
problem's state, since the solutions may be incomplete. Assemblies refer to the file's own shapes
and hotspots, to the order of the problem's pieces, and to the grid of the problem's result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from operator import sub
from xml.parsers import expat

from dovetail.disassembly.kernels.states import MAX_PIECES
from dovetail.disassembly.plan import Move, Separation
from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile, whole_number
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.base import UnboundedWriter
from dovetail.puzzles.formats.burrtools.grids import Grid, grid_of
from dovetail.puzzles.formats.burrtools.reader import (
    MAX_POSITION,
    BurrPiece,
    BurrProblem,
    ProblemReader,
)
from dovetail.puzzles.formats.burrtools.writer import (
    HERE,
    OFFSETS,
    AssemblyWriter,
    Hotspots,
    Places,
    equal_groups,
    steps_of,
)
from dovetail.puzzles.polyominoes import PLANE, in_dimension, min_corner, moved

MAX_SOLUTION_CELLS = 1_000_000  # for the cells and pieces of all solutions
MAX_COORDINATE = 1_000_000  # in separations

_PROBLEM = ["puzzle", "problems", "problem"]

Turned = tuple[Cells, Cell] | None  # positions and hotspot; None if a cell is off the grid


@dataclass(frozen=True)
class StoredSolution:
    """A solution in a file, converted into a solution of the puzzle."""

    element: Element
    line: int  # of the assembly
    solution: PackingSolution
    # For each placed piece: the number of its entry in the assembly, and its hotspot's position.
    hotspots: list[tuple[int, Cell]]


def read_solutions_of(
    puzzle: PackingPuzzle, file: TextFile
) -> Iterator[tuple[int, PackingSolution]]:
    """Yield the solutions in `file` as solutions of `puzzle`, with their lines.

    Nothing is verified. Raises `FormatError` as `_solutions_in` does.
    """
    return ((stored.line, stored.solution) for stored in _solutions_in(puzzle, file))


def read_separations_of(
    puzzle: PackingPuzzle, file: TextFile
) -> Iterator[tuple[int, PackingSolution, Separation | None]]:
    """Yield the solutions in `file` as solutions of `puzzle`, with their lines and separations.

    A separation is None if the file has none for a solution. The pieces of a separation are
    numbered in the order of `disassembly.plan.Assembly`.
    Nothing is verified. Raises `FormatError` as `_solutions_in` does, and for an invalid
    separation.
    """
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    with file.at(None):
        reader = _SeparationReader(file, grid_of(puzzle.lattice), puzzle.lattice)
    for stored in _solutions_in(puzzle, file, separations=True):
        plan = None
        for element in stored.element.all("separation"):
            ranks = [order.get(name, len(order)) for name, _ in stored.solution.placed]
            by_rank = sorted(range(len(ranks)), key=ranks.__getitem__)
            plan = reader.plan(element, {n: stored.hotspots[at] for n, at in enumerate(by_rank)})
        yield stored.line, stored.solution, plan


def _solutions_in(
    puzzle: PackingPuzzle, file: TextFile, *, separations: bool = False
) -> Iterator[StoredSolution]:
    """Yield the solutions in `file`.

    The solutions of a single problem in a file are taken, even if the problem is not the puzzle. Of
    several problems, only problems that equal the puzzle are read. The problem's result is moved to
    the puzzle's region. Assemblies in a single layer of cubes may be solutions of a puzzle in the
    plane. Raises `FormatError` if none of several problems equals the puzzle, for a solution that
    is not an assembly of the problem's pieces, and for a file whose grid is not the puzzle's.
    """
    with file.at(None):
        grid = grid_of(puzzle.lattice)
    problems = ProblemReader(file, separations=separations)
    if problems.grid is not grid:
        raise file.error(
            f"assemblies of cells {problems.grid.lattice.phrase}; expected cells "
            f"{grid.lattice.phrase}, as {shorten(puzzle.name)} has them",
            problems.lines[0],
        )
    numbers = [0] if len(problems) == 1 else [number for number, _ in problems.equal(puzzle)]
    if not numbers:
        raise file.error(
            f"none of the {len(problems)} problems is {shorten(puzzle.name)}; "
            "expected that problem, or a single problem",
            problems.lines[1],
        )
    for number in numbers:
        reader = _AssemblyReader(problems.problem(number), puzzle)
        for element in reader.problem.element.all("solutions", "solution"):
            for assembly in element.all("assembly"):
                with file.at(assembly.line):
                    solution, hotspots = reader.read(assembly.text.split())
                yield StoredSolution(element, assembly.line, solution, hotspots)


class _AssemblyReader:
    """Reader of a problem's assemblies as solutions of a puzzle, moved to the puzzle's region."""

    def __init__(self, problem: BurrProblem, puzzle: PackingPuzzle) -> None:
        self.problem, self._puzzle = problem, puzzle
        there = min_corner(problem.grid.positions(puzzle.region))
        here = min_corner(problem.result.cells or ((0, 0, 0),))
        self._home = tuple(map(sub, there, here))
        self._turned: dict[tuple[str, int], Turned] = {}
        self._capacity = MAX_SOLUTION_CELLS

    def read(self, words: list[str]) -> tuple[PackingSolution, list[tuple[int, Cell]]]:
        """Return the solution of an assembly, and the entry and hotspot's position of each piece.

        Raises `PuzzleError` for words that are not an assembly, and for too many cells in all.
        """
        grid, lattice = self.problem.grid, self._puzzle.lattice
        entries = [*self._entries(words)]
        self._capacity -= sum(1 + len(positions) for *_, positions in entries)
        if self._capacity < 0:
            raise PuzzleError(
                f"the solutions have too many cells; expected at most {MAX_SOLUTION_CELLS:,}"
            )
        placed = [(name, moved(positions, self._home)) for _, name, _, positions in entries]
        if lattice == PLANE and all(z == 0 for _, positions in placed for _, _, z in positions):
            found = [(name, in_dimension(positions, 2)) for name, positions in placed]
        else:
            found = [(name, grid.cells(positions)) for name, positions in placed]
        named = _by_own_names(self._puzzle, [(name, tuple(sorted(cells))) for name, cells in found])
        hotspots = [(entry, position) for entry, _, position, _ in entries]
        return PackingSolution(tuple(named), lattice), hotspots

    def _entries(self, words: list[str]) -> Iterator[tuple[int, str, Cell, Cells]]:
        """Yield the number, piece, hotspot and positions of each used entry of an assembly."""
        problem, at = self.problem, 0
        capacity = len(problem.result)
        limits = [("a position", (-MAX_POSITION, MAX_POSITION))] * 3
        limits.append(("a transformation", (0, problem.grid.rotations - 1)))
        copies = chain.from_iterable(repeat(part, part.max_count) for part in problem.parts)
        for entry, part in enumerate(copies):
            place = words[at : at + 4]
            if place[:1] == ["x"]:
                at += 1
                continue
            if len(place) < 4:
                count = sum(part.max_count for part in problem.parts)
                raise PuzzleError(
                    f"the assembly ends early; expected entries x y z t or x alone, {count} in all"
                )
            at += 4
            capacity -= len(part.shape.filled)
            if capacity < 0:
                raise PuzzleError("the assembly has more cells than its result")
            *position, number = (
                whole_number(word, what, bounds)
                for word, (what, bounds) in zip(place, limits, strict=True)
            )
            positions, hotspot = self._oriented(part, number)
            vector = tuple(map(sub, position, hotspot))
            yield entry, part.name, tuple(position), moved(positions, vector)
        if at < len(words):
            raise PuzzleError("the assembly continues after its last piece")

    def _oriented(self, part: BurrPiece, number: int) -> tuple[Cells, Cell]:
        """Return the positions and hotspot of a piece after rotation `number`."""
        if (part.name, number) not in self._turned:
            turned = self.problem.grid.turned(part.shape.filled, part.shape.hotspot, number)
            self._turned[part.name, number] = turned
        oriented = self._turned[part.name, number]
        if oriented is None:
            raise PuzzleError(
                f"transformation {number} takes piece {shorten(part.name)} off its grid; "
                "expected another"
            )
        return oriented


def _by_own_names(
    puzzle: PackingPuzzle, placed: list[tuple[str, Cells]]
) -> Iterator[tuple[str, Cells]]:
    """Yield the laid pieces; if a file has copies of one piece, they get the names of equal pieces.

    Equal pieces whose names all occur as often as the puzzle allows keep their names.
    """
    left: dict[str, list[str]] = {}
    used = Counter(name for name, _ in placed)
    for same in equal_groups(puzzle):
        if not all(p.min_count <= used[p.name] <= p.max_count for p in same):
            needed = [piece.name for piece in same for _ in range(piece.min_count)]
            more = [p.name for p in same for _ in range(p.max_count - p.min_count)]
            left[same[0].name] = [*needed, *more]
    for name, cells in placed:
        yield (left[name].pop(0) if left.get(name) else name), cells


class _SeparationReader:
    """Reader of the separations in a file; its methods raise `FormatError` for mistakes."""

    def __init__(self, file: TextFile, grid: Grid, lattice: Lattice) -> None:
        self._file, self._steps = file, list(steps_of(grid, lattice))

    def plan(self, element: Element, hotspots: Hotspots) -> Separation:
        """Return the plan in an element, without a check that pieces do not collide."""
        pieces = {entry: piece for piece, (entry, _) in hotspots.items()}
        places = {piece: position for piece, (_, position) in hotspots.items()}
        return self._part(element, pieces, places, MAX_PIECES)

    def _part(
        self, element: Element, entries: Mapping[int, int], begin: Places, most: int
    ) -> Separation:
        with self._file.at(element.line):
            numbers = _numbers(element, "pieces", (0, max(entries, default=0)))
            if len(numbers) > most:
                raise PuzzleError(f"number of pieces is {len(numbers)}; expected at most {most}")
            if not numbers or len(entries.keys() & numbers) < len(numbers):
                raise PuzzleError(
                    "expected the numbers of pieces of the assembly in <pieces>, each once"
                )
            pieces = [entries[number] for number in numbers]
            elements = element.all("state")
            states = [self._state(each, pieces) for each in elements]
            if len(states) < 2:
                raise PuzzleError(
                    f"the separation has {how_many(len(states), 'state')}; expected at least 2"
                )
            away = {tuple(map(sub, states[0][p], begin[p])) for p in pieces if p in begin}
            if len(away) != 1 or not begin.keys() >= set(pieces):
                raise PuzzleError("a separation does not begin where its pieces are")
            moves = tuple(map(self._move, states, states[1:], elements[1:]))
            halves: dict[str, Separation] = {}
            for child in element.all("separation"):
                kind = child.attributes.get("type", "")
                if kind not in ("removed", "left") or kind in halves:
                    message = "expected one separation of type removed, and one of type left"
                    raise self._file.error(message, child.line)
                halves[kind] = self._part(child, entries, states[-2], len(pieces) - 1)
        return Separation(tuple(sorted(pieces)), moves, halves.get("left"), halves.get("removed"))

    def _state(self, element: Element, pieces: Sequence[int]) -> Places:
        limits = (-MAX_COORDINATE, MAX_COORDINATE)
        with self._file.at(element.line):
            axes = [_numbers(element, axis, limits) for axis in OFFSETS]
            if any(len(axis) != len(pieces) for axis in axes):
                number = how_many(len(pieces), "number")
                raise PuzzleError(f"expected {number} in each of {', '.join(OFFSETS)}")
        return dict(zip(pieces, zip(*axes, strict=True), strict=True))

    def _move(self, before: Places, after: Places, element: Element) -> Move:
        """Return the move from `before` to `after`, the state in `element`."""
        ways = {piece: tuple(map(sub, after[piece], before[piece])) for piece in before}
        moved = tuple(sorted(piece for piece, way in ways.items() if any(way)))
        with self._file.at(element.line):
            if not moved or len({ways[piece] for piece in moved}) > 1:
                raise PuzzleError("expected a move of one or more pieces by the same vector")
            way, far = ways[moved[0]], any(abs(v) > HERE for piece in moved for v in after[piece])
            for vector, step in self._steps:
                along = max(range(3), key=lambda axis: abs(step[axis]))
                times, rest = divmod(way[along], step[along])
                if times > 0 and all(
                    v * step[along] == s * way[along] for v, s in zip(way, step, strict=True)
                ):
                    if far:
                        return Move(moved, vector, None)
                    if not rest:
                        return Move(moved, vector, times)
            raise PuzzleError(f"pieces move by {way}; expected a direction of the grid")


def _numbers(element: Element, tag: str, limits: tuple[int, int]) -> list[int]:
    words = " ".join(each.text for each in element.all(tag)).split()
    return [whole_number(word, f"a number of {tag}", limits) for word in words]


def write_back(file: TextFile, puzzle: PackingPuzzle) -> UnboundedWriter:
    """Return a writer of solutions into `file`, one of whose problems is `puzzle`.

    Of several equal problems, a problem with the name of the puzzle is preferred. Raises
    `PuzzleError` if the file does not contain the puzzle.
    """
    problems = ProblemReader(file)
    equal = [(each.name != puzzle.name, number) for number, each in problems.equal(puzzle)]
    if not equal:
        raise PuzzleError(
            f"{file.place} does not contain {puzzle.name}; expected one of its problems"
        )
    _, number = min(equal)
    problem = problems.problem(number)
    head, tail = _around_solutions(file, number)
    return UnboundedWriter(head, AssemblyWriter(problem.grid, problem.parts), tail)


def _around_solutions(file: TextFile, number: int) -> tuple[str, str]:
    """Return the text before and behind the solutions of a problem."""
    data = file.text.encode()
    *solutions, end = _places(data)[number]
    (first, behind), *others = solutions or [end]
    head, tail = data[:first], _indent(data[:first])
    if solutions:
        tail += b"</solutions>"
    else:
        head, tail = head + b" ", tail + b" </solutions>\n" + tail
    for start, stop in others:
        tail += data[behind:start]
        behind = stop
    return (head + b"<solutions>\n").decode(), (tail + data[behind:]).decode()


def _places(data: bytes) -> list[list[tuple[int, int]]]:
    """Return for each problem the places of its `solutions` elements, and then of its end.

    A place is the index of the first byte, and the index behind the last byte. The place of the end
    is empty and lies before the end tag. The document must be valid.
    """
    places = list[list[tuple[int, int]]]()
    open_tags = list[tuple[str, int]]()
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, _: object) -> None:
        open_tags.append((tag, parser.CurrentByteIndex))
        if [each for each, _ in open_tags] == _PROBLEM:
            places.append([])

    def end(_: str) -> None:
        # Index of the end tag, or the index behind an empty element.
        here = parser.CurrentByteIndex
        path = [tag for tag, _ in open_tags]
        begin = open_tags.pop()[1]
        if path == _PROBLEM:
            places[-1].append((here, here))
        elif path == [*_PROBLEM, "solutions"]:
            empty = not data.startswith(b"</solutions", here)
            places[-1].append((begin, here if empty else data.index(b">", here) + 1))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)
    return places


def _indent(before: bytes) -> bytes:
    """Return the last line of `before` if it consists of blanks, else nothing."""
    line = before[before.rfind(b"\n") + 1 :]
    return b"" if line.strip() else line
