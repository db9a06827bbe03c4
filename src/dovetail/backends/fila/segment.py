"""The segments of a hybrid search that `fila` searches."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.search import FilaSearch
from dovetail.backends.fila.tables import ToldBy, Variant
from dovetail.backends.shared.hooks import TriggerSpec, idle_trigger_spec
from dovetail.backends.shared.schedule import ESTIMATE, FIRST, SIZE, Stage
from dovetail.backends.shared.segments import EngineSegment, FirstPlacements, KernelSegment
from dovetail.models.lattices.cell_orders import cell_ranks
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.placements import NO_CELL, Placements, Shape
from dovetail.models.sums import NOTHING, remainder

# Whether the kernel counts attempts ("reference") or not ("fast").
KernelName = Literal["reference", "fast"]
MAX_EXACT_WORDS = 4
# With fewer pieces left than this, after at least two placements, the search takes less time than
# building long lists.
BUILT_QUICKLY = 9


def search_key(stage: Stage) -> tuple[str, str]:
    """Return the key of a stage; successive stages with equal keys are one segment.

    All stages of `dlx` have equal keys, as have all stages of FILA with the same `numbering`.
    """
    return stage.engine, "" if stage.engine == "dlx" else numbering(stage.heuristic)


def numbering(heuristic: str) -> str:
    """Return the name of the order in which cells are numbered for a heuristic of FILA."""
    return FIRST if heuristic in (FIRST, ESTIMATE, SIZE) else heuristic


class FilaSegments:
    """Factory of the searches of a segment, all with boards of the same number of words.

    The open cells are numbered anew if this saves words. If the heuristic is an order of cells, the
    open cells are numbered in this order, so that the next target is the open cell with the lowest
    number.
    """

    def __init__(
        self,
        segment: EngineSegment,
        whole: Placements,
        *,
        nof: bool,
        kernel: KernelName,
        trigger_spec: TriggerSpec | None = None,
    ) -> None:
        self._segment, self._nof, self._attempts = segment, nof, kernel == "reference"
        self._pieces = sum(shape.max_count for shape in whole.shapes)
        self._trigger_spec = trigger_spec
        order = numbering(segment.heuristics[0])
        self._ranks = None if order == FIRST else cell_ranks(order, whole.positions)
        named = [FIRST if self._ranks is not None else name for name in segment.heuristics]
        self._by_remaining = [FIRST] * segment.ends + named[::-1]
        max_open = whole.cell_count - _min_filled(whole, segment.begins)
        shapes = min(len(whole.shapes), segment.begins)
        # one more bit, which is always set, so that padding of lists never fits
        needed, for_all = (_words(cells + shapes + 1) for cells in (max_open, whole.cell_count))
        self._renumber = needed < for_all or self._ranks is not None
        self.variant = Variant(
            words=needed,
            cell_words=_words(max_open if self._renumber else whole.cell_count),
            repeats=any(shape.max_count > 1 for shape in whole.shapes),
        )
        self._degree = whole.neighbours.shape[1]

    def warm_up(self) -> None:
        """Compile the kernel that the searches need, and run it once."""
        tiny = Placements(
            shapes=(Shape(("A",), 1, 1),),
            shape=np.zeros(1, dtype=np.int32),
            orientation=np.zeros(1, dtype=np.int32),
            start=np.arange(2),
            member=np.zeros(1, dtype=np.int32),
            largest=1,
            coordinates=np.zeros((1, 1), dtype=np.int64),
            optional=np.zeros(1, dtype=bool),
            neighbours=np.full((1, self._degree), NO_CELL, dtype=np.int32),
            lattice=SquareLattice(1),
            crossings=np.empty((1, 0), dtype=np.int32),
            crossing_places=(),
        )
        any_order = any(name != FIRST for name in self._by_remaining)
        rules = [ESTIMATE if any_order else FIRST]
        problem = remainder(tiny)
        hooks = None
        if self._trigger_spec is not None:
            hooks = idle_trigger_spec().hooks(tiny, problem.options, NOTHING)
        search = FilaSearch(
            problem,
            rules,
            0,
            told_by="neighbours",
            attempts=self._attempts,
            variant=self.variant,
            hooks=hooks,
        )
        while search.advance(Budget(work=10_000)) is None:
            search.take()

    def __call__(
        self,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
    ) -> KernelSegment:
        cells = np.arange(whole.cell_count)
        if self._renumber:
            taken = np.zeros(whole.cell_count + 1, dtype=bool)
            taken[whole.cells[placed]] = True
            cells = np.flatnonzero(~taken[:-1])
        if self._ranks is not None:
            cells = cells[np.argsort(self._ranks[cells], kind="stable")]
        problem = remainder(whole, placed, left, cells)
        hooks = None
        if self._trigger_spec is not None:
            hooks = self._trigger_spec.hooks(problem.placements, problem.options, placed)
        by_remaining = self._by_remaining[: problem.pieces]
        told_by: ToldBy = "most covered" if self._nof else "nothing"
        if self._nof and problem.pieces < min(self._pieces - 1, BUILT_QUICKLY):
            told_by = "neighbours"
        search = FilaSearch(
            problem,
            by_remaining,
            self._segment.ends,
            # after a hand-over, the first target of `e` is the cell with the fewest fits
            first_by_fits=problem.pieces < self._pieces and by_remaining[-1] == ESTIMATE,
            told_by=told_by,
            attempts=self._attempts,
            variant=self.variant,
            hooks=hooks,
        )
        return KernelSegment(problem.options, search, hands_over=self._segment.ends > 0)


def _words(bits: int) -> int:
    """Return the number of words for `bits` bits.

    A number above 4 is rounded up to a power of 2, so that few variants are compiled.
    """
    words = max(1, -(-bits // 64))
    return words if words <= MAX_EXACT_WORDS else 1 << (words - 1).bit_length()


def _min_filled(whole: Placements, remaining: int) -> int:
    """Return the least number of filled cells when `remaining` pieces remain."""
    size = np.zeros(len(whole.shapes), dtype=np.int64)
    size[whole.shape] = whole.sizes
    sizes = np.sort(np.repeat(size, [shape.max_count for shape in whole.shapes]))
    return int(sizes[: len(sizes) - remaining].sum())


class FirstTarget(FirstPlacements):
    """A segment that places each image of the first target, the target with the fewest images.

    An image that has been tried is excluded below later images. So each set of images is found
    once, even if several copies of a piece can be placed first.
    """

    def __init__(
        self, whole: Placements, placed: NDArray[np.int64], left: NDArray[np.int32] | None
    ) -> None:
        problem = remainder(whole, placed, left)
        self._options, self._places = problem.options, fewest_images(problem.placements)
        super().__init__(problem.options[self._places], problem.pieces, "fila")

    @property
    def left(self) -> NDArray[np.int32]:
        # `setdiff1d` would make numpy import a module, which takes 7 ms.
        return np.delete(self._options, self._places[: self._numbers[self._taken - 1]])


def fewest_images(placements: Placements) -> NDArray[np.int64]:
    """Return the images of the cell or piece with the fewest images.

    On ties, cells come before pieces, and lower numbers before higher numbers.
    """
    by_cell = np.bincount(placements.member, minlength=placements.cell_count)
    by_shape = np.bincount(placements.shape, minlength=len(placements.shapes))
    counts = np.concatenate([by_cell, by_shape])
    target = int(counts.argmin())
    if target < placements.cell_count:
        return np.flatnonzero((placements.cells == target).any(axis=1))
    return np.flatnonzero(placements.shape == target - placements.cell_count)
