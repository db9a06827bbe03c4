"""Is this a cover? Every item within its bounds, every colour agreed on."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many
from dovetail.models.cover import CoverProblem, Member
from dovetail.models.symmetry import PADDING


class CoverVerifier:
    """Knows a bare cover problem; counts by name, one solution after another."""

    def __init__(self, problem: CoverProblem) -> None:
        self._bounds = {
            problem.item_names[i]: (int(problem.lower[i]), int(problem.upper[i]))
            for i in range(problem.primary_count)
        }
        self._problem = problem
        self._members: dict[int, tuple[Member, ...]] = {}

    def check(self, rows: NDArray[np.int32]) -> str | None:
        """What is wrong with the first bad row of options (n, k), padded with −1, or None."""
        for row in rows.tolist():
            error = self.error_in([option for option in row if option != PADDING])
            if error is not None:
                return error
        return None

    def error_in(self, chosen: list[int]) -> str | None:
        """What is wrong with one solution, the numbers of its options."""
        if len(set(chosen)) != len(chosen):
            return "an option is chosen twice"
        colours: dict[str, set[int]] = {}
        times: Counter[str] = Counter()
        for option in chosen:
            if not 0 <= option < self._problem.option_count:
                return f"there is no option {option}"
            if option not in self._members:
                self._members[option] = self._problem.members(option)
            for member in self._members[option]:
                name, colour = (member, 0) if isinstance(member, str) else member
                times[name] += 1
                colours.setdefault(name, set()).add(colour)
        for name, (lower, upper) in self._bounds.items():
            if not lower <= times[name] <= upper:
                return (
                    f"item {name} is covered {how_many(times[name], 'time')}; expected "
                    f"{lower} to {upper}"
                )
        for name, given in colours.items():
            if name not in self._bounds and (len(given) > 1 or (0 in given and times[name] > 1)):
                return f"item {name} is given different colours"
        return None
