"""Plans that take an assembly apart: moves, separations and the level."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from itertools import pairwise

import numpy as np

from dovetail.disassembly.kernels.states import (
    MAX_PIECES,
    NODE_ASSEMBLY,
    NODE_MOVES,
    NODE_PARENT,
    NODE_SIZE,
    Plans,
)
from dovetail.models.lattices.protocol import Cell, Cells, Lattice

Groups = tuple[tuple[int, int], ...]
KEPT = 1 << 14  # largest number of sets of pieces in the cache of `members`


@dataclass(frozen=True)
class Assembly:
    """Pieces in their places.

    The pieces are in the order of the puzzle. Copies of a piece are adjacent; fixed pieces come
    last.
    """

    lattice: Lattice
    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    weights: tuple[int, ...]
    groups: tuple[Groups, ...]
    """Groups of each piece, see `Piece.groups`."""


class Outcome(StrEnum):
    """Whether an assembly comes apart."""

    APART = "apart"
    LOCKED = "locked"
    UNDECIDED = "undecided"
    """A limit ended the search before the outcome was known."""


@dataclass(frozen=True)
class Move:
    """A shift of some pieces along a direction while the others stay."""

    pieces: tuple[int, ...]
    """Numbers of the pieces that move."""
    direction: Cell
    """Vector of one step."""
    steps: int | None
    """Number of steps; None for a move that separates, by which the pieces leave for good."""


@dataclass(frozen=True)
class Separation:
    """Moves that divide a set of pieces into two parts, and the separations of these parts."""

    pieces: tuple[int, ...]
    moves: tuple[Move, ...]
    """Moves, of which the last separates."""
    stays: Separation | None
    """Separation of the pieces that stay; None for one piece or a group that stays together."""
    leaves: Separation | None
    """Separation of the pieces that leave; None for one piece or a group that stays together."""

    def all(self) -> Iterator[Separation]:
        """Yield each separation before those of its parts; the part that stays comes first."""
        waiting = [self]
        while waiting:
            separation = waiting.pop()
            yield separation
            waiting += [part for part in (separation.leaves, separation.stays) if part]


@dataclass(frozen=True)
class Disassembly:
    """Result of taking an assembly apart; the plan is built when it is first read.

    Results are equal if all fields but `read_plan` are equal.
    """

    outcome: Outcome
    states: int
    """Number of states searched; a state is a position of all pieces of a part."""
    reason: str = ""
    """Limit that ended the search; empty if none did."""
    sort_key: tuple[int, ...] = ()
    """Number of moves of each separation, to sort assemblies by; empty without a plan."""
    numbers: tuple[int, ...] = ()
    """Numbers of the level; empty unless the assembly comes apart."""
    read_plan: Callable[[], Separation | None] | None = field(
        default=None, repr=False, compare=False
    )

    @cached_property
    def plan(self) -> Separation | None:
        """Plan of an assembly that comes apart; None for a single piece and other outcomes."""
        return None if self.read_plan is None else self.read_plan()

    @property
    def level(self) -> str:
        """Level, such as `4.9.3`; empty unless the assembly comes apart.

        The level is `1` if each separation takes one move, and `0` for a single piece.
        """
        return ".".join(map(str, self.numbers))

    @property
    def moves(self) -> int:
        """Number of moves of the whole plan, not necessarily the least; 0 without a plan."""
        return sum(self.sort_key)


class PlanTable:
    """The plans of a batch of assemblies as arrays, in the order of `Separation.all`."""

    def __init__(self, plans: Plans, count: int, vectors: Cells) -> None:
        self.plans, self._vectors = plans, vectors
        self.begin = np.searchsorted(plans.node[:, NODE_ASSEMBLY], np.arange(count + 1))
        """Index of the first separation of each of `count` assemblies, then of the end."""

    @cached_property
    def sort_keys(self) -> list[tuple[int, ...]]:
        """Numbers of moves of all separations, for each assembly."""
        moves = self.plans.node[:, NODE_MOVES].tolist()
        return [tuple(moves[begin:end]) for begin, end in pairwise(self.begin.tolist())]

    @staticmethod
    def of(plans: Sequence[Separation | None], vectors: Cells) -> PlanTable:
        """Return the table of some plans.

        Invalid moves are changed so that the check of plans rejects them: a vector that is not
        among `vectors` becomes the direction −1, 0 steps become −1 steps, and a set with an invalid
        number of a piece becomes empty.
        """
        nodes, parts = list[tuple[int, ...]](), list[int]()
        moves, moved = list[tuple[int, int]](), list[int]()
        for number, plan in enumerate(plans):
            waiting = [] if plan is None else [(plan, -1, 0)]
            while waiting:
                separation, parent, leaves = waiting.pop()
                node, its = len(nodes), separation.moves
                nodes.append((number, parent, leaves, len(moves), len(its)))
                parts.append(_mask(separation.pieces))
                for move in its:
                    known = move.direction in vectors
                    direction = vectors.index(move.direction) if known else -1
                    moves.append((direction, 0 if move.steps is None else move.steps or -1))
                    moved.append(_mask(move.pieces))
                halves = ((separation.leaves, node, 1), (separation.stays, node, 0))
                waiting += [(part, parent, half) for part, parent, half in halves if part]
        table = Plans(
            node=np.array(nodes, dtype=np.int64).reshape(-1, NODE_SIZE),
            part=np.array(parts, dtype=np.uint64),
            move=np.array(moves, dtype=np.int32).reshape(-1, 2),
            moved=np.array(moved, dtype=np.uint64),
        )
        return PlanTable(table, len(plans), vectors)

    def disassembly(self, number: int, outcome: Outcome, states: int, reason: str) -> Disassembly:
        """Return the result for an assembly."""
        if outcome is not Outcome.APART:
            return Disassembly(outcome, states, reason)
        key = self.sort_keys[number]
        if not key:
            return Disassembly(outcome, states, reason, numbers=(0,))
        needed, first = set[int](), int(self.begin[number])
        for node in range(first + len(key) - 1, first - 1, -1):  # parts before their wholes
            if key[node - first] > 1 or node in needed:
                needed |= {node, int(self.plans.node[node, NODE_PARENT])}
        numbers = tuple(moves for node, moves in enumerate(key, first) if node in needed)
        plan = partial(self.plan, number)
        return Disassembly(outcome, states, reason, key, numbers or (1,), plan)

    def plan(self, number: int) -> Separation | None:
        """Return the plan of an assembly as an object; None if the plan has no separations."""
        found = dict[tuple[int, int], Separation]()
        for node in reversed(range(*self.begin[number : number + 2].tolist())):
            _, parent, leaves, first, count = self.plans.node[node].tolist()
            its = slice(first, first + count)
            moves = [
                Move(members(moved), self._vectors[direction], steps or None)
                for (direction, steps), moved in zip(
                    self.plans.move[its].tolist(), self.plans.moved[its].tolist(), strict=True
                )
            ]
            halves = found.pop((node, 0), None), found.pop((node, 1), None)
            pieces = members(int(self.plans.part[node]))
            found[parent, leaves] = Separation(pieces, tuple(moves), *halves)
        return found.get((-1, 0))


def _mask(pieces: tuple[int, ...]) -> int:
    """Return the bit mask of some piece numbers, or 0 if a number is out of range."""
    if any(piece not in range(MAX_PIECES) for piece in pieces):
        return 0
    return sum(1 << piece for piece in set(pieces))


@lru_cache(KEPT)
def members(pieces: int) -> tuple[int, ...]:
    """Return the numbers of the pieces in a bit mask."""
    return tuple(number for number in range(pieces.bit_length()) if pieces >> number & 1)
