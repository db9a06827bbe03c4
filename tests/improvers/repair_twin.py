"""The kernels of `repair` in plain Python: sets of cells, and everything compared side by side."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.improvers.repair.kernels import windows
from dovetail.improvers.shared.board import BoardArrays
from dovetail.random_stream import RandomStream

TRIES, MIN_SIDE = 6, 3


class Draws:
    """The random numbers of the kernels."""

    def __init__(self, seed: int) -> None:
        self._stream = RandomStream(seed)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` − 1."""
        return (self._stream.word() >> 32) * bound >> 32

    def shuffled(self, entries: Sequence[int]) -> list[int]:
        """The entries in a random order."""
        found = list(entries)
        for number in reversed(range(1, len(found))):
            other = self.below(number + 1)
            found[number], found[other] = found[other], found[number]
        return found


class Chooser:
    """Chooses the cells of a window on a full board."""

    def __init__(self, board: BoardArrays, placed: Sequence[int], draws: Draws) -> None:
        self.board, self.placed, self.draws = board, placed, draws
        self.width, self.height = board.puzzle.width, board.puzzle.height

    def around(self, cell: int) -> list[int]:
        """The neighbours of a cell: north, east, south and west."""
        return [int(other) for other in self.board.neighbours[cell]]

    def mismatches(self, cell: int) -> int:
        """How many of its edges do not match."""
        shown = self.board.sides
        return sum(
            other >= 0
            and bool(shown[self.placed[cell], side] != shown[self.placed[other], (side + 2) % 4])
            for side, other in enumerate(self.around(cell))
        )

    def choose(self, operator: int, low: int, high: int, *, apart: bool) -> list[int]:
        """The cells in the order of filling."""
        self.draws.below(1)  # which operator
        wanted = low + self.draws.below(high - low + 1)
        if operator == windows.RECTANGLE:
            ranked = self.rectangle(*((2 * low, 2 * high) if apart else (low, high)))
            wanted = len(ranked)
        elif operator == windows.COMPONENT:
            ranked = self.component()
        else:
            ranked = self.draws.shuffled(range(self.board.cells))
            if operator == windows.MISMATCHED:
                ranked = self.spoiled_first(ranked)
        chosen: list[int] = []
        for cell in ranked:
            touches = apart and bool(set(self.around(cell)) & set(chosen))
            if len(chosen) < wanted and self.board.fixed[cell] < 0 and not touches:
                chosen.append(cell)
        return self.scanned(chosen)

    def rectangle(self, low: int, high: int) -> list[int]:
        """The cells of the rectangle with most mismatches."""
        tried = []
        for _ in range(TRIES):
            area = low + self.draws.below(high - low + 1)
            side = max(side for side in (1, 2, MIN_SIDE) if side == 1 or side * side <= area)
            shortest = min(self.width, side)
            longest = min(self.width, max(side, area // side))
            columns = shortest + self.draws.below(longest - shortest + 1)
            rows = min(self.height, max(side, area // columns))
            x = self.draws.below(self.width - columns + 1)
            y = self.draws.below(self.height - rows + 1)
            luck = self.draws.below(windows.PER_EDGE)
            cells = [
                column * self.height + row
                for column in range(x, x + columns)
                for row in range(y, y + rows)
            ]
            tried.append((windows.PER_EDGE * sum(map(self.mismatches, cells)) + luck, cells))
        return max(tried, key=lambda one: one[0])[1]

    def component(self) -> list[int]:
        """Rings around a component of cells with mismatches."""
        spoiled = [cell for cell in range(self.board.cells) if self.mismatches(cell)]
        if not spoiled:
            return []
        found = [spoiled[self.draws.below(len(spoiled))]]
        turn = self.draws.below(4)
        for passable in (set(spoiled), set(range(self.board.cells))):
            for cell in found:  # which grows meanwhile
                around = self.around(cell)
                for number in range(4):
                    other = around[(number + turn) % 4]
                    if other in passable and other not in found:
                        found.append(other)
        return found

    def spoiled_first(self, ranked: list[int]) -> list[int]:
        """Cells with mismatches in their order; it and the first without change places."""
        found, front = list(ranked), 0
        for number, cell in enumerate(ranked):
            if self.mismatches(cell):
                found[number], found[front] = found[front], cell
                front += 1
        return found

    def scanned(self, cells: Sequence[int]) -> list[int]:
        """The cells across the short side of the box around them, from a random corner."""
        corner = self.draws.below(4)
        columns = {cell // self.height for cell in cells}
        rows = {cell % self.height for cell in cells}
        if not cells:
            return []
        wide, high = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
        along = -1 if corner & 1 else 1, -1 if corner & 2 else 1

        def place(cell: int) -> tuple[int, int]:
            x, y = along[0] * (cell // self.height), along[1] * (cell % self.height)
            return (x, y) if wide > high else (y, x)

        return sorted(cells, key=place)


def greedy(
    board: BoardArrays,
    trial: list[int],
    cells: Sequence[int],
    tiles: list[int],
    noise: int,
    draws: Draws,
) -> int:
    """Fill the cells of `trial`; returns how many edges match."""
    matched = 0

    def neighbours(cell: int) -> list[tuple[int, int]]:
        return [
            (side, int(other))
            for side, other in enumerate(board.neighbours[cell])
            if other >= 0 and trial[other] >= 0
        ]

    while tiles:
        cell = max((one for one in cells if trial[one] < 0), key=lambda one: len(neighbours(one)))
        ranked = []
        for number, tile in enumerate(tiles):
            for one in range(4 * tile, 4 * tile + 4):
                if board.frame[one] == board.cell_frame[cell]:
                    fits = sum(
                        int(board.sides[one, side] == board.sides[trial[other], (side + 2) % 4])
                        for side, other in neighbours(cell)
                    )
                    value = windows.PER_EDGE * fits + draws.below(noise + 1)
                    ranked.append((value, number, one, fits))
        _, number, one, fits = max(ranked, key=lambda entry: entry[0])
        matched += fits
        trial[cell] = one
        tiles[number] = tiles[-1]
        tiles.pop()
    return matched
