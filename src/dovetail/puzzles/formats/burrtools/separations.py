"""Separations in xmpuzzle files: how an assembly comes apart, written and read.

    <separation>
     <pieces count="2">0 2</pieces>
     <state><dx>1 4</dx><dy>0 0</dy><dz>2 2</dz></state>
     <state><dx>1 5</dx><dy>0 0</dy><dz>2 2</dz></state>
     <state><dx>1 5</dx><dy>0 0</dy><dz>2 30002</dz></state>
     <separation type="removed">…</separation>
     <separation type="left">…</separation>
    </separation>

The pieces are numbers of entries of the assembly, unused copies included. A state has the positions
of their hotspots, in the order of the pieces. The first state of the whole assembly is the assembly
itself, and each further state is a move. A piece has left if one of its coordinates is beyond
10,000; BurrTools adds 30,000. The two parts go on from the last state but one. A part that is a
single piece, or whose pieces may stay together, has no element.

Source: disassembly.cpp of A. Röver's BurrTools 0.6, and the examples that come with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import add, sub

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Move, Separation
from dovetail.errors import FormatError, PuzzleError, how_many
from dovetail.files.text_file import TextFile, whole_number
from dovetail.files.xml_tree import Element
from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.puzzles.formats.burrtools.grids import Grid

LEFT = 30_000  # added to a coordinate of a piece that leaves
HERE = 10_000  # greatest coordinate of a piece that has not left
MAX_COORDINATE = 1_000_000
AXES = ("dx", "dy", "dz")

Hotspots = Mapping[int, tuple[int, Cell]]  # by piece: its entry in the assembly, and its position
Places = dict[int, Cell]  # positions of hotspots by piece


def separation_lines(grid: Grid, lattice: Lattice, hotspots: Hotspots, plan: Separation) -> str:
    """Return the element of a plan; raise `PuzzleError` for pieces that are too far away."""
    steps = dict(_steps(grid, lattice))
    places = {piece: position for piece, (_, position) in hotspots.items()}
    return "".join(_lines(plan, places, {p: n for p, (n, _) in hotspots.items()}, steps, "", 5))


def _lines(
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
            yield from _lines(part, last, entries, steps, f' type="{name}"', indent + 1)
    yield f"{blank}</separation>\n"


def _state(places: Places, blank: str) -> str:
    columns = zip(AXES, zip(*places.values(), strict=True), strict=True)
    return f"{blank} <state>{''.join(f'<{a}>{_words(v)}</{a}>' for a, v in columns)}</state>\n"


def _words(numbers: Iterator[int] | Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _steps(grid: Grid, lattice: Lattice) -> Iterator[tuple[Cell, Cell]]:
    """Yield the directions of a lattice, each with a step as a difference of positions."""
    here = lattice.fundamental_cells[0]
    for vector in directions_of(lattice).vectors:
        begin, end = grid.positions((here, tuple(map(add, here, vector))))
        yield vector, tuple(map(sub, end, begin))


class SeparationReader:
    """Reads the separations of the assemblies of a file; raises `FormatError` for mistakes."""

    def __init__(self, file: TextFile, grid: Grid, lattice: Lattice) -> None:
        self._file = file
        self._steps = list(_steps(grid, lattice))

    def plan(self, element: Element, hotspots: Hotspots) -> Separation:
        """Return the plan in an element. Whether pieces collide is not checked."""
        pieces = {entry: piece for piece, (entry, _) in hotspots.items()}
        places = {piece: position for piece, (_, position) in hotspots.items()}
        return self._part(element, pieces, places)

    def _part(self, element: Element, entries: Mapping[int, int], begin: Places) -> Separation:
        numbers = self._numbers(element, "pieces", (0, max(entries)))
        strange = [number for number in numbers if number not in entries]
        if not numbers or strange or len(set(numbers)) < len(numbers):
            raise self._error(
                "expected the numbers of pieces of the assembly in <pieces>, each once", element
            )
        pieces = [entries[number] for number in numbers]
        states = [self._state(state, pieces) for state in element.all("state")]
        if len(states) < 2:
            raise self._error(
                f"a separation of {how_many(len(states), 'state')}; expected at least 2", element
            )
        away = {tuple(map(sub, states[0][p], begin[p])) for p in pieces if p in begin}
        if len(away) != 1 or not begin.keys() >= set(pieces):
            raise self._error("a separation does not begin where its pieces are", element)
        moves = [
            self._move(before, after, state)
            for before, after, state in zip(
                states, states[1:], element.all("state")[1:], strict=False
            )
        ]
        last = states[-2]
        halves: dict[str, Separation] = {}
        for child in element.all("separation"):
            kind = child.attributes.get("type", "")
            if kind not in ("removed", "left") or kind in halves:
                raise self._error("expected one separation of type removed, one of left", child)
            halves[kind] = self._part(child, entries, last)
        plan = (tuple(sorted(pieces)), tuple(moves), halves.get("left"), halves.get("removed"))
        return Separation(*plan)

    def _state(self, element: Element, pieces: Sequence[int]) -> Places:
        limits = (-MAX_COORDINATE, MAX_COORDINATE)
        axes = [self._numbers(element, axis, limits) for axis in AXES]
        if any(len(axis) != len(pieces) for axis in axes):
            raise self._error(
                f"expected {how_many(len(pieces), 'number')} in each of {', '.join(AXES)}", element
            )
        return dict(zip(pieces, zip(*axes, strict=True), strict=True))

    def _move(self, before: Places, after: Places, element: Element) -> Move:
        """Return the move between two states: pieces that have changed their positions."""
        ways = {piece: tuple(map(sub, after[piece], before[piece])) for piece in before}
        moved = tuple(sorted(piece for piece, way in ways.items() if any(way)))
        if not moved or len({ways[piece] for piece in moved}) > 1:
            raise self._error("expected pieces that move by the same vector, and others", element)
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
        raise self._error(f"pieces move by {way}; expected a direction of the grid", element)

    def _numbers(self, element: Element, tag: str, limits: tuple[int, int]) -> list[int]:
        words = " ".join(each.text for each in element.all(tag)).split()
        with self._file.at(element.line):
            return [whole_number(word, f"a number of {tag}", limits) for word in words]

    def _error(self, message: str, element: Element) -> FormatError:
        return self._file.error(message, element.line)
