"""Fletcher's program in C: nested ifs made from the tree, as his macros were expanded.

Where the kernel of `fletcher` goes through a table, here every test of the tree is code of its
own, a constant in an instruction, and every branch has a history of its own in the processor.
In `bytes` the board is a byte for each cell, which is set and cleared; in `window` it is the
window of the kernel, in a register, and nothing has to be taken back. For boards of one word.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from benchmarks.compiling import compiled
from numpy.typing import NDArray

from dovetail.backends.fletcher.board import FletcherBoard, board_for
from dovetail.backends.fletcher.orientations import (
    NONE,
    Orientation,
    TreeStep,
    orientations_of,
    tree_of,
)
from dovetail.models.options.packing import PackingOptions
from dovetail.models.task import Task

FLAGS = ("-std=c11", "-O3", "-march=native", "-shared", "-fPIC")
BoardLayout = Literal["bytes", "window"]
# A board as bytes, and its windows at every place.
_Filled = tuple[NDArray[np.uint8], NDArray[np.uint64]]
BOARD_LAYOUTS: tuple[BoardLayout, ...] = ("bytes", "window")

FRAMES: dict[BoardLayout, str] = {
    "bytes": """
#include <stdint.h>
static uint64_t fits, found;
static void place(uint8_t *t, uint64_t left) {
    if (!left) { found++; return; }
    while (*t) t++;
%s
}
void run(uint8_t *board, const uint64_t *at_first, uint64_t left, uint64_t *counts) {
    fits = found = 0;
    place(board, left);
    counts[0] = fits; counts[1] = found;
}
""",
    "window": """
#include <stdint.h>
static uint64_t fits, found;
static const uint64_t *windows;
static void place(uint64_t w, uint64_t at, uint64_t left) {
    if (!left) { found++; return; }
    while (w == UINT64_MAX) w = windows[at += 64];
    uint64_t passed = __builtin_ctzll(~w);
    at += passed;
    w = w >> passed | windows[at];
%s
}
void run(uint8_t *board, const uint64_t *at_first, uint64_t left, uint64_t *counts) {
    fits = found = 0;
    windows = at_first;
    place(windows[0], 0, left);
    counts[0] = fits; counts[1] = found;
}
""",
}


@dataclass(frozen=True, eq=False)
class CompiledTree:
    """The program for a task whose restricted piece is placed first."""

    library: ctypes.CDLL
    options: PackingOptions
    shape: int
    board: FletcherBoard

    @classmethod
    def of(cls, task: Task, layout: BoardLayout, folder: Path) -> CompiledTree:
        """Made and compiled; skips the test where no C compiler is found."""
        options = task.options
        assert isinstance(options, PackingOptions)
        assert task.reduced is not None
        assert task.reduced.symmetry_breaking is not None
        shape = task.reduced.symmetry_breaking.option_group
        others = [number for number in range(len(options.placements.shapes)) if number != shape]
        orientations = orientations_of(options, others)
        placements = options.placements
        board = board_for(placements.coordinates, orientations, placements.lattice)
        assert board.words == 1
        steps = tree_of(orientations, placements.lattice)
        body = "\n".join(_Writer(steps, orientations, board, layout).tests(0, len(steps)))
        source = folder / f"{layout}.c"
        source.write_text(FRAMES[layout] % body)
        return cls(compiled(source, folder, FLAGS), options, shape, board)

    def __call__(self) -> Callable[[], int]:
        """The search below all places of the first piece, which counts the solutions."""
        boards = self._boards()
        return lambda: sum(self._run(board)[1] for board in boards)

    def fits(self) -> int:
        """How many placements it makes, those of the first piece included."""
        return sum(1 + self._run(board)[0] for board in self._boards())

    def _boards(self) -> list[_Filled]:
        """The board with the first piece in each of its places."""
        placements = self.options.placements
        places = np.flatnonzero(placements.shape == self.shape).tolist()
        windows = [self.board.windows(placements, [place]) for place in places]
        wall = np.ones(64, dtype=np.uint8)  # nothing reaches farther than a window
        return [(np.append((at & np.uint64(1)).astype(np.uint8), wall), at) for at in windows]

    def _run(self, board: _Filled) -> tuple[int, int]:
        """The fits and solutions below one of them."""
        shapes = range(len(self.options.placements.shapes))
        left = sum(1 << shape for shape in shapes if shape != self.shape)
        counts = np.zeros(2, dtype=np.uint64)
        filled, windows = board
        addresses = _address(filled), _address(windows)
        self.library.run(*addresses, ctypes.c_uint64(left), _address(counts))
        return int(counts[0]), int(counts[1])


@dataclass(frozen=True)
class _Writer:
    """Writes the steps of a tree as nested ifs."""

    steps: Sequence[TreeStep]
    orientations: Sequence[Orientation]
    board: FletcherBoard
    layout: BoardLayout

    def tests(self, begin: int, end: int) -> list[str]:
        """The lines for the steps from `begin` to before `end`."""
        lines = []
        while begin < end:
            step = self.steps[begin]
            offset = self._offset(step)
            taken = f"t[{offset}]" if self.layout == "bytes" else f"(w >> {offset} & 1)"
            lines.append(f"    if (!{taken}) {{")
            if step.orientation != NONE:
                lines.append(self._leaf(self.orientations[step.orientation]))
            lines += [*self.tests(begin + 1, step.skip), "    }"]
            begin = step.skip
        return lines

    def _leaf(self, one: Orientation) -> str:
        """Place an orientation if a copy is left, and search on."""
        bit = f"UINT64_C({1 << one.shape})"
        (mask,) = self.board.mask(((0,) * len(self.board.strides), *one.cells))
        if self.layout == "window":
            going_on = f"place(w | UINT64_C({mask}), at, left ^ {bit});"
        else:
            cells = [k for k in range(64) if mask >> k & 1]
            filled = "".join(f"t[{k}] = 1; " for k in cells)
            opened = "".join(f"t[{k}] = 0; " for k in cells)
            going_on = f"{filled}place(t, left ^ {bit}); {opened}"
        return f"    if (left & {bit}) {{ fits++; {going_on} }}"

    def _offset(self, step: TreeStep) -> int:
        (mask,) = self.board.mask((step.cell,))
        return mask.bit_length() - 1


def _address(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
