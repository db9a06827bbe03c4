"""The verdict on a contest: who is ahead, of whom, by how much, and who is fastest most often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.ranking import Known, Lead, Standing, lead, ranking
from dovetail.harness.evaluation.significance import MIN_QUESTIONS


@dataclass(frozen=True, eq=False)
class Verdict:
    """A contest and its `standings`, the best first; there are two or more."""

    contest: Contest
    standings: tuple[Standing, ...]

    @property
    def first(self) -> Standing:
        """Who is ahead of all others."""
        return self.standings[0]

    @property
    def second(self) -> Standing:
        """Who is next."""
        return self.standings[1]

    @cached_property
    def lead(self) -> Lead:
        """How many times longer the second takes than the first."""
        return lead(self.contest, self.first.solver, self.second.solver)

    @property
    def is_clear(self) -> bool | None:
        """Whether the lead is more than the choice of puzzles explains, at the 5 % level.

        None where the lead is not known, or is of fewer questions than `MIN_QUESTIONS`.
        """
        if self.lead.known is Known.NO or self.lead.questions < MIN_QUESTIONS:
            return None
        return self.lead.ratio.low > 1.0

    @cached_property
    def frequent_winners(self) -> tuple[Standing, ...]:
        """Those that are fastest most often, in their order."""
        wins = max(standing.wins for standing in self.standings)
        return tuple(standing for standing in self.standings if standing.wins == wins)


def verdict(contest: Contest) -> Verdict:
    """The verdict on a contest."""
    return Verdict(contest, tuple(ranking(contest)))
