"""The search by `rows` as code for one board: a function for each cell, tables as constants.

The functions call one another, cell after cell, so that the processor remembers each cell's
branches apart, and what the kernel reads from its plan is part of the code. A cell's candidates are
counted at once when it is reached, word by word if they are in several, and those that are left are
taken off again when a slice ends. The same tiles are put down in the same order as by the kernel,
and a slice begins and ends with the same frames, so that either goes on where the other has
stopped.

The code is in LLVM's language: numba would take ten times as long to compile as many functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dovetail.backends.rows.cell_tables import CellTables
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.llvm_lines import LineWriter
from dovetail.backends.rows.search_block import (
    BUFFERED,
    CAPACITY,
    DEPTH,
    DONE,
    FOUND,
    FULL,
    SOLUTIONS,
    SPENT,
    UNSPENT,
    Block,
)
from dovetail.backends.rows.slots import WordRange
from dovetail.jit.llvm_code import compiled
from dovetail.kernels.word_size import WORD_BITS

CELLS_PER_MODULE = 8


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
                f"@{_name(end)} = alias i64 ({_PARAMETERS}), ptr inttoptr (i64 {below} to ptr)"
            )
        below = compiled("\n".join([*_DECLARED, *functions]), _name(first))
    return below


_PARAMETERS = "ptr, i64, i64, i64, i1"
_DECLARED = ("declare i64 @llvm.cttz.i64(i64, i1)", "declare i64 @llvm.ctpop.i64(i64)")


def _name(depth: int) -> str:
    return f"cell_{depth}"


class _Given(NamedTuple):
    """What a cell's function is given of its candidates: their names in the code before it."""

    candidates: str
    row: str
    word: str


class _Cell(LineWriter):
    """Writes the function of a cell.

    It is given the search's block, the candidates in a word, their row and the word; or, if it
    resumes, nothing but the block, and its frame has them. Of a cell with one word this is a
    constant, written where a cell with several has a name.
    """

    def __init__(self, tables: CellTables, block: Block, depth: int) -> None:
        super().__init__()
        self._tables, self._block, self._depth = tables, block, depth
        self._plan = tables.plan[depth]
        self._words = tables.words_at(depth)
        self._word = str(self._words.first) if self._words.count == 1 else "%its_word"
        self._is_last = depth == block.cells - 1

    def function(self) -> str:
        """The function's text."""
        self._begin()
        self._resume()
        self._go_deeper(self._try_next())
        self._end()
        given = "ptr %search, i64 %left, i64 %row, i64 %word, i1 %resumes"
        return "\n".join([f"define i64 @{_name(self._depth)}({given}) {{", *self.lines, "}"])

    def _begin(self) -> None:
        """Take what is given, or what the frame has, and count the candidates."""
        write, load, frame = self.write, self.load, self._frame
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
            self.read_entry(f"state{k}", self._tables.step, f"%reading{k}")
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
        write, depth = self.write, self._depth
        if not self._is_last:
            self.load("depth", DEPTH)
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
        self.store(DEPTH, str(depth))
        write("br label %stop")

    def _try_next(self) -> _Given | None:
        """Put down a candidate; where the next cell then has none, the one after it.

        Returns what the next cell is given; None in the last cell.
        """
        write, rest = self.write, ["[%its_left, %check]"]
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
            return None
        self._change()
        seen = self._tables.seen[self._depth]
        if seen is None:
            self.write("%reading = add i64 %its_state, 0")
        else:
            self.read_entry("colour", seen, "%entry")
            self.write("%reading = add i64 %its_state, %colour")
        following = self._tables.words_at(self._depth + 1)
        if following.count == 1:
            return self._try_word(following.first)
        return self._try_words(following)

    def _try_word(self, word: int) -> _Given:
        """Find what fits in the next cell, whose mask is found without its row."""
        self.read_entry("fitting", self._tables.fitting, "%reading")
        self.write(
            f"%candidates = and i64 %fitting, {self._free_now(word)}",
            "%none = icmp eq i64 %candidates, 0",
            "br i1 %none, label %next, label %deep",
            "deep:",
        )
        self.read_entry("next_row", self._tables.step, "%reading")
        return _Given("%candidates", "%next_row", str(word))

    def _try_words(self, words: WordRange) -> _Given:
        """Find what fits in the next cell, word by word, and the first word that has any.

        All of them count: a search that is kept within fewer words, which `ends` says, is so in
        cells that it has entered already.
        """
        write, found = self.write, "0"
        self.read_entry("next_row", self._tables.step, "%reading")
        self.read_entry("mask0", self._tables.masks, "%next_row")
        for number in range(words.count):
            if number:
                write(
                    f"%mask{number}_at = getelementptr i64, ptr %mask0_at, i64 {number}",
                    f"%mask{number} = load i64, ptr %mask{number}_at",
                )
            free = self._free_now(words.first + number)
            write(
                f"%fits{number} = and i64 %mask{number}, {free}",
                f"%found{number} = or i64 {found}, %fits{number}",
            )
            found = f"%found{number}"
        write(f"%none = icmp eq i64 {found}, 0", "br i1 %none, label %next, label %deep", "deep:")
        candidates, passed = f"%fits{words.count - 1}", str(words.count - 1)
        for number in reversed(range(words.count - 1)):
            write(
                f"%any{number} = icmp ne i64 %fits{number}, 0",
                f"%first{number} = select i1 %any{number}, i64 %fits{number}, i64 {candidates}",
                f"%passed{number} = select i1 %any{number}, i64 {number}, i64 {passed}",
            )
            candidates, passed = f"%first{number}", f"%passed{number}"
        write(f"%deep_row = add i64 %next_row, {passed}")
        write(f"%deep_word = add i64 {words.first}, {passed}")
        return _Given(candidates, "%deep_row", "%deep_word")

    def _free_now(self, word: int) -> str:
        """What a word of `free` holds with the tile put down, which is not written there yet."""
        own = range(self._words.first, self._words.first + self._words.count)
        if word in own and self._words.count == 1:
            return "%changed"
        self.load(f"free{word}", self._free(str(word)))
        if word not in own:
            return f"%free{word}"
        self.write(
            f"%is_own{word} = icmp eq i64 {self._word}, {word}",
            f"%now{word} = select i1 %is_own{word}, i64 %changed, i64 %free{word}",
        )
        return f"%now{word}"

    def _change(self) -> None:
        """What the cell's word of `free` holds with the tile put down."""
        if self._tables.takes_own_bit(self._words):
            self.write("%taken = shl i64 1, %bit")
        else:
            self.write(f"%first_slot = shl i64 {self._word}, 6", "%slot = or i64 %first_slot, %bit")
            self.read_entry("taken", self._tables.taken, "%slot")
        self.write("%changed = xor i64 %its_before, %taken")

    def _go_deeper(self, given: _Given | None) -> None:
        """Keep the tile in the frame and fill the next cell, or after the last keep the board."""
        write, store, frame = self.write, self.store, self._frame
        if given is None:
            write("record:")
            store(frame(layout.ENTRY), "%entry")
            self._record()
            return
        store(self._free(self._word), "%changed")
        store(frame(layout.ENTRY), "%entry")
        self.read_entry("demands", self._tables.shows, "%entry")
        store(frame(layout.DEMANDS), "%demands")
        arguments = f"ptr %search, i64 {given.candidates}, i64 {given.row}, i64 {given.word}, i1 0"
        write(
            f"%reason = call i64 @{_name(self._depth + 1)}({arguments})",
            f"%is_done = icmp eq i64 %reason, {DONE}",
            "br i1 %is_done, label %next, label %stop",
        )

    def _record(self) -> None:
        """Write the entries of all frames into the next row for solutions."""
        write, load, store, cells = self.write, self.load, self.store, self._block.cells
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
        write, store, frame = self.write, self.store, self._frame
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
        self.load("last_entry", frame(layout.ENTRY))
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
        write = self.write
        self.load("end", self._block.ends + self._depth)
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
        self.read_entry("further_mask", self._tables.masks, "%further_row")
        self.load("further_free", self._free("%further_word"))
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
        self.write(f"%{name} = phi i{bits} {', '.join(ways)}")

    def _count(self, candidates: str, name: str, fits: str, unspent: str) -> None:
        """Count candidates as put down or not: `add` to the fits and `sub` from what is unspent."""
        self.write(f"%{name}_count = call i64 @llvm.ctpop.i64(i64 {candidates})")
        for what, place, change in (
            ("fits", self._block.fits + self._depth, fits),
            ("unspent", UNSPENT, unspent),
        ):
            self.load(f"{name}_{what}_before", place)
            self.write(f"%{name}_{what} = {change} i64 %{name}_{what}_before, %{name}_count")
            self.store(place, f"%{name}_{what}")

    def _free(self, word: str) -> str:
        """The place of a word of `free`, whose number is a constant or has a name."""
        name = f"%free_at{len(self.lines)}"
        self.write(f"{name} = add i64 {word}, {self._block.free}")
        return name

    def _frame(self, entry: np.uint64) -> int:
        return self._block.frame(self._depth, entry)
