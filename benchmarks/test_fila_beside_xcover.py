"""`fila` beside xcover on the same problems with one piece restricted, and NOF beside none.

Run with `pytest benchmarks -s`, and the cubes, which take minutes, with `-m slow`. Solvers are
run in turn on one core in thread CPU time. In "prepare" nothing is compiled, and the first
tables are built: those of what `dlx` hands over are built while solving, and so are xcover's,
whose generator does nothing before the first solution is asked for. Nothing is asserted about
time; counts are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest
from benchmarks.timing import Contender, answers, beside, in_turn, seconds, sliced, xcover

from dovetail.backends.fila.backend import Fila, FilaConfig
from dovetail.backends.fila.segment import KernelName
from dovetail.backends.xcover import XCover
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load

ROUNDS = 7
P5 = ("dlx:s", "fila:f@11")
P5_BY_PIECE = ("piece", "fila:f@11")
TC4 = ("dlx:s", "fila:e@11", "fila:f@3")
TETRIS_TO_THE_END = ("dlx:s", "fila:e@11")
BEDLAM = ("dlx:s", "fila:e@12", "fila:f@3")
BEDLAM_TO_THE_END = ("dlx:s", "fila:e@12")


@dataclass(frozen=True)
class Entry:
    """A kernel with stages, and what part of xcover's time it is to take at most."""

    kernel: KernelName
    stages: tuple[str, ...]
    target: str = "none"

    def __str__(self) -> str:
        return f"{self.kernel} {','.join(self.stages)}"


@pytest.mark.parametrize(
    ("name", "reduce", "count", "rounds", "entries"),
    [
        (
            "pentominoes-6x10",
            ["redundancy", "volume"],
            2339,
            ROUNDS,
            [
                Entry("reference", P5, "1/18"),
                Entry("reference", P5_BY_PIECE),
                Entry("fast", P5, "1/25"),
                Entry("fast", P5_BY_PIECE),
            ],
        ),
        pytest.param(
            "tetris-cube",
            ["redundancy=L"],
            9839,
            1,
            [
                Entry("reference", TC4, "1/6"),
                Entry("fast", TC4, "1/18"),
                Entry("fast", TETRIS_TO_THE_END, "1/18"),
            ],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "bedlam-cube",
            ["redundancy"],
            19186,
            1,
            [
                Entry("reference", BEDLAM),
                Entry("fast", BEDLAM, "1/10"),
                Entry("fast", BEDLAM_TO_THE_END, "1/10"),
            ],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["6x10", "tetris", "bedlam"],
)
def test_beside_xcover(
    name: str, reduce: list[str], count: int, rounds: int, entries: list[Entry]
) -> None:
    """The same count; the targets are printed beside."""
    XCover().warm_up()
    task = reduced(name, reduce)
    contenders: dict[str, Contender] = {
        str(entry): fila(task, FilaConfig(entry.stages, kernel=entry.kernel)) for entry in entries
    }
    timings = in_turn({**contenders, "xcover": partial(xcover, task.cover)}, rounds)
    assert set(answers(timings)) == {count}
    print(f"\n{name}, rounds: {rounds}; xcover: {seconds(timings['xcover'])}")
    for entry in entries:
        ours = timings[str(entry)]
        print(f"  {entry}: {seconds(ours)}")
        print(f"    / xcover: {beside(ours, timings['xcover'])}; target {entry.target}")


@pytest.mark.parametrize("kernel", ["reference", "fast"])
def test_nof_beside_none(kernel: KernelName) -> None:
    """P5 beside P4, which is the same without NOF. Target: at most 0.85 for `reference`."""
    task = reduced("pentominoes-6x10", ["redundancy", "volume"])
    contenders = {
        name: fila(task, FilaConfig(P5, kernel=kernel, nof=nof))
        for name, nof in (("with", True), ("without", False))
    }
    timings = in_turn(contenders, ROUNDS)
    assert set(answers(timings)) == {2339}
    print(f"\nNOF, {kernel}, rounds: {ROUNDS}")
    for name, each in timings.items():
        print(f"  {name}: {seconds(each)}")
    print(f"  with / without: {beside(timings['with'], timings['without'])}; target 0.85")


def reduced(name: str, reduce: list[str]) -> Task:
    """A puzzle of the catalogue, lowered with reductions."""
    request = Request(Symmetry.UNIQUE, reductions=tuple(map(Reduction.parse, reduce)))
    return build_task(load(name), request)


def fila(task: Task, config: FilaConfig) -> Contender:
    """`fila` with a config, compiled."""
    backend = Fila()
    backend.warm_up_for(task, config)
    return lambda: sliced(backend.prepare(task, config))
