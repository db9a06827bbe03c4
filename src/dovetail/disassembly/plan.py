"""Plans that take an assembly apart: moves, separations and the level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution

Groups = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Assembly:
    """Pieces in their places, in the order of the puzzle, copies together."""

    lattice: Lattice
    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    weights: tuple[int, ...]
    groups: tuple[Groups, ...]
    """By piece: see `Piece.groups`."""

    @staticmethod
    def of(puzzle: PackingPuzzle, solution: PackingSolution) -> Assembly:
        """Return the assembly that a solution of a puzzle is; fixed pieces come last."""
        order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
        placed = sorted(solution.placed, key=lambda one: order[one[0]])
        everything = [*placed, *((piece.name, piece.cells) for piece in puzzle.fixed)]
        pieces = {piece.name: piece for piece in puzzle.pieces}
        its = [pieces.get(name) for name, _ in everything]
        return Assembly(
            puzzle.lattice,
            tuple(name for name, _ in everything),
            tuple(cells for _, cells in everything),
            tuple(piece.weight if piece else 1 for piece in its),
            tuple(piece.groups if piece else () for piece in its),
        )


class Outcome(StrEnum):
    """Whether an assembly comes apart."""

    APART = "apart"
    LOCKED = "locked"
    UNDECIDED = "undecided"
    """A limit ended the search: this says nothing about the assembly."""


@dataclass(frozen=True)
class Move:
    """Some pieces shift along a direction while the others stay."""

    pieces: tuple[int, ...]
    """Numbers of the pieces that move."""
    direction: Cell
    """One step."""
    steps: int | None
    """None for a move that separates: the pieces leave for good."""


@dataclass(frozen=True)
class Separation:
    """The moves by which a set of pieces falls into two parts, and how these come apart."""

    pieces: tuple[int, ...]
    moves: tuple[Move, ...]
    """The last one separates."""
    stays: Separation | None
    """How the pieces that stay come apart; None for a single piece, or a group that stays whole."""
    leaves: Separation | None
    """How the pieces that leave come apart."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the level; none if every separation takes 1 move."""
        parts = [number for part in (self.stays, self.leaves) if part for number in part.numbers]
        return (len(self.moves), *parts) if parts or len(self.moves) > 1 else ()

    def all(self) -> Iterator[Separation]:
        """Yield all separations, each before the separations of its parts."""
        waiting = [self]
        while waiting:
            separation = waiting.pop()
            yield separation
            waiting += [part for part in (separation.leaves, separation.stays) if part]


@dataclass(frozen=True)
class Disassembly:
    """Result of taking an assembly apart."""

    outcome: Outcome
    plan: Separation | None
    """The plan of an assembly that comes apart; None for a single piece."""
    states: int
    """States of the search: positions of all pieces that were looked at."""
    reason: str = ""
    """Which limit ended the search."""

    @property
    def level(self) -> str:
        """Return the level, such as `4.9.3`; `1` if each separation takes one move, `0` if none."""
        return ".".join(map(str, self.numbers))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the level; none of an assembly that does not come apart."""
        if self.plan is None:
            return (0,) if self.outcome is Outcome.APART else ()
        return self.plan.numbers or (1,)

    @property
    def moves(self) -> int:
        """Return the number of moves of the whole plan, which need not be the least."""
        return sum(len(separation.moves) for separation in self.plan.all()) if self.plan else 0

    @property
    def sort_key(self) -> tuple[int, ...]:
        """Return the sort key of assemblies: the numbers of moves of all separations."""
        return tuple(len(one.moves) for one in self.plan.all()) if self.plan else ()
