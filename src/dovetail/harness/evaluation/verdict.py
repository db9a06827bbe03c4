"""The verdict on a contest: who is ahead, of whom, by how much, and who is fastest most often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.ranking import Standing, lead, ranking
from dovetail.harness.evaluation.resampling import geometric_mean
from dovetail.harness.evaluation.significance import MIN_QUESTIONS


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
    def is_clear(self) -> bool | None:
        """Whether the lead is more than the choice of puzzles explains, at the 5 % level.

        None for fewer than `MIN_QUESTIONS`: they do not show it.
        """
        return None if len(self.contest.questions) < MIN_QUESTIONS else self.lead.low > 1.0

    @cached_property
    def common_lead(self) -> Interval | None:
        """The lead on the questions that both answered; None if there are none."""
        rows = [self.contest.of(one.solver) for one in (self.first, self.second)]
        both = self.contest.answered[rows].all(axis=0)
        first, second = self.contest.par2_s[rows][:, both]
        return geometric_mean(second / first) if both.any() else None

    @cached_property
    def frequent_winners(self) -> tuple[Standing, ...]:
        """Those that are fastest most often, in their order."""
        wins = max(standing.wins for standing in self.standings)
        return tuple(standing for standing in self.standings if standing.wins == wins)


def verdict(contest: Contest) -> Verdict:
    """The verdict on a contest."""
    return Verdict(contest, tuple(ranking(contest)))
