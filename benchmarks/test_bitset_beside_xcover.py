"""`bitset` beside xcover, `dlx` and `fila` on the same problems with one piece restricted.

Run with `pytest benchmarks -s`, and the cubes with `-m slow`. Solvers are run in turn on one core
in thread CPU time, compiled; every solution is listed. Nothing is asserted about time; counts are.
"""

from __future__ import annotations

from functools import partial

import pytest
from benchmarks.test_fila_beside_xcover import BEDLAM, P5, TC4, TETRIS_TO_THE_END, fila, reduced
from benchmarks.timing import Contender, answers, beside, in_turn, seconds, sliced, xcover

from dovetail.backends.bitset.search import BitsetSearch, warm_up
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.dlx.search import warm_up as warm_up_dlx
from dovetail.backends.fila.backend import FilaConfig
from dovetail.backends.xcover import XCover


@pytest.mark.parametrize(
    ("name", "reduce", "count", "rounds", "stages"),
    [
        ("pentominoes-6x10", "redundancy=X", 2339, 7, P5),
        ("pentominoes-2x5x6", "redundancy", 528, 7, TETRIS_TO_THE_END),
        pytest.param(
            "pentominoes-3x4x5", "redundancy", 7880, 1, TETRIS_TO_THE_END, marks=pytest.mark.slow
        ),
        pytest.param("tetris-cube", "redundancy=L", 9839, 1, TC4, marks=pytest.mark.slow),
        pytest.param("bedlam-cube", "redundancy=T", 19186, 1, BEDLAM, marks=pytest.mark.slow),
    ],
    ids=["6x10", "2x5x6", "3x4x5", "tetris", "bedlam"],
)
def test_beside_xcover(
    name: str, reduce: str, count: int, rounds: int, stages: tuple[str, ...]
) -> None:
    """Target: at most 0.030 of xcover's time, prepare + solve, on the Tetris cube; Bedlam 0.034."""
    XCover().warm_up()
    warm_up()
    warm_up_dlx()
    task = reduced(name, [reduce])
    problem, pieces = task.cover, task.options.placements_per_solution
    contenders: dict[str, Contender] = {
        "bitset": lambda: sliced(BitsetSearch(problem, pieces)),
        "dlx": lambda: sliced(DlxSearch(problem, pieces)),
        "fila fast": fila(task, FilaConfig(stages, kernel="fast")),
        "xcover": partial(xcover, problem),
    }
    timings = in_turn(contenders, rounds)
    assert set(answers(timings)) == {count}
    print(f"\n{name}, {reduce}, rounds: {rounds}")
    for contender, each in timings.items():
        print(f"  {contender}: {seconds(each)}")
    for other in ("xcover", "dlx", "fila fast"):
        print(f"  bitset / {other}: {beside(timings['bitset'], timings[other])}")
