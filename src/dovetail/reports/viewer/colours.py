"""Colours for the pieces of a solution: where there are enough, those that touch differ."""

from __future__ import annotations

from itertools import cycle, islice

from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution

COLOURS = 8  # as many as viewer.css has


def colours(puzzle: PackingPuzzle, solution: PackingSolution) -> list[int]:
    """A colour from 0 for each piece placed, in the order of the solution.

    A piece begins with a colour of its own and takes the next one that no neighbour has, so
    that it mostly looks the same in every solution.
    """
    home = {piece.name: number % COLOURS for number, piece in enumerate(puzzle.pieces)}
    owner = {cell: number for number, (_, cells) in enumerate(solution.placed) for cell in cells}
    chosen: dict[int, int] = {}
    for number, (name, cells) in enumerate(solution.placed):
        beside = (owner.get(near) for cell in cells for near in puzzle.lattice.neighbours(cell))
        taken = {chosen[other] for other in beside if other in chosen}
        tried = islice(cycle(range(COLOURS)), home[name], home[name] + COLOURS)
        chosen[number] = next((colour for colour in tried if colour not in taken), home[name])
    return list(chosen.values())
