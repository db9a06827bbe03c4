"""Renaming of the pieces of solutions by their shapes.

A solution may use other names for the pieces than the puzzle. Pieces are identified by shape,
interchangeable pieces in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution


@dataclass
class _PieceClass:
    """Interchangeable pieces, and the numbers of the laid pieces that get their names."""

    places: frozenset[Cells] | None
    pieces: list[Piece] = field(default_factory=list)
    laid: dict[int, None] = field(default_factory=dict)  # used as an ordered set
    capacity: int = 0

    def names(self) -> Iterator[str]:
        """Yield names as often as their pieces must be used, then as often as they may be."""
        yield from chain.from_iterable(repeat(p.name, p.min_count) for p in self.pieces)
        yield from chain.from_iterable(
            repeat(p.name, p.max_count - p.min_count) for p in self.pieces
        )


def named_by_shape(puzzle: PackingPuzzle, solution: PackingSolution) -> PackingSolution:
    """Return `solution` with names of the puzzle instead of its own names.

    Raises `PuzzleError` for a shape that no piece of the puzzle has, and for more laid pieces of a
    shape than the puzzle has.
    """
    by_orientation = _piece_classes(puzzle)
    candidates = []
    for name, cells in solution.placed:
        known = cells and all(map(puzzle.lattice.is_cell, cells))
        shape = puzzle.lattice.normalise(cells) if known else ()
        place = tuple(sorted(cells))
        classes = by_orientation.get(shape, [])
        candidates.append([k for k in classes if k.places is None or place in k.places])
        if not candidates[-1]:
            why = "may not be placed there" if classes else "does not match the shape of any piece"
            raise PuzzleError(f"{shorten(name)!r} on {shorten(str(place))} {why}")
    _assign(candidates, _distinct(by_orientation))
    names: dict[int, str] = {}
    for piece_class in _distinct(by_orientation):
        names |= zip(piece_class.laid, piece_class.names(), strict=False)
    for number, (name, _) in enumerate(solution.placed):
        if number not in names:
            raise PuzzleError(f"the puzzle has too few pieces with the shape of {shorten(name)!r}")
    placed = ((names[number], cells) for number, (_, cells) in enumerate(solution.placed))
    return replace(solution, placed=tuple(placed))


def _piece_classes(puzzle: PackingPuzzle) -> dict[Cells, list[_PieceClass]]:
    """Return the classes of pieces that have an orientation, by orientation."""
    classes: dict[object, _PieceClass] = {}
    found: dict[Cells, list[_PieceClass]] = {}
    for piece in puzzle.pieces:
        orientations = piece.motions.orientations(puzzle.lattice, piece.cells)
        places = None if piece.placements is None else frozenset(piece.placements)
        key = (orientations.identity, places)
        if key not in classes:
            classes[key] = _PieceClass(places)
            for orientation in orientations:
                found.setdefault(orientation, []).append(classes[key])
        classes[key].pieces.append(piece)
    return found


def _distinct(by_orientation: dict[Cells, list[_PieceClass]]) -> list[_PieceClass]:
    classes = chain.from_iterable(by_orientation.values())
    return list({id(piece_class): piece_class for piece_class in classes}.values())


def _assign(candidates: list[list[_PieceClass]], classes: list[_PieceClass]) -> None:
    """Assign laid pieces to their candidates, as many as possible.

    Finds a matching by augmenting paths, first for the pieces that must be used, then for all
    pieces. A path keeps every used piece in use, so pieces that must be used stay in use.
    """
    owner: dict[int, _PieceClass] = {}
    for bound in ("min_count", "max_count"):
        for piece_class in classes:
            piece_class.capacity = sum(getattr(piece, bound) for piece in piece_class.pieces)
        for number in range(len(candidates)):
            if number not in owner:
                _augment(number, candidates, owner)


def _augment(
    number: int, candidates: list[list[_PieceClass]], owner: dict[int, _PieceClass]
) -> None:
    """Find a place for `number`, reassigning others if necessary."""
    reached_from: dict[int, int] = {}
    queue = deque([number])
    while queue:
        mover = queue.popleft()
        for piece_class in candidates[mover]:
            if id(piece_class) in reached_from:
                continue
            reached_from[id(piece_class)] = mover
            if len(piece_class.laid) < piece_class.capacity:
                target: _PieceClass | None = piece_class
                while target is not None:
                    mover = reached_from[id(target)]
                    before = owner.get(mover)
                    if before is not None:
                        del before.laid[mover]
                    target.laid[mover] = None
                    owner[mover] = target
                    target = before
                return
            queue.extend(other for other in piece_class.laid if len(candidates[other]) > 1)
