"""Dancing links in plain Python: what the kernel has to do, node for node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from dovetail.models.cover import CoverProblem


class Twin:
    """The same search over plain sets: same items, same options, same nodes, same order.

    With `hand_over`, what counts as a solution is whatever leaves two choices for every item, from
    so many options on; `left` has for each the options that may still be taken. With `until`, the
    search has `ended` as soon as an option was taken back that so many were taken before. With
    `member_order`, each item tries its options in the order in which their members are there.
    """

    def __init__(
        self,
        problem: CoverProblem,
        until: int | None = None,
        hand_over: int | None = None,
        member_order: Iterable[int] | None = None,
    ) -> None:
        self.problem, self.until = problem, until
        ordered = range(len(problem.item)) if member_order is None else member_order
        self.tried: dict[int, list[int]] = {i: [] for i in range(problem.item_count)}
        for member in ordered:
            self.tried[int(problem.item[member])].append(int(problem.option_of_member[member]))
        self.hand_over = problem.option_count + 1 if hand_over is None else hand_over
        self.ended = False
        self.nodes: Counter[int] = Counter()
        self.solutions: list[list[int]] = []
        self.left: list[list[int]] = []
        self.members = [
            {
                int(problem.item[m]): int(problem.colour[m])
                for m in range(problem.start[o], problem.start[o + 1])
            }
            for o in range(problem.option_count)
        ]
        primary = range(problem.primary_count)
        self.search(
            list(range(problem.option_count)),
            {i: (int(problem.lower[i]), int(problem.upper[i])) for i in primary},
            [],
        )

    def search(
        self, options: list[int], open_items: dict[int, tuple[int, int]], taken: list[int]
    ) -> None:
        if not open_items:
            self.solutions.append(taken)
            self.left.append(options)
            return
        left = set(options)
        users = {i: [o for o in self.tried[i] if o in left] for i in open_items}
        choices = {i: len(users[i]) + 1 - max(0, low) for i, (low, _) in open_items.items()}
        may_hand_over = len(taken) >= self.hand_over
        item = Twin.target(self, choices, taken) if may_hand_over else self.target(choices, taken)
        if choices[item] <= 0:
            return
        if may_hand_over and choices[item] > 1:
            self.solutions.append(taken)
            self.left.append(options)
            return
        once = self.problem.lower[item] == self.problem.upper[item] == 1
        untried = users[item]
        while untried and len(untried) + 1 - max(0, open_items[item][0]) > 0:
            self.nodes[len(taken)] += 1
            self.take(untried[0], options, open_items, taken)
            self.ended |= len(taken) == self.until
            if self.ended:
                return
            options = options if once else [o for o in options if o != untried[0]]
            untried = untried[1:]
        if open_items[item][0] <= 0:
            rest = {i: bounds for i, bounds in open_items.items() if i != item}
            self.search([o for o in options if item not in self.members[o]], rest, taken)

    def target(self, choices: dict[int, int], taken: list[int]) -> int:
        """The item to branch on, given the choices of every open one."""
        return min(choices, key=lambda i: choices[i])

    def take(
        self,
        option: int,
        options: list[int],
        open_items: dict[int, tuple[int, int]],
        taken: list[int],
    ) -> None:
        mine = self.members[option]
        bounds = {
            i: (low - 1, high - 1) if i in mine else (low, high)
            for i, (low, high) in open_items.items()
        }
        full = {i for i, (_, high) in bounds.items() if high == 0}

        def agrees(other: int) -> bool:
            theirs = self.members[other]
            return not (full & theirs.keys()) and all(
                colour == theirs[i] != 0
                for i, colour in mine.items()
                if i in theirs and i >= self.problem.primary_count
            )

        self.search(
            [o for o in options if o != option and agrees(o)],
            {i: b for i, b in bounds.items() if i not in full},
            [*taken, option],
        )
