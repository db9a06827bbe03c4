"""Oracles of a few lines: too slow for anything but tests, and plainly right."""

from __future__ import annotations

import cmath
from itertools import combinations

from dovetail.models.boards.edges import EdgePuzzle, Tile, turned
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle

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
    matches = {*puzzle.matches, *(pair[::-1] for pair in puzzle.matches)}
    coupled = {colour for colour, _ in matches}
    counts = puzzle.counts or ((1, 1),) * len(puzzle.tiles)
    laid: dict[tuple[int, int], tuple[int, Tile]] = {}
    found = set()

    def fits(x: int, y: int, tile: int, sides: Tile) -> bool:
        for side, place in enumerate(beside(puzzle.lattice, x, y)):
            colour = sides[side]
            if place not in cells:
                if not puzzle.unbounded and colour != (puzzle.frame or 0):
                    return False
            elif colour == 0 and puzzle.frame is None and not puzzle.unbounded:
                return False
            elif place in laid:
                faced = laid[place][1][beside(puzzle.lattice, *place).index((x, y))]
                equal = faced == (-colour if puzzle.signed else colour)
                if not ((colour, faced) in matches if colour in coupled else equal):
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
    sides = puzzle.tiles[tile]
    if puzzle.fixed:
        return [sides]
    faces = [sides] + [sides[:1] + sides[:0:-1]] * puzzle.flippable
    return [face[n:] + face[:n] for face in faces for n in range(len(sides))]


def beside(lattice: str, x: int, y: int) -> list[tuple[int, int]]:
    """The cells at each side of a cell, clockwise."""
    if lattice == "hexagonal":
        return [(x, y + 1), (x + 1, y), (x + 1, y - 1), (x, y - 1), (x - 1, y), (x - 1, y + 1)]
    if lattice == "triangular":
        up = [(x + 1, y), (x, y - 1), (x - 1, y)]
        return up if (x + y) % 2 == 0 else [(2 * x - a, 2 * y - b) for a, b in up]
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def unique_boards(puzzle: EdgePuzzle) -> int:
    """Boards up to turns, if tiles turn, and flips, if they may be flipped; without hints.

    A board is the colours at points of the plane: one on each side of each cell.
    """
    places = [centre(puzzle.lattice, *cell) for cell in cells_of(puzzle)]
    middle = sum(places) / len(places)
    points = [
        (place - middle, (centre(puzzle.lattice, *other) - place) / 2)
        for (x, y), place in zip(cells_of(puzzle), places, strict=True)
        for other in beside(puzzle.lattice, x, y)
    ]
    number = {_rounded(*point): n for n, point in enumerate(points)}
    motions = []
    for turn in (cmath.exp(1j * cmath.pi * n / 6) for n in range(1 if puzzle.fixed else 12)):
        moved = [_rounded(turn * place, turn * side) for place, side in points]
        flipped = [_rounded(turn * a.conjugate(), turn * b.conjugate()) for a, b in points]
        for images in [moved, flipped][: 1 + puzzle.flippable]:
            if set(images) == set(number):
                motions.append([number[image] for image in images])
    orbits = set()
    for board in boards(puzzle):
        colours = [colour for tile in board for colour in tile]
        orbits.add(min(tuple(colours[n] for n in motion) for motion in motions))
    return len(orbits)


def centre(lattice: str, x: int, y: int) -> complex:
    """The centre of a cell in the plane, at twice the size."""
    height = 3**0.5
    if lattice == "hexagonal":
        return complex(2 * x + y, y * height)
    if lattice == "triangular":
        return complex(x, y * height + (height / 6 if (x + y) % 2 else -height / 6))
    return complex(2 * x, 2 * y)


def _rounded(place: complex, side: complex) -> tuple[float, ...]:
    return tuple(round(n, 4) + 0.0 for z in (place, side) for n in (z.real, z.imag))


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
