"""The search by `rows` as code for one board: a function for each cell, tables as constants.

The functions call one another, cell after cell, so that the processor remembers each cell's
branches apart, and what the kernel reads from its plan is part of the code. A cell's candidates are
counted at once when it is reached, and those that are left are taken off again when a slice ends.
The same tiles are put down in the same order as by the kernel, and a slice begins and ends with the
same frames, so that either goes on where the other has stopped.

The code is in LLVM's language: numba would take ten times as long to compile as many functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.kernels import layout
from dovetail.jit.llvm_code import compiled
from dovetail.kernels.word_size import WORD_BITS

# The head of the block of words that a search is in: the nodes that are left, the depth, where the
# rows for solutions are, how many there are and how many of them are filled, the solutions found.
UNSPENT, DEPTH, SOLUTIONS, CAPACITY, BUFFERED, FOUND = range(6)
HEAD_SIZE = 6

# What a cell's function returns: all is tried; fewer nodes are left than the cell reached has
# candidates; the rows for solutions are filled.
DONE, SPENT, FULL = range(3)

CELLS_PER_MODULE = 8
FRAME_SIZE = 1 << int(layout.FRAME_BITS)


@dataclass(frozen=True, eq=False)
class CellTables:
    """What the code of a board of n cells is written from, and reads as long as it is there.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `plan` | (n + 1, 16) | int64 | what is done at each depth, see `layout`; one word to a cell |
    | `step`, `shows`, `taken` | | | those of `layout.Tables` |
    | `fitting` | (states · colours,) | uint64 | the mask of the row that a step leads to |
    | `seen` | n times (entries of `shows`,) | uint16 | by depth: the colour the next cell sees |

    An array of `seen` is None where the next cell does not lie beside the cell.
    """

    plan: NDArray[np.int64]
    step: NDArray[np.uint32]
    fitting: NDArray[np.uint64]
    shows: NDArray[np.uint64]
    taken: NDArray[np.uint64]
    seen: list[NDArray[np.uint16] | None]

    def takes_own_bit(self, word: int) -> bool:
        """Whether putting down a tile of a word changes nothing in it but the bit of its slot."""
        changes = self.taken[word * WORD_BITS : (word + 1) * WORD_BITS]
        bits = np.uint64(1) << np.arange(WORD_BITS, dtype=np.uint64)
        return bool(((changes == bits) | (changes == 0)).all())


@dataclass(frozen=True)
class Block:
    """Where the parts of a search's block lie: behind the head `free`, `fits` and `frames`."""

    words: int
    cells: int

    @property
    def free(self) -> int:
        return HEAD_SIZE

    @property
    def fits(self) -> int:
        return self.free + self.words

    @property
    def frames(self) -> int:
        return self.fits + self.cells

    @property
    def size(self) -> int:
        return self.frames + self.cells * FRAME_SIZE

    def frame(self, depth: int, entry: np.uint64) -> int:
        """The place of an entry of a frame, which `layout` numbers."""
        return self.frames + depth * FRAME_SIZE + int(entry)


def compile_cells(tables: CellTables, block: Block, is_wanted: Callable[[], bool]) -> int | None:
    """Compile from the last cell to the first, some at a time, as long as it is wanted.

    Returns the address of the first cell's function, which searches if it is given the address of
    a block, 0, 0 and 1; None where it was no longer wanted.
    """
    below = 0
    for end in range(block.cells, 0, -CELLS_PER_MODULE):
        if not is_wanted():
            return None
        first = max(0, end - CELLS_PER_MODULE)
        functions = [_Cell(tables, block, depth).function() for depth in range(first, end)]
        if end < block.cells:
            functions.append(
                f"@{_name(end)} = alias i64 (ptr, i64, i64, i1), ptr inttoptr (i64 {below} to ptr)"
            )
        below = compiled("\n".join([*_DECLARED, *functions]), _name(first))
    return below


_DECLARED = ("declare i64 @llvm.cttz.i64(i64, i1)", "declare i64 @llvm.ctpop.i64(i64)")


def _name(depth: int) -> str:
    return f"cell_{depth}"


class _Cell:
    """Writes the function of a cell.

    It is given the search's block, the candidates and their row; or, if it resumes, nothing but the
    block, and its frame has them.
    """

    def __init__(self, tables: CellTables, block: Block, depth: int) -> None:
        self._tables, self._block, self._depth = tables, block, depth
        self._plan = tables.plan[depth]
        self._word = int(self._plan[int(layout.WORD)])
        self._is_last = depth == block.cells - 1
        self._lines: list[str] = []

    def function(self) -> str:
        """The function's text."""
        self._begin()
        self._resume()
        self._try_next()
        self._go_deeper()
        self._end()
        head = f"define i64 @{_name(self._depth)}(ptr %search, i64 %left, i64 %row, i1 %resumes) {{"
        return "\n".join([head, *self._lines, "}"])

    def _begin(self) -> None:
        """Take what is given, or what the frame has, and count the candidates."""
        write, load, frame = self._write, self._load, self._frame
        write("br i1 %resumes, label %saved, label %fresh", "fresh:")
        load("free", self._free(self._word))
        state = str(self._plan[int(layout.START)])
        for k in range(int(self._plan[int(layout.EARLIER)])):
            at, shift = self._plan[int(layout.NEIGHBOURS) + 2 * k :][:2].tolist()
            load(f"demands{k}", self._block.frames + at)
            write(
                f"%shifted{k} = lshr i64 %demands{k}, {shift}",
                f"%colour{k} = and i64 %shifted{k}, {layout.COLOUR_MASK}",
                f"%reading{k} = add i64 {state}, %colour{k}",
            )
            self._read_entry(f"state{k}", self._tables.step, f"%reading{k}")
            state = f"%state{k}"
        write("br label %begin", "saved:")
        for name, entry in (
            ("left", layout.LEFT),
            ("row", layout.ROW),
            ("before", layout.BEFORE),
            ("state", layout.STATE),
        ):
            load(f"saved_{name}", frame(entry))
        write("br label %begin", "begin:")
        for name, fresh in (
            ("left", "%left"),
            ("row", "%row"),
            ("before", "%free"),
            ("state", state),
        ):
            write(f"%its_{name} = phi i64 [{fresh}, %fresh], [%saved_{name}, %saved]")
        write("%first_entry = shl i64 %its_row, 6")
        self._count("%its_left", "begin", "add", "sub")

    def _resume(self) -> None:
        """Go on below first, if the slice before ended there."""
        write, depth = self._write, self._depth
        if not self._is_last:
            self._load("depth", DEPTH)
            write(
                f"%is_deeper = icmp ult i64 {depth}, %depth",
                "%ended_below = and i1 %resumes, %is_deeper",
                "br i1 %ended_below, label %deeper, label %check",
                "deeper:",
                f"%deeper_reason = call i64 @{_name(depth + 1)}(ptr %search, i64 0, i64 0, i1 1)",
                f"%deeper_done = icmp eq i64 %deeper_reason, {DONE}",
                "br i1 %deeper_done, label %next, label %stop",
            )
        else:
            write("br label %check")
        write("check:", "%is_spent = icmp slt i64 %begin_unspent, 0")
        write("br i1 %is_spent, label %spent, label %next", "spent:")
        self._store(DEPTH, str(depth))
        write("br label %stop")

    def _try_next(self) -> None:
        """Put down a candidate; where the next cell then has none, the one after it."""
        write, rest = self._write, ["[%its_left, %check]"]
        rest += (
            ["[%rest, %record]"]
            if self._is_last
            else ["[%its_left, %deeper]", "[%rest, %try]", "[%rest, %deep]"]
        )
        write("next:", f"%untried = phi i64 {', '.join(rest)}")
        write("%all_tried = icmp eq i64 %untried, 0", "br i1 %all_tried, label %done, label %try")
        write(
            "try:",
            "%bit = call i64 @llvm.cttz.i64(i64 %untried, i1 true)",
            "%others = sub i64 %untried, 1",
            "%rest = and i64 %untried, %others",
            "%entry = or i64 %first_entry, %bit",
        )
        if self._is_last:
            write("br label %record")
            return
        self._change()
        seen = self._tables.seen[self._depth]
        if seen is None:
            self._write("%reading = add i64 %its_state, 0")
        else:
            self._read_entry("colour", seen, "%entry")
            self._write("%reading = add i64 %its_state, %colour")
        self._read_entry("fitting", self._tables.fitting, "%reading")
        free = "%changed"
        following = int(self._tables.plan[self._depth + 1, int(layout.WORD)])
        if following != self._word:
            self._load("free_next", self._free(following))
            free = "%free_next"
        write(
            f"%candidates = and i64 %fitting, {free}",
            "%none = icmp eq i64 %candidates, 0",
            "br i1 %none, label %next, label %deep",
        )

    def _change(self) -> None:
        """What the cell's word of `free` holds with the tile put down."""
        if self._tables.takes_own_bit(self._word):
            self._write("%taken = shl i64 1, %bit")
        else:
            self._write(f"%slot = or i64 {self._word * WORD_BITS}, %bit")
            self._read_entry("taken", self._tables.taken, "%slot")
        self._write("%changed = xor i64 %its_before, %taken")

    def _go_deeper(self) -> None:
        """Keep the tile in the frame and fill the next cell, or after the last keep the board."""
        write, store, frame = self._write, self._store, self._frame
        if self._is_last:
            write("record:")
            store(frame(layout.ENTRY), "%entry")
            self._record()
            return
        write("deep:")
        store(self._free(self._word), "%changed")
        store(frame(layout.ENTRY), "%entry")
        self._read_entry("demands", self._tables.shows, "%entry")
        store(frame(layout.DEMANDS), "%demands")
        self._read_entry("next_row", self._tables.step, "%reading")
        given = "ptr %search, i64 %candidates, i64 %next_row, i1 0"
        write(
            f"%reason = call i64 @{_name(self._depth + 1)}({given})",
            f"%is_done = icmp eq i64 %reason, {DONE}",
            "br i1 %is_done, label %next, label %stop",
        )

    def _record(self) -> None:
        """Write the entries of all frames into the next row for solutions."""
        write, load, store, cells = self._write, self._load, self._store, self._block.cells
        load("filled", BUFFERED)
        load("address", SOLUTIONS)
        write("%rows = inttoptr i64 %address to ptr", f"%begins = mul i64 %filled, {cells}")
        for depth in range(cells):
            load(f"entry{depth}", self._block.frame(depth, layout.ENTRY))
            write(
                f"%column{depth} = add i64 %begins, {depth}",
                f"%at{depth} = getelementptr i64, ptr %rows, i64 %column{depth}",
                f"store i64 %entry{depth}, ptr %at{depth}",
            )
        load("found", FOUND)
        write("%found_now = add i64 %found, 1", "%filled_now = add i64 %filled, 1")
        store(FOUND, "%found_now")
        store(BUFFERED, "%filled_now")
        load("capacity", CAPACITY)
        store(DEPTH, str(self._depth))
        write(
            "%is_full = icmp eq i64 %filled_now, %capacity",
            "br i1 %is_full, label %stop, label %next",
        )

    def _end(self) -> None:
        """Return: all is tried, or what is left is kept in the frame."""
        write, store, frame = self._write, self._store, self._frame
        write("done:")
        store(self._free(self._word), "%its_before")
        write(f"ret i64 {DONE}", "stop:")
        left, why = ["[%its_left, %spent]"], [f"[{SPENT}, %spent]"]
        if self._is_last:
            left += ["[%rest, %record]"]
            why += [f"[{FULL}, %record]"]
        else:
            left += ["[%its_left, %deeper]", "[%rest, %deep]"]
            why += ["[%deeper_reason, %deeper]", "[%reason, %deep]"]
        write(f"%kept = phi i64 {', '.join(left)}", f"%why = phi i64 {', '.join(why)}")
        self._count("%kept", "stop", "sub", "add")
        self._load("last_entry", frame(layout.ENTRY))
        write(
            f"%last_bit = and i64 %last_entry, {WORD_BITS - 1}",
            f"%last_slot = or i64 %last_bit, {self._word * WORD_BITS}",
        )
        store(frame(layout.LEFT), "%kept")
        store(frame(layout.ROW), "%its_row")
        store(frame(layout.AT), str(self._word))
        store(frame(layout.BEFORE), "%its_before")
        store(frame(layout.STATE), "%its_state")
        store(frame(layout.SLOT), "%last_slot")
        write("ret i64 %why")

    def _count(self, candidates: str, name: str, fits: str, unspent: str) -> None:
        """Count candidates as put down or not: `add` to the fits and `sub` from what is unspent."""
        self._write(f"%{name}_count = call i64 @llvm.ctpop.i64(i64 {candidates})")
        for what, place, change in (
            ("fits", self._block.fits + self._depth, fits),
            ("unspent", UNSPENT, unspent),
        ):
            self._load(f"{name}_{what}_before", place)
            self._write(f"%{name}_{what} = {change} i64 %{name}_{what}_before, %{name}_count")
            self._store(place, f"%{name}_{what}")

    def _write(self, *lines: str) -> None:
        self._lines += lines

    def _free(self, word: int) -> int:
        return self._block.free + word

    def _frame(self, entry: np.uint64) -> int:
        return self._block.frame(self._depth, entry)

    def _place(self, place: int) -> str:
        """A pointer to a word of the block."""
        name = f"%place{len(self._lines)}"
        self._write(f"{name} = getelementptr i64, ptr %search, i64 {place}")
        return name

    def _load(self, name: str, place: int) -> None:
        """Load a word of the block."""
        self._write(f"%{name} = load i64, ptr {self._place(place)}")

    def _store(self, place: int, value: str) -> None:
        self._write(f"store i64 {value}, ptr {self._place(place)}")

    def _read_entry(self, name: str, table: NDArray[Any], index: str) -> None:
        """Load an entry of a table, as a word."""
        bits, begins = 8 * table.itemsize, f"inttoptr (i64 {table.ctypes.data} to ptr)"
        self._write(f"%{name}_at = getelementptr i{bits}, ptr {begins}, i64 {index}")
        if bits == WORD_BITS:
            self._write(f"%{name} = load i{bits}, ptr %{name}_at")
        else:
            self._write(f"%{name}_short = load i{bits}, ptr %{name}_at")
            self._write(f"%{name} = zext i{bits} %{name}_short to i{WORD_BITS}")
