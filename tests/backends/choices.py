"""Every sequence of choices that a random descent can make, with its probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

Result = TypeVar("Result")


def every_descent(
    descend: Callable[[Callable[[int], int]], Result],
) -> list[tuple[Fraction, Result]]:
    """What `descend` returns for every way to choose; it is given what chooses below a bound."""
    results, waiting = [], [list[int]()]
    while waiting:
        path = waiting.pop()
        probability, made = Fraction(1), list[int]()

        def choose(bound: int, path: list[int] = path, made: list[int] = made) -> int:
            nonlocal probability
            probability /= bound
            if len(made) == len(path):
                waiting.extend([*made, other] for other in range(1, bound))
                path.append(0)
            made.append(path[len(made)])
            return made[-1]

        result = descend(choose)
        results.append((probability, result))
    return results
