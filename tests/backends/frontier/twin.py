"""Frontier shapes and the states over them in plain Python, from the method.

A board is a set of settled cells, filled or left empty for good; a set of pieces says how often
each shape is used. Nothing is packed into words, and areas and windows play no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import prod

from dovetail.backends.frontier.problem import SweepProblem

SweepBoard = frozenset[int]
Edge = tuple[int, SweepBoard]  # a move, and the board that it makes
Uses = tuple[int, ...]  # how often each shape is used
State = tuple[SweepBoard, Uses]
Ways = dict[State, int]


class Twin:
    """The automaton of a problem, its states by layers, and its solutions."""

    def __init__(self, problem: SweepProblem) -> None:
        self.cells = problem.cell_count
        self.everything = frozenset(range(self.cells))
        self.optional: list[bool] = problem.optional.tolist()
        self.near = [{n for n in row if n >= 0} for row in problem.neighbours.tolist()]
        self.fillable: list[bool] = problem.fillable.tolist()
        self.min_count: Uses = tuple(problem.min_count.tolist())
        self.max_count: Uses = tuple(problem.max_count.tolist())
        classes = problem.move_class.tolist()
        self.covered = covered_cells(problem)
        self.uses: list[Uses] = [tuple(problem.uses[move_class].tolist()) for move_class in classes]
        self.weight = [int(problem.weight[move_class]) for move_class in classes]
        self.edges: dict[SweepBoard, list[Edge]] = {}
        self.accepting: set[SweepBoard] = set()
        self._to_end: dict[tuple[int, SweepBoard, Uses], int] = {}
        self._expand()
        self._keep_useful()

    def settled(self, board: SweepBoard, move: int) -> SweepBoard:
        """The board after a move: what it passes over stays empty for good."""
        lowest = min(self.covered[move])
        return board | frozenset(range(lowest)) | self.covered[move]

    def closes_off(self, board: SweepBoard) -> bool:
        """Whether a part of the open cells, all of them to be filled, has a volume of no pieces.

        Parts that reach beyond the highest settled cell may go on; they are not looked at.
        """
        left = set(self.everything - board)
        while left:
            part = [left.pop()]
            for cell in part:  # grows while it is walked
                near = left & self.near[cell]
                left -= near
                part += near
            if any(self.optional[cell] for cell in part) or max(part) > max(board, default=-1):
                continue
            if not self.fillable[len(part)]:
                return True
        return False

    @cached_property
    def before(self) -> dict[SweepBoard, set[int]]:
        """The shapes used on the ways to each board."""
        found = {board: set[int]() for board in self.edges}
        for board in self.boards:
            for move, after in self.edges[board]:
                found[after] |= found[board] | self.shapes(self.uses[move])
        return found

    @cached_property
    def behind(self) -> dict[SweepBoard, set[int]]:
        """The shapes used on the ways on from each board."""
        found = {board: set[int]() for board in self.edges}
        for board in reversed(self.boards):
            for move, after in self.edges[board]:
                found[board] |= found[after] | self.shapes(self.uses[move])
        return found

    @property
    def boards(self) -> list[SweepBoard]:
        """Those from which the region can be filled, by how much is settled."""
        return sorted(self.edges, key=len)

    def shapes(self, uses: Uses) -> set[int]:
        """Those that are used at all."""
        return {shape for shape, times in enumerate(uses) if times}

    def lacking(self, uses: Uses) -> set[int]:
        """The shapes that must still be used."""
        return {s for s, min_count in enumerate(self.min_count) if uses[s] < min_count}

    def complete(self, uses: Uses) -> bool:
        """Whether this may be all that is used."""
        return not self.lacking(uses)

    def with_move(self, uses: Uses, move: int) -> Uses | None:
        """The uses after a move, None where there are not so many pieces."""
        after = tuple(a + b for a, b in zip(uses, self.uses[move], strict=True))
        return after if all(a <= b for a, b in zip(after, self.max_count, strict=True)) else None

    @cached_property
    def sets(self) -> list[set[Uses]]:
        """What so many moves may use, by how many they are, if they fit the region by volume.

        A class of move counts as its smallest one.
        """
        smallest: dict[Uses, int] = {}
        for cells, uses in zip(self.covered, self.uses, strict=True):
            smallest[uses] = min(smallest.get(uses, self.cells), len(cells))
        volumes: dict[Uses, int] = {(0,) * len(self.max_count): 0}
        layers = list[set[Uses]]()
        while volumes:
            layers.append(set(volumes))
            after: dict[Uses, int] = {}
            for here, volume in volumes.items():
                for added, size in smallest.items():
                    uses = tuple(a + b for a, b in zip(here, added, strict=True))
                    if any(a > b for a, b in zip(uses, self.max_count, strict=True)):
                        continue
                    if volume + size <= self.cells:
                        after[uses] = min(after.get(uses, self.cells), volume + size)
            volumes = after
        return layers

    def from_start(self) -> list[Ways]:
        """The states after each number of moves, and in how many ways, with weights, they come.

        Without those from which some shape that must be used cannot be.
        """
        layer: Ways = {(frozenset(), (0,) * len(self.max_count)): 1} if self.edges else {}
        layers = list[Ways]()
        while layer:
            layers.append(layer)
            after: Counter[State] = Counter()
            for (board, uses), ways in layer.items():
                for move, reached in self.edges[board]:
                    used = self.with_move(uses, move)
                    if used is not None and self.lacking(used) <= self.behind[reached]:
                        after[reached, used] += ways * self.weight[move]
            layer = dict(after)
        return layers

    def to_end(self, number: int, board: SweepBoard, uses: Uses) -> int:
        """In how many ways, with weights, a state after so many moves leads on to the end.

        Only by way of sets that fit the region.
        """
        key = number, board, uses
        if key not in self._to_end:
            ends = int(board in self.accepting and self.complete(uses))
            for move, reached in self.edges[board]:
                used = self.with_move(uses, move)
                if used is not None and used in self._sets_of(number + 1):
                    ends += self.weight[move] * self.to_end(number + 1, reached, used)
            self._to_end[key] = ends
        return self._to_end[key]

    def from_end(self, number: int) -> Ways:
        """The states after so many moves that lead to the end, and in how many ways.

        Without those that use a shape which no way to their board uses.
        """
        found = {
            (board, uses): self.to_end(number, board, uses)
            for uses in self._sets_of(number)
            for board in self.edges
            if self.shapes(uses) <= self.before[board]
        }
        return {state: ways for state, ways in found.items() if ways}

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """All solutions as moves in the order in which they are made."""
        stack: list[tuple[SweepBoard, Uses, tuple[int, ...]]] = []
        if self.edges:
            stack.append((frozenset(), (0,) * len(self.max_count), ()))
        while stack:
            board, uses, moves = stack.pop()
            if board in self.accepting and self.complete(uses):
                yield moves
            for move, reached in self.edges[board]:
                used = self.with_move(uses, move)
                if used is not None:
                    stack.append((reached, used, (*moves, move)))

    def times(self, moves: tuple[int, ...]) -> int:
        """How many times a solution counts."""
        return prod(self.weight[move] for move in moves)

    def _sets_of(self, number: int) -> set[Uses]:
        return self.sets[number] if number < len(self.sets) else set()

    def _expand(self) -> None:
        """Find all boards, with the moves made on the first cell that a board leaves open.

        That cell or, if it may stay empty, a later one.
        """
        found = [frozenset[int]()]
        self.edges[found[0]] = []
        for board in found:  # grows while it is walked
            if self.closes_off(board):
                continue
            now = board
            while now != self.everything:
                target = min(self.everything - now)
                for move, cells in enumerate(self.covered):
                    if min(cells) == target and not cells & now:
                        reached = self.settled(now, move)
                        self.edges[board].append((move, reached))
                        if reached not in self.edges:
                            self.edges[reached] = []
                            found.append(reached)
                if not self.optional[target]:
                    break
                now |= {target}
            else:
                self.accepting.add(board)

    def _keep_useful(self) -> None:
        """Forget the boards from which the region cannot be filled."""
        useful = set(self.accepting)
        for board in sorted(self.edges, key=len, reverse=True):
            if any(reached in useful for _, reached in self.edges[board]):
                useful.add(board)
        self.edges = {
            board: [(move, reached) for move, reached in self.edges[board] if reached in useful]
            for board in useful
        }


def covered_cells(problem: SweepProblem) -> list[SweepBoard]:
    """The cells of each move."""
    covered = []
    for cell in range(problem.cell_count):
        for move in range(problem.first_move[cell], problem.first_move[cell + 1]):
            bits = int(problem.mask[move])
            covered.append(frozenset(cell + bit for bit in range(64) if bits >> bit & 1))
    return covered
