"""Checks of how a backend searches: limits, slices, repetition, and what it offers beyond that."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import is_dataclass, replace
from functools import wraps
from threading import Timer
from typing import get_type_hints

from dovetail.backends.config import build_config, is_readable
from dovetail.errors import ConfigError, shorten
from dovetail.harness.contract.cases import (
    COUNTS,
    DOMINOES,
    IMPOSSIBLE,
    LONG_SEARCHES,
    SHORT_SEARCHES,
    SIX_PIECES,
)
from dovetail.harness.contract.subject import RefusalError, Subject, ViolationError
from dovetail.harness.contract.verdict import check
from dovetail.harness.execution.execute import execute
from dovetail.harness.execution.standard_descriptors import captured_output
from dovetail.harness.run.events import Progress
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import RandomOrder
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import MAX_WORK, MIN_WORK
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable

TIME_LIMIT_S, INTERRUPTED_AFTER_S, LATEST_S = 0.2, 0.05, 1.0
ATTEMPTS = 2  # of checks that measure time
NODE_LIMIT, SOLUTION_LIMIT = 10, 3
UNKNOWN_KEY = "nonsense"


@check("description", "Its name, summary and node_meaning are single-line strings.")
def describes_itself(subject: Subject) -> None:
    backend = subject.backend
    subject.asked = "its description"
    words = {"name": backend.name, "summary": backend.summary, "node_meaning": backend.node_meaning}
    for what, text in words.items():
        optional = text is None and what == "node_meaning"
        fits = optional or (isinstance(text, str) and bool(text.strip()) and is_printable(text))
        subject.require(fits, f"expected {what} to be a single-line string; it is {text!r}")
    meaning = backend.node_meaning or ""
    subject.require(not meaning.endswith("."), f"'a node is {meaning}' ends with a full stop")
    valid = ("slices", "process")
    subject.require(
        backend.control in valid,
        f"control is {backend.control!r}; valid: {', '.join(valid)}",
    )


@check("config", "Its config is a dataclass with defaults; an unknown key is an error.")
def checks_its_config(subject: Subject) -> None:
    config_type = subject.backend.config_type
    subject.asked = f"its config {config_type.__name__}"
    subject.require(is_dataclass(config_type), "expected a dataclass")
    subject.require(config_type() == config_type(), "expected two default configs to be equal")
    for key, kind in get_type_hints(config_type).items():
        subject.require(
            is_readable(kind),
            f"{key} is of type {kind}; expected bool, int, float, str, a Literal or "
            "tuple[str, ...]",
        )
    try:
        build_config(config_type, {UNKNOWN_KEY: "1"}, f"backend {subject.backend.name}")
    except ConfigError:
        return
    subject.require(False, f"expected the key {UNKNOWN_KEY!r} to be refused; it was accepted")


@check("listing", "It lists every solution exactly once, and nothing else.")
def lists_solutions(subject: Subject) -> None:
    puzzle = subject.first_taken(*SHORT_SEARCHES)
    finished, solutions = subject.listed(subject.job(puzzle))
    subject.require_status(finished, Status.EXHAUSTED)
    expected = COUNTS[puzzle.name]
    subject.require(
        finished.count == finished.verified == len(solutions) == expected,
        f"expected {expected} solutions; it counted {finished.count} and listed {len(solutions)}",
    )


@check("solution-limit", "It stops after the requested number of solutions.")
def keeps_solution_limit(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES), solutions=SOLUTION_LIMIT)
    finished, solutions = subject.listed(job)
    subject.require_status(finished, Status.SOLUTION_LIMIT)
    subject.require(
        finished.count == len(solutions) == SOLUTION_LIMIT,
        f"expected {SOLUTION_LIMIT} solutions; it counted {finished.count} "
        f"and listed {len(solutions)} different ones",
    )
    if subject.is_sliced:
        search = None
        for search, _ in subject.slices(job.listed(), slice_work=10**6):
            search.take()
        made = 0 if search is None else search.count or 0
        subject.require(
            made <= SOLUTION_LIMIT,
            f"expected its search to stop after {SOLUTION_LIMIT} solutions; it found {made}",
        )


@check("node-limit", "It stops after the requested number of nodes, if it counts nodes.")
def keeps_node_limit(subject: Subject) -> None:
    finished = subject.finished(subject.job(subject.first_taken(*SHORT_SEARCHES), nodes=NODE_LIMIT))
    subject.require_status(finished, Status.NODE_LIMIT)
    subject.require(
        finished.nodes == NODE_LIMIT,
        f"expected it to stop after {NODE_LIMIT} nodes; it visited {finished.nodes}",
    )


def unless_again(attempt: Callable[[Subject], None]) -> Callable[[Subject], None]:
    """Let a check fail only if it fails `ATTEMPTS` times: a busy machine may delay one."""

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
    puzzle = subject.first_taken(*LONG_SEARCHES)
    job = subject.job(puzzle, time_s=TIME_LIMIT_S)
    # a search that cannot be sliced goes on in its process until that ends
    finished = subject.finished(job, isolated=not subject.is_sliced)
    subject.require_status(finished, Status.TIME_LIMIT)
    subject.require(
        finished.total_s < LATEST_S + TIME_LIMIT_S,
        f"expected it to stop after {TIME_LIMIT_S} s; it took {finished.total_s:.1f} s",
    )


@check("interruption", "It returns between slices, so that Ctrl-C stops it promptly.")
@unless_again
def can_be_interrupted(subject: Subject) -> None:
    _need_slices(subject)
    interruption, begun = Interruption(), None
    timer = Timer(INTERRUPTED_AFTER_S, interruption.request)  # in the midst of a slice
    finished = None
    for event in execute(subject.job(subject.first_taken(*LONG_SEARCHES)), interruption):
        if isinstance(event, Progress) and begun is None:
            begun = time.monotonic()
            timer.start()
        if isinstance(event, Result):
            finished = event
    timer.cancel()
    assert finished is not None, "a run ends with Result"
    subject.require_status(finished, Status.INTERRUPTED)
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
        found = count = nodes = 0
        for search, status in subject.slices(job, work):
            found += len(search.take())
            before = count, nodes
            count, nodes = search.count or 0, search.counters.nodes or 0
            subject.require(
                count >= before[0] and nodes >= before[1],
                f"(solutions, nodes) decreased from {before} to {(count, nodes)}",
            )
            share = search.progress()
            subject.require(
                share is None or (isinstance(share, float | int) and 0.0 <= share <= 1.0),
                f"expected its progress to be None or between 0 and 1; it is {share}",
            )
            result = status, found, count, nodes
        results.append(result)
    short, long = results
    subject.require(
        short == long,
        "expected the same results for short and long slices; (status, taken, counted, nodes) "
        f"are {_shown(short)} with short slices and {_shown(long)} with long ones",
    )


@check("node-meaning", "It counts nodes if and only if it defines what a node is.")
def counts_nodes(subject: Subject) -> None:
    meaning = subject.backend.node_meaning
    puzzles: tuple[Puzzle, ...]
    for puzzles in (SHORT_SEARCHES, IMPOSSIBLE):
        finished = subject.counted(subject.job(subject.first_taken(*puzzles)))
        subject.require(
            (finished.nodes is None) == (meaning is None),
            f"its node_meaning is {meaning!r}, and it counts {finished.nodes} nodes",
        )


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


@check("output", "It writes nothing to standard output, which belongs to the command.")
def prints_nothing(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    with captured_output() as written:
        subject.found(job)
    subject.require(not written, f"it wrote {shorten(repr(bytes(written)))}")


@check("random-order", "A random order of the placements does not change the count.")
def takes_random_order(subject: Subject) -> None:
    puzzle = subject.first_taken(SIX_PIECES, DOMINOES)
    try:
        _count(subject, puzzle, random=RandomOrder(1))
    except RefusalError as refusal:
        claims = subject.backend.by_option_order
        subject.require(not claims, f"its by_option_order is true, but it refuses: {refusal}")
        raise


@check("reductions", "Reductions before the search do not change the count.")
def takes_reductions(subject: Subject) -> None:
    _count(subject, SIX_PIECES, ["redundancy", "volume", "fit"])


@check("repeated-filters", "Filters that run after every placement do not change the count.")
def takes_repeated_filters(subject: Subject) -> None:
    _count(subject, SIX_PIECES, ["volume@2", "fit@2"])


@check("triggers", "Backtrack triggers do not change the count.")
def takes_triggers(subject: Subject) -> None:
    _count(subject, SIX_PIECES, triggers=["parity", "volume"])


def _count(
    subject: Subject,
    puzzle: Puzzle,
    reductions: Sequence[str] = (),
    triggers: Sequence[str] = (),
    random: RandomOrder | None = None,
) -> None:
    request = Request.named("all", False, reductions, triggers)
    finished = subject.counted(subject.job(puzzle, request, random=random))
    expected = COUNTS[puzzle.name]
    subject.require(
        finished.count == expected, f"expected {expected} solutions, found {finished.count}"
    )


def _need_slices(subject: Subject) -> None:
    if not subject.is_sliced:
        raise RefusalError("its search has no slices; it runs in a process that can be killed")


def _shown(result: tuple[object, ...]) -> str:
    return f"({', '.join(map(str, result))})"


SEARCHING = (
    describes_itself,
    checks_its_config,
    lists_solutions,
    keeps_solution_limit,
    keeps_node_limit,
    keeps_time_limit,
    can_be_interrupted,
    goes_on_where_it_stopped,
    counts_nodes,
    repeats_itself,
    prints_nothing,
    takes_random_order,
    takes_reductions,
    takes_repeated_filters,
    takes_triggers,
)


def _without_times(result: Result) -> Result:
    """The answer without the solver's own figures that are seconds, by their names."""
    status, count, counters, reason = result.answer
    native = {name: one for name, one in counters.native.items() if not name.endswith("_s")}
    return Result(status, count, replace(counters, native=native), reason)
