"""The branches that a sub-problem consists of, all of one node of the search tree."""

from __future__ import annotations

from dovetail.models.sub_problem import SubProblem


def branches_of(part: SubProblem) -> int:
    """Return the number of branches at the first node of a part, as far as it is known."""
    return 1 if part.untried is None else len(part.untried)


def level_of(part: SubProblem) -> int:
    """Return the number of options above the first node of a part; −1 above the root."""
    return len(part.taken) - (part.untried is None)


def single_branches(part: SubProblem) -> list[SubProblem]:
    """Return a part for each of the branches of a part, in their order."""
    if part.untried is None or len(part.untried) == 1:
        return [part]
    return [SubProblem(part.taken, (option,), part.cut_from) for option in part.untried]
