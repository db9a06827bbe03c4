"""The search of `breaks` in plain Python: colours compared side by side, nothing looked up."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.improvers.shared.board import BoardArrays

BY_COLOUR = 2


class Twin:
    """Goes through candidates in the order of their entries in the lists, given as `ranks`.

    Keeps the number of nodes and each better partial board, as (nodes, score, orientations).
    """

    def __init__(
        self,
        board: BoardArrays,
        order: Sequence[int],
        allowed: Sequence[int],
        quota: Sequence[int],
        preferred: Sequence[int],
        ranks: Sequence[Sequence[int]],
        *,
        apart: bool = False,
    ) -> None:
        self.board, self.order = board, order
        self.allowed, self.quota, self.preferred, self.ranks = allowed, quota, preferred, ranks
        self.apart, self.placed = apart, board.fixed.tolist()
        self.nodes, self.best = 0, 0
        self.records: list[tuple[int, int, list[int]]] = []
        self.solve(0, 0, 0)

    def mismatches(self, cell: int, orientation: int) -> list[bool]:
        """For each side beyond which a tile lies, west and south first: whether it differs."""
        found = []
        for side in (3, 2, 1, 0):
            other = self.board.neighbours[cell, side]
            if other >= 0 and self.placed[other] >= 0:
                facing = self.board.sides[self.placed[other], (side + 2) % 4]
                found.append(bool(self.board.sides[orientation, side] != facing))
        return found

    def touching(self) -> bool:
        """Whether a tile has two sides that do not match."""
        lying = [(cell, one) for cell, one in enumerate(self.placed) if one >= 0]
        return any(sum(self.mismatches(*each)) > 1 for each in lying)

    def joined(self) -> int:
        """Edges between tiles, those between hints left out."""
        edges = 0
        for cell, orientation in enumerate(self.placed):
            for side in (0, 1):
                other = self.board.neighbours[cell, side]
                if other >= 0 and orientation >= 0 and self.placed[other] >= 0:
                    edges += self.board.fixed[cell] < 0 or self.board.fixed[other] < 0
        return edges

    def solve(self, depth: int, missed: int, reached: int) -> None:
        """Try what the rules allow in the next cell: what matches first."""
        if depth == len(self.order):
            return
        cell = self.order[depth]
        used = {orientation // 4 for orientation in self.placed if orientation >= 0}
        held = {orientation // 4 for orientation in self.board.fixed.tolist() if orientation >= 0}
        candidates = []
        for rank, orientation in enumerate(self.ranks[depth]):
            if orientation // 4 in held or not self.board.distinct[orientation]:
                continue
            differs = self.mismatches(cell, orientation)
            if sum(differs[:BY_COLOUR]) <= 1:
                candidates.append((sum(differs[:BY_COLOUR]), rank, orientation, sum(differs)))
        for by_colour, _, orientation, differing in sorted(candidates):
            if by_colour and missed >= self.allowed[depth]:
                break
            if orientation // 4 in used:
                continue
            reaches = reached + self.preferred[orientation]
            # what its list matches may be laid with no more than were missed before
            further = differing > by_colour or len(self.mismatches(cell, orientation)) > BY_COLOUR
            if further and missed + differing > self.allowed[depth]:
                continue
            if reaches < self.quota[depth]:
                continue
            self.placed[cell] = orientation
            if self.apart and self.touching():
                self.placed[cell] = -1
                continue
            self.nodes += 1
            score = self.joined() - missed - differing
            if score > self.best:
                self.best = score
                self.records.append((self.nodes, score, list(self.placed)))
            self.solve(depth + 1, missed + differing, reaches)
            self.placed[cell] = -1
