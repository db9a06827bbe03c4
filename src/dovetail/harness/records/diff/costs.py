"""Costs of two runs of one job: seconds and memory, beside the spread of their repeats.

A change is reported where it is beyond the spread: no repeat of the one file lies among those of
the other, and the medians differ by more than a tolerance. If nothing has changed, m and n repeats
lie apart by chance with a probability of 2 m! n! / (m + n)!: 1/3 of two runs each, 1/10 of three,
1/126 of five. So fewer than three runs are not judged, and the expected number of false alarms is
reported beside the others. Runs on another machine are not judged either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import comb

from dovetail.harness.records.diff.answers import finished_both
from dovetail.harness.records.diff.findings import Finding, FindingType, Severity, Spread, spread_of
from dovetail.harness.records.record import Record
from dovetail.harness.records.revisions import computer_of
from dovetail.harness.records.seed_runs import Scores, SeedRuns, seed_runs
from dovetail.harness.records.summary import SAME_WORK

MIN_RUNS = 3
# A smaller change is not reported: clocks and systems vary as much.
MIN_CHANGE_S = 1e-3
MIN_CHANGE_BYTES = 2**20
# A smaller figure is no measurement: it has no ratio.
MIN_RATED = 1e-9
# Processor time is the cost of a search only if the search took it all: not if other threads or
# processes worked for it.
MIN_CPU_SHARE, MAX_CPU_SHARE = 0.2, 1.05


Figure = Callable[[Record], float | None]


class Verdict(StrEnum):
    """How a cost has changed, or why it is not judged."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    TOO_FEW_RUNS = "too few runs"
    OTHER_MACHINE = "another machine"
    OTHER_WORK = "not the same work"
    UNKNOWN = "not recorded"


JUDGED = (Verdict.SAME, Verdict.MORE, Verdict.LESS)


@dataclass(frozen=True)
class Cost:
    """A cost by its name, old and new; `ratio` is new by old, None where that means nothing."""

    name: str
    old: Spread | None
    new: Spread | None
    verdict: Verdict

    @property
    def is_judged(self) -> bool:
        """Whether the repeats of both sides were held against one another."""
        return self.verdict in JUDGED

    @property
    def ratio(self) -> float | None:
        if self.old is None or self.new is None:
            return None
        if min(self.old.median, self.new.median) < MIN_RATED:
            return None
        return self.new.median / self.old.median


def costs(old: Record, new: Record, tolerance: float) -> tuple[Cost, ...]:
    """Return the costs of a job: seconds to prepare, to solve, of the processor; and peak bytes.

    Seconds to solve are what one waits for. Those of the processor (`solve, cpu`) depend less on
    what else the machine does; they are left out where they are not the whole of the search.
    """
    measured: dict[str, tuple[Figure, float]] = {
        "prepare": (lambda run: run.result.prepare_s, MIN_CHANGE_S),
        "solve": (lambda run: run.result.solve_s, MIN_CHANGE_S),
        "solve, cpu": (lambda run: run.result.solve_cpu_s, MIN_CHANGE_S),
        "memory": (lambda run: run.result.peak_bytes, MIN_CHANGE_BYTES),
    }
    cpu_stands = _cpu_is_whole(old) and _cpu_is_whole(new)
    why_not = _not_judged(old, new)
    made = []
    for name, (figure, minimum) in measured.items():
        is_known = name != "solve, cpu" or cpu_stands
        spreads = (spread_of(old, figure), spread_of(new, figure)) if is_known else (None, None)
        made.append(Cost(name, *spreads, why_not or _verdict(*spreads, tolerance, minimum)))
    return tuple(made)


def apart_by_chance(judged: Iterable[Cost]) -> float:
    """Return the expected number of false alarms among the judged costs if nothing had changed."""
    return sum(
        2 / comb(cost.old.runs + cost.new.runs, cost.old.runs)
        for cost in judged
        if cost.is_judged and cost.old is not None and cost.new is not None
    )


def same_work(old: Record, new: Record) -> bool:
    """Whether the two runs have ended after the same work, so that their costs compare."""
    same_cut = old.result.status == new.result.status and new.result.status in SAME_WORK
    return same_cut or finished_both(old, new)


def _not_judged(old: Record, new: Record) -> Verdict | None:
    """Return why costs are not judged; None if they are."""
    if not same_work(old, new):
        return Verdict.OTHER_WORK
    return None if computer_of(old) == computer_of(new) else Verdict.OTHER_MACHINE


def _verdict(old: Spread | None, new: Spread | None, tolerance: float, minimum: float) -> Verdict:
    if old is None or new is None:
        return Verdict.UNKNOWN
    if min(old.runs, new.runs) < MIN_RUNS:
        return Verdict.TOO_FEW_RUNS
    change = new.median - old.median
    if abs(change) <= max(tolerance * old.median, minimum):
        return Verdict.SAME
    if change > 0:
        return Verdict.MORE if new.minimum > old.maximum else Verdict.SAME
    return Verdict.LESS if new.maximum < old.minimum else Verdict.SAME


def _cpu_is_whole(result: Record) -> bool:
    """Whether the processor time of a search is the whole of its cost."""
    cpu = spread_of(result, lambda run: run.result.solve_cpu_s)
    wall = spread_of(result, lambda run: run.result.solve_s)
    if cpu is None or wall is None or cpu.minimum <= 0:
        return False
    return MIN_CPU_SHARE * wall.median <= cpu.median <= MAX_CPU_SHARE * wall.median


def score_findings(old: Iterable[Record], new: Iterable[Record]) -> Iterator[tuple[str, Finding]]:
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
            group.runs[0].job.digest,
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
