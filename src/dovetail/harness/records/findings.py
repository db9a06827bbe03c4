"""Findings on a job in two files of runs: differences in its answer, work, costs and scores.

A job is in both files only if its limits and its seed are also the same.

A change of cost is reported if the ranges of the repeats in the two files do not overlap and the
medians differ by more than a tolerance. If nothing has changed, the ranges of m and n repeats do
not overlap with a probability of 2 m! n! / (m + n)!: 1/3 for two runs each, 1/10 for three runs
each, and 1/126 for five runs each. Fewer than three runs are therefore not compared, and the
expected number of false alarms is reported. Costs on different machines are not compared either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median

from dovetail.harness.records.record import Record, computer_of
from dovetail.harness.records.summary import (
    SAME_WORK,
    Scores,
    SeedRuns,
    chosen_search,
    has_same_nodes,
    max_verified,
    refutation,
    seed_runs,
)
from dovetail.models.outcome import Status
from dovetail.plain_data import Setting

# Statuses of a run that completed its job.
FINISHED = (Status.EXHAUSTED, Status.SOLVED, Status.SOLUTION_LIMIT, Status.REMAINING_LIMIT)
MAX_NAMED = 3
MIN_RUNS = 3
# Changes up to these values are not reported, because clocks and memory measurements are not exact.
MIN_CHANGE_S = 1e-3
MIN_CHANGE_BYTES = 2**20
# Minimum median for which a ratio is computed.
MIN_RATED = 1e-9
# Range of the ratio of processor time to wall-clock time in which the processor time covers a whole
# search. Outside this range, other threads or processes did part of the work.
MIN_CPU_SHARE, MAX_CPU_SHARE = 0.2, 1.05

FigureOf = Callable[[Record], float | None]


class Severity(StrEnum):
    """The severity of a finding; the members are in descending order."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingType(StrEnum):
    """The subject of a finding."""

    COUNT = "count"
    UNFINISHED = "unfinished"
    STATUS = "status"
    NODES = "nodes"
    NATIVE = "native"
    SLOWER = "slower"
    FASTER = "faster"
    MEMORY = "memory"
    LOWER_SCORE = "lower-score"
    HIGHER_SCORE = "higher-score"


class CostVerdict(StrEnum):
    """The change of a cost, or the reason why the cost is not compared."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    TOO_FEW_RUNS = "too few runs"
    OTHER_MACHINE = "another machine"
    OTHER_WORK = "not the same work"
    UNKNOWN = "not recorded"


@dataclass(frozen=True)
class Spread:
    """The median and the range of a figure over a number of runs."""

    median: float
    minimum: float
    maximum: float
    runs: int


@dataclass(frozen=True)
class Finding:
    """A difference between two files in a job."""

    kind: FindingType
    severity: Severity
    # Name of the figure that differs, or a reason.
    what: str
    # Texts, or the spreads of a cost.
    old: str | Spread
    new: str | Spread


@dataclass(frozen=True)
class Cost:
    """A cost in both files."""

    name: str
    # None if a repeat in the file lacks the cost.
    old: Spread | None
    new: Spread | None
    verdict: CostVerdict

    @property
    def is_judged(self) -> bool:
        """Whether the repeats of both files were compared."""
        return self.verdict in (CostVerdict.SAME, CostVerdict.MORE, CostVerdict.LESS)

    @property
    def ratio(self) -> float | None:
        """The new median divided by the old median; None if a median is unknown or almost 0."""
        if self.old is None or self.new is None:
            return None
        if min(self.old.median, self.new.median) < MIN_RATED:
            return None
        return self.new.median / self.old.median


def answer_findings(old: Record, new: Record, wrong: str | None) -> Iterator[Finding]:
    """Yield at most one finding on the answers of a job.

    The counts contradict each other if both runs are exhausted and the counts differ, if a lower
    bound exceeds an exhausted count, or if both runs reached the limit on solutions with different
    counts. `wrong` is the reason why the new answer is wrong, or None. A wrong new answer is an
    error even if the old answer is wrong too. A new failure is also an error.
    """
    old_status, new_status = old.result.status, new.result.status
    kind, severity = FindingType.STATUS, Severity.NOTE
    if _contradict(old, new):
        kind, severity, what = FindingType.COUNT, Severity.ERROR, _which_count(old, new)
    elif wrong is not None:
        kind, severity, what = FindingType.COUNT, Severity.ERROR, wrong
    elif new_status == Status.FAILED and old_status != Status.FAILED:
        kind, severity, what = FindingType.COUNT, Severity.ERROR, new.result.reason or "it fails"
    elif new_status == Status.FAILED:
        severity, what = Severity.WARNING, "it fails as before"
    elif old_status in FINISHED and new_status not in FINISHED:
        kind, severity, what = FindingType.UNFINISHED, Severity.WARNING, "it no longer finishes"
    elif old_status != new_status:
        what = "the status"
    else:
        return
    yield Finding(kind, severity, what, _show_answer(old), _show_answer(new))


def finished_both(old: Record, new: Record) -> bool:
    """Return whether both runs completed their job with the same status."""
    return old.result.status == new.result.status and new.result.status in FINISHED


def contradictory(records: Iterable[Record]) -> list[Record]:
    """Return the contradicting answers to a question; empty if all answers can be right.

    The result has all records with an exhausted count, and the records with a lower bound above the
    smallest exhausted count.
    """
    answers = [
        (record, record.result.count)
        for record in records
        if record.result.count is not None and record.result.status.has_answer
    ]
    exact = [count for record, count in answers if record.result.is_finished]
    if not exact or all(count <= min(exact) for _, count in answers):
        return []
    return [record for record, count in answers if record.result.is_finished or count > min(exact)]


def _contradict(old: Record, new: Record) -> bool:
    """Return whether the two counts of a job cannot both be right."""
    counts = old.result.count, new.result.count
    if old.result.status == new.result.status == Status.SOLUTION_LIMIT:
        return None not in counts and counts[0] != counts[1]
    return bool(contradictory((old, new)))


def _which_count(old: Record, new: Record) -> str:
    """Return "the count", and a reason if verified solutions refute the old or the new count."""
    for side, record in (("old", old), ("new", new)):
        if record.result.is_finished:
            reason = refutation(record.result.count, max_verified((old, new)))
            if reason is not None:
                return f"the count; the {side} count is wrong: {reason}"
    return "the count"


def _show_answer(record: Record) -> str:
    """Format a count with the status of its run: `92` or `time-limit ≥ 943`."""
    status, count = record.result.status, record.result.count
    if count is None:
        return str(status)
    if status == Status.EXHAUSTED:
        return f"{count:,}"
    return f"{status} {count:,}" if status == Status.WRONG else f"{status} ≥ {count:,}"


def work_findings(old: Record, new: Record) -> Iterator[Finding]:
    """Yield the findings on the work of a job whose runs should have done the same work.

    Searches are deterministic, so different figures mean different searches. If `auto` chose
    different backends, settings or reductions, the choice is the only finding. Figures that a
    backend does not count are not compared, and neither is work that depends on how a search was
    divided. Native figures may depend on a library, so that a difference in native figures is only
    a note.
    """
    chosen = [chosen_search(record) for record in (old, new)]
    if chosen[0] != chosen[1]:
        yield Finding(FindingType.NODES, Severity.WARNING, "choice of auto", *chosen)
        return
    same = old.result.status == new.result.status and all(map(has_same_nodes, (old, new)))
    if not same or new.result.status not in SAME_WORK:
        return
    figures = {
        "nodes": (old.result.nodes, new.result.nodes),
        "attempts": (old.result.counters.attempts, new.result.counters.attempts),
    }
    if not new.result.is_finished:  # an exhausted count is compared as an answer
        figures["count"] = (old.result.count, new.result.count)
    for name, (before, after) in figures.items():
        if before is not None and after is not None and before != after:
            yield Finding(FindingType.NODES, Severity.WARNING, name, f"{before:,}", f"{after:,}")
    natives = old.result.counters.native, new.result.counters.native
    names = [
        name
        for name, figure in natives[0].items()
        if natives[1].get(name, figure) != figure and not name.endswith(("_s", "_bytes"))
    ]
    if names:
        more = f" ({len(names)} in all)" if len(names) > MAX_NAMED else ""
        values = (_show_figures(native, names[:MAX_NAMED]) for native in natives)
        yield Finding(FindingType.NATIVE, Severity.NOTE, f"figures of the backend{more}", *values)


def _show_figures(native: Mapping[str, Setting], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {native[name]}" for name in names)


def costs(old: Record, new: Record, tolerance: float) -> tuple[Cost, ...]:
    """Return the costs of a job: `prepare`, `solve` and `solve, cpu` in seconds, `memory` in bytes.

    `prepare` and `solve` are wall-clock times. `solve, cpu` is the processor time of the search,
    which depends less on the load of the machine. `solve, cpu` has no spreads if the processor time
    does not cover the whole search. `tolerance` is the maximum change that is not reported,
    relative to the old cost.
    """
    has_cpu = _cpu_is_whole(old) and _cpu_is_whole(new)
    measured: dict[str, tuple[FigureOf, float]] = {
        "prepare": (lambda run: run.result.prepare_s, MIN_CHANGE_S),
        "solve": (lambda run: run.result.solve_s, MIN_CHANGE_S),
        "solve, cpu": (lambda run: run.result.solve_cpu_s if has_cpu else None, MIN_CHANGE_S),
        "memory": (lambda run: run.result.peak_bytes, MIN_CHANGE_BYTES),
    }
    not_judged = None
    if not same_work(old, new):
        not_judged = CostVerdict.OTHER_WORK
    elif computer_of(old) != computer_of(new):
        not_judged = CostVerdict.OTHER_MACHINE
    costs_of_job = []
    for name, (figure, minimum) in measured.items():
        spreads = _spread(old, figure), _spread(new, figure)
        verdict = not_judged or _verdict(*spreads, tolerance, minimum)
        costs_of_job.append(Cost(name, *spreads, verdict))
    return tuple(costs_of_job)


def apart_by_chance(judged: Iterable[Cost]) -> float:
    """Return the expected number of false alarms among the judged costs if nothing has changed."""
    return sum(
        2 / comb(cost.old.runs + cost.new.runs, cost.old.runs)
        for cost in judged
        if cost.is_judged and cost.old is not None and cost.new is not None
    )


def same_work(old: Record, new: Record) -> bool:
    """Return whether both runs ended with the same status, in `SAME_WORK` or in `FINISHED`."""
    status = new.result.status
    return old.result.status == status and status in (*SAME_WORK, *FINISHED)


def _spread(result: Record, figure: FigureOf) -> Spread | None:
    """Return the spread of a figure over all repeats of a job; None if a repeat has no figure."""
    figures = [value for run in result.runs if (value := figure(run)) is not None]
    if len(figures) < len(result.runs):
        return None
    return Spread(median(figures), min(figures), max(figures), len(figures))


def _verdict(
    old: Spread | None, new: Spread | None, tolerance: float, minimum: float
) -> CostVerdict:
    if old is None or new is None:
        return CostVerdict.UNKNOWN
    if min(old.runs, new.runs) < MIN_RUNS:
        return CostVerdict.TOO_FEW_RUNS
    change = new.median - old.median
    if abs(change) <= max(tolerance * old.median, minimum):
        return CostVerdict.SAME
    if change > 0:
        return CostVerdict.MORE if new.minimum > old.maximum else CostVerdict.SAME
    return CostVerdict.LESS if new.maximum < old.minimum else CostVerdict.SAME


def _cpu_is_whole(result: Record) -> bool:
    """Return whether the processor time of a search covers the whole search."""
    cpu = _spread(result, lambda run: run.result.solve_cpu_s)
    wall = _spread(result, lambda run: run.result.solve_s)
    if cpu is None or wall is None or cpu.minimum <= 0:
        return False
    return MIN_CPU_SHARE * wall.median <= cpu.median <= MAX_CPU_SHARE * wall.median


def cost_findings(costs_of_job: Iterable[Cost]) -> Iterator[Finding]:
    """Yield the findings on costs that have increased or decreased."""
    for cost in costs_of_job:
        more = cost.verdict == CostVerdict.MORE
        if cost.old is None or cost.new is None or not (more or cost.verdict == CostVerdict.LESS):
            continue
        kind = FindingType.SLOWER if more else FindingType.FASTER
        if cost.name == "memory":
            kind = FindingType.MEMORY
        severity = Severity.WARNING if more else Severity.NOTE
        yield Finding(kind, severity, cost.name, cost.old, cost.new)


def score_findings(old: Iterable[Record], new: Iterable[Record]) -> Iterator[tuple[str, Finding]]:
    """Yield the findings on median scores of improvers over seeds.

    Each finding comes with the digest of the job of the first new run that it concerns. A lower
    median is a warning, and a higher median is a note.
    """
    before = {_key(group): group.scores() for group in seed_runs(old)}
    for group in seed_runs(new):
        scores, new_scores = before.get(_key(group)), group.scores()
        if scores is None or new_scores is None or scores.middle == new_scores.middle:
            continue
        kind, severity = FindingType.HIGHER_SCORE, Severity.NOTE
        if new_scores.middle < scores.middle:
            kind, severity = FindingType.LOWER_SCORE, Severity.WARNING
        texts = map(_show_scores, (scores, new_scores))
        yield group.runs[0].job.digest, Finding(kind, severity, "score over seeds", *texts)


def _key(group: SeedRuns) -> tuple[object, ...]:
    return group.digest, group.objective, group.solver, group.limits


def _show_scores(scores: Scores) -> str:
    """Format the median, with the range unless all scores are equal: `459 (457–460)`."""
    spread = f" ({scores.low}–{scores.high})" if scores.low < scores.high else ""
    return f"{scores.middle:g}{spread}"
