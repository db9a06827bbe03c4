"""The backend `frontier`: counting without walking the tree.

Two partial packings that leave the same cells open and the same pieces unused have the same
completions. A dynamic programme over (frontier shape, set of pieces used) visits each such state
once, from both ends of the board, where a search visits every partial packing.

Sources: the transfer matrices by which polyominoes and polymers are counted; E. Horowitz and
S. Sahni, "Computing partitions with applications to the knapsack problem", 1974, for meeting in the
middle.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Backend, Budget, Config, Forecast, setting, trigger_refusal
from dovetail.backends.frontier.counting import Solutions, SweepCounting
from dovetail.backends.frontier.layers import BYTES_PER_STATE
from dovetail.backends.frontier.problem import (
    WINDOW_BITS,
    fixed_problem,
    packed_bits,
    packing_problem,
    window_needed,
)
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.backends.shared.state_search import StateSearch, counts_add_up, total_of
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import NO_CELL
from dovetail.models.reductions.redundancy import SymmetryBreaking, candidates
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry
from dovetail.models.task import Task, build_task

MAX_PACKED_BITS = 26
MANY_SETS = 2**15
BUFFERED_ROWS = 2**16  # they come fast
# Layers are kept to draw a sample from where they take no more than this.
MAX_KEPT_BYTES = 2**28


@dataclass(frozen=True)
class FrontierConfig(Config):
    """Settings of `frontier`."""

    break_symmetry: bool = setting(True, "Break the symmetry of the puzzle automatically.")
    threads: int = setting(1, "Number of threads.", least=1, most=256)


class FrontierSearch(StateSearch):
    """Search for the solutions of a task by frontiers: counted, listed or numbered."""

    def __init__(self, task: Task, threads: int = 1, *, sampling: bool = False) -> None:
        super().__init__(task, listing=task.request.listing, sampling=sampling)
        self._counting = SweepCounting(packing_problem(task), self._memory_budget, threads)
        self._forecast: Forecast | None = None

    @property
    def prepared(self) -> bool:
        return self._forecast is not None

    @property
    def forecast(self) -> Forecast | None:
        return self._forecast

    @property
    def counters(self) -> Counters:
        """Counters of states; there are no nodes, since states are no placements made."""
        native: dict[str, int] = {}
        automaton, layered_dp = self._counting.automaton, self._counting.layered_dp
        if automaton is not None:
            native |= {"frontiers": automaton.node_count, "edges": automaton.edge_count}
        if layered_dp is not None:
            sizes = {**layered_dp.near.sizes, **layered_dp.far.sizes}
            native |= {"piece_sets": layered_dp.sets.count, "states": sum(sizes.values())}
            native |= {f"states_{placed}_placed": sizes[placed] for placed in sorted(sizes)}
        return Counters(native=native)

    @property
    def numbers(self) -> int:
        return self._counting.total

    def _run(self) -> Iterator[Status | None]:
        counting = self._counting
        yield from counting.expand()
        needs_all = self._listing or self._sampling
        expected = yield from counting.forecast(keep=needs_all)
        self._memory_budget.check(expected.memory_bytes, f"about {expected.states:,} states")
        self._forecast = expected
        yield None
        keep = needs_all or self._has_plenty(expected)
        room = expected.states if keep else None
        yield from counting.meet(room, join=not self._listing, numbered=self._sampling)
        if self._listing and counting.layered_dp is not None:
            solutions = self._all_solutions
            buffer = SolutionBuffer(solutions.moves, np.int32, solutions.state, BUFFERED_ROWS)
            self._list(buffer, solutions.state)
            while not solutions.all_into(self._rows, self._budget.work):
                yield None
        elif not self._listing and not self._sampling:
            self._total = yield from total_of(self.task, counting.total, self._fixed_by)
            if keep and counting.is_numbered:
                self._sample = self._sample_of(counting.total)

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[None, None, int]:
        """Count the solutions that a permutation of all options leaves as they are."""
        options = self.task.all_options
        assert isinstance(options, PackingOptions)
        counting = SweepCounting(fixed_problem(options, symmetry), self._memory_budget)
        yield from counting.expand()
        yield from counting.meet()
        return counting.total

    @cached_property
    def _all_solutions(self) -> Solutions:
        return Solutions(self._counting)

    def _solutions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], Sequence[int]]:
        rows, images = self._all_solutions.numbered(numbers)
        return self._options(rows), images.tolist()

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.append(self._counting.problem.option, np.int32(NO_CELL))[rows]

    def _has_plenty(self, expected: Forecast) -> bool:
        """Return whether all layers can be kept for the sake of a sample."""
        held = expected.states * BYTES_PER_STATE
        return held <= MAX_KEPT_BYTES and self._memory_budget.allows(4 * held)

    def _memory_reason(self) -> str:
        if self._forecast is None:
            return (
                f"the memory limit was reached with {self._counting.frontiers_found:,} frontier "
                "shapes found, before the memory of the count could be estimated"
            )
        return (
            f"the memory limit was reached; the estimate was about {self._forecast.states:,} "
            f"states in {self._forecast.memory_bytes:,} bytes"
        )


class Frontier(Backend[FrontierConfig]):
    """Takes packing puzzles whose pieces span a part of the board that a word of 64 bits holds."""

    name = "frontier"
    summary = "dynamic programming over frontier shapes from both ends, for packing (numba)"
    config_type = FrontierConfig
    threads = True
    kernel_list = Path(__file__).parent / "kernels" / "warm_up.txt"

    def refuses(self, task: Task, config: FrontierConfig) -> str | None:
        placements = task.placements
        if placements is None:
            return "it supports packing puzzles only"
        if task.sub_problem is not None and not (task.request.listing or counts_add_up(task)):
            return (
                "it counts symmetric solutions only for the whole puzzle, not for a "
                "sub-problem; expected symmetry all, or a piece that breaks all symmetry"
            )
        bits = packed_bits(np.array([shape.max_count for shape in placements.shapes]))
        if bits > MAX_PACKED_BITS:
            return f"its sets of pieces need {bits} bits; the limit is {MAX_PACKED_BITS}"
        window = window_needed(placements)
        if window > WINDOW_BITS:
            return (
                f"a piece spans {window} cells{' and crossing places' * placements.may_cross} in "
                f"the best order of cells; the limit is {WINDOW_BITS}"
            )
        return trigger_refusal(task)

    def warm_up(self) -> None:
        _search_a_square(listing=False)

    def warm_up_for(self, task: Task, config: FrontierConfig) -> None:
        if task.request.listing:
            _search_a_square(listing=True)

    def symmetry_breaking(self, task: Task, config: FrontierConfig) -> Reduction | None:
        """Return the piece that leaves fewest states.

        It is a piece with few places, and a long piece, since its places make most of the shapes.
        Up to symmetry, pieces are better that leave few or no solutions to be found twice: such
        solutions are listed and passed over, or counted apart, which takes little only where there
        are many sets of pieces.
        """
        options = task.all_options
        if not config.break_symmetry or not isinstance(options, PackingOptions):
            return None
        group = options.symmetries(task.request.symmetry.broken)
        found = [piece for piece in candidates(options.option_groups, group) if piece.places]
        if len(group) == 1 or not found:
            return None
        if task.request.symmetry != Symmetry.ALL:
            if 2 ** len(options.placements.shapes) < MANY_SETS:
                found = [piece for piece in found if piece.complete] or found
            elif task.request.listing:
                found = [piece for piece in found if len(piece.group) == len(group)] or found
        best = min(found, key=lambda piece: _cost(piece, options))
        return Reduction(
            ReductionName.REDUNDANCY, options.placements.shapes[best.option_group].name
        )

    def prepare(self, task: Task, config: FrontierConfig) -> FrontierSearch:
        return FrontierSearch(task, config.threads)

    def sampling_search(self, task: Task, config: FrontierConfig) -> FrontierSearch:
        return FrontierSearch(task, config.threads, sampling=True)


def _search_a_square(*, listing: bool) -> None:
    """Count or list the ways to put two dominoes into a square, which takes all kernels."""
    square = tuple((x, y) for x in range(2) for y in range(2))
    domino = Piece("A", square[:2], min_count=2, max_count=2)
    puzzle = PackingPuzzle("warm-up", SquareLattice(2), square, (domino,))
    search = FrontierSearch(build_task(puzzle, Request(Symmetry.ALL, listing=listing)))
    while search.advance(Budget(work=1_000)) is None:
        pass
    search.take()


def _cost(restricted: SymmetryBreaking, options: PackingOptions) -> float:
    """Return the number of places that a piece is restricted to, divided by its length squared."""
    own = int(np.flatnonzero(options.option_groups.of_option == restricted.option_group)[0])
    cells = options.placements.cells[own]
    positions = options.placements.positions[cells[cells != NO_CELL]]
    return restricted.places / float(np.ptp(positions, axis=0).max() + 1) ** 2
