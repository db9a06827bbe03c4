"""Machine code for the search of a single edge-matching board, with a function for each cell.

Each function calls the function of the next cell. So the processor predicts the branches of each
cell separately, and the addresses of tables and the places of a cell's words are constants. When a
search reaches a word of candidates, all candidates in it are counted as fits. When a slice ends,
the candidates that are still untried are subtracted again. Tiles are put down in the same order as
by the kernel of `rows`, and a slice begins and ends with the same frames. So the code and the
kernel can each continue a search of the other.

The code is in LLVM's language, because numba takes much longer to compile as many functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.machine_code.start import compiled

CELLS_PER_MODULE = 8
WORD_BITS = 64

# Head of the block of words that holds a search: number of nodes left, depth where the last slice
# ended, address of the rows for solutions, number of these rows, number of filled rows, number of
# solutions found.
UNSPENT, DEPTH, SOLUTIONS, CAPACITY, BUFFERED, FOUND = range(6)
HEAD_SIZE = 6

# Results of a cell's function. DONE: all candidates are tried. SPENT: fewer nodes are left than the
# word just reached has candidates. FULL: all rows for solutions are filled.
DONE, SPENT, FULL = range(3)

# Words of a frame; there is a frame for each depth:
#   ENTRY, SLOT  tile put down last, as an entry of the tables and as a slot
#   LEFT         candidates in the tile's word of slots that are not tried yet
#   STATE        state for the next cell, from the tiles before this cell
#   4            used by the kernel of `rows` only
#   ROW, AT      row of `masks` for the candidates, and number of their word
#   BEFORE       this word of free slots before a tile was put down
ENTRY, SLOT, LEFT, STATE, _, ROW, AT, BEFORE = range(8)
FRAME_SIZE = 8


class WordRange(NamedTuple):
    """Consecutive words."""

    first: int  # number of the first word
    size: int  # number of words


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell of a board, in the order of filling.

    The colour of each tile that the next cell touches changes the state for the next cell.
    """

    words: WordRange  # words of free slots in which the cell has candidates
    start: int  # initial state for the next cell
    # For each tile that the next cell touches, except this cell's tile: the depth of the tile, and
    # the touched colour by entry.
    earlier: Sequence[tuple[int, NDArray[np.uint16]]]
    # Touched colour of this cell's tile by entry; None if the next cell does not touch this cell.
    seen: NDArray[np.uint16] | None


@dataclass(frozen=True, eq=False)
class CodeTables:
    """A board for which code is compiled: its cells, and the flat tables that the code reads.

    The tables are those of `RowsTables` in `backends.rows.kernels.layout`.
    """

    cells: Sequence[Cell]
    words: int  # number of words of free slots, including a last word that belongs to no cell
    # Next state for the sum of a state and a colour; after the last colour of a cell, the index in
    # `masks` for the cell's first word.
    step: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    fitting: NDArray[np.uint64]  # for the same sum, the mask at this index
    taken: NDArray[np.uint64]  # by slot: bits that change in its word when its tile is put down

    def words_at(self, depth: int) -> WordRange:
        """Return the words of the cell at `depth`; after the last cell, the last word of all."""
        return self.cells[depth].words if depth < len(self.cells) else WordRange(self.words - 1, 1)

    def takes_own_bit(self, words: WordRange) -> bool:
        """Return whether each tile of `words`, when put down, changes only the bit of its slot."""
        changes = self.taken[words.first * WORD_BITS :][: words.size * WORD_BITS]
        bits = np.tile(np.uint64(1) << np.arange(WORD_BITS, dtype=np.uint64), words.size)
        return bool(((changes == bits) | (changes == 0)).all())


class Block:
    """Places of the parts of a search in its block of words, after the head."""

    def __init__(self, words: int, cells: int) -> None:
        self.cells = cells  # number of cells
        self.free = HEAD_SIZE  # words of free slots
        self.fits = self.free + words  # number of fits by depth
        self.frames = self.fits + cells
        # By depth: the exclusive end of the words whose candidates are to be tried.
        self.ends = self.frames + cells * FRAME_SIZE
        self.size = self.ends + cells

    def frame(self, depth: int, entry: int) -> int:
        """Return the place of a word of the frame at `depth`."""
        return self.frames + depth * FRAME_SIZE + entry

    def name(self, depth: int) -> str:
        """Return a name for the function of a cell; no other block has it at the same time."""
        return f"cell_{depth}_{id(self)}"


class CompiledBoard:
    """Compiled code of a board; the state of a search is a block of words."""

    def __init__(self, board: CodeTables, address: int) -> None:
        self._board = board  # kept alive, because the code reads its tables
        self.block = Block(board.words, len(board.cells))
        word, pointer = ctypes.c_uint64, ctypes.c_void_p
        self._function = ctypes.CFUNCTYPE(word, pointer, word, word, word, ctypes.c_bool)(address)

    def search(self, words: NDArray[np.uint64]) -> int:
        """Continue the search in a block; return why the slice ended: `DONE`, `SPENT` or `FULL`."""
        return int(self._function(words.ctypes.data, 0, 0, 0, True))


def compile_board(board: CodeTables, is_wanted: Callable[[], bool]) -> CompiledBoard | None:
    """Compile a board's code from the last cell to the first, `CELLS_PER_MODULE` at a time.

    Returns None as soon as `is_wanted` returns False.
    """
    below, block = 0, Block(board.words, len(board.cells))
    for end in range(block.cells, 0, -CELLS_PER_MODULE):
        if not is_wanted():
            return None
        first = max(0, end - CELLS_PER_MODULE)
        functions = [_CellWriter(board, block, depth).function() for depth in range(first, end)]
        if end < block.cells:
            functions.append(
                f"@{block.name(end)} = alias i64 ({_PARAMETERS}), ptr inttoptr (i64 {below} to ptr)"
            )
        below = compiled("\n".join([*_DECLARED, *functions]), block.name(first))
    return CompiledBoard(board, below)


_PARAMETERS = "ptr, i64, i64, i64, i1"
_DECLARED = ("declare i64 @llvm.cttz.i64(i64, i1)", "declare i64 @llvm.ctpop.i64(i64)")


class _Given(NamedTuple):
    """Arguments for the next cell's function: names of values, or constants."""

    candidates: str
    row: str
    word: str


class _LineWriter:
    """Gathers the lines of a function whose argument `%search` is the address of a block.

    A place in the block is the number of a word, or the name of a value that has this number.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, *lines: str) -> None:
        """Add lines unchanged."""
        self.lines += lines

    def place(self, place: int | str) -> str:
        """Return a pointer to a word of the block."""
        name = f"%place{len(self.lines)}"
        self.write(f"{name} = getelementptr i64, ptr %search, i64 {place}")
        return name

    def load(self, name: str, place: int | str) -> None:
        """Load a word of the block as `%NAME`."""
        self.write(f"%{name} = load i64, ptr {self.place(place)}")

    def store(self, place: int | str, value: str) -> None:
        """Store a value in a word of the block."""
        self.write(f"store i64 {value}, ptr {self.place(place)}")

    def read_entry(self, name: str, table: NDArray[Any], index: str) -> None:
        """Load an entry of a table as the word `%NAME`; its address is `%NAME_at`."""
        bits, begins = 8 * table.itemsize, f"inttoptr (i64 {table.ctypes.data} to ptr)"
        self.write(f"%{name}_at = getelementptr i{bits}, ptr {begins}, i64 {index}")
        if bits == WORD_BITS:
            self.write(f"%{name} = load i{bits}, ptr %{name}_at")
        else:
            self.write(f"%{name}_short = load i{bits}, ptr %{name}_at")
            self.write(f"%{name} = zext i{bits} %{name}_short to i{WORD_BITS}")


class _CellWriter(_LineWriter):
    """Writes the function of a cell.

    Arguments of the function are the search's block, the candidates in a word, their row, the
    number of the word, and whether the function resumes. If it does, the cell's frame replaces the
    candidates, the row and the word. In a cell with a single word, the word is a constant.
    """

    def __init__(self, board: CodeTables, block: Block, depth: int) -> None:
        super().__init__()
        self._board, self._block, self._depth = board, block, depth
        self._cell, self._words = board.cells[depth], board.words_at(depth)
        self._name, self._next_name = block.name(depth), block.name(depth + 1)
        self._word = str(self._words.first) if self._words.size == 1 else "%its_word"
        self._is_last = depth == block.cells - 1

    def function(self) -> str:
        """Return the function's text."""
        self._begin()
        self._resume()
        self._go_deeper(self._try_next())
        self._end()
        given = "ptr %search, i64 %left, i64 %row, i64 %word, i1 %resumes"
        return "\n".join([f"define i64 @{self._name}({given}) {{", *self.lines, "}"])

    def _begin(self) -> None:
        """Begin with the arguments or, to resume, with the frame; count the candidates."""
        write, load, frame = self.write, self.load, self._frame
        write("br i1 %resumes, label %saved, label %fresh", "fresh:")
        load("free", self._free(self._word if self._words.size == 1 else "%word"))
        state = str(self._cell.start)
        for k, (depth, colours) in enumerate(self._cell.earlier):
            load(f"earlier{k}", self._block.frame(depth, ENTRY))
            self.read_entry(f"colour{k}", colours, f"%earlier{k}")
            write(f"%reading{k} = add i64 {state}, %colour{k}")
            self.read_entry(f"state{k}", self._board.step, f"%reading{k}")
            state = f"%state{k}"
        write("br label %begin", "saved:")
        for name, entry in (
            ("left", LEFT),
            ("row", ROW),
            ("word", AT),
            ("before", BEFORE),
            ("state", STATE),
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
        """Resume deeper if the previous slice ended beyond this cell; stop if nodes are spent."""
        write, depth = self.write, self._depth
        if not self._is_last:
            self.load("depth", DEPTH)
            write(
                f"%is_deeper = icmp ult i64 {depth}, %depth",
                "%ended_below = and i1 %its_resumes, %is_deeper",
                "br i1 %ended_below, label %deeper, label %check",
                "deeper:",
                f"%deeper_reason = call i64 @{self._next_name}(ptr %search, i64 0, i64 0, "
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
        """Put down the next candidate after which the next cell has candidates.

        Returns the arguments for the next cell's function; None in the last cell.
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
        seen = self._cell.seen
        if seen is None:
            self.write("%reading = add i64 %its_state, 0")
        else:
            self.read_entry("colour", seen, "%entry")
            self.write("%reading = add i64 %its_state, %colour")
        following = self._board.words_at(self._depth + 1)
        if following.size == 1:
            return self._try_word(following.first)
        return self._try_words(following)

    def _try_word(self, word: int) -> _Given:
        """Find the candidates of the next cell, which has a single word and a mask in `fitting`."""
        self.read_entry("fitting", self._board.fitting, "%reading")
        self.write(
            f"%candidates = and i64 %fitting, {self._free_now(word)}",
            "%none = icmp eq i64 %candidates, 0",
            "br i1 %none, label %next, label %deep",
            "deep:",
        )
        self.read_entry("next_row", self._board.step, "%reading")
        return _Given("%candidates", "%next_row", str(word))

    def _try_words(self, words: WordRange) -> _Given:
        """Find the candidates of the next cell and the first word that has any, word by word.

        All words of the cell are examined: `ends` excludes words only in cells that the search has
        entered already.
        """
        write, found = self.write, "0"
        self.read_entry("next_row", self._board.step, "%reading")
        self.read_entry("mask0", self._board.masks, "%next_row")
        for number in range(words.size):
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
        candidates, passed = f"%fits{words.size - 1}", str(words.size - 1)
        for number in reversed(range(words.size - 1)):
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
        """Return a word of free slots with the tile put down; the block is changed later."""
        group = range(self._words.first, self._words.first + self._words.size)
        if word in group and self._words.size == 1:
            return "%changed"
        self.load(f"free{word}", self._free(str(word)))
        if word not in group:
            return f"%free{word}"
        self.write(
            f"%is_own{word} = icmp eq i64 {self._word}, {word}",
            f"%now{word} = select i1 %is_own{word}, i64 %changed, i64 %free{word}",
        )
        return f"%now{word}"

    def _change(self) -> None:
        """Compute the cell's word of free slots with the tile put down."""
        if self._board.takes_own_bit(self._words):
            self.write("%taken = shl i64 1, %bit")
        else:
            self.write(f"%first_slot = shl i64 {self._word}, 6", "%slot = or i64 %first_slot, %bit")
            self.read_entry("taken", self._board.taken, "%slot")
        self.write("%changed = xor i64 %its_before, %taken")

    def _go_deeper(self, given: _Given | None) -> None:
        """Store the tile in the frame and fill the next cell; record a board that is full."""
        write, store, frame = self.write, self.store, self._frame
        if given is None:
            write("record:")
            store(frame(ENTRY), "%entry")
            self._record()
            return
        store(self._free(self._word), "%changed")
        store(frame(ENTRY), "%entry")
        arguments = f"ptr %search, i64 {given.candidates}, i64 {given.row}, i64 {given.word}, i1 0"
        write(
            f"%reason = call i64 @{self._next_name}({arguments})",
            f"%is_done = icmp eq i64 %reason, {DONE}",
            "br i1 %is_done, label %next, label %stop",
        )

    def _record(self) -> None:
        """Write the entries of all frames into the next row for solutions; stop at the last row."""
        write, load, store, cells = self.write, self.load, self.store, self._block.cells
        load("filled", BUFFERED)
        load("address", SOLUTIONS)
        write("%rows = inttoptr i64 %address to ptr", f"%begins = mul i64 %filled, {cells}")
        for depth in range(cells):
            load(f"entry{depth}", self._block.frame(depth, ENTRY))
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
        """Return `DONE`, or store the untried candidates in the frame and return the reason."""
        write, store, frame = self.write, self.store, self._frame
        write("done:")
        store(self._free(self._word), "%its_before")
        if self._words.size > 1:
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
        self.load("last_entry", frame(ENTRY))
        write(
            f"%last_bit = and i64 %last_entry, {WORD_BITS - 1}",
            f"%last_first = shl i64 {self._word}, 6",
            "%last_slot = or i64 %last_bit, %last_first",
        )
        store(frame(LEFT), "%kept")
        store(frame(ROW), "%its_row")
        store(frame(AT), self._word)
        store(frame(BEFORE), "%its_before")
        store(frame(STATE), "%its_state")
        store(frame(SLOT), "%last_slot")
        write("ret i64 %why")

    def _further_words(self) -> None:
        """Continue with the cell's next word that has candidates; fall through if none has."""
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
        self.read_entry("further_mask", self._board.masks, "%further_row")
        self.load("further_free", self._free("%further_word"))
        write(
            "%further_left = and i64 %further_mask, %further_free",
            "%none_further = icmp eq i64 %further_left, 0",
            "br i1 %none_further, label %leave, label %begin",
            "all_done:",
        )

    def _phi(self, name: str, fresh: str, saved: str, further: str, bits: int = WORD_BITS) -> None:
        """Select an initial value: from the arguments, the frame, or the cell's next word."""
        ways = [f"[{fresh}, %fresh]", f"[{saved}, %saved]"]
        ways += [f"[{further}, %further]"] if self._words.size > 1 else []
        self.write(f"%{name} = phi i{bits} {', '.join(ways)}")

    def _count(self, candidates: str, name: str, fits: str, unspent: str) -> None:
        """Add the number of `candidates`, a bit mask, to the fits and nodes left, or subtract it.

        `fits` and `unspent` are the operations, `add` or `sub`. Names of values begin with `name`.
        """
        self.write(f"%{name}_count = call i64 @llvm.ctpop.i64(i64 {candidates})")
        for what, place, change in (
            ("fits", self._block.fits + self._depth, fits),
            ("unspent", UNSPENT, unspent),
        ):
            self.load(f"{name}_{what}_before", place)
            self.write(f"%{name}_{what} = {change} i64 %{name}_{what}_before, %{name}_count")
            self.store(place, f"%{name}_{what}")

    def _free(self, word: str) -> str:
        """Return the place of a word of free slots; `word` is a number or the name of a value."""
        name = f"%free_at{len(self.lines)}"
        self.write(f"{name} = add i64 {word}, {self._block.free}")
        return name

    def _frame(self, entry: int) -> int:
        return self._block.frame(self._depth, entry)
