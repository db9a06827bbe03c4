"""Solvers of boards as contenders, and what is printed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from benchmarks.timing import Contender, Timing, seconds

from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task

G_8_3_NODES = 39_221_305_076  # of `rows`, top-down from the first corner; counted once, in minutes


def contender(
    name: str, values: Mapping[str, object], puzzle: EdgePuzzle, nodes: int | None = None
) -> Contender:
    """A backend, compiled; it returns the boards that it finds and its nodes."""
    backend = backend_named(name)
    config = build_config(backend.config_type, values, name)
    backend.warm_up()
    backend.warm_up_for(build_task(puzzle, Request(Symmetry.ALL)), config)

    def prepared() -> Callable[[], tuple[int | None, int]]:
        search = backend.prepare(build_task(puzzle, Request(Symmetry.ALL)), config)

        def run() -> tuple[int | None, int]:
            left = nodes
            while search.advance(Budget(work=5_000_000, nodes=left)) is None:
                search.take()
                if nodes is not None:
                    left = nodes - (search.counters.nodes or 0)
            return search.count, search.counters.nodes or 0

        return run

    return prepared


def print_nodes(label: str, timings: Sequence[Timing], boards: int) -> int:
    """The nodes of a contender that has found so many boards each time, which is printed."""
    (answer,) = {timing.answer for timing in timings}
    assert isinstance(answer, tuple)
    found, nodes = answer
    assert found == boards
    assert isinstance(nodes, int)
    print(f"  {label}: {seconds(timings)}, {nodes:,} nodes")
    return nodes
