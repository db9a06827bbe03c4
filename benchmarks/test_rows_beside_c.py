"""`rows` beside small programs of the same kind in C, compiled here; identical tiles once.

Run with `pytest benchmarks -s`; skipped where there is no C compiler. Nothing is asserted about
time; nodes are.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from benchmarks.compiling import compiled
from benchmarks.timing import Contender, answers, beside, in_turn, seconds
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.rows import board_code
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.backends.rows.tables import IdenticalTiles
from dovetail.backends.shared.tiles import tile_orientations
from dovetail.models.boards.edges import BORDER, EdgePuzzle
from dovetail.models.boards.geometry import EAST, NORTH, SOUTH, WEST
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.edge_boards import random_board
from golden.edge_boards import (
    COMMUNITY,
    board,
    edge_puzzle,
    needs_community,
    truth,
    with_first_corner,
)

SOURCE = Path(__file__).with_name("rows_twin.c")
FLAGS = ("-std=c11", "-O3", "-march=native", "-shared", "-fPIC")
STRAIGHT = "-fvisibility=protected"  # tables are reached without looking up where they lie
ROUNDS = 7
TABLES = ("size", "base", "word", "fitting", "shown", "taken", "unused")
FIRST_NODES = 50_000_000
MAX_CELLS, MAX_COLOURS, MAX_SLOTS = 256, 32, 64
ONCE = RowsConfig(("top-down",))
EACH = RowsConfig(("top-down",), identical_tiles="each")
BOARDS = [
    pytest.param("community", marks=needs_community),
    "E_7_5.b6i6",
    "E_8_1.9",
    "E_8_2.b8i8",
]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin, compiled by whatever C compiler is there."""
    return compiled(SOURCE, tmp_path_factory.mktemp("twin"), (*FLAGS, STRAIGHT))


@pytest.mark.parametrize("name", BOARDS)
def test_beside_c(library: ctypes.CDLL, name: str) -> None:
    """Target: at least 0.7 of the rate, so at most 1.43 of the time."""
    puzzle, solutions = board_and_count(name, "solutions_labelled")
    contenders: dict[str, Contender] = {"rows": rows(puzzle, EACH)}
    contenders["C"] = partial(twin, library, puzzle, solutions)
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    (nodes,) = set(answers(timings))
    assert isinstance(nodes, int)
    print(f"\n{name}, {nodes:,} nodes, rounds: {ROUNDS}, prepare + solve:")
    for contender, each in timings.items():
        rate = nodes / min(timing.solve_s for timing in each) / 1e6
        print(f"  {contender}: {seconds(each)}, {rate:.0f} M nodes/s at best")
    print(f"  rows / C: {beside(timings['rows'], timings['C'])}; target for solve 1.43")


@pytest.mark.parametrize("name", BOARDS)
def test_its_code_beside_generated_c(
    library: ctypes.CDLL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Identical tiles once. Target: at least the rate of C with a function for each cell."""
    puzzle, solutions = board_and_count(name, "boards")
    tables = Twin(puzzle, "once")
    source = tmp_path / "generated.c"
    source.write_text(generated(tables))
    of_board = compiled(source, tmp_path, (*FLAGS, STRAIGHT))
    monkeypatch.setattr(board_code, "CELL_NODES_BEFORE", 10**18)
    contenders: dict[str, Contender] = {
        "rows, its kernel": rows(puzzle, ONCE),
        "rows, the board's code": partial(by_code, puzzle),
        "C": partial(twin, library, puzzle, solutions, "once"),
        "generated C": partial(twin, of_board, puzzle, solutions, "once"),
    }
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    (nodes,) = set(answers(timings))
    assert isinstance(nodes, int)
    print(f"\n{name}, {nodes:,} nodes, rounds: {ROUNDS}, prepare + solve:")
    for contender, each in timings.items():
        rate = nodes / min(timing.solve_s for timing in each) / 1e6
        print(f"  {contender}: {seconds(each)}, {rate:.0f} M nodes/s at best")
        print(f"    by generated C: {beside(each, timings['generated C'])}")


@pytest.mark.parametrize(("size", "colours"), [(10, 10), (11, 12), (12, 14), (14, 16), (16, 18)])
def test_its_code_beside_the_kernel(
    monkeypatch: pytest.MonkeyPatch, size: int, colours: int
) -> None:
    """The first nodes of boards whose inner tiles are in one to four words. Target: 15 % faster."""
    monkeypatch.setattr(board_code, "CELL_NODES_BEFORE", 10**18)
    puzzle = random_board(size, size, colours, seed=1)
    contenders: dict[str, Contender] = {
        "its kernel": rows(puzzle, ONCE, FIRST_NODES),
        "the board's code": partial(by_code, puzzle, FIRST_NODES),
    }
    in_turn(contenders, 1)
    timings = in_turn(contenders, ROUNDS)
    (nodes,) = set(answers(timings))
    print(f"\n{size}x{size}, {colours} colours, {nodes:,} nodes, rounds: {ROUNDS}:")
    code, kernel = timings["the board's code"], timings["its kernel"]
    print(f"  code / kernel: {beside(code, kernel)}")


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


def board_and_count(name: str, column: str) -> tuple[EdgePuzzle, int]:
    """A board, the first corner at the top left, and its solutions by a column of the truth."""
    if name == "community":
        return edge_puzzle(COMMUNITY), 260
    return with_first_corner(board(name), "top-down"), int(truth(name)[column])


def rows(puzzle: EdgePuzzle, config: RowsConfig, max_nodes: int = 10**18) -> Contender:
    """The project's kernel, compiled, for so many nodes or a slice more; it returns its nodes."""
    backend = RowsBackend()
    backend.warm_up()
    backend.warm_up_for(build_task(puzzle, Request(Symmetry.ALL)), config)

    def prepared() -> Callable[[], int]:
        search = backend.prepare(build_task(puzzle, Request(Symmetry.ALL)), config)

        def run() -> int:
            while search.nodes < max_nodes and search.advance(Budget(work=5_000_000)) is None:
                search.take()
            return search.nodes

        return run

    return prepared


def by_code(puzzle: EdgePuzzle, max_nodes: int = 10**18) -> Callable[[], int]:
    """The same by the board's code, compiled beforehand."""
    search = RowsBackend().prepare(build_task(puzzle, Request(Symmetry.ALL)), ONCE)
    search.compile_code()

    def run() -> int:
        while search.nodes < max_nodes and search.advance(Budget(work=5_000_000)) is None:
            search.take()
        return search.nodes

    return run


def generated(tables: Twin) -> str:
    """The program in C with a function for each cell, whose numbers are constants."""
    head = SOURCE.read_text().split("static void fill")[0]
    width, cells = tables.size.tolist()
    last = "nodes += __builtin_popcountll(fits); solutions += __builtin_popcountll(fits);"
    functions = [f"static void cell{cells - 1}(Word key, Word fits) {{ {last} }}"]
    for cell in reversed(range(cells - 1)):
        here, there = int(tables.word[cell]), int(tables.word[cell + 1])
        functions.append(
            f"""
static void cell{cell}(Word key, Word fits) {{
    const Word next = {tables.base[cell + 1]} + above[{cell + 1}], before = unused[{here}];
    for (; fits; fits &= fits - 1) {{
        const Word slot = (Word)__builtin_ctzll(fits);
        const uint32_t both = shown[key][slot];
        nodes++;
        unused[{here}] = before ^ taken[{here}][slot];
        const Word next_key = next + (both >> 16), fit = fitting[next_key] & unused[{there}];
        if (fit) {{
            above[{cell + width}] = both & 0xffff;
            cell{cell + 1}(next_key, fit);
        }}
    }}
    unused[{here}] = before;
}}"""
        )
    body = SOURCE.read_text().split("void rows_twin", 1)[1].replace("fill(0, ", "cell0(")
    return "\n".join([head, *functions, "void rows_twin" + body])


def twin(
    library: ctypes.CDLL,
    puzzle: EdgePuzzle,
    solutions: int,
    identical_tiles: IdenticalTiles = "each",
) -> Callable[[], int]:
    """The program in C, on tables of its own, which finds so many solutions; it returns its nodes.

    If copies of a tile are tried `each`, it finds a board once for each way to lay them.
    """
    tables = Twin(puzzle, identical_tiles)

    def run() -> int:
        nodes, found = tables.search(library)
        assert found == solutions
        return nodes

    return run


class Twin:
    """The tables of the program, for n cells and k colours; a hint may be at the top left.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `size` | (2,) | uint64 | the width of the board, and n |
    | `base` | (n,) | uint64 | the first key of a cell's place |
    | `word` | (n,) | uint64 | the word that holds the tiles of a cell |
    | `fitting` | (16, k, k) | uint64 | by place, colour above and to the left: the slots that fit |
    | `shown` | (16, k, k, 64) | uint32 | what the tile in a slot adds to other cells' keys |
    | `taken` | (3, 64) | uint64 | by word and slot: all slots of the tile |
    | `unused` | (3,) | uint64 | the slots of the tiles that can be taken |

    A place tells which sides of a cell lie on the frame, a bit for each; the word of a tile is the
    number of its sides that do. A key is an index into `fitting` when it is flat. The tile above
    adds its colour times k to it, the lower 16 bits of `shown`, that to the left its colour, the
    upper ones.
    """

    def __init__(self, puzzle: EdgePuzzle, identical_tiles: IdenticalTiles = "each") -> None:
        options = build_task(puzzle, Request(Symmetry.ALL)).edges
        assert options is not None
        assert not puzzle.signed
        width, cells = puzzle.width, puzzle.width * puzzle.height
        x, y = np.arange(cells) % width, puzzle.height - 1 - np.arange(cells) // width
        frame = np.array([y == puzzle.height - 1, x == width - 1, y == 0, x == 0])
        orientations = tile_orientations(options)
        self.colours = len(orientations.mate)
        assert cells <= MAX_CELLS
        assert self.colours <= MAX_COLOURS
        self.size = np.array([width, cells], dtype=np.uint64)
        place = (1 << np.arange(4)) @ frame
        self.base = (place * self.colours**2).astype(np.uint64)
        self.word = frame.sum(axis=0).astype(np.uint64)
        keys = (16, self.colours, self.colours)
        self.fitting = np.zeros(keys, dtype=np.uint64)
        self.shown = np.zeros((*keys, MAX_SLOTS), dtype=np.uint32)
        self.taken = np.zeros((3, MAX_SLOTS), dtype=np.uint64)
        self.unused = np.zeros(3, dtype=np.uint64)
        self.slots = [0, 0, 0]
        for kind, copies in enumerate(orientations.copies):
            one = orientations.shown[orientations.tile_type == kind]
            self._add(one, int(copies), identical_tiles)

    def _add(
        self, orientations: NDArray[np.int32], copies: int, identical_tiles: IdenticalTiles
    ) -> None:
        """Give slots to the copies of a tile in some orientations, as many as fit at once.

        If they are tried `once`, the first is unused, and each that is taken puts the next there.
        """
        at = [
            (
                sum(1 << s for s in range(4) if orientation[s] == BORDER),
                orientation[NORTH],
                orientation[WEST],
            )
            for orientation in orientations.tolist()
        ]
        slots, word = max(Counter(at).values()), at[0][0].bit_count()
        for copy in range(copies):
            first = self.slots[word]
            self.slots[word] = first + slots
            assert first + slots <= MAX_SLOTS
            mask = np.uint64((1 << slots) - 1 << first)
            self.taken[word, first : first + slots] = mask
            if identical_tiles == "each" or copy == 0:
                self.unused[word] |= mask
            else:
                self.taken[word, first - slots : first] |= mask
            used = Counter[tuple[int, int, int]]()
            for key, orientation in zip(at, orientations.tolist(), strict=True):
                slot = first + used[key]
                used[key] += 1
                self.fitting[key] |= np.uint64(1 << slot)
                self.shown[key][slot] = orientation[SOUTH] * self.colours | orientation[EAST] << 16

    def search(self, library: ctypes.CDLL) -> tuple[int, int]:
        """Search, and tell how many tiles were put down, and how many boards were full."""
        for name in TABLES:
            array: NDArray[np.generic] = getattr(self, name)
            there = ctypes.addressof(ctypes.c_char.in_dll(library, name))
            ctypes.memmove(there, array.ctypes.data, array.nbytes)
        found = (ctypes.c_uint64 * 2)()
        library.rows_twin(found)
        return found[0], found[1]
