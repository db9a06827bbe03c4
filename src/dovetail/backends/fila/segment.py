"""The segments of a hybrid search that `fila` searches."""

from __future__ import annotations

from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.descent import Descent, Variant
from dovetail.backends.fila.fast import FastDescent
from dovetail.backends.fila.reference import ReferenceDescent
from dovetail.backends.shared.hooks import TriggerSpec, idle_trigger_spec, renumbered
from dovetail.backends.shared.hybrid import EngineSegment
from dovetail.backends.shared.kernel_search import numbered_within
from dovetail.backends.shared.schedule import ESTIMATE, FIRST, SIZE, Stage
from dovetail.backends.shared.tree_estimator import EstimatorFactory, GuidedEstimator, Placed
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import NO_CELL, Placements, Shape
from dovetail.models.remainder import NOTHING, Remainder, remainder
from dovetail.models.sub_problem import SubProblem

KernelName = Literal["reference", "fast"]
MAX_EXACT_WORDS = 4
Made = TypeVar("Made", bound=Descent)
DESCENTS: dict[KernelName, type[Descent]] = {"reference": ReferenceDescent, "fast": FastDescent}


def search_key(stage: Stage) -> tuple[str, str]:
    """Stages with equal keys share a search: `dlx`'s, and FILA's that number the cells alike."""
    return stage.engine, "" if stage.engine == "dlx" else numbering(stage.heuristic)


def numbering(heuristic: str) -> str:
    """The order of cells whose numbers a heuristic of FILA goes by."""
    return FIRST if heuristic in (FIRST, ESTIMATE, SIZE) else heuristic


class FilaSegments:
    """Begins the searches of a segment, all with boards of the same number of words.

    The open cells are numbered anew where that saves words, and in the segment's order where
    it has one; then the first open cell by number is the next by that order.
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
        self._segment, self._nof, self._descent = segment, nof, DESCENTS[kernel]
        self._pieces = sum(shape.max_count for shape in whole.shapes)
        self._trigger_spec = trigger_spec
        order = numbering(segment.heuristics[0])
        self._ranks = None if order == FIRST else cell_ranks(order, whole.positions)
        named = [FIRST if self._ranks is not None else name for name in segment.heuristics]
        self._by_remaining = [FIRST] * segment.ends + named[::-1]
        max_open = whole.cell_count - _min_filled(whole, segment.begins)
        shapes = min(len(whole.shapes), segment.begins)
        needed, for_all = (
            _words(self._descent.bits_for(cells, shapes)) for cells in (max_open, whole.cell_count)
        )
        self._renumber = needed < for_all or self._ranks is not None
        self.variant = Variant(
            words=needed,
            cell_words=_words(max_open if self._renumber else whole.cell_count),
            shape_words=_words(shapes),
            repeats=any(shape.max_count > 1 for shape in whole.shapes),
        )
        self._degree = whole.neighbours.shape[1]

    def warm_up(self) -> None:
        """Compile and run once what the searches will need."""
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
        search = self._descent(problem, rules, 0, nof=self._nof, variant=self.variant, hooks=hooks)
        while search.advance(Budget(work=10_000)) is None:
            search.take()

    def __call__(
        self,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
    ) -> FilaSegment:
        problem = self.problem(whole, placed, left)
        return FilaSegment(problem, self.descent(self._descent, problem, placed))

    def problem(
        self,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
    ) -> Remainder:
        """What is left below some placements, its cells numbered as the segment needs them."""
        cells = np.arange(whole.cell_count)
        if self._renumber:
            taken = np.zeros(whole.cell_count + 1, dtype=bool)
            taken[whole.cells[placed]] = True
            cells = np.flatnonzero(~taken[:-1])
        if self._ranks is not None:
            cells = cells[np.argsort(self._ranks[cells], kind="stable")]
        return remainder(whole, placed, left, cells)

    def descent(
        self, made: type[Made], problem: Remainder, placed: NDArray[np.int64] | None = None
    ) -> Made:
        """The search of a sub-problem, of the class that is asked for.

        With `placed` given, the triggers run there too. Behind a hand-over, `e` begins with the
        cell that has the fewest fits, whatever its neighbours.
        """
        hooks = None
        if self._trigger_spec is not None and placed is not None:
            hooks = self._trigger_spec.hooks(problem.placements, problem.options, placed)
        by_remaining = self._by_remaining[: problem.pieces]
        return made(
            problem,
            by_remaining,
            self._segment.ends,
            first_by_fits=problem.pieces < self._pieces and by_remaining[-1] == ESTIMATE,
            nof=self._nof,
            variant=self.variant,
            hooks=hooks,
        )


class FilaSegment:
    """The search of a segment below some placements; see `hybrid.SegmentSearch`."""

    left = None

    def __init__(self, problem: Remainder, descent: Descent) -> None:
        self._problem, self._descent = problem, descent

    @property
    def counters(self) -> Counters:
        return self._descent.counters

    def advance(self, budget: Budget) -> Status | None:
        return self._descent.advance(budget)

    def take(self) -> NDArray[np.int32]:
        return self._problem.options[self._descent.take()]

    def take_trace(self) -> NDArray[np.int32]:
        return renumbered(self._descent.take_trace(), self._problem.options)

    def begin_within(self, part: SubProblem) -> SubProblem | None:
        made = self._descent.depth if self._descent.stops else len(part.taken)
        below = SubProblem(part.taken[made:], part.untried)
        goes_below = self._descent.stops and len(part.taken) >= made and below != SubProblem()
        own = SubProblem(part.taken[:made]) if goes_below else part
        self._descent.begin_within(numbered_within(own, self._problem.options))
        if not goes_below:
            return None
        self._descent.take()
        return below

    def remaining(self) -> tuple[SubProblem, ...]:
        return tuple(
            part.renumbered(self._problem.options) for part in self._descent.remaining() or ()
        )

    def progress(self) -> tuple[float, float] | None:
        if self._descent.stops:
            return None  # it yields many at a time
        return self._descent.progress() or 0.0, 0.0


def fila_estimator_factory(engine_segments: FilaSegments) -> EstimatorFactory:
    """Return the factory of a segment's estimators for a `HybridEstimator`.

    The reference kernel makes the descents, for the fast one too: it makes the same fits.
    """

    def make(
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        random: NDArray[np.uint64],
    ) -> GuidedEstimator:
        problem = engine_segments.problem(whole, placed, left)
        search = engine_segments.descent(ReferenceDescent, problem)

        def end(row: NDArray[np.int32]) -> Placed:
            return problem.options[row].astype(np.int64), None

        return GuidedEstimator(search, search.depth, random, end if search.stops else None)

    return make


def _words(bits: int) -> int:
    """How many words so many bits take; above four a power of two, for fewer variants."""
    words = max(1, -(-bits // 64))
    return words if words <= MAX_EXACT_WORDS else 1 << (words - 1).bit_length()


def _min_filled(whole: Placements, remaining: int) -> int:
    """How many cells are filled at least when so many pieces remain."""
    size = np.zeros(len(whole.shapes), dtype=np.int64)
    size[whole.shape] = whole.sizes
    sizes = np.sort(np.repeat(size, [shape.max_count for shape in whole.shapes]))
    return int(sizes[: len(sizes) - remaining].sum())
