"""`rows` beside a small program of the same kind in C, compiled here; identical tiles once.

Run with `pytest benchmarks -s`; skipped where there is no C compiler. Nothing is asserted about
time; nodes are.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from benchmarks.timing import Contender, answers, beside, in_turn, seconds
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.looks import looks_of
from dovetail.backends.rows.backend import Rows, RowsConfig
from dovetail.models.edges import BORDER, EAST, NORTH, SOUTH, WEST, EdgePuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import lower
from golden.edge_boards import COMMUNITY, board, edge_puzzle, with_first_corner

SOURCE = Path(__file__).with_name("rows_twin.c")
FLAGS = ("-std=c11", "-O3", "-march=native", "-shared", "-fPIC")
ROUNDS = 7
MOST_SLOTS, MOST_CELLS = 64, 256
ONCE = RowsConfig(("top-down",))
EACH = RowsConfig(("top-down",), identical_tiles="each")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin, compiled by whatever C compiler is there."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("no C compiler: none of cc, gcc, clang is there")
    target = tmp_path_factory.mktemp("twin") / "rows_twin.so"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))


@pytest.mark.parametrize("name", ["community", "E_7_5.b6i6", "E_8_1.9", "E_8_2.b8i8"])
def test_beside_c(library: ctypes.CDLL, name: str) -> None:
    """Target: at least 0.7 of the rate, so at most 1.43 of the time."""
    if name != "community":
        puzzle = with_first_corner(board(name), "top-down")
    elif COMMUNITY.exists():
        puzzle = edge_puzzle(COMMUNITY)
    else:
        pytest.skip(f"the community's board is not at {COMMUNITY}")
    contenders = {"rows": rows(puzzle, EACH)}
    contenders["C"] = partial(twin, library, puzzle)
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    (nodes,) = set(answers(timings))
    assert isinstance(nodes, int)
    print(f"\n{name}, {nodes:,} nodes, rounds: {ROUNDS}, prepare + solve:")
    for contender, each in timings.items():
        rate = nodes / min(timing.solve_s for timing in each) / 1e6
        print(f"  {contender}: {seconds(each)}, {rate:.0f} M nodes/s at best")
    print(f"  rows / C: {beside(timings['rows'], timings['C'])}; target for solve 1.43")


def test_identical_tiles_once() -> None:
    """E_7_6, one round. Target: at least 3 times faster, so at most a third of the time."""
    puzzle = with_first_corner(board("E_7_6.b6i6"), "top-down")
    contenders = {"once": rows(puzzle, ONCE), "each": rows(puzzle, EACH)}
    timings = in_turn(contenders, 1)
    nodes = {name: each[0].answer for name, each in timings.items()}
    assert nodes == {"once": 125_549_272, "each": 1_170_949_412}
    print("\nE_7_6, prepare + solve:")
    for contender, each in timings.items():
        print(f"  {contender}: {seconds(each)}, {nodes[contender]:,} nodes")
    print(f"  once / each: {beside(timings['once'], timings['each'])}; target for solve 1/3")


def rows(puzzle: EdgePuzzle, config: RowsConfig) -> Contender:
    """The project's kernel, compiled; it returns its nodes."""
    backend, task = Rows(), lower(puzzle, Request(Symmetry.ALL))
    backend.warm_up_for(task, config)

    def prepared() -> Callable[[], int]:
        search = backend.prepare(task, config)

        def run() -> int:
            while search.advance(Budget(work=5_000_000)) is None:
                search.take()
            return search.nodes

        return run

    return prepared


def twin(library: ctypes.CDLL, puzzle: EdgePuzzle) -> Callable[[], int]:
    """The program in C, on tables of its own; it returns its nodes."""
    return partial(Twin(puzzle).nodes, library)


class _Structure(ctypes.Structure):
    """The board as the program takes it; see `Twin` for the arrays."""

    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("width", "cells", "colours")),
        *((name, ctypes.c_void_p) for name in ("place", "fitting", "shown", "taken", "unused")),
        *((name, ctypes.c_uint64) for name in ("nodes", "solutions")),
    )


class Twin:
    """The tables of the program, for n cells and k colours; a hint may be at the top left.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `place` | (n,) | uint64 | which sides of a cell lie on the frame, bit s for side s |
    | `fitting` | (16, k, k, 2) | uint64 | by place, colour to the left and above: slots, word |
    | `shown` | (16, k, k, 64) | uint32 | the colour below, 16 bits, and that to the right |
    | `taken` | (3, 64) | uint64 | by word and slot: all slots of the tile |
    | `unused` | (3,) | uint64 | all slots of all tiles |

    The word of a tile is the number of its sides that lie on the frame.
    """

    def __init__(self, puzzle: EdgePuzzle) -> None:
        options = lower(puzzle, Request(Symmetry.ALL)).edges
        assert options is not None
        assert not puzzle.signed
        self.width, cells = puzzle.width, puzzle.width * puzzle.height
        assert cells <= MOST_CELLS
        x, y = np.arange(cells) % self.width, puzzle.height - 1 - np.arange(cells) // self.width
        frame = (y == puzzle.height - 1, x == self.width - 1, y == 0, x == 0)
        self.place = np.zeros(cells, dtype=np.uint64)
        for side, on in enumerate(frame):
            self.place |= on.astype(np.uint64) << np.uint64(side)
        looks = looks_of(options)
        self.colours = len(looks.mate)
        keys = (16, self.colours, self.colours)
        self.fitting = np.zeros((*keys, 2), dtype=np.uint64)
        self.shown = np.zeros((*keys, MOST_SLOTS), dtype=np.uint32)
        self.taken = np.zeros((3, MOST_SLOTS), dtype=np.uint64)
        self.unused = np.zeros(3, dtype=np.uint64)
        for kind, copies in enumerate(looks.copies):
            self._add(looks.shown[looks.tile_type == kind], int(copies))

    def _add(self, looks: NDArray[np.int32], copies: int) -> None:
        """Give slots to the copies of a tile with some looks, as many as fit at once at most."""
        at = [
            (sum(1 << s for s in range(4) if look[s] == BORDER), look[WEST], look[NORTH])
            for look in looks.tolist()
        ]
        slots, word = max(Counter(at).values()), at[0][0].bit_count()
        for _ in range(copies):
            first = int(self.unused[word]).bit_length()
            assert first + slots <= MOST_SLOTS
            mask = np.uint64((1 << slots) - 1 << first)
            self.taken[word, first : first + slots] = mask
            self.unused[word] |= mask
            used = Counter[tuple[int, int, int]]()
            for key, look in zip(at, looks.tolist(), strict=True):
                slot = first + used[key]
                used[key] += 1
                self.fitting[key] |= np.array([1 << slot, word], dtype=np.uint64)
                self.shown[key][slot] = look[SOUTH] | look[EAST] << 16

    def nodes(self, library: ctypes.CDLL) -> int:
        """Search, and tell how many tiles were put down."""
        arrays = (self.place, self.fitting, self.shown, self.taken, self.unused)
        board = _Structure(
            self.width, len(self.place), self.colours, *(array.ctypes.data for array in arrays)
        )
        library.rows_twin(ctypes.byref(board))
        nodes: int = board.nodes
        return nodes
