"""The verdict on a contest: who is ahead, of whom, by how much, and who is fastest most often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.ranking import Standing, lead, ranking


@dataclass(frozen=True, eq=False)
class Verdict:
    """A contest and its `standings`, the best first; there are two or more."""

    contest: Contest
    standings: tuple[Standing, ...]

    @property
    def first(self) -> Standing:
        """Who is ahead by geometric mean."""
        return self.standings[0]

    @property
    def second(self) -> Standing:
        """Who is next."""
        return self.standings[1]

    @cached_property
    def lead(self) -> Interval:
        """How many times longer the second takes than the first, in the geometric mean."""
        return lead(self.contest, self.first.solver, self.second.solver)

    @property
    def is_clear(self) -> bool:
        """Whether the lead is more than the choice of puzzles explains, at the 5 % level."""
        return self.lead.low > 1.0

    @cached_property
    def frequent_winner(self) -> Standing:
        """Who is fastest most often; of several, the one ranked first."""
        return max(self.standings, key=lambda standing: standing.wins)


def verdict(contest: Contest) -> Verdict:
    """The verdict on a contest."""
    return Verdict(contest, tuple(ranking(contest)))
