"""Runs as plain values: all that these tests know of the package's way of running a job.

The tests of this folder pin what a run does, not how its code is arranged. Whoever rearranges it
changes this module, `clock` and `backends`, and no test. An event of a run is a word or two, its
result a mapping without seconds and bytes, and the seconds are a mapping of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pytest

from dovetail.harness.estimating import Estimate, estimate
from dovetail.harness.pytest_plugin.solution_count import timed
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import (
    AssembliesSoFar,
    Compiling,
    Event,
    Found,
    Progress,
    RunSoFar,
    Started,
    WorkerReplaced,
)
from dovetail.harness.run.job import Chosen, Job, Limits, RandomOrder, Trials
from dovetail.harness.run.result import BestBoard, Result
from dovetail.harness.sampling import sample
from dovetail.harness.tracing import recorded_steps
from dovetail.harness.workers.runs import execute, run
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.request import Request, Trace
from dovetail.models.solution import PackingSolution
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load

Seconds = dict[str, float]
Runner = Callable[[Job, Interruption | None], Iterator[Event]]

# Who runs a job: this process, a child of it, or whichever of the two it needs.
HERE: Runner = execute
IN_A_CHILD: Runner = run_watched
WHERE_IT_BELONGS: Runner = run

# The reduction that finds by sampling which piece to hold to one place of each orbit.
BY_SAMPLING = "probe"
PROGRESS = ("preparing", "searching")


@dataclass(frozen=True)
class Run:
    """What a run reported.

    `events` are in words, progress that follows progress once. `progress` holds every report of
    progress, `rows` the options of each solution that was listed. `result` is what the last event
    says apart from seconds and bytes, `seconds` its times.
    """

    events: list[str]
    progress: list[dict[str, Any]]
    rows: list[tuple[int, ...]]
    result: dict[str, Any]
    seconds: Seconds
    charged_s: float

    def fields(self, *names: str) -> tuple[Any, ...]:
        """Some fields of the result."""
        return tuple(self.result[name] for name in names)


def asked(
    puzzle: Puzzle | str,
    backend: str = "dlx",
    symmetry: str = "unique",
    *,
    labelled: bool = False,
    reduce: Iterable[str] = (),
    triggers: Iterable[str] = (),
    listing: bool = False,
    config: Mapping[str, object] | None = None,
    seed: int = 0,
    order: RandomOrder | None = None,
    trials: Trials | None = None,
    **limits: Any,
) -> Job:
    """The job that these words ask for; what is not named here is a limit."""
    loaded = load(puzzle) if isinstance(puzzle, str) else puzzle
    request = Request.named(symmetry, labelled, reduce, triggers, listing=listing)
    return Job(loaded, request, backend, config or {}, Limits(**limits), seed, order, trials)


def recorded(
    job: Job,
    interruption: Interruption | None = None,
    *,
    by: Runner = HERE,
    observe: Callable[[str], None] = lambda _: None,
) -> Run:
    """Run a job to its end; `observe` is called with the words for each event as it comes."""
    events: list[str] = []
    progress: list[dict[str, Any]] = []
    rows: list[tuple[int, ...]] = []
    outside = RunSoFar()
    for event in by(job, interruption):
        outside.add(event)
        words = _words(event)
        if words not in PROGRESS or words != events[-1]:
            events.append(words)
        if isinstance(event, Progress):
            progress.append(_progress(event))
        if isinstance(event, Found):
            rows += [tuple(sorted(o for o in row.tolist() if o >= 0)) for row in event.options]
        observe(words)
        last = event
    assert isinstance(last, Result)
    return Run(events, progress, rows, _result(last), seconds_of(last), outside.charged_s)


def drawn(job: Job, count: int) -> Iterator[PackingSolution]:
    """Random solutions of a packing puzzle, one by one."""
    for solution in sample(job, count):
        assert isinstance(solution, PackingSolution)
        yield solution


def estimated(job: Job, probes: int, time_s: float | None = None) -> Estimate:
    """The estimate of a job's search tree from about so many random probes."""
    return estimate(job, probes, time_s)


def traced(
    job: Job, max_count: int, interruption: Interruption | None = None
) -> list[dict[str, Any]]:
    """What a trace of at most so many steps has: what was asked, steps, how it ended."""
    request = replace(job.request, trace=Trace(max_count))
    return list(recorded_steps(replace(job, request=request), interruption))


def timed_rounds(job: Job, benchmark: Any, rounds: int) -> list[tuple[dict[str, Any], Seconds]]:
    """The results of rounds timed for pytest-benchmark, and their times."""
    return [(_result(each), seconds_of(each)) for each in timed(job, benchmark, rounds)]


def seconds_of(finished: Result) -> Seconds:
    """The times in a result, in seconds."""
    return {
        "warm_up_s": finished.warm_up_s,
        "prepare_s": finished.prepare_s,
        "solve_s": finished.solve_s,
        "solve_cpu_s": finished.solve_cpu_s or 0.0,
        "check_s": finished.check_s,
        "total_s": finished.total_s,
    }


def _words(event: Event) -> str:
    match event:
        case Started():
            return "started"
        case Compiling():
            return "compiling" if event.under_way else "compiled"
        case Chosen():
            return f"chose {event.backend}"
        case Found():
            return f"found {len(event.options)}"
        case BestBoard() | WorkerReplaced() | AssembliesSoFar():
            raise AssertionError("no plain search has such events")
        case Progress():
            return "searching" if event.prepared else "preparing"
        case Result():
            return str(event.status)


def _progress(event: Progress) -> dict[str, Any]:
    return {
        "count": event.count,
        "nodes": event.nodes,
        "share": event.share,
        "searched": None if event.searched is None else asdict(event.searched),
        "prepared": event.prepared,
        "prepare_s": event.prepare_s,
        "check_s": event.check_s,
    }


def _result(finished: Result) -> dict[str, Any]:
    piece, chosen, searched = finished.piece_selection, finished.chosen, finished.searched
    return {
        "status": str(finished.status),
        "count": finished.count,
        "nodes": finished.nodes,
        "reason": finished.reason,
        "verified": finished.verified,
        "placements": dict(finished.placements),
        "symmetry_expansion": finished.symmetry_expansion,
        "sampled": None if piece is None else [one.piece for one in piece.pieces],
        "piece": None if piece is None else piece.chosen,
        "searched": None if searched is None else asdict(searched),
        "chosen": None if chosen is None else asdict(replace(chosen, forecast_s=None)),
    }


def sample_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few and short searches tell which piece is best."""
    monkeypatch.setattr("dovetail.harness.planning.tree_size.SEARCHES", 3)


def build_tables_for_any_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `auto` look at tables however small the tree is, and however long all that takes."""
    monkeypatch.setattr("dovetail.harness.planning.rules.QUICK_S", 0)
    monkeypatch.setattr("dovetail.harness.planning.trials.DEFAULT_S", 1e18)
    monkeypatch.setattr("dovetail.harness.planning.trials.LIMIT_SHARE", 1.0)
