"""`frontier` beside `fila` and xcover: counting and listing, tables included.

Run with `pytest benchmarks -s`. Solvers take turns on one core in thread CPU time; everything is
compiled. `fila` cannot count the one-sided pentominoes in 5x18 in a benchmark: its fits per second
in the same run, times the 13,151,493,569 fits that Busche 2018 counts (table 1, OP4), make an
estimate. Nothing is asserted about time; counts are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import pytest
from benchmarks.timing import Contender, answers, in_turn, seconds, xcover

from dovetail.backends.base import Budget
from dovetail.backends.fila.backend import Fila, FilaConfig
from dovetail.backends.fila.segment import KernelName
from dovetail.backends.frontier.backend import Frontier, FrontierConfig
from dovetail.backends.frontier.search import FrontierSearch
from dovetail.backends.xcover import XCover
from dovetail.harness.planning.trials import settled_request
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task, lower
from dovetail.platform.resources import forget_peak, peak_bytes, resident_bytes
from dovetail.puzzles.loading import load

ROUNDS = 7
OP4_FITS = 13_151_493_569
SAMPLE_S = 2.0
SLICE = Budget(work=5_000_000)
OP4 = ("dlx:s", "fila:f@17")
P5 = ("dlx:s", "fila:f@11")


def frontier_search(name: str, *, listing: bool = False) -> FrontierSearch:
    """Begins to count, or to list, up to symmetry."""
    lowered = lower(load(name))
    request = settled_request(lowered, Request(listing=listing), Frontier(), FrontierConfig())
    return FrontierSearch(lowered.task(request))


def frontier(name: str, *, listing: bool = False) -> Contender:
    """Counts, or lists, up to symmetry; the puzzle is lowered while it prepares."""

    def prepare() -> Callable[[], object]:
        search = frontier_search(name, listing=listing)
        while not search.prepared:
            assert search.advance(SLICE) is None
        return lambda: answer(search)

    return prepare


def answer(search: FrontierSearch) -> int:
    """The total, or how many classes of solutions are listed."""
    task = search.task
    expansion, listed, status = task.symmetry_expansion(), 0, None
    while status is None:
        status = search.advance(SLICE)
        found = search.take() if task.request.listing else None
        listed += 0 if found is None else expansion.count(task.to_original_ids(found))
    return listed if search.total is None else search.total


def fila(name: str, stages: tuple[str, ...], kernel: KernelName) -> Contender:
    """Counts the puzzle with a piece restricted, which is lowered while it prepares."""
    puzzle, config = load(name), FilaConfig(stages, kernel=kernel)
    backend = Fila()
    backend.warm_up_for(_reduced(name), config)

    def prepare() -> Callable[[], object]:
        search = backend.prepare(build_task(puzzle, _request("redundancy", "volume")), config)

        def run() -> int:
            while search.advance(SLICE) is None:
                search.take()
            assert search.count is not None
            return search.count

        return run

    return prepare


def _request(*reduce: str) -> Request:
    return Request(Symmetry.UNIQUE, reductions=tuple(map(Reduction.parse, reduce)))


def _reduced(name: str) -> Task:
    return build_task(load(name), _request("redundancy", "volume"))


def fits_per_second(kernel: KernelName) -> float:
    """How many fits `fila` makes in 5x18 in a second, from the beginning on."""
    config = FilaConfig(OP4, kernel=kernel)
    backend = Fila()
    task = _reduced("one-sided-pentominoes-5x18")
    backend.warm_up_for(task, config)
    search = backend.prepare(task, config)
    begun = time.thread_time()
    while time.thread_time() < begun + SAMPLE_S:
        search.advance(SLICE)
        search.take()
    nodes = search.counters.nodes
    assert nodes is not None
    return nodes / (time.thread_time() - begun)


def test_5x18_beside_the_whole_of_fila() -> None:
    """Targets: 300 times faster than `fila`, half of xcover's time for 6x10, listing in 3 times."""
    XCover().warm_up()
    Frontier().warm_up()
    name = "one-sided-pentominoes-5x18"
    x_restricted = build_task(load("pentominoes-6x10"), _request("redundancy=X")).cover
    contenders: dict[str, Contender] = {
        "counting": frontier(name),
        "listing": frontier(name, listing=True),
        "xcover 6x10": lambda: xcover(x_restricted),
    }
    in_turn(contenders, 1)
    rates: dict[KernelName, list[float]] = {"reference": [], "fast": []}
    rounds = []
    for _ in range(3):
        rounds.append(in_turn(contenders, 1))
        for kernel, each in rates.items():
            each.append(fits_per_second(kernel))
    timings = {key: [one[key][0] for one in rounds] for key in contenders}
    assert set(answers(timings)) == {686_628, 2_339}
    search = frontier_search(name)
    before = resident_bytes() or 0
    forget_peak()
    while search.advance(SLICE) is None:
        pass
    grown = (peak_bytes() or 0) - before
    print(f"\n{name}, rounds: {len(rounds)}, prepare + solve, medians:")
    print(f"  counting takes {grown / 1e6:.0f} MB; target 200")
    for key, each_timing in timings.items():
        print(f"  {key}: {seconds(each_timing)}")
    counting = median(timing.total_s for timing in timings["counting"])
    for kernel, each in rates.items():
        needed = OP4_FITS / median(each)
        print(
            f"  fila {kernel}: {median(each) / 1e6:.1f} M fits/s, an estimated {needed:.0f} s: "
            f"{needed / counting:.0f} times counting; target 300"
        )
    for key, target in (("xcover 6x10", "counting at most 0.5 of it"), ("listing", "at most 3")):
        other = median(timing.total_s for timing in timings[key])
        print(f"  counting / {key}: {counting / other:.2f} (1/{other / counting:.2f}); {target}")


@pytest.mark.parametrize(
    ("name", "count", "stages", "target"),
    [
        ("pentominoes-5x12", 1010, P5, "1/5"),
        ("pentominoes-6x10", 2339, P5, "1"),
    ],
)
def test_small_boards(name: str, count: int, stages: tuple[str, ...], target: str) -> None:
    """Lowering, tables and search together."""
    Frontier().warm_up()
    contenders: dict[str, Contender] = {
        "frontier": frontier(name),
        "fila reference": fila(name, stages, "reference"),
        "fila fast": fila(name, stages, "fast"),
        "fila fast, by piece": fila(name, ("piece", stages[1]), "fast"),
        "fila fast, first cell": fila(name, ("f",), "fast"),
    }
    in_turn(contenders, 1)
    timings = in_turn(contenders, ROUNDS)
    assert set(answers(timings)) == {count}
    print(f"\n{name}, rounds: {ROUNDS}, lowering + prepare, solve:")
    ours = median(timing.total_s for timing in timings["frontier"])
    for key, each in timings.items():
        theirs = median(timing.total_s for timing in each)
        print(f"  {key}: {seconds(each)}, frontier takes {ours / theirs:.2f}; target {target}")
