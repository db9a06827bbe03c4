"""`reference` beside the same algorithm in C++, compiled here, on the same lists.

Run with `pytest benchmarks -s`, the Tetris cube with `-m slow`; skipped where no C++ compiler
is found. Both search the sub-problems below the piece that has fewest placements, and list or
count every solution. Nothing is asserted about time; attempts and fits are.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from benchmarks.compiling import compiled
from benchmarks.timing import answers, beside, in_turn, seconds
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.kernels.image_lists import fill_lists
from dovetail.backends.fila.search import FilaSearch
from dovetail.backends.fila.tables import Variant, near_cells, near_masks
from dovetail.kernels.bits import bits_of
from dovetail.machine_code.layout import LANES
from dovetail.models.packings.placements import Placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.sums import Remainder, remainder
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

SOURCE = Path(__file__).with_name("fila_twin.cpp")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC")
TWO_WORDS = Variant(words=2, cell_words=1, repeats=False)

# Attempts and fits over all sub-problems by pieces remaining.
Figures = tuple[dict[int, int], dict[int, int]]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin, compiled by whatever C++ compiler is there."""
    return compiled(SOURCE, tmp_path_factory.mktemp("twin"), FLAGS)


@pytest.mark.parametrize(
    ("name", "reduce", "ordered_from", "fits", "misses", "rounds"),
    [
        ("pentominoes-6x10", ["redundancy", "volume"], 11, 2_091_215, 4_682_886, 7),
        pytest.param(
            "tetris-cube", ["redundancy=L"], 3, 80_346_268, 393_143_352, 3, marks=pytest.mark.slow
        ),
    ],
    ids=["P5", "TC4"],
)
def test_beside_cpp(
    library: ctypes.CDLL,
    name: str,
    reduce: list[str],
    ordered_from: int,
    fits: int,
    misses: int,
    rounds: int,
) -> None:
    """Attempts and fits by pieces remaining are equal and, in all, the published ones.

    Target: at most 1.1 of the time of C++.
    """
    request = Request(Symmetry.UNIQUE, reductions=tuple(map(Reduction.parse, reduce)))
    placements = build_task(load(name), request).placements
    assert placements is not None
    problems = below_the_scarcest_piece(placements)
    contenders = {
        "numba": partial(reference, problems, ordered_from),
        "C++": partial(twin, library, problems, ordered_from),
    }
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, rounds)
    attempted, fitted = figures = reference(problems, ordered_from)()
    assert all(answer == figures for answer in answers(timings))
    made = sum(fitted.values())
    assert made + len(problems) == fits  # the piece's own placements all fit
    assert sum(attempted.values()) - made == misses
    print(f"\n{name}, {len(problems)} sub-problems, rounds: {rounds}, prepare + solve:")
    for contender, each in timings.items():
        print(f"  {contender}: {seconds(each)}")
    print(f"  numba / C++: {beside(timings['numba'], timings['C++'])}; target for solve 1.1")


def below_the_scarcest_piece(placements: Placements) -> list[Remainder]:
    """What is left below each placement of the piece that has fewest."""
    shape = np.argmin(np.bincount(placements.shape))
    cells = np.arange(placements.cell_count)
    return [
        remainder(placements, np.array([placement]), cells=cells)
        for placement in np.flatnonzero(placements.shape == shape)
    ]


def reference(problems: Sequence[Remainder], ordered_from: int) -> Callable[[], Figures]:
    """The project's kernel: heuristic e, and f from `ordered_from` pieces remaining on."""

    def rules(pieces: int) -> list[str]:
        return ["f" if remaining <= ordered_from else "e" for remaining in range(1, pieces + 1)]

    searches = [
        FilaSearch(
            problem,
            rules(problem.pieces),
            0,
            told_by="most covered",
            attempts=True,
            variant=TWO_WORDS,
        )
        for problem in problems
    ]

    def run() -> Figures:
        attempts, fits = Counter[int](), Counter[int]()
        for search in searches:
            while search.advance(Budget(work=5_000_000)) is None:
                search.take()
            attempts.update(search.counters.attempts_by_remaining)
            fits.update(search.counters.fits_by_remaining)
        return dict(attempts), dict(fits)

    return run


def twin(
    library: ctypes.CDLL, problems: Sequence[Remainder], ordered_from: int
) -> Callable[[], Figures]:
    """The twin, on lists made as the kernel's are."""
    prepared = [
        (problem, Lists.of(problem, ordered=True), Lists.of(problem, ordered=False))
        for problem in problems
    ]
    pieces = max(problem.pieces for problem in problems)

    def run() -> Figures:
        attempts, fits = (np.zeros(pieces + 1, dtype=np.uint64) for _ in range(2))
        for problem, ordered, any_order in prepared:
            library.fila_twin(
                ctypes.byref(ordered),
                ctypes.byref(any_order),
                _address(any_order.adjacent),
                ctypes.c_uint64(len(problem.placements.shapes)),
                ctypes.c_uint64(ordered_from),
                ctypes.c_uint64(problem.pieces),
                ctypes.c_uint64(int(~bits_of(~problem.filled[None, :], 1)[0, 0])),
                _address(attempts),
                _address(fits),
            )
        by = range(pieces, 0, -1)
        return {r: int(attempts[r]) for r in by}, {r: int(fits[r]) for r in by}

    return run


class Lists(ctypes.Structure):
    """Image lists by shape for one way of choosing targets, as the twin takes them.

    | field | shape | type | meaning |
    |---|---|---|---|
    | `near` | (c · 8,) | uint64 | neighbours that may be open, a mask of one bit for each |
    | `bits` | | uint64 | how many of them there are at most |
    | `full` | (keys,) | uint64 | shapes whose lists for a key (cell and state) are not empty |
    | `start` | (keys · n + 1,) | uint32 | where each list begins |
    | `masks` | (entries,) | uint64 | the images |

    `adjacent` has the neighbours of each cell in one mask, shape (c,).
    """

    _fields_ = (
        ("near", ctypes.c_void_p),
        ("bits", ctypes.c_uint64),
        ("full", ctypes.c_void_p),
        ("start", ctypes.c_void_p),
        ("masks", ctypes.c_void_p),
    )
    adjacent: NDArray[np.uint64]
    kept: list[NDArray[np.generic]]  # the arrays: the fields have addresses only

    @classmethod
    def of(cls, problem: Remainder, *, ordered: bool) -> Lists:
        """The lists of a sub-problem."""
        placements, shapes = problem.placements, len(problem.placements.shapes)
        near, neighbours = near_cells(placements, "neighbours", in_order=False)
        bits, count = int(neighbours.max()), placements.cell_count
        near = np.ascontiguousarray(near[:, :bits])
        lengths = np.zeros((len(near) << bits) * shapes, dtype=np.int64)
        start, images = np.zeros(len(lengths) + 1, dtype=np.int64), np.empty(0, dtype=np.uint32)
        for _ in ("count", "fill"):
            lengths[:] = 0
            fill_lists(
                placements.cells,
                placements.masks,
                placements.shape,
                near,
                count,
                lengths,
                start,
                images,
            )
            start[1:] = np.cumsum(lengths)
            images = np.empty(int(start[-1]), dtype=np.uint32) if not len(images) else images
        first, keys = (0 if ordered else count), count << bits
        near_cells_of = near_masks(near[first:][:count], 1).reshape(-1, LANES)
        begin = (first << bits) * shapes
        full = bits_of(lengths[begin:][: keys * shapes].reshape(keys, -1) > 0, 1)
        start = start[begin:][: keys * shapes + 1].astype(np.uint32)
        masks = placements.masks[images, 0]
        lists = cls(_address(near_cells_of), bits, _address(full), _address(start), _address(masks))
        lists.adjacent = np.bitwise_or.reduce(near_cells_of, axis=1)
        lists.kept = [near_cells_of, full, start, masks]
        return lists


def _address(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
