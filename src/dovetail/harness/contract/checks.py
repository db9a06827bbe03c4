"""The checks that every backend has to pass: counts, searches and optional abilities."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import is_dataclass, replace
from functools import partial, wraps
from threading import Timer
from typing import get_type_hints

import numpy as np

from dovetail.backends.base import Budget
from dovetail.backends.config import build_config, is_readable
from dovetail.errors import ConfigError, how_many, show
from dovetail.harness.contract.cases import (
    CASES,
    COUNTS,
    DOMINOES,
    IMPOSSIBLE,
    LONG_SEARCHES,
    SHORT_SEARCHES,
    SIX_PIECES,
    Case,
    covers,
    misreading,
)
from dovetail.harness.contract.subject import (
    Check,
    RefusalError,
    Subject,
    ViolationError,
    is_line,
    options_of,
)
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Progress
from dovetail.harness.run.job import RandomOrder
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import MAX_WORK, MIN_WORK
from dovetail.harness.workers.runs import execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Puzzle, build_task
from dovetail.platform.system import STDOUT

# Seconds: the time limit of a search, the time before an interruption, and the maximum time from
# the limit or the interruption to the end of the search.
TIME_LIMIT_S, INTERRUPTED_AFTER_S, LATEST_S = 0.2, 0.05, 1.0
# Maximum number of attempts at a check that measures time.
ATTEMPTS = 2
NODE_LIMIT, SOLUTION_LIMIT = 10, 3
UNKNOWN_KEY = "nonsense"
# Maximum numbers of prefix nodes of a tree estimator: the whole tree of a short search, or a single
# node, so that the tree is estimated only by probes.
WHOLE_TREE, PROBES_ONLY = 1_000_000, 1
# Number of estimates whose mean is compared with the size of the tree.
ESTIMATES = 400
# Maximum error of the mean, in standard errors. The probability of a larger error is 2·10⁻⁹.
MAX_ERRORS = 6.0
# Maximum relative error of the estimate of a small tree for a backend that `learns`.
MAX_LEARNING_ERROR = 0.25
# Number of solutions of SIX_PIECES up to symmetry.
UNIQUE_SOLUTIONS = 10
# Number of nodes after which the search of each part is cut, and maximum number of parts.
CUT_NODES = 23
MAX_PARTS = 10_000

# Checks that `dovetail doctor` runs. Each backend supports at least one of their puzzles.
SELF_TEST = ("packing", "edges", "secondary-items", "colours", "bounds", "listing")

CHECKS: dict[str, Check] = {}
Run = Callable[[Subject], None]


def check(name: str, requires: str) -> Callable[[Run], Run]:
    """Return a decorator that adds a function to `CHECKS` under a name, with its requirement."""

    def add(run: Run) -> Run:
        CHECKS[name] = Check(name, requires, run)
        return run

    return add


def counts_solutions(subject: Subject, case: Case) -> None:
    """Require the count of a case and, for a cover problem with symmetry `all`, its solutions.

    If the answer is that of a known misreading of the problem, the error names the misreading.
    """
    puzzle = case.puzzle
    job = subject.job(puzzle, Request.named(case.symmetry, case.labelled))
    try:
        subject.count(job, case.count)
        if isinstance(puzzle, CoverProblem) and case.symmetry == "all":
            result, solutions = subject.listed(job)
            listed = how_many(len(solutions), "solution")
            subject.require(
                solutions == covers(puzzle) and result.count == result.verified == len(solutions),
                f"it listed {listed}; expected the solutions of the problem",
            )
    except ViolationError:
        explanation = _explanation(subject, puzzle)
        if explanation is None:
            raise
        raise ViolationError(explanation) from None


def _explanation(subject: Subject, puzzle: Puzzle) -> str | None:
    """Return an error message that names a backend's misreading of a cover problem.

    Returns None for other puzzles, if the search fails, and unless exactly one misreading explains
    the solutions.
    """
    if not isinstance(puzzle, CoverProblem):
        return None
    try:
        found = subject.unverified(subject.job(puzzle))
    except Exception:  # the search that should explain a failure may itself fail
        return None
    seems = misreading(puzzle, found)
    if seems is None:
        return None
    expected = how_many(len(covers(puzzle)), "solution")
    return f"{subject.asked}: expected {expected}, found {len(found)}: it seems to {seems}"


for case in CASES:
    check(case.name, case.requires)(partial(counts_solutions, case=case))


@check("description", "Its name, summary and node_meaning (or None) are single-line strings.")
def describes_itself(subject: Subject) -> None:
    backend = subject.backend
    subject.asked = "its description"
    for key in ("name", "summary", "node_meaning"):
        text = getattr(backend, key)
        optional = text is None and key == "node_meaning"
        wanted = f"expected {key} to be a single-line string"
        subject.require(optional or is_line(text), f"{wanted}; it is {text!r}")
    meaning = backend.node_meaning or ""
    subject.require(not meaning.endswith("."), f"'a node is {meaning}' ends with a full stop")
    is_known = backend.control in ("slices", "process")
    subject.require(is_known, f"control is {backend.control!r}; valid: slices, process")


@check("config", "Its config is a dataclass with defaults; an unknown key is an error.")
def checks_its_config(subject: Subject) -> None:
    config_type = subject.backend.config_type
    subject.asked = f"its config {config_type.__name__}"
    subject.require(is_dataclass(config_type), "expected a dataclass")
    subject.require(config_type() == config_type(), "expected two default configs to be equal")
    readable = "bool, int, float, str, a Literal or tuple[str, ...]"
    for key, kind in get_type_hints(config_type).items():
        subject.require(is_readable(kind), f"{key} is of type {kind}; expected {readable}")
    try:
        build_config(config_type, {UNKNOWN_KEY: "1"}, f"backend {subject.backend.name}")
    except ConfigError:
        return
    subject.require(False, f"expected the key {UNKNOWN_KEY!r} to be refused; it was accepted")


@check("listing", "It lists every solution exactly once, and nothing else.")
def lists_solutions(subject: Subject) -> None:
    puzzle = subject.first_taken(*SHORT_SEARCHES)
    result, solutions = subject.listed(subject.job(puzzle))
    expected, listed = COUNTS[puzzle.name], len(solutions)
    subject.require(
        result.count == result.verified == listed == expected,
        f"expected {expected} solutions; it counted {result.count} and listed {listed}, of which "
        f"{result.verified} are verified",
    )


@check("solution-limit", "It stops after the requested number of solutions.")
def keeps_solution_limit(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES), solutions=SOLUTION_LIMIT)
    result, solutions = subject.listed(job, Status.SOLUTION_LIMIT)
    counted = f"it counted {result.count} and listed {len(solutions)} different solutions"
    subject.require(
        result.count == len(solutions) == SOLUTION_LIMIT,
        f"expected {SOLUTION_LIMIT} solutions; {counted}",
    )
    if subject.is_sliced:
        count = 0
        for search, _ in subject.slices(job.listed(), slice_work=10**6):
            search.take()
            count = search.count or 0
        wanted = f"expected its search to stop after {SOLUTION_LIMIT} solutions"
        subject.require(count <= SOLUTION_LIMIT, f"{wanted}; it found {count}")


@check("node-limit", "It stops after the requested number of nodes, if it counts nodes.")
def keeps_node_limit(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES), nodes=NODE_LIMIT)
    result = subject.result(job, Status.NODE_LIMIT)
    wanted = f"expected it to stop after {NODE_LIMIT} nodes"
    subject.require(result.nodes == NODE_LIMIT, f"{wanted}; it visited {result.nodes}")


def unless_again(attempt: Run) -> Run:
    """Return a check that passes if one of `ATTEMPTS` attempts does.

    A busy machine may delay a run.
    """

    @wraps(attempt)
    def check_again(subject: Subject) -> None:
        for _ in range(ATTEMPTS - 1):
            with suppress(ViolationError):
                return attempt(subject)
        return attempt(subject)

    return check_again


@check("time-limit", "It stops soon after its time limit.")
@unless_again
def keeps_time_limit(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*LONG_SEARCHES), time_s=TIME_LIMIT_S)
    # A search without slices can be stopped only by ending its process.
    run = execute if subject.is_sliced else run_watched
    result = subject.accept(finish(run(job)), Status.TIME_LIMIT)
    wanted = f"expected it to stop after {TIME_LIMIT_S} s"
    in_time = result.total_s < LATEST_S + TIME_LIMIT_S
    subject.require(in_time, f"{wanted}; it took {result.total_s:.1f} s")


@check("interruption", "It returns between slices, so that Ctrl-C stops it promptly.")
@unless_again
def can_be_interrupted(subject: Subject) -> None:
    _need_slices(subject)
    interruption, begun = Interruption(), None
    timer = Timer(INTERRUPTED_AFTER_S, interruption.request)  # interrupts during a slice

    def start_timer(event: Event) -> None:
        nonlocal begun
        if isinstance(event, Progress) and begun is None:
            begun = time.monotonic()
            timer.start()

    job = subject.job(subject.first_taken(*LONG_SEARCHES))
    result = finish(execute(job, interruption), start_timer)
    timer.cancel()
    subject.accept(result, Status.INTERRUPTED)
    waited_s = time.monotonic() - (begun or 0.0) - INTERRUPTED_AFTER_S
    subject.require(waited_s < LATEST_S, f"it ended {waited_s:.1f} s after it was interrupted")


@check(
    "slices",
    "Its results are the same for slices of any size, its counters never decrease, and its "
    "progress is None or a number from 0 to 1.",
)
def goes_on_where_it_stopped(subject: Subject) -> None:
    _need_slices(subject)
    job = subject.job(subject.first_taken(*SHORT_SEARCHES)).listed()
    results = []
    for work in (MIN_WORK, MAX_WORK):
        taken = count = nodes = 0
        for search, status in subject.slices(job, work):
            taken += len(search.take())
            before, (count, nodes) = (count, nodes), (search.count or 0, search.counters.nodes or 0)
            decreased = f"(solutions, nodes) decreased from {before} to {(count, nodes)}"
            subject.require(count >= before[0] and nodes >= before[1], decreased)
            share = search.progress()
            is_share = isinstance(share, float | int) and 0.0 <= share <= 1.0
            wanted = "expected its progress to be None or between 0 and 1"
            subject.require(share is None or is_share, f"{wanted}; it is {share}")
            result = ", ".join(map(str, (status, taken, count, nodes)))
        results.append(result)
    short_result, long_result = results
    subject.require(
        short_result == long_result,
        "expected the same results for short and long slices; (status, taken, counted, nodes) "
        f"are ({short_result}) with short slices and ({long_result}) with long slices",
    )


@check("node-meaning", "It counts nodes if and only if it defines what a node is.")
def counts_nodes(subject: Subject) -> None:
    meaning = subject.backend.counted_nodes(subject.config)
    for puzzles in (SHORT_SEARCHES, IMPOSSIBLE):
        nodes = subject.counted(subject.job(subject.first_taken(*puzzles))).nodes
        counts = f"its node_meaning is {meaning!r}, and it counts {nodes} nodes"
        subject.require((nodes is None) == (meaning is None), counts)


@check("repetition", "A repeated run gives the same counts and counters.")
def repeats_itself(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    first, second = (_without_times(subject.counted(job)) for _ in range(2))
    subject.require(
        first == second,
        "expected two equal runs; (solutions, nodes) were "
        f"{(first.count, first.counters.nodes)}, then {(second.count, second.counters.nodes)}"
        + ("" if first.count != second.count else ", and counters differ"),
    )


@contextmanager
def captured_output() -> Iterator[bytearray]:
    """Collect the standard output of this process, including the output of native code.

    Yields an array of bytes, which is filled when the context ends.
    """
    written = bytearray()
    with tempfile.TemporaryFile() as file, os.fdopen(os.dup(STDOUT), "wb") as before:
        sys.stdout.flush()
        os.dup2(file.fileno(), STDOUT)
        try:
            with open(STDOUT, "w", closefd=False) as stream, redirect_stdout(stream):
                yield written
        finally:
            os.dup2(before.fileno(), STDOUT)
            file.seek(0)
            written += file.read()


@check("output", "It writes nothing to standard output, which is reserved for the command.")
def prints_nothing(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    with captured_output() as written:
        subject.unverified(job)
    subject.require(not written, f"it wrote {show(bytes(written))}")


@check("random-order", "A random order of the placements does not change the count.")
def takes_random_order(subject: Subject) -> None:
    puzzle = subject.first_taken(SIX_PIECES, DOMINOES)
    for flag in ("by_item_order", "by_option_order"):
        order = RandomOrder(1, within_items=flag == "by_item_order")
        try:
            subject.count(subject.job(puzzle, random=order), COUNTS[puzzle.name])
        except RefusalError as refusal:
            claims = getattr(subject.backend, flag)
            subject.require(not claims, f"its {flag} is true, but it refuses: {refusal}")
            if flag == "by_option_order":
                raise


def takes_filters(
    subject: Subject, reductions: tuple[str, ...] = (), triggers: tuple[str, ...] = ()
) -> None:
    """Require that reductions and triggers do not change the count."""
    request = Request.named("all", False, reductions, triggers)
    subject.count(subject.job(SIX_PIECES, request), COUNTS[SIX_PIECES.name])


check("reductions", "Reductions before the search do not change the count.")(
    partial(takes_filters, reductions=("redundancy", "volume", "fit"))
)
check("repeated-filters", "Filters that run after every placement do not change the count.")(
    partial(takes_filters, reductions=("volume@2", "fit@2"))
)
check("triggers", "Backtrack triggers do not change the count.")(
    partial(takes_filters, triggers=("parity", "volume"))
)


# Checks of optional abilities: a backend without the ability refuses the check.


@check(
    "sampling",
    "If it can sample, each number identifies a different solution, and each solution has a "
    "number.",
)
def numbers_solutions(subject: Subject) -> None:
    puzzle = subject.first_taken(*SHORT_SEARCHES)
    job = subject.job(puzzle)
    with session_of(job).begun() as session:
        search = session.sampling_search()
        if search is None:
            raise RefusalError("it cannot sample solutions")
        status = session.try_out(search)
        wanted = "expected its search for samples to be complete"
        subject.require(status == Status.EXHAUSTED, f"{wanted}; it ended with {status}")
        expected = COUNTS[puzzle.name]
        wanted = f"expected numbers from 0 to {expected - 1}"
        subject.require(search.numbers == expected, f"{wanted}; it has {search.numbers} numbers")
        identified = set()
        for number in range(search.numbers):
            options, image = search.unrank(number)
            identified.add((options_of(options), image))
    wanted = f"expected its {expected} numbers to identify {expected} different solutions"
    subject.require(len(identified) == expected, f"{wanted}; they identify {len(identified)}")


@check("tree-estimate", "If it estimates its search tree, the estimates are unbiased.")
def estimates_its_tree(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    with session_of(job).begun() as session:
        whole, probing = map(session.tree_estimator, (WHOLE_TREE, PROBES_ONLY))
        if whole is None or probing is None:
            raise RefusalError("it cannot estimate its search tree")
        nodes = 0
        for search, _ in subject.slices(job, MAX_WORK):
            search.take()
            nodes = search.tree_nodes
        total = float(whole.totals(1)[0])
        error = MAX_LEARNING_ERROR * nodes if subject.backend.learns else 0
        subject.require(
            whole.probes > 0 or abs(total - nodes) <= error,
            f"the estimate visited the whole tree; expected the {nodes} nodes of the search, got "
            f"{total:g}",
        )
        totals = np.asarray(probing.totals(ESTIMATES))
        is_valid = totals.shape == (ESTIMATES,) and bool(np.isfinite(totals).all())
        wanted = f"expected {ESTIMATES} finite numbers from totals({ESTIMATES})"
        subject.require(is_valid, wanted)
    mean = float(totals.mean())
    error = float(totals.std(ddof=1)) / ESTIMATES**0.5
    estimated = f"the mean of {ESTIMATES} estimates is {mean:.0f} ± {error:.0f}"
    is_right = abs(mean - nodes) <= MAX_ERRORS * error
    subject.require(is_right, f"{estimated}; its search visits {nodes} nodes")


@check("automatic-symmetry-breaking", "Breaking symmetry by default does not change the count.")
def breaks_symmetry(subject: Subject) -> None:
    puzzle = subject.first_taken(SIX_PIECES)
    task = build_task(puzzle, Request(Symmetry.UNIQUE))
    reduction, again = (subject.backend.symmetry_breaking(task, subject.config) for _ in range(2))
    if reduction is None:
        raise RefusalError("it breaks symmetry only on request")
    returned = f"it returned {reduction}, then {again}"
    subject.require(again == reduction, f"expected the same reduction on every call; {returned}")
    request = Request(Symmetry.UNIQUE, reductions=(reduction,))
    # `counted` would call `refuses` too early: only a run selects the piece of a reduction `probe`.
    count = subject.result(subject.job(puzzle, request), Status.EXHAUSTED).count
    wanted = f"expected {UNIQUE_SOLUTIONS} solutions"
    subject.require(count == UNIQUE_SOLUTIONS, f"{wanted}, found {count}")


@check("cutting", "If its searches can be cut, their parts have the solutions of the whole search.")
def adds_up_in_parts(subject: Subject) -> None:
    if not subject.backend.cuts:
        raise RefusalError("its searches cannot be cut")
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    task = build_task(job.puzzle, job.request)
    waiting, parts, nodes = [SubProblem()], 0, 0
    found = list[tuple[int, ...]]()
    while waiting:
        search = subject.backend.prepare(task, subject.config)
        search.begin_within(waiting.pop(0))
        search.advance(Budget(work=MAX_WORK, nodes=CUT_NODES))
        found += map(options_of, search.take())
        remaining = search.remaining()
        subject.require(remaining is not None, f"it has no remaining() after {CUT_NODES} nodes")
        waiting = [*(remaining or ()), *waiting]
        parts, nodes = parts + 1, nodes + (search.counters.nodes or 0)
        subject.require(parts <= MAX_PARTS, f"expected at most {MAX_PARTS} parts")
    expected = COUNTS[job.puzzle.name]
    different, cut = len(set(found)), f"cut after every {CUT_NODES} nodes"
    subject.require(
        different == len(found) == expected,
        f"{cut}, it found {len(found)} solutions, {different} of them different; "
        f"expected {expected}",
    )
    whole = subject.result(job, Status.EXHAUSTED).nodes
    visited = f"its parts visit {nodes} nodes; the whole search visits {whole}"
    subject.require(subject.backend.learns or nodes == whole, f"{cut}, {visited}")


def _need_slices(subject: Subject) -> None:
    if not subject.is_sliced:
        raise RefusalError("its search has no slices; it runs in a process that can be killed")


def _without_times(result: Result) -> Result:
    """Return a result with only the answer of `result`, without native counters in seconds.

    Times vary between runs.
    """
    status, count, counters, reason = result.answer
    native = {name: value for name, value in counters.native.items() if not name.endswith("_s")}
    return Result(status, count, replace(counters, native=native), reason)
