"""Writer of a puzzle as an xmpuzzle file, and of solutions as assemblies with separations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from operator import add, sub
from xml.sax.saxutils import escape

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Separation
from dovetail.errors import PuzzleError, how_many, shorten, span
from dovetail.files.text_file import LONGEST_LINE
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.text_drawing import corner_of
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import UnboundedWriter
from dovetail.puzzles.formats.burrtools.grids import (
    Allowance,
    Colouring,
    Grid,
    grid_of,
)
from dovetail.puzzles.formats.burrtools.reader import (
    AXES,
    MAX_CELLS,
    MAX_COPIES,
    MAX_SIDE,
    BurrPiece,
    BurrShape,
)
from dovetail.puzzles.polyominoes import extents, min_corner, moved_from

LEFT = 30_000  # added to a coordinate of a piece that leaves
HERE = 10_000  # largest coordinate of a piece that has not left
OFFSETS = ("dx", "dy", "dz")  # elements of a state in a separation

# By piece: the number of its entry in the assembly, and the position of its hotspot.
Hotspots = Mapping[int, tuple[int, Cell]]
Places = dict[int, Cell]  # positions of hotspots by piece

TAIL = "   </solutions>\n  </problem>\n </problems>\n <comment/>\n</puzzle>\n"


def file_writer(puzzle: PackingPuzzle) -> UnboundedWriter:
    """Return a writer of the file of a puzzle, with an element for each solution.

    The region and every piece are moved as near to the origin as translations of the lattice allow.
    A puzzle in the plane becomes a layer of cubes. Interchangeable pieces become copies of the
    first of them, since BurrTools distinguishes shapes; the copies have the greatest weight and all
    groups of these pieces. Markings become colours of the region, and pieces have no colour. The
    problem's state is "not solved", since the solutions may be incomplete. Raises `PuzzleError` for
    a puzzle that BurrTools cannot express.
    """
    grid = _checked_grid(puzzle)
    corner, _ = corner_of(grid.lattice, grid.positions(puzzle.region))
    pieces, counted_as = list[BurrPiece](), dict[str, str]()
    for same in equal_groups(puzzle):
        name = same[0].name
        counted_as |= {piece.name: name for piece in same}
        positions = grid.positions(same[0].cells)
        home = tuple(sorted(moved_from(positions, corner_of(grid.lattice, positions)[0])))
        shape = BurrShape(name, _hotspot(grid, home), home, (), {})
        least, most = (sum(p.min_count for p in same), sum(p.max_count for p in same))
        if most > MAX_COPIES:
            raise _unsupported(f"more than {MAX_COPIES:,} copies (piece {shorten(name)})")
        groups = Counter[int]()
        for piece in same:
            groups.update(dict(piece.groups))
        weight = max(piece.weight for piece in same)
        pieces.append(BurrPiece(name, shape, least, most, weight, tuple(groups.items())))
    head = "".join(f"{line}\n" for line in _head(puzzle, grid, corner, pieces))
    longest = max(map(len, head.encode().splitlines()))
    if longest > LONGEST_LINE:
        raise PuzzleError(
            f"the xmpuzzle file would have a line of {longest:,} characters; "
            f"expected at most {LONGEST_LINE:,}"
        )
    return UnboundedWriter(head, AssemblyWriter(grid, pieces, corner, counted_as), TAIL)


def _head(
    puzzle: PackingPuzzle, grid: Grid, corner: Cell, pieces: Sequence[BurrPiece]
) -> list[str]:
    """Return the lines of the file before the solutions."""

    def places(cells: Cells) -> Cells:
        return moved_from(grid.positions(cells), corner)

    marked = enumerate(puzzle.markings, 1)
    colours = {cell: number for number, cells in marked for cell in places(cells)}
    result = BurrShape("", (0, 0, 0), places(puzzle.region), places(puzzle.optional), colours)
    title = f' name="{_quoted(puzzle.name)}"' if is_printable(puzzle.name) else ""
    return [
        '<?xml version="1.0"?>',
        '<puzzle version="2">',
        f' <gridType type="{grid.kind}"/>',
        *_colours(len(puzzle.markings)),
        " <shapes>",
        *(_voxel(piece.shape) for piece in pieces),
        _voxel(result),
        " </shapes>",
        " <problems>",
        f'  <problem{title} state="0">',
        "   <shapes>",
        *(f'    <shape id="{n}" {_count(piece)}' for n, piece in enumerate(pieces)),
        "   </shapes>",
        f'   <result id="{len(pieces)}"/>',
        "   <bitmap/>",
        "   <solutions>",
    ]


@dataclass(frozen=True)
class AssemblyWriter:
    """Writer of a problem's solutions; it writes the least of equivalent transformations."""

    grid: Grid
    pieces: Sequence[BurrPiece]
    # Position in the puzzle that becomes the origin of the result's grid.
    corner: Cell = (0, 0, 0)
    # Names of pieces in the problem by their names in solutions; other names are the same in both.
    counted_as: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, _: int, solution: Solution, plan: Separation | None = None) -> str:
        """Return the element of a solution, with its separation if there is a plan.

        The pieces of the plan are numbered in the order of the solution. Raises `PuzzleError` for a
        solution of another puzzle, and for pieces that move too far away.
        """
        assert isinstance(solution, PackingSolution)
        places: dict[str, list[tuple[Cell, int]]] = {piece.name: [] for piece in self.pieces}
        for number, (called, cells) in enumerate(solution.placed):
            name = self.counted_as.get(called, called)
            if name not in places:
                raise PuzzleError(f"a solution places an unknown piece {shorten(name)}")
            places[name].append((self._placement(name, cells), number))
        words: list[str] = []
        hotspots: dict[int, tuple[int, Cell]] = {}
        for piece in self.pieces:
            copies = sorted(places[piece.name])
            if not piece.min_count <= len(copies) <= piece.max_count:
                raise PuzzleError(
                    f"a solution uses piece {shorten(piece.name)} {how_many(len(copies), 'time')}; "
                    f"expected {span(piece.min_count, piece.max_count)}"
                )
            for (t, *position), number in copies:
                hotspots[number] = len(words), tuple(position)
                words.append(f"{' '.join(map(str, position))} {t}")
            words += ["x"] * (piece.max_count - len(copies))
        assembly = f"<assembly>{' '.join(words)}</assembly>"
        if plan is None:
            return f"    <solution>{assembly}</solution>\n"
        lines = _separation_lines(self.grid, solution.lattice or self.grid.lattice, hotspots, plan)
        return f"    <solution>\n     {assembly}\n{lines}    </solution>\n"

    @cached_property
    def _orientations(self) -> dict[str, dict[Cells, tuple[int, Cell]]]:
        return {piece.name: _orientations(self.grid, piece) for piece in self.pieces}

    def _placement(self, name: str, cells: Cells) -> Cell:
        """Return (t, x, y, z) of a placed piece: its transformation and its hotspot's position."""
        grid, lying = self.grid, None
        try:
            positions = grid.positions(cells)
            key = grid.lattice.normalise(grid.cells(positions))
            lying = self._orientations[name].get(key)
        except (PuzzleError, ValueError):  # no cells, or cells of another lattice
            pass
        if lying is None:
            raise PuzzleError(
                f"a solution gives piece {shorten(name)} another shape, or turns it as no "
                "transformation of BurrTools does"
            )
        number, goal = lying
        there = zip(min_corner(positions), self.corner, goal, strict=True)
        return (number, *(place - origin + before for place, origin, before in there))


def _orientations(grid: Grid, piece: BurrPiece) -> dict[Cells, tuple[int, Cell]]:
    """Return the least transformation and the hotspot of each orientation of a piece.

    The keys are the normalised cells of the orientations. A hotspot is relative to the least corner
    of the box around the turned piece.
    """
    found: dict[Cells, tuple[int, Cell]] = {}
    for number in range(grid.rotations):
        turned = grid.turned(piece.shape.filled, piece.shape.hotspot, number)
        if turned is not None:
            positions, hotspot = turned
            corner = min_corner(positions)
            goal = tuple(at - low for at, low in zip(hotspot, corner, strict=True))
            found.setdefault(grid.lattice.normalise(grid.cells(positions)), (number, goal))
    return found


def _hotspot(grid: Grid, positions: Cells) -> Cell:
    """Return a hotspot that all rotations map to positions: the origin, or a sphere."""
    if grid.divisor == 1:
        return (0, 0, 0)
    return min(positions, key=lambda position: (sum(v * v for v in position), position))


def _unsupported(what: str) -> PuzzleError:
    return PuzzleError(f"BurrTools files do not support {what}")


def _checked_grid(puzzle: PackingPuzzle) -> Grid:
    """Return the grid of a puzzle; raise `PuzzleError` if BurrTools cannot express it."""
    grid = grid_of(puzzle.lattice)
    if puzzle.fixed:
        raise _unsupported(f"pieces that cannot be moved ({shorten(puzzle.fixed[0].name)})")
    if puzzle.colours:
        raise _unsupported("named colours of cells; expected markings")
    for piece in puzzle.pieces:
        if not is_printable(piece.name) or not piece.name.strip():
            raise _unsupported(f"a name that is not printable ({shorten(piece.name)!r})")
        named = f"piece {shorten(piece.name)}"
        if piece.motions is not Motions.FREE:
            raise _unsupported(f"{piece.motions} motions ({named})")
        listed = _listed(grid, puzzle, piece)
        if piece.placements is None and listed is not None:
            raise _unsupported(
                f"{named}, scattered cells: BurrTools does not turn them into every orientation"
            )
        if piece.placements is not None and listed != set(piece.placements):
            raise _unsupported(f"listed placements ({named})")
    shapes = (puzzle.region, *(piece.cells for piece in puzzle.pieces))
    boxes = [extents(grid.positions(cells)) for cells in shapes]
    if max(map(max, boxes)) > MAX_SIDE or sum(map(prod, boxes)) > MAX_CELLS:
        raise PuzzleError(
            "the boxes around the region and the pieces are too large for BurrTools; expected "
            f"sides of at most {MAX_SIDE:,} and at most {MAX_CELLS:,} cells"
        )
    return grid


def _listed(grid: Grid, puzzle: PackingPuzzle, piece: Piece) -> set[Cells] | None:
    """Return the placements to which BurrTools' rotations map a piece; None if they are all."""
    region = dict.fromkeys(grid.positions(puzzle.region), 0)
    positions = grid.positions(grid.lattice.normalise(piece.cells))
    colouring = Colouring(grid, region, frozenset(), Allowance())
    listed = colouring.places(dict.fromkeys(positions, 0), positions[0]).listed
    return None if listed is None else set(listed)


def _voxel(shape: BurrShape) -> str:
    """Return the element of a shape, which must not have negative coordinates."""
    columns, rows, layers = (max(axis) + 1 for axis in zip(*shape.cells, strict=True))
    states = ["_"] * (columns * rows * layers)
    for state, cells in (("#", shape.filled), ("+", shape.variable)):
        for x, y, z in cells:
            states[x + columns * (y + rows * z)] = f"{state}{shape.colours.get((x, y, z), '')}"
    called = f' name="{_quoted(shape.name)}"' if shape.name else ""
    size = f'x="{columns}" y="{rows}" z="{layers}"'
    called += "".join(f' h{axis}="{v}"' for axis, v in zip(AXES, shape.hotspot, strict=True) if v)
    return f'  <voxel {size}{called} type="0">{"".join(states)}</voxel>'


def _quoted(name: str) -> str:
    return escape(name, {'"': "&quot;"})


def equal_groups(puzzle: PackingPuzzle) -> list[list[Piece]]:
    """Return the pieces of a puzzle in groups of interchangeable pieces."""
    groups = dict[int, list[Piece]]()
    firsts = puzzle.equal_pieces if puzzle.interchangeable else range(len(puzzle.pieces))
    for first, piece in zip(firsts, puzzle.pieces, strict=True):
        groups.setdefault(first, []).append(piece)
    return list(groups.values())


def _colours(number: int) -> list[str]:
    """Return the lines of the element of `number` colours, from blue to yellow."""
    if not number:
        return [" <colors/>"]
    shades = [255 * n // number for n in range(number)]
    ones = [f'  <color red="{n}" green="{n}" blue="{255 - n}"/>' for n in shades]
    return [" <colors>", *ones, " </colors>"]


def _count(piece: BurrPiece) -> str:
    """Return the text that follows `id` in a piece's element: its counts, weight and groups."""
    found = f'min="{piece.min_count}" max="{piece.max_count}"'
    if piece.min_count == piece.max_count:
        found = f'count="{piece.max_count}"'
    if piece.weight != 1:
        found += f' weight="{piece.weight}"'
    if not piece.groups:
        return f"{found}/>"
    groups = (f'<group group="{group}" count="{count}"/>' for group, count in piece.groups)
    return f"{found}>{''.join(groups)}</shape>"


def _separation_lines(grid: Grid, lattice: Lattice, hotspots: Hotspots, plan: Separation) -> str:
    """Return the element of a plan; raise `PuzzleError` for pieces that move too far away."""
    steps = dict(steps_of(grid, lattice))
    places = {piece: position for piece, (_, position) in hotspots.items()}
    return "".join(
        _element_lines(plan, places, {p: n for p, (n, _) in hotspots.items()}, steps, "", 5)
    )


def _element_lines(
    plan: Separation,
    places: Places,
    entries: Mapping[int, int],
    steps: Mapping[Cell, Cell],
    kind: str,
    indent: int,
) -> Iterator[str]:
    blank = " " * indent
    pieces = sorted(plan.pieces, key=entries.__getitem__)
    yield f"{blank}<separation{kind}>\n"
    yield f'{blank} <pieces count="{len(pieces)}">{_words(entries[p] for p in pieces)}</pieces>\n'
    here = {piece: places[piece] for piece in pieces}
    yield _state(here, blank)
    for move in plan.moves:
        step, last = steps[move.direction], here
        times = LEFT // max(map(abs, step)) if move.steps is None else move.steps
        way = tuple(times * coordinate for coordinate in step)
        here = last | {piece: tuple(map(add, last[piece], way)) for piece in move.pieces}
        far = max((abs(v) for position in last.values() for v in position), default=0)
        if far > HERE:
            raise PuzzleError(
                f"a piece is {far:,} cells from the origin; expected at most {HERE:,} in the "
                "separations of a BurrTools file"
            )
        yield _state(here, blank)
    for part, name in ((plan.leaves, "removed"), (plan.stays, "left")):
        if part is not None:
            yield from _element_lines(part, last, entries, steps, f' type="{name}"', indent + 1)
    yield f"{blank}</separation>\n"


def _state(places: Places, blank: str) -> str:
    columns = zip(OFFSETS, zip(*places.values(), strict=True), strict=True)
    return f"{blank} <state>{''.join(f'<{a}>{_words(v)}</{a}>' for a, v in columns)}</state>\n"


def _words(numbers: Iterator[int] | Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def steps_of(grid: Grid, lattice: Lattice) -> Iterator[tuple[Cell, Cell]]:
    """Yield the directions of a lattice, each with the change of positions by one step."""
    here = lattice.fundamental_cells[0]
    for vector in directions_of(lattice).vectors:
        begin, end = grid.positions((here, tuple(map(add, here, vector))))
        yield vector, tuple(map(sub, end, begin))
