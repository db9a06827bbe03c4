"""Solutions whose pieces go by other names than the puzzle's: told by their shapes.

Whoever drew a solution may have called the pieces anything. Their shapes say which ones they
are. Pieces that nothing tells apart are taken in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattice import Cells
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution


@dataclass
class _Kind:
    """Pieces that nothing tells apart, and the numbers of those laid that are taken for them."""

    places: frozenset[Cells] | None
    pieces: list[Piece] = field(default_factory=list)
    laid: dict[int, None] = field(default_factory=dict)  # in order, without values
    room: int = 0

    def names(self) -> Iterator[str]:
        """Names in the order of use: as often as pieces must be used, then as they may."""
        yield from chain.from_iterable(repeat(p.name, p.least) for p in self.pieces)
        yield from chain.from_iterable(repeat(p.name, p.most - p.least) for p in self.pieces)


def named_by_shape(puzzle: PackingPuzzle, solution: PackingSolution) -> PackingSolution:
    """`solution` with the puzzle's names in place of its own.

    Raises `PuzzleError` for a shape that is none of the puzzle's, and for more of one shape
    than there are pieces.
    """
    by_orientation = _kinds(puzzle)
    candidates = []
    for name, cells in solution.placed:
        looks = puzzle.lattice.normalise(cells) if cells else ()
        place = tuple(sorted(cells))
        kinds = by_orientation.get(looks, [])
        candidates.append([k for k in kinds if k.places is None or place in k.places])
        if not candidates[-1]:
            why = "may not lie there" if kinds else "is the shape of no piece"
            raise PuzzleError(f"{shorten(name)!r} on {shorten(str(place))} {why}")
    _assign(candidates, _distinct(by_orientation))
    names: dict[int, str] = {}
    for kind in _distinct(by_orientation):
        names |= zip(kind.laid, kind.names(), strict=False)
    for number, (name, _) in enumerate(solution.placed):
        if number not in names:
            raise PuzzleError(f"no piece of its shape is left for {shorten(name)!r}")
    placed = ((names[number], cells) for number, (_, cells) in enumerate(solution.placed))
    return replace(solution, placed=tuple(placed))


def _kinds(puzzle: PackingPuzzle) -> dict[Cells, list[_Kind]]:
    """The kinds of piece that look like this in some orientation, for every orientation."""
    kinds: dict[object, _Kind] = {}
    found: dict[Cells, list[_Kind]] = {}
    for piece in puzzle.pieces:
        looks = piece.motions.orientations(puzzle.lattice, piece.cells)
        places = None if piece.placements is None else frozenset(piece.placements)
        key = (frozenset(looks), places)
        if key not in kinds:
            kinds[key] = _Kind(places)
            for orientation in looks:
                found.setdefault(orientation, []).append(kinds[key])
        kinds[key].pieces.append(piece)
    return found


def _distinct(by_orientation: dict[Cells, list[_Kind]]) -> list[_Kind]:
    kinds = chain.from_iterable(by_orientation.values())
    return list({id(kind): kind for kind in kinds}.values())


def _assign(candidates: list[list[_Kind]], kinds: list[_Kind]) -> None:
    """Take everything laid for one of its candidates, as far as that goes.

    A matching by augmenting paths, first with the room that pieces which must be used make,
    then with all. A path never empties a place, so what must be used stays used.
    """
    owner: dict[int, _Kind] = {}
    for bound in ("least", "most"):
        for kind in kinds:
            kind.room = sum(getattr(piece, bound) for piece in kind.pieces)
        for number in range(len(candidates)):
            if number not in owner:
                _augment(number, candidates, owner)


def _augment(number: int, candidates: list[list[_Kind]], owner: dict[int, _Kind]) -> None:
    """Find a place for `number`, others moving over if they can."""
    reached_from: dict[int, int] = {}
    queue = deque([number])
    while queue:
        mover = queue.popleft()
        for kind in candidates[mover]:
            if id(kind) in reached_from:
                continue
            reached_from[id(kind)] = mover
            if len(kind.laid) < kind.room:
                target: _Kind | None = kind
                while target is not None:
                    mover = reached_from[id(target)]
                    before = owner.get(mover)
                    if before is not None:
                        del before.laid[mover]
                    target.laid[mover] = None
                    owner[mover] = target
                    target = before
                return
            queue.extend(other for other in kind.laid if len(candidates[other]) > 1)
