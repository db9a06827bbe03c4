"""Oracles of a few lines: too slow for anything but tests, and plainly right."""

from __future__ import annotations

from itertools import combinations

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


def _laid(puzzle: EdgePuzzle, *, labelled: bool) -> set[LabelledBoard]:  # noqa: C901
    """All boards, by laying tile after tile; of tiles that look alike one, unless `labelled`.

    A tile that a hint names is never taken for another.
    """
    cells = cells_of(puzzle)
    hinted = {(h.x, h.y): (h.tile, turned(puzzle.tiles[h.tile], h.rotation)) for h in puzzle.hints}
    named = {hint.tile for hint in puzzle.hints}
    mates = {a: b for pair in puzzle.matches for a, b in (pair, pair[::-1])}
    counts = puzzle.counts or ((1, 1),) * len(puzzle.tiles)
    laid: dict[tuple[int, int], tuple[int, Tile]] = {}
    found = set()

    def fits(x: int, y: int, tile: int, sides: Tile) -> bool:
        beside = {0: (x, y + 1), 1: (x + 1, y), 2: (x, y - 1), 3: (x - 1, y)}
        for side, place in beside.items():
            colour = sides[side]
            if place not in cells:
                if not puzzle.unbounded and colour != (puzzle.frame or 0):
                    return False
            elif colour == 0 and puzzle.frame is None and not puzzle.unbounded:
                return False
            elif place in laid:
                mate = -colour if puzzle.signed else mates.get(colour, colour)
                if laid[place][1][(side + 2) % 4] != mate:
                    return False
        return hinted.get((x, y), (tile, sides)) == (tile, sides)

    def lay(uses: tuple[int, ...]) -> None:
        if len(laid) == len(cells):
            if all(least <= used for used, (least, _) in zip(uses, counts, strict=True)):
                found.add(tuple(laid[cell] for cell in cells))
            return
        x, y = cells[len(laid)]
        tried = set[tuple[int | None, Tile]]()
        for tile, (_, most) in enumerate(counts):
            for sides in looks(puzzle, tile) if uses[tile] < most else ():
                distinct = labelled or tile in named or puzzle.counts
                orientation = (tile if distinct else None, sides)
                if orientation not in tried and fits(x, y, tile, sides):
                    tried.add(orientation)
                    laid[x, y] = tile, sides
                    lay((*uses[:tile], uses[tile] + 1, *uses[tile + 1 :]))
                    del laid[x, y]

    lay((0,) * len(puzzle.tiles))
    return found


def cells_of(puzzle: EdgePuzzle) -> list[tuple[int, int]]:
    """The cells that are no holes."""
    cells = [(x, y) for x in range(puzzle.width) for y in range(puzzle.height)]
    return [cell for cell in cells if cell not in puzzle.holes]


def looks(puzzle: EdgePuzzle, tile: int) -> list[Tile]:
    """How a tile may lie."""
    north, east, south, west = puzzle.tiles[tile]
    if puzzle.fixed:
        return [(north, east, south, west)]
    faces = [[north, east, south, west]] + [[north, west, south, east]] * puzzle.flippable
    turns = [face[n:] + face[:n] for face in faces for n in range(4)]
    return [(a, b, c, d) for a, b, c, d in turns]


def unique_boards(puzzle: EdgePuzzle) -> int:
    """Boards up to turns, if tiles turn, and flips, if they may be flipped; without hints."""
    cells = cells_of(puzzle)

    def moved(laid: dict[tuple[int, int], Tile]) -> dict[tuple[int, int], Tile]:
        """The board with its lower left corner where that of the cells is."""
        (left, low), (x0, y0) = (
            [min(cell[axis] for cell in its) for axis in (0, 1)] for its in (laid, cells)
        )
        return {(x - left + x0, y - low + y0): sides for (x, y), sides in laid.items()}

    orbits = set()
    for board in boards(puzzle):
        images = []
        laid = dict(zip(cells, board, strict=True))
        for _ in range(1 + puzzle.flippable):
            for _ in range(1 if puzzle.fixed else 4):
                if set(laid) == set(cells):
                    images.append(tuple(laid[cell] for cell in cells))
                laid = moved({(y, -x): (w, n, e, s) for (x, y), (n, e, s, w) in laid.items()})
            laid = moved({(-x, y): (n, w, s, e) for (x, y), (n, e, s, w) in laid.items()})
        orbits.add(min(images))
    return len(orbits)


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
