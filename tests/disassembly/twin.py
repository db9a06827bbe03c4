"""The rules of taking apart in plain Python, cell by cell: twin of the kernel."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from operator import add, sub
from random import Random

import numpy as np

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Move, Separation
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Lattice

Places = dict[int, frozenset[Cell]]
Plan = Separation | None
FAR = 30  # steps beyond which nothing is met


class LockedError(Exception):
    """A part does not come apart."""


def take_apart(assembly: Assembly, longest: int = FAR) -> Separation | None:
    """Return the plan of an assembly, of at least two pieces; None if it is locked.

    A move has at most `longest` steps.
    """
    try:
        return _part(assembly.lattice, dict(enumerate(map(frozenset, assembly.cells))), longest)
    except LockedError:
        return None


def _part(lattice: Lattice, places: Places, longest: int) -> Separation | None:
    if len(places) == 1:
        return None
    vectors = directions_of(lattice).vectors
    reached: list[tuple[Places, int, Move | None]] = [(places, -1, None)]
    seen = {_relative(places)}
    for number, (here, _, _) in enumerate(reached):  # grows during the loop
        gaps = [
            {(a, b): _gap(lattice, d, here[a], here[b]) for a in here for b in here if a != b}
            for d in range(len(vectors))
        ]
        leaving = _leaving(here, gaps)
        if leaving:
            direction, leaves = leaving
            moves = [Move(tuple(sorted(leaves)), vectors[direction], None)]
            at = number
            while (move := reached[at][2]) is not None:
                moves.insert(0, move)
                at = reached[at][1]
            stays = set(here) - leaves
            return Separation(
                tuple(sorted(here)),
                tuple(moves),
                _part(lattice, {piece: here[piece] for piece in sorted(stays)}, longest),
                _part(lattice, {piece: here[piece] for piece in sorted(leaves)}, longest),
            )
        for direction, vector in enumerate(vectors):
            for moving, steps in _sliding(here, gaps[direction], longest):
                there = dict(here)
                for piece in moving:
                    there[piece] = frozenset(
                        tuple(c + steps * v for c, v in zip(cell, vector, strict=True))
                        for cell in here[piece]
                    )
                if _relative(there) not in seen:
                    seen.add(_relative(there))
                    reached.append((there, number, Move(tuple(sorted(moving)), vector, steps)))
    raise LockedError


def _relative(places: Places) -> tuple[Cell, ...]:
    """Return the positions of all pieces from the first one."""
    first, *others = (min(cells) for cells in places.values())
    return tuple(tuple(map(sub, other, first)) for other in others)


def _gap(lattice: Lattice, direction: int, piece: frozenset[Cell], other: frozenset[Cell]) -> int:
    """Return how many steps a piece slides before it meets another."""
    first = min(piece)
    vector = tuple(map(sub, lattice.normalise(piece)[0], first))
    return _gap_at(lattice, direction, _shifted(piece, vector), _shifted(other, vector))


def _shifted(cells: Iterable[Cell], vector: Cell) -> frozenset[Cell]:
    return frozenset(tuple(map(add, cell, vector)) for cell in cells)


@cache
def _gap_at(
    lattice: Lattice, direction: int, piece: frozenset[Cell], other: frozenset[Cell]
) -> int:
    directions = directions_of(lattice)
    homes = lattice.homes(np.array(sorted(piece), dtype=np.int64)).tolist()
    swept = dict(zip(lattice.fundamental_cells, directions.swept[direction], strict=True))
    ahead = {
        tuple(map(add, cell, vector))
        for cell, home in zip(sorted(piece), homes, strict=True)
        for vector in swept[tuple(home)]
    }
    for steps in range(FAR):
        if ahead & other:
            return steps
        ahead = set(_shifted(ahead, directions.vectors[direction]))
    return FAR


def _closure(places: Places, gap: dict[tuple[int, int], int], piece: int, steps: int) -> set[int]:
    moving = {piece}
    while more := {b for a in moving for b in places if b not in moving and gap[a, b] < steps}:
        moving |= more
    return moving


def _leaving(places: Places, gaps: list[dict[tuple[int, int], int]]) -> tuple[int, set[int]] | None:
    for most in (1, len(places) // 2):
        for direction, gap in enumerate(gaps):
            for piece in places:
                leaves = _closure(places, gap, piece, FAR)
                if len(leaves) <= most:
                    return direction, leaves
    return None


def _sliding(
    places: Places, gap: dict[tuple[int, int], int], longest: int
) -> list[tuple[frozenset[int], int]]:
    """Return the sets of pieces that can slide in a direction, and how far, in order."""
    known = dict[int, list[frozenset[int]]]()
    found = []
    for piece in places:
        for steps in range(1, 1 + longest):
            moving = frozenset(_closure(places, gap, piece, steps))
            if 2 * len(moving) > len(places):
                break
            its = known.setdefault(steps, [])
            if moving in its:
                continue
            for union in [moving, *(moving | each for each in reversed(its))]:
                if union not in its and len(union) < len(places):
                    its.append(union)
                    found.append((union, steps))
    return found


def meets(assembly: Assembly, plan: Separation) -> bool:
    """Return whether a piece that moves meets one of its part that stays."""
    places = dict(enumerate(map(frozenset, assembly.cells)))
    vectors = directions_of(assembly.lattice).vectors
    for separation in plan.all():
        for move in separation.moves:
            direction = vectors.index(move.direction)
            for one, other in product(move.pieces, set(separation.pieces) - set(move.pieces)):
                gap = _gap(assembly.lattice, direction, places[one], places[other])
                if gap < (move.steps or FAR):
                    return True
            way = tuple((move.steps or 0) * step for step in move.direction)
            places |= {piece: _shifted(places[piece], way) for piece in move.pieces}
    return False


def random_assembly(lattice: Lattice, pieces: int, cells: int, seed: int) -> Assembly:
    """Return an assembly whose pieces, not always connected, interlock around empty cells."""
    draw = Random(seed)
    region = [lattice.fundamental_cells[0]]
    for cell in region:  # grows during the loop
        region += [near for near in lattice.neighbours(cell) if near not in region]
        if len(region) >= cells:
            break
    owner = dict[Cell, int]()
    for cell in region[:cells]:
        near = [owner[other] for other in lattice.neighbours(cell) if other in owner]
        if draw.random() < 0.75:
            alone = not near or draw.random() < 0.4
            owner[cell] = draw.randrange(pieces) if alone else draw.choice(near)
    used = sorted(set(owner.values()))
    shapes = tuple(tuple(sorted(c for c in owner if owner[c] == piece)) for piece in used)
    names = tuple(f"P{piece}" for piece in used)
    return Assembly(lattice, names, shapes, (1,) * len(used), ((),) * len(used))


def random_burr(seed: int, empty: float) -> Assembly:
    """Return a burr of six rods of 2 x 2 x 6 cells; each common cell is of one rod, or empty."""
    draw = Random(seed)
    owner = dict[Cell, int]()
    rods = [
        {
            tuple(np.roll((along, across, 2 + depth), axis).tolist())
            for along in range(6)
            for across in (1 + 2 * half, 2 + 2 * half)
            for depth in range(2)
        }
        for axis in range(3)
        for half in range(2)
    ]
    for cell in sorted(set().union(*rods)):
        its = [rod for rod, cells in enumerate(rods) if cell in cells]
        if len(its) == 1 or draw.random() >= empty:
            owner[cell] = draw.choice(its)
    shapes = tuple(tuple(sorted(c for c in owner if owner[c] == rod)) for rod in range(6))
    return Assembly(SquareLattice(3), tuple("ABCDEF"), shapes, (1,) * 6, ((),) * 6)
