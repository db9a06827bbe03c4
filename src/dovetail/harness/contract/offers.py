"""Checks of what a backend may offer beyond searching; one that does not offer it is refused."""

from __future__ import annotations

import numpy as np

from dovetail.backends.base import Budget
from dovetail.harness.contract.cases import COUNTS, SHORT_SEARCHES, SIX_PIECES
from dovetail.harness.contract.subject import RefusalError, Subject
from dovetail.harness.contract.verdict import check
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.searches import MAX_WORK
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import build_task

# More nodes than the short searches have, and fewer than any has: all of the tree, or probes.
WHOLE_TREE, PROBES_ONLY = 1_000_000, 1
ESTIMATES = 400
# How many standard errors a mean may be off. One in half a billion is further off by chance.
MAX_ERRORS = 6.0
MAX_LEARNING_ERROR = 0.25  # of the nodes of a small tree, where failures steer the search
UNIQUE_SOLUTIONS = 10  # of SIX_PIECES
CUT_NODES = 23
MAX_PARTS = 10_000


@check(
    "sampling",
    "If it can sample, each number identifies a different solution, and each solution has one.",
)
def numbers_solutions(subject: Subject) -> None:
    puzzle = subject.first_taken(*SHORT_SEARCHES)
    job = subject.job(puzzle)
    with session_of(job).begun() as session:
        search = session.sampling_search()
        if search is None:
            raise RefusalError("it cannot sample solutions")
        status = session.try_out(search)
        subject.require(
            status == Status.EXHAUSTED,
            f"expected its search for samples to be complete; it ended with {status}",
        )
        expected = COUNTS[puzzle.name]
        subject.require(
            search.numbers == expected,
            f"expected numbers from 0 to {expected - 1}; it has {search.numbers} numbers",
        )
        found = set()
        for number in range(search.numbers):
            options, image = search.unrank(number)
            found.add((tuple(sorted(options[options >= 0].tolist())), image))
    subject.require(
        len(found) == expected,
        f"expected its {expected} numbers to identify {expected} different solutions; they "
        f"identify {len(found)}",
    )


@check("tree-estimate", "If it estimates its tree, the estimates are right on average.")
def estimates_its_tree(subject: Subject) -> None:
    job = subject.job(subject.first_taken(*SHORT_SEARCHES))
    with session_of(job).begun() as session:
        estimators = [session.tree_estimator(one) for one in (WHOLE_TREE, PROBES_ONLY)]
        whole, probing = estimators
        if whole is None or probing is None:
            raise RefusalError("it cannot estimate its search tree")
        nodes = 0
        for search, _ in subject.slices(job, MAX_WORK):
            search.take()
            nodes = search.counters.nodes or 0
        total = float(whole.totals(1)[0])
        error = MAX_LEARNING_ERROR * nodes if subject.backend.learns else 0
        subject.require(
            whole.probes > 0 or abs(total - nodes) <= error,
            f"the estimate visited the whole tree, so it must equal the {nodes} nodes of the "
            f"search; it is {total:g}",
        )
        totals = np.asarray(probing.totals(ESTIMATES))
        subject.require(
            totals.shape == (ESTIMATES,) and bool(np.isfinite(totals).all()),
            f"expected {ESTIMATES} finite numbers from totals({ESTIMATES})",
        )
    mean = float(totals.mean())
    error = float(totals.std(ddof=1)) / ESTIMATES**0.5
    subject.require(
        abs(mean - nodes) <= MAX_ERRORS * error,
        f"the mean of {ESTIMATES} estimates is {mean:.0f} ± {error:.0f}; its search visits "
        f"{nodes} nodes",
    )


@check("automatic-symmetry-breaking", "If it breaks symmetry by default, the count is the same.")
def breaks_symmetry(subject: Subject) -> None:
    puzzle = subject.first_taken(SIX_PIECES)
    task = build_task(puzzle, Request(Symmetry.UNIQUE))
    reduction, again = (subject.backend.symmetry_breaking(task, subject.config) for _ in range(2))
    if reduction is None:
        raise RefusalError("it breaks symmetry only on request")
    subject.require(
        again == reduction,
        f"expected the same reduction on every call; it returned {reduction}, then {again}",
    )
    request = Request(Symmetry.UNIQUE, reductions=(reduction,))
    finished = subject.finished(subject.job(puzzle, request))
    subject.require_status(finished, Status.EXHAUSTED)
    subject.require(
        finished.count == UNIQUE_SOLUTIONS,
        f"expected {UNIQUE_SOLUTIONS} solutions, found {finished.count}",
    )


@check("cutting", "If its searches can be cut, the parts left have the solutions of the whole.")
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
        found += [tuple(sorted(row[row >= 0].tolist())) for row in search.take()]
        left = search.remaining()
        subject.require(left is not None, f"expected what is left after {CUT_NODES} nodes")
        waiting = [*(left or ()), *waiting]
        parts, nodes = parts + 1, nodes + (search.counters.nodes or 0)
        subject.require(parts <= MAX_PARTS, f"expected fewer than {MAX_PARTS} parts")
    expected = COUNTS[job.puzzle.name]
    subject.require(
        len(set(found)) == len(found) == expected,
        f"cut after every {CUT_NODES} nodes, it found {len(found)} solutions, {len(set(found))} of "
        f"them different; expected {expected}",
    )
    whole = subject.finished(job).nodes
    subject.require(
        subject.backend.learns or nodes == whole,
        f"cut after every {CUT_NODES} nodes, it made {nodes} nodes; the whole search makes {whole}",
    )


OFFERED = (numbers_solutions, estimates_its_tree, breaks_symmetry, adds_up_in_parts)
