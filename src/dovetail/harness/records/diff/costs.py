"""What two runs of one job have cost: seconds and memory, beside the spread of their repeats.

A change is told where it is beyond the spread: no repeat of the one file lies among those of the
other, and the medians differ by more than a tolerance. Were nothing changed, m and n repeats would
lie apart by chance with a probability of 2 m! n! / (m + n)!: 1/3 of two runs each, 1/10 of three,
1/126 of five. So fewer than three runs are not judged, and how many costs lie apart by chance is
told beside the others. Neither are runs on another machine judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import comb

from dovetail.harness.records.diff.answers import finished_both
from dovetail.harness.records.diff.findings import Spread, spread_of
from dovetail.harness.records.parts import Machine
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import SAME_WORK, JobResult

LEAST_RUNS = 3
# Less than that is not told: it is what the clock and the system make of anything.
LEAST_CHANGE_S = 1e-3
LEAST_CHANGE_BYTES = 2**20
# And that is no measurement: nothing is so many times as much.
LEAST_RATED = 1e-9
# Processor time stands for a search if it is what the search took: not if others worked for it,
# in threads or processes of their own.
LEAST_CPU_SHARE, MOST_CPU_SHARE = 0.2, 1.05


Figure = Callable[[RunRecord], float | None]


class Verdict(StrEnum):
    """What becomes of a cost."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    TOO_FEW_RUNS = "too few runs"
    OTHER_MACHINE = "another machine"
    OTHER_WORK = "not the same work"
    UNKNOWN = "not told"


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
        if min(self.old.median, self.new.median) < LEAST_RATED:
            return None
        return self.new.median / self.old.median


def costs(old: JobResult, new: JobResult, tolerance: float) -> tuple[Cost, ...]:
    """Seconds to prepare and to solve, of the processor to solve, and bytes at most, of a job.

    Seconds to solve are what one waits for; what else the machine does bears less on those of the
    processor (`solve, cpu`), which are not told where they do not stand for the search.
    """
    measured: dict[str, tuple[Figure, float]] = {
        "prepare": (lambda run: run.prepare_s, LEAST_CHANGE_S),
        "solve": (lambda run: run.solve_s, LEAST_CHANGE_S),
        "solve, cpu": (lambda run: run.solve_cpu_s, LEAST_CHANGE_S),
        "memory": (lambda run: run.peak_bytes, LEAST_CHANGE_BYTES),
    }
    cpu_stands = _cpu_tells(old) and _cpu_tells(new)
    why_not = _not_judged(old, new)
    made = []
    for name, (figure, least) in measured.items():
        is_known = name != "solve, cpu" or cpu_stands
        spreads = (spread_of(old, figure), spread_of(new, figure)) if is_known else (None, None)
        made.append(Cost(name, *spreads, why_not or _verdict(*spreads, tolerance, least)))
    return tuple(made)


def apart_by_chance(told: Iterable[Cost]) -> float:
    """Of how many of the judged costs the repeats would lie apart were nothing changed."""
    return sum(
        2 / comb(cost.old.runs + cost.new.runs, cost.old.runs)
        for cost in told
        if cost.is_judged and cost.old is not None and cost.new is not None
    )


def same_work(old: RunRecord, new: RunRecord) -> bool:
    """Whether the two runs have ended after the same work, so that their costs compare."""
    same_cut = old.status == new.status and new.status in SAME_WORK
    return same_cut or finished_both(old, new)


def _not_judged(old: RunRecord, new: RunRecord) -> Verdict | None:
    """Why costs are not judged, whatever they are; None if they are."""
    if not same_work(old, new):
        return Verdict.OTHER_WORK
    return None if _computer(old) == _computer(new) else Verdict.OTHER_MACHINE


def _computer(record: RunRecord) -> tuple[object, ...]:
    """The processor and its cores; systems are renewed without the machine being another."""
    machine = record.machine or Machine()
    return machine.processor, machine.cores


def _verdict(old: Spread | None, new: Spread | None, tolerance: float, least: float) -> Verdict:
    if old is None or new is None:
        return Verdict.UNKNOWN
    if min(old.runs, new.runs) < LEAST_RUNS:
        return Verdict.TOO_FEW_RUNS
    change = new.median - old.median
    if abs(change) <= max(tolerance * old.median, least):
        return Verdict.SAME
    if change > 0:
        return Verdict.MORE if new.least > old.most else Verdict.SAME
    return Verdict.LESS if new.most < old.least else Verdict.SAME


def _cpu_tells(result: JobResult) -> bool:
    """Whether the processor time of a search is the whole of it."""
    cpu = spread_of(result, lambda run: run.solve_cpu_s)
    wall = spread_of(result, lambda run: run.solve_s)
    if cpu is None or wall is None or cpu.least <= 0:
        return False
    return LEAST_CPU_SHARE * wall.median <= cpu.median <= MOST_CPU_SHARE * wall.median
