"""Oracles of a few lines: too slow for anything but tests, and plainly right."""

from __future__ import annotations

from itertools import combinations, product

from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle, Tile, turned
from dovetail.models.packing import PackingPuzzle

Board = tuple[Tile, ...]
LabelledBoard = tuple[tuple[int, Tile], ...]


def is_cover(problem: CoverProblem, chosen: tuple[int, ...]) -> bool:
    """Whether a set of options obeys every bound and every colour."""
    uses: dict[int, list[int]] = {i: [] for i in range(problem.item_count)}
    for option in chosen:
        for m in range(problem.start[option], problem.start[option + 1]):
            uses[int(problem.item[m])].append(int(problem.colour[m]))
    for i, colours in uses.items():
        if i < problem.primary_count:
            if not problem.lower[i] <= len(colours) <= problem.upper[i]:
                return False
        elif len(colours) > 1 and (len(set(colours)) > 1 or 0 in colours):
            return False
    return True


def covers(problem: CoverProblem) -> set[tuple[int, ...]]:
    """All solutions of a cover problem, by trying every set of options."""
    options = range(problem.option_count)
    sets = (s for size in range(problem.option_count + 1) for s in combinations(options, size))
    return {chosen for chosen in sets if is_cover(problem, chosen)}


def boards(puzzle: EdgePuzzle) -> set[Board]:
    """All boards as the sides each cell shows (x slowest)."""
    return {tuple(sides for _, sides in board) for board in _laid(puzzle, labelled=False)}


def labelled_boards(puzzle: EdgePuzzle) -> set[LabelledBoard]:
    """All boards as the tile and the sides of each cell (x slowest)."""
    return _laid(puzzle, labelled=True)


def _laid(puzzle: EdgePuzzle, *, labelled: bool) -> set[LabelledBoard]:
    """All boards, by laying tile after tile; of tiles that look alike one, unless `labelled`.

    A tile that a hint names is never taken for another.
    """
    cells = [(x, y) for x in range(puzzle.width) for y in range(puzzle.height)]
    hinted = {(h.x, h.y): (h.tile, turned(puzzle.tiles[h.tile], h.rotation)) for h in puzzle.hints}
    named = {hint.tile for hint in puzzle.hints}
    sign = -1 if puzzle.signed else 1
    laid: dict[tuple[int, int], tuple[int, Tile]] = {}
    found = set()

    def fits(x: int, y: int, tile: int, sides: Tile) -> bool:
        north, east, south, west = sides
        frame = (y == puzzle.height - 1, x == puzzle.width - 1, y == 0, x == 0)
        return (
            frame == (north == 0, east == 0, south == 0, west == 0)
            and hinted.get((x, y), (tile, sides)) == (tile, sides)
            and (x == 0 or laid[x - 1, y][1][1] == sign * west)
            and (y == 0 or laid[x, y - 1][1][0] == sign * south)
        )

    def lay(tiles: tuple[int, ...]) -> None:
        if not tiles:
            found.add(tuple(laid[cell] for cell in cells))
            return
        x, y = cells[len(laid)]
        tried = set[tuple[int | None, Tile]]()
        for tile, turn in product(tiles, range(4)):
            sides = turned(puzzle.tiles[tile], turn)
            orientation = (tile if labelled or tile in named else None, sides)
            if orientation not in tried and fits(x, y, tile, sides):
                tried.add(orientation)
                laid[x, y] = tile, sides
                lay(tuple(t for t in tiles if t != tile))
                del laid[x, y]

    lay(tuple(range(len(cells))))
    return found


def packings(puzzle: PackingPuzzle) -> int:
    """The number of packings, identical pieces interchangeable, by filling cells in order.

    Written without placements, masks or covers: at the first cell that must be filled, every
    orientation of every piece left is tried with every one of its cells there. Pieces with
    optional cells or a range of copies are beyond it.
    """
    kinds: dict[frozenset[object], int] = {}
    for piece in puzzle.pieces:
        assert piece.min_count == piece.max_count
        assert piece.placements is None
        orientations = frozenset[object](piece.motions.orientations(puzzle.lattice, piece.cells))
        kinds[orientations] = kinds.get(orientations, 0) + piece.max_count

    def fill(empty: frozenset[tuple[int, ...]]) -> int:
        if not empty:
            return 1
        target = min(empty)
        total = 0
        for orientations in [orientations for orientations, left in kinds.items() if left]:
            kinds[orientations] -= 1
            for orientation in orientations:
                for anchor in orientation:  # type: ignore[attr-defined]
                    moved = frozenset(
                        tuple(c + t - a for c, t, a in zip(cell, target, anchor, strict=True))
                        for cell in orientation  # type: ignore[attr-defined]
                    )
                    if moved <= empty:
                        total += fill(empty - moved)
            kinds[orientations] += 1
        return total

    return fill(frozenset(puzzle.open_cells))
