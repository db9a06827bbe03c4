"""Searches that find what a test says, and what a session makes around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dovetail.backends.stepwise import StepwiseSearch
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job, Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.searches import PreparedSearch
from dovetail.harness.workers.runs import execute
from dovetail.models.request import Request
from dovetail.models.task import Task, lower
from dovetail.puzzles.loading import load

QUEENS = load("queens-6")
# Four in all, of which one is unique.
SOLUTIONS = sorted(
    tuple(sorted(row))
    for event in execute(Job(QUEENS, Request.named("all", False, [])).listed())
    if isinstance(event, Found)
    for row in event.options.tolist()
)
STEPS = [None, None, SOLUTIONS[0], None, SOLUTIONS[1], None]  # four nodes, two solutions


def plan_of(symmetry: str, order: RandomOrder | Trials | None = None) -> Plan:
    """A plan that lists solutions of six queens."""
    request = replace(Request.named(symmetry, False, []), listing=True)
    return Plan(QUEENS, request, "dlx", order=order)


def collector_of(plan: Plan, limits: Limits | None = None) -> SolutionCollector:
    """What collects for a plan."""
    return SolutionCollector(plan, task_of(plan), limits or Limits(), RunClock())


def task_of(plan: Plan) -> Task:
    """The task of a plan."""
    return lower(plan.puzzle).task(plan.request)


def search_of(steps: Sequence[tuple[int, ...] | None]) -> StepwiseSearch:
    """A search that makes a node at each None and finds the others."""
    return StepwiseSearch(_each(steps))


def prepared(search: StepwiseSearch, nodes: int | None = None) -> PreparedSearch:
    """A search that can begin, whose options are those of the puzzle."""
    return PreparedSearch(search, lambda found: found, nodes)


def _each(steps: Sequence[tuple[int, ...] | None]) -> Iterator[Sequence[int] | None]:
    yield from steps
