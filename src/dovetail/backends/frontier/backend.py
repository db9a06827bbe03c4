"""The backend `frontier`: counting without visiting the search tree.

Two partial packings that leave the same cells open and the same pieces unused have the same
completions. A dynamic program over states (frontier shape, set of pieces used) visits each state
once, from both ends of the board, whereas a search visits every partial packing.

Sources: the transfer matrices by which polyominoes and polymers are counted; E. Horowitz and
S. Sahni, "Computing partitions with applications to the knapsack problem", 1974, for meeting in the
middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from dovetail.backends.base import Backend, Budget, Config, setting, trigger_refusal
from dovetail.backends.frontier.problem import (
    WINDOW_BITS,
    packed_bits,
    packing_problem,
    window_needed,
)
from dovetail.backends.frontier.search import FrontierSearch, SweepCounting
from dovetail.backends.shared.state_search import MemoryBudget, counts_add_up
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import NO_CELL
from dovetail.models.reductions.redundancy import SymmetryBreaking, candidates
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry
from dovetail.models.task import Task, build_task

MAX_PACKED_BITS = 26
MANY_SETS = 2**15
WARM_UP_WORK = 1_000


@dataclass(frozen=True)
class FrontierConfig(Config):
    """Settings of `frontier`."""

    break_symmetry: bool = setting(True, "Break the symmetry of the puzzle automatically.")
    threads: int = setting(1, "Number of threads.", least=1, most=256)


class Frontier(Backend[FrontierConfig]):
    """Backend for packing puzzles whose pieces span at most 64 cells in the order of filling."""

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

    def counts_by_itself(self, task: Task, config: FrontierConfig) -> bool:
        return not task.request.listing

    def warm_up(self) -> None:
        _search_a_square(listing=False)

    def warm_up_for(self, task: Task, config: FrontierConfig) -> None:
        if task.request.listing:
            _search_a_square(listing=True)

    def symmetry_breaking(self, task: Task, config: FrontierConfig) -> Reduction | None:
        """Return the reduction by the piece that is expected to leave the fewest states, or None.

        Pieces with few places and long pieces are preferred, since the places of a long piece lead
        to most frontier shapes. For solutions up to symmetry, a piece is preferred if no solution
        is found twice. Solutions found twice have to be skipped in a listing, or counted
        separately. If there are many sets of pieces, this count takes little of the time. Then
        only a listing has a preference, for the pieces that every symmetry maps to themselves.

        The result is None for other puzzles than packing, without symmetries or a suitable piece,
        and if `config.break_symmetry` is false.
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
    """Count or list the packings of a square by two dominoes, so that all kernels are compiled.

    For a count, the search is run twice: with all layers kept, and with only the last layers kept.
    """
    square = tuple((x, y) for x in range(2) for y in range(2))
    domino = Piece("A", square[:2], min_count=2, max_count=2)
    puzzle = PackingPuzzle("warm-up", SquareLattice(2), square, (domino,))
    task = build_task(puzzle, Request(Symmetry.ALL, listing=listing))
    search = FrontierSearch(task)
    while search.advance(Budget(work=WARM_UP_WORK)) is None:
        pass
    search.take()
    if not listing:
        counting = SweepCounting(packing_problem(task), MemoryBudget(WARM_UP_WORK))
        for _ in chain(counting.expand(), counting.meet()):
            pass


def _cost(restricted: SymmetryBreaking, options: PackingOptions) -> float:
    """Return the number of places that a piece is restricted to, divided by its length squared."""
    option = int(np.flatnonzero(options.option_groups.of_option == restricted.option_group)[0])
    cells = options.placements.cells[option]
    positions = options.placements.positions[cells[cells != NO_CELL]]
    return restricted.places / float(np.ptp(positions, axis=0).max() + 1) ** 2
