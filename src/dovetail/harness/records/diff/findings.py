"""Findings on a job in two files of runs: its answer, its work, its costs and scores.

A job is the same in both files only if its limits and its seed are the same too.

A change of cost is reported if no repeat of one file lies among the repeats of the other file and
the medians differ by more than a tolerance. If nothing has changed, m and n repeats lie apart by
chance with a probability of 2 m! n! / (m + n)!: 1/3 for two runs each, 1/10 for three, 1/126 for
five. Fewer than three runs are therefore not compared, and the expected number of false alarms is
reported. Runs on different machines are not compared either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median

from dovetail.harness.records.environment import computer_of
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import (
    SAME_WORK,
    Scores,
    SeedRuns,
    max_verified,
    refutation,
    seed_runs,
)
from dovetail.models.outcome import Status
from dovetail.plain_data import Setting

# A run with this status has done everything that it was asked to do.
FINISHED = (Status.EXHAUSTED, Status.SOLVED, Status.SOLUTION_LIMIT, Status.REMAINING_LIMIT)
MAX_NAMED = 3
MIN_RUNS = 3
# Smaller changes are not reported, since clocks and systems vary as much.
MIN_CHANGE_S = 1e-3
MIN_CHANGE_BYTES = 2**20
# Smaller figures have no ratio.
MIN_RATED = 1e-9
# Processor time is the cost of a search only if no other threads or processes worked for it.
MIN_CPU_SHARE, MAX_CPU_SHARE = 0.2, 1.05

FigureOf = Callable[[Record], float | None]


class Severity(StrEnum):
    """The severity of a finding, the most severe first."""

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
    """How a cost has changed, or why it is not compared."""

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
    """A difference, with the old and the new value in words or as the spread of a cost."""

    kind: FindingType
    severity: Severity
    what: str
    old: str | Spread
    new: str | Spread


@dataclass(frozen=True)
class Cost:
    """A cost by name, old and new; None if a repeat lacks it."""

    name: str
    old: Spread | None
    new: Spread | None
    verdict: CostVerdict

    @property
    def is_judged(self) -> bool:
        """Whether the repeats of both files were compared."""
        return self.verdict in (CostVerdict.SAME, CostVerdict.MORE, CostVerdict.LESS)

    @property
    def ratio(self) -> float | None:
        """The new median divided by the old median; None for figures close to 0."""
        if self.old is None or self.new is None:
            return None
        if min(self.old.median, self.new.median) < MIN_RATED:
            return None
        return self.new.median / self.old.median


def answer_findings(old: Record, new: Record, wrong: str | None) -> Iterator[Finding]:
    """Yield the finding on the answers of a job, if there is one.

    A count has changed if both counts are exhausted and differ, if a lower bound exceeds the other
    count, or if the same limit on solutions was reached with different counts. A wrong new answer
    is an error even if the old answer was wrong too; `wrong` is the reason. A new failure is an
    error.
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
        what = "how it ended"
    else:
        return
    yield Finding(kind, severity, what, _show_answer(old), _show_answer(new))


def finished_both(old: Record, new: Record) -> bool:
    """Return whether both runs did everything that they were asked to do, with the same status."""
    return old.result.status == new.result.status and new.result.status in FINISHED


def contradictory(records: Iterable[Record]) -> list[Record]:
    """Return the answers to one question that contradict one another; none if all can be right.

    The result has all exhausted counts and the lower bounds above the least exhausted count.
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
    """Return "the count", and which count is wrong if verified solutions prove that."""
    for side, record in (("old", old), ("new", new)):
        if record.result.is_finished:
            reason = refutation(record.result.count, max_verified((old, new)))
            if reason is not None:
                return f"the count; the {side} one is wrong: {reason}"
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

    Searches are deterministic, so different figures belong to different searches. Runs in which
    `auto` chose different backends, and figures that a backend does not count, are not compared.
    A backend's own figures may depend on a library and are only a note.
    """
    chosen = [_chosen(record) for record in (old, new)]
    if chosen[0] != chosen[1]:
        yield Finding(FindingType.NODES, Severity.WARNING, "what auto chose", *chosen)
        return
    if old.result.status != new.result.status or new.result.status not in SAME_WORK:
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
    names = [name for name, figure in natives[0].items() if natives[1].get(name, figure) != figure]
    if names:
        more = f" ({len(names)} in all)" if len(names) > MAX_NAMED else ""
        values = (_show_figures(native, names[:MAX_NAMED]) for native in natives)
        yield Finding(FindingType.NATIVE, Severity.NOTE, f"figures of the backend{more}", *values)


def _show_figures(native: Mapping[str, Setting], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {native[name]}" for name in names)


def _chosen(record: Record) -> str:
    """Return the backend that `auto` chose with its settings; a dash without a choice."""
    chosen = record.result.chosen
    if chosen is None:
        return "–"
    return " ".join(
        [chosen.backend, *(f"{key}={value}" for key, value in sorted(chosen.config.items()))]
    )


def costs(old: Record, new: Record, tolerance: float) -> tuple[Cost, ...]:
    """Return the costs of a job: seconds to prepare, to solve, of the processor; and peak bytes.

    The time to solve is wall-clock time. Processor time (`solve, cpu`) depends less on the load of
    the machine; it is left out if it does not cover the whole search.
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
    """Return the expected number of false alarms among the judged costs if nothing had changed."""
    return sum(
        2 / comb(cost.old.runs + cost.new.runs, cost.old.runs)
        for cost in judged
        if cost.is_judged and cost.old is not None and cost.new is not None
    )


def same_work(old: Record, new: Record) -> bool:
    """Return whether the two runs ended after the same work, so that their costs compare."""
    status = new.result.status
    return old.result.status == status and status in (*SAME_WORK, *FINISHED)


def _spread(result: Record, figure: FigureOf) -> Spread | None:
    """Return the spread of a figure over all repeats of a job; None if a repeat lacks it."""
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
    """Return whether the processor time of a search is the whole of its cost."""
    cpu = _spread(result, lambda run: run.result.solve_cpu_s)
    wall = _spread(result, lambda run: run.result.solve_s)
    if cpu is None or wall is None or cpu.minimum <= 0:
        return False
    return MIN_CPU_SHARE * wall.median <= cpu.median <= MAX_CPU_SHARE * wall.median


def cost_findings(costs_of_job: Iterable[Cost]) -> Iterator[Finding]:
    """Yield the findings on costs that changed by more than their spread."""
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
    """Yield changes of median scores, with the first job of the improver on the board.

    A lower median is a warning, a higher median a note.
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
    return group.digest, group.solver, group.limits


def _show_scores(scores: Scores) -> str:
    """Format the median, and the range if there is one: `459 (457–460)`."""
    spread = f" ({scores.low}–{scores.high})" if scores.low < scores.high else ""
    return f"{scores.middle:g}{spread}"
