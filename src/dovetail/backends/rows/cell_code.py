"""The search by `rows` as code for one board: a function for each cell, tables as constants.

The functions call one another, cell after cell, so that the processor remembers each cell's
branches apart, and what the kernel reads from its plan is part of the code. A cell's candidates are
counted at once when it is reached, word by word if they are in several, and those that are left are
taken off again when a slice ends.
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
from dovetail.backends.rows.slots import WordRange
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
    | `plan` | (n + 1, 16) | int64 | what is done at each depth, see `layout` |
    | `step`, `masks`, `shows`, `taken` | | | those of `layout.Tables` |
    | `fitting` | (states · colours,) | uint64 | the mask of the row that a step leads to |
    | `seen` | n times (entries of `shows`,) | uint16 | by depth: the colour the next cell sees |

    An array of `seen` is None where the next cell does not lie beside the cell.
    """

    plan: NDArray[np.int64]
    step: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    fitting: NDArray[np.uint64]
    shows: NDArray[np.uint64]
    taken: NDArray[np.uint64]
    seen: list[NDArray[np.uint16] | None]

    def words_at(self, depth: int) -> WordRange:
        """The words of `free` that have the candidates of the cell at a depth."""
        first, count = self.plan[depth, [int(layout.WORD), int(layout.WORDS)]].tolist()
        return WordRange(first, count)

    def takes_own_bit(self, words: WordRange) -> bool:
        """Whether putting down a tile of some words changes nothing but the bit of its slot."""
        changes = self.taken[words.first * WORD_BITS :][: words.count * WORD_BITS]
        bits = np.tile(np.uint64(1) << np.arange(WORD_BITS, dtype=np.uint64), words.count)
        return bool(((changes == bits) | (changes == 0)).all())


@dataclass(frozen=True)
class Block:
    """Where the parts of a search's block lie: behind the head `free`, `fits`, `frames`, `ends`.

    `ends` has, by depth, the word of `free` behind those whose candidates are to be tried.
    """

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
    def ends(self) -> int:
        return self.frames + self.cells * FRAME_SIZE

    @property
    def size(self) -> int:
        return self.ends + self.cells

    def frame(self, depth: int, entry: np.uint64) -> int:
        """The place of an entry of a frame, which `layout` numbers."""
        return self.frames + depth * FRAME_SIZE + int(entry)


def compile_cells(tables: CellTables, block: Block, is_wanted: Callable[[], bool]) -> int | None:
    """Compile from the last cell to the first, some at a time, as long as it is wanted.

    Returns the address of the first cell's function, which searches if it is given the address of
    a block, 0, 0, 0 and 1; None where it was no longer wanted.
    """
    below = 0
    for end in range(block.cells, 0, -CELLS_PER_MODULE):
        if not is_wanted():
            return None
        first = max(0, end - CELLS_PER_MODULE)
        functions = [_Cell(tables, block, depth).function() for depth in range(first, end)]
        if end < block.cells:
            functions.append(
                f"@{_name(end)} = alias i64 ({_PARAMETERS}), "
                f"ptr inttoptr (i64 {below} to ptr)"
            )
        below = compiled("\n".join([*_DECLARED, *functions]), _name(first))
    return below


_PARAMETERS = "ptr, i64, i64, i64, i1"
_DECLARED = ("declare i64 @llvm.cttz.i64(i64, i1)", "declare i64 @llvm.ctpop.i64(i64)")


def _name(depth: int) -> str:
    return f"cell_{depth}"


class _Cell:
    """Writes the function of a cell.

    It is given the search's block, the candidates in a word, their row and the word; or, if it
    resumes, nothing but the block, and its frame has them. Of a cell with one word this is a
    constant, written where a cell with several has a name.
    """

    def __init__(self, tables: CellTables, block: Block, depth: int) -> None:
        self._tables, self._block, self._depth = tables, block, depth
        self._plan = tables.plan[depth]
        self._words = tables.words_at(depth)
        self._word = str(self._words.first) if self._words.count == 1 else "%its_word"
        self._is_last = depth == block.cells - 1
        self._lines: list[str] = []

    def function(self) -> str:
        """The function's text."""
        self._begin()
        self._resume()
        self._try_next()
        self._go_deeper()
        self._end()
        given = "ptr %search, i64 %left, i64 %row, i64 %word, i1 %resumes"
        return "\n".join([f"define i64 @{_name(self._depth)}({given}) {{", *self._lines, "}"])

    def _begin(self) -> None:
        """Take what is given, or what the frame has, and count the candidates."""
        write, load, frame = self._write, self._load, self._frame
        write("br i1 %resumes, label %saved, label %fresh", "fresh:")
        load("free", self._free(self._word if self._words.count == 1 else "%word"))
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
            ("word", layout.AT),
            ("before", layout.BEFORE),
            ("state", layout.STATE),
        ):
            load(f"saved_{name}", frame(entry))
        write("br label %begin", "begin:")
        for name, fresh, further in (
            ("left", "%left", "%further_left"),
            ("row", "%row", "%further_row"),
            ("word", "%word", "%further_word"),
            ("before", "%free", "%further_free"),
            ("state", state, "%its_state"),
        ):
            self._phi(f"its_{name}", fresh, f"%saved_{name}", further)
        self._phi("its_resumes", "0", "%resumes", "0", bits=1)
        write("%first_entry = shl i64 %its_row, 6")
        self._count("%its_left", "begin", "add", "sub")

    def _resume(self) -> None:
        """Go on below first, if the slice before ended there."""
        write, depth = self._write, self._depth
        if not self._is_last:
            self._load("depth", DEPTH)
            write(
                f"%is_deeper = icmp ult i64 {depth}, %depth",
                "%ended_below = and i1 %its_resumes, %is_deeper",
                "br i1 %ended_below, label %deeper, label %check",
                "deeper:",
                f"%deeper_reason = call i64 @{_name(depth + 1)}(ptr %search, i64 0, i64 0, "
                "i64 0, i1 1)",
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
        following = self._tables.words_at(self._depth + 1)
        if following.count == 1:
            self._candidates_in_one(following.first)
        else:
            self._candidates_in_several(following)
        write("%none = icmp eq i64 %candidates, 0", "br i1 %none, label %next, label %deep")

    def _candidates_in_one(self, word: int) -> None:
        """What fits in the next cell, whose mask is found without its row."""
        self._read_entry("fitting", self._tables.fitting, "%reading")
        self._write(f"%candidates = and i64 %fitting, {self._free_now(word)}")

    def _candidates_in_several(self, words: WordRange) -> None:
        """What fits in the next cell, in the first of its words that has any."""
        write = self._write
        self._read_entry("next_row", self._tables.step, "%reading")
        for number in range(words.count):
            write(f"%row_in{number} = add i64 %next_row, {number}")
            self._read_entry(f"mask{number}", self._tables.masks, f"%row_in{number}")
            free = self._free_now(words.first + number)
            write(f"%fits{number} = and i64 %mask{number}, {free}")
        fits, passed = f"%fits{words.count - 1}", str(words.count - 1)
        for number in reversed(range(words.count - 1)):
            write(
                f"%any{number} = icmp ne i64 %fits{number}, 0",
                f"%first{number} = select i1 %any{number}, i64 %fits{number}, i64 {fits}",
                f"%passed{number} = select i1 %any{number}, i64 {number}, i64 {passed}",
            )
            fits, passed = f"%first{number}", f"%passed{number}"
        write(f"%candidates = add i64 {fits}, 0")

    def _free_now(self, word: int) -> str:
        """What a word of `free` holds with the tile put down, which is not written there yet."""
        own = range(self._words.first, self._words.first + self._words.count)
        if word in own and self._words.count == 1:
            return "%changed"
        self._load(f"free{word}", self._free(word))
        if word not in own:
            return f"%free{word}"
        self._write(
            f"%is_own{word} = icmp eq i64 {self._word}, {word}",
            f"%now{word} = select i1 %is_own{word}, i64 %changed, i64 %free{word}",
        )
        return f"%now{word}"

    def _change(self) -> None:
        """What the cell's word of `free` holds with the tile put down."""
        if self._tables.takes_own_bit(self._words):
            self._write("%taken = shl i64 1, %bit")
        else:
            self._write(f"%first_slot = shl i64 {self._word}, 6", "%slot = or i64 %first_slot, %bit")
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
        following = self._tables.words_at(self._depth + 1)
        row, word = "%next_row", str(following.first)
        if following.count == 1:
            self._read_entry("next_row", self._tables.step, "%reading")
        else:
            write("%deep_row = add i64 %next_row, %passed0", f"%deep_word = add i64 {word}, %passed0")
            row, word = "%deep_row", "%deep_word"
        given = f"ptr %search, i64 %candidates, i64 {row}, i64 {word}, i1 0"
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
        if self._words.count > 1:
            self._further_words()
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
            f"%last_first = shl i64 {self._word}, 6",
            "%last_slot = or i64 %last_bit, %last_first",
        )
        store(frame(layout.LEFT), "%kept")
        store(frame(layout.ROW), "%its_row")
        store(frame(layout.AT), self._word)
        store(frame(layout.BEFORE), "%its_before")
        store(frame(layout.STATE), "%its_state")
        store(frame(layout.SLOT), "%last_slot")
        write("ret i64 %why")

    def _further_words(self) -> None:
        """Go on with the next word of the cell that has candidates; fall through if none has."""
        write = self._write
        self._load("end", self._block.ends + self._depth)
        write(
            "br label %leave",
            "leave:",
            "%left_word = phi i64 [%its_word, %done], [%further_word, %further]",
            "%left_row = phi i64 [%its_row, %done], [%further_row, %further]",
            "%further_word = add i64 %left_word, 1",
            "%further_row = add i64 %left_row, 1",
            "%is_more = icmp ult i64 %further_word, %end",
            "br i1 %is_more, label %further, label %all_done",
            "further:",
        )
        self._read_entry("further_mask", self._tables.masks, "%further_row")
        self._load("further_free", self._free("%further_word"))
        write(
            "%further_left = and i64 %further_mask, %further_free",
            "%none_further = icmp eq i64 %further_left, 0",
            "br i1 %none_further, label %leave, label %begin",
            "all_done:",
        )

    def _phi(self, name: str, fresh: str, saved: str, further: str, bits: int = WORD_BITS) -> None:
        """What the cell begins with: given, of its frame, or of its next word."""
        ways = [f"[{fresh}, %fresh]", f"[{saved}, %saved]"]
        ways += [f"[{further}, %further]"] if self._words.count > 1 else []
        self._write(f"%{name} = phi i{bits} {', '.join(ways)}")

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

    def _free(self, word: int | str) -> int | str:
        """The place of a word of `free`, by its number or the name that has it."""
        if isinstance(word, int) or word.isdigit():
            return self._block.free + int(word)
        name = f"%free_at{len(self._lines)}"
        self._write(f"{name} = add i64 {word}, {self._block.free}")
        return name

    def _frame(self, entry: np.uint64) -> int:
        return self._block.frame(self._depth, entry)

    def _place(self, place: int | str) -> str:
        """A pointer to a word of the block."""
        name = f"%place{len(self._lines)}"
        self._write(f"{name} = getelementptr i64, ptr %search, i64 {place}")
        return name

    def _load(self, name: str, place: int | str) -> None:
        """Load a word of the block."""
        self._write(f"%{name} = load i64, ptr {self._place(place)}")

    def _store(self, place: int | str, value: str) -> None:
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
