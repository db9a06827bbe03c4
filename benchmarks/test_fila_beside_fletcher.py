"""`fila` beside the programs of Fletcher and de Bruijn, one piece restricted in all of them.

Run with `pytest benchmarks -s`. The FILA article leaves open whether FILA is faster than
Fletcher's program. All are run in turn on one core in thread CPU time; Fletcher's tree also as
nested ifs in C, so that the answer does not hang on the interpreter of the tree. Nothing is
asserted about time; counts and fits are.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.fletcher_in_c import BOARD_LAYOUTS, CompiledTree
from benchmarks.timing import answers, beside, in_turn, seconds, sliced

from dovetail.backends.base import AnyBackend, Config
from dovetail.backends.fila.backend import Fila, FilaConfig
from dovetail.backends.fletcher.backend import Fletcher, FletcherConfig
from dovetail.models.outcome import Counters
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load

ROUNDS = 9
FIRST_BY_DLX, FIRST_BY_PIECE = ("dlx:s", "fila:f@11"), ("piece", "fila:f@11")


def solvers(stages: tuple[str, ...]) -> dict[str, tuple[AnyBackend, Config]]:
    """Those that are run beside the tree in C."""
    return {
        "fletcher tree": (Fletcher(), FletcherConfig("tree")),
        "fletcher list": (Fletcher(), FletcherConfig("list")),
        "fila reference, nof=false": (Fila(), FilaConfig(stages, nof=False)),
        "fila reference": (Fila(), FilaConfig(stages)),
        "fila fast": (Fila(), FilaConfig(stages, kernel="fast")),
    }


@pytest.mark.parametrize(
    ("name", "reduce", "stages", "count"),
    [
        ("pentominoes-6x10", ["redundancy", "volume"], FIRST_BY_DLX, 2339),
        ("pentominoes-5x12", ["redundancy", "volume"], FIRST_BY_DLX, 1010),
        ("pentominoes-3x20", ["redundancy", "volume"], FIRST_BY_DLX, 2),
        # the same placements by all: X first, and no list without what the volume filter drops
        ("pentominoes-6x10", ["redundancy"], FIRST_BY_PIECE, 2339),
    ],
    ids=["6x10", "5x12", "3x20", "6x10-same-tree"],
)
def test_beside_fletcher(
    name: str, reduce: list[str], stages: tuple[str, ...], count: int, tmp_path: Path
) -> None:
    """The same count; the tree in C makes the same placements as the kernel."""
    request = Request(Symmetry.UNIQUE, reductions=tuple(map(Reduction.parse, reduce)))
    task = build_task(load(name), request)
    ours = solvers(stages)
    in_c = {
        f"fletcher tree in C, {layout}": CompiledTree.of(task, layout, tmp_path)
        for layout in BOARD_LAYOUTS
    }
    counted = {label: counters(task, *solver) for label, solver in ours.items()}  # compiles
    for tree in in_c.values():
        assert tree.fits() == counted["fletcher tree"].nodes == counted["fletcher list"].nodes
    contenders = {
        label: lambda solver=solver: sliced(solver[0].prepare(task, solver[1]))
        for label, solver in ours.items()
    }
    timings = in_turn({**in_c, **contenders}, ROUNDS)
    assert set(answers(timings)) == {count}
    print(
        f"\n{name}, {reduce}, rounds: {ROUNDS}; prepare + solve, and beside the tree in C, window"
    )
    for label, each in timings.items():
        shown = f"; {figures(counted[label])}" if label in counted else ""
        print(f"  {label}: {seconds(each)}{shown}")
        print(f"    {beside(each, timings['fletcher tree in C, window'])}")


def counters(task: Task, backend: AnyBackend, config: Config) -> Counters:
    """What a solver counts."""
    backend.warm_up_for(task, config)
    search = backend.prepare(task, config)
    sliced(search)()
    return search.counters


def figures(counted: Counters) -> str:
    """Fits, and what was tried for each."""
    assert counted.nodes
    parts = [f"{counted.nodes:,} fits"]
    if counted.attempts is not None:
        parts.append(f"{counted.attempts / counted.nodes:.2f} attempts per fit")
    for name, number in counted.native.items():
        parts.append(f"{number / counted.nodes:.2f} {name.replace('_', ' ')} per fit")
    return ", ".join(parts)
