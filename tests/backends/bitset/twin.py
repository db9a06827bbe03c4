"""The search by sets of options in plain Python: what the kernel has to do, node for node."""

from __future__ import annotations

from collections import Counter

from dovetail.models.cover import CoverProblem


class Twin:
    """Sets of options are integers, one bit per option; nothing is packed or undone."""

    def __init__(self, problem: CoverProblem) -> None:
        self.nodes: Counter[int] = Counter()
        self.solutions: list[list[int]] = []
        self.primary = range(problem.primary_count)
        self.members = [
            {
                int(problem.item[m]): int(problem.colour[m])
                for m in range(problem.start[option], problem.start[option + 1])
            }
            for option in range(problem.option_count)
        ]
        self.covering = [
            sum(1 << option for option, mine in enumerate(self.members) if item in mine)
            for item in self.primary
        ]
        self.compatible = [self.agreeing(option) for option in range(problem.option_count)]
        everything = (1 << problem.option_count) - 1
        self.search(everything, problem.lower.tolist(), problem.upper.tolist(), [])

    def agreeing(self, option: int) -> int:
        """The options that share no secondary item with an option, or only in one colour."""
        mine = self.members[option]
        return sum(
            1 << number
            for number, theirs in enumerate(self.members)
            if all(
                mine[item] == theirs[item] != 0
                for item in mine.keys() & theirs.keys()
                if item not in self.primary
            )
        )

    def search(self, alive: int, need: list[int], capacity: list[int], taken: list[int]) -> None:
        """Find all solutions with the options taken and some of those alive."""
        choices = {
            item: (alive & self.covering[item]).bit_count() + 1 - max(0, need[item])
            for item in self.primary
            if capacity[item] > 0
        }
        if not choices:
            self.solutions.append(taken)
            return
        item = min(choices, key=lambda each: choices[each])
        for _ in range(choices[item]):
            options = alive & self.covering[item]
            if options:
                lowest = options & -options
                alive ^= lowest
                self.nodes[len(taken)] += 1
                self.take(lowest.bit_length() - 1, alive, need, capacity, taken)
            else:
                left_capacity = [
                    0 if each == item else space for each, space in enumerate(capacity)
                ]
                self.search(alive & ~self.covering[item], need, left_capacity, taken)

    def take(
        self, option: int, alive: int, need: list[int], capacity: list[int], taken: list[int]
    ) -> None:
        """Search on with one more option."""
        mine = self.members[option]
        need = [needed - (item in mine) for item, needed in enumerate(need)]
        capacity = [space - (item in mine) for item, space in enumerate(capacity)]
        alive &= self.compatible[option]
        for item in self.primary:
            if item in mine and capacity[item] == 0:
                alive &= ~self.covering[item]
        self.search(alive, need, capacity, [*taken, option])
