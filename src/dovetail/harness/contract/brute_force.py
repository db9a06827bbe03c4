"""All solutions of a small cover problem, by trying every set of options.

Independent of every backend: it shares neither code nor method with them.
"""

from __future__ import annotations

from dovetail.models.cover import UNCOLOURED, CoverProblem


def covers(problem: CoverProblem) -> set[tuple[int, ...]]:
    """Return the solutions of a problem, each as its options in ascending order.

    Option by option is left out or chosen. A branch ends where an item is covered too often, has
    two colours, or is covered too seldom and in no option to come.
    """
    spans = [slice(problem.start[o], problem.start[o + 1]) for o in range(problem.option_count)]
    members = [
        list(zip(problem.item[s].tolist(), problem.colour[s].tolist(), strict=True)) for s in spans
    ]
    primary, lower, upper = problem.primary_count, problem.lower.tolist(), problem.upper.tolist()
    last = {item: option for option, one in enumerate(members) for item, _ in one}
    due = [[i for i in range(primary) if last.get(i, -1) == o] for o in range(-1, len(members))]
    uses: list[list[int]] = [[] for _ in range(problem.item_count)]  # their colours, by item
    found: set[tuple[int, ...]] = set()

    def allowed(item: int) -> bool:
        colours = uses[item]
        if item < primary:
            return len(colours) <= int(upper[item])
        return len(colours) < 2 or (UNCOLOURED not in colours and len(set(colours)) == 1)

    def decide(option: int, chosen: tuple[int, ...]) -> None:
        if any(len(uses[item]) < lower[item] for item in due[option]):
            return
        if option == len(members):
            found.add(chosen)
            return
        decide(option + 1, chosen)
        for item, colour in members[option]:
            uses[item].append(colour)
        if all(allowed(item) for item, _ in members[option]):
            decide(option + 1, (*chosen, option))
        for item, _ in members[option]:
            uses[item].pop()

    decide(0, ())
    return found
