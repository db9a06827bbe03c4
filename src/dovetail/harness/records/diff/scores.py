"""Scores of improvements, old and new: the median over the seeds of an improver on a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.harness.records.diff.findings import Finding, FindingType, Severity
from dovetail.harness.records.seed_runs import Scores, SeedRuns, seed_runs
from dovetail.harness.records.summary import JobResult


def score_findings(
    old: Iterable[JobResult], new: Iterable[JobResult]
) -> Iterator[tuple[str, Finding]]:
    """Yield what changed, with the first job of the improver on that board in the new file.

    A median that fell is a warning, one that rose a note.
    """
    before = {_place(group): group for group in seed_runs(old)}
    for group in seed_runs(new):
        earlier = before.get(_place(group))
        scores = None if earlier is None else earlier.scores()
        now = group.scores()
        if scores is None or now is None or scores.middle == now.middle:
            continue
        fell = now.middle < scores.middle
        yield (
            group.runs[0].job,
            Finding(
                FindingType.LOWER_SCORE if fell else FindingType.HIGHER_SCORE,
                Severity.WARNING if fell else Severity.NOTE,
                "score over seeds",
                show_scores(scores),
                show_scores(now),
            ),
        )


def show_scores(scores: Scores) -> str:
    """The median, and the range where there is one: `459 (457–460)`."""
    spread = f" ({scores.low}–{scores.high})" if scores.low < scores.high else ""
    return f"{scores.middle:g}{spread}"


def _place(group: SeedRuns) -> tuple[object, ...]:
    return group.digest, group.solver, group.limits
