"""A task: a puzzle lowered for a request, which is what every backend is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.completion import (
    AsFound,
    CanonicalForms,
    Completion,
    Images,
    Labels,
    LeastForms,
)
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.labelling import Labelling
from dovetail.models.options.bare import BareOptions
from dovetail.models.options.base import Options
from dovetail.models.options.edges import EdgeOptions, edge_options
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.parity import cell_colours
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.reductions.board import reduce_board
from dovetail.models.reductions.pipeline import Reduced, reduce_placements
from dovetail.models.request import (
    Reduction,
    ReductionName,
    Request,
    Symmetry,
    Trigger,
    TriggerName,
)
from dovetail.models.solution import Solution

Puzzle = PackingPuzzle | EdgePuzzle | CoverProblem


@dataclass(frozen=True, eq=False)
class Task:
    """A puzzle, what is asked of it, and its options.

    `options` are those that a backend searches, `all_options` those of the whole puzzle;
    they differ where reductions have taken some out, and then `reduced` tells which, and where
    identical tiles of a board are told apart, which searches do not: then there is a
    `labelling`. What a backend finds is checked, sorted and shown by the numbers of
    `all_options`.
    """

    puzzle: Puzzle
    request: Request
    options: Options
    all_options: Options
    reduced: Reduced | None = None
    labelling: Labelling | None = None

    @property
    def cover(self) -> CoverProblem:
        """The exact-cover problem over the options, built when first asked for."""
        return self.options.cover

    @property
    def placements(self) -> Placements | None:
        """The placements of a packing puzzle, None for other kinds."""
        return self.options.placements if isinstance(self.options, PackingOptions) else None

    @property
    def edges(self) -> EdgeOptions | None:
        """The options of an edge-matching puzzle, None for other kinds."""
        return self.options if isinstance(self.options, EdgeOptions) else None

    @cached_property
    def group(self) -> NDArray[np.int32]:
        """The symmetries that the request counts up to, shape (g, all options), identity first."""
        return self.all_options.symmetries(self.request.symmetry)

    @property
    def options_before(self) -> int:
        """How many options there were before the reductions."""
        return self.options.option_count if self.reduced is None else self.reduced.before

    @property
    def watches(self) -> tuple[Reduction | Trigger, ...]:
        """What works while the search goes on: filters after placements, then triggers."""
        pieces = self.options.placements_per_solution or 0
        repeated = (one for one in self.request.reductions if (one.down_to or pieces) < pieces)
        return (*repeated, *self.request.triggers)

    def restored(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Solutions that a backend found, by the numbers of all options; −1 stays."""
        if self.reduced is not None:
            found = np.append(self.reduced.kept, -1).astype(np.int32)[found]
        return found if self.labelling is None else self.labelling.first(found)

    def completion(self) -> Completion:
        """What is to be done with solutions after the search."""
        if self.labelling is None:
            return self._up_to(self.group)
        turns = self.labelling.turns(self.request.symmetry)
        return Labels(self.labelling, self._up_to(turns), self.group)

    def _up_to(self, group: NDArray[np.int32]) -> Completion:
        """What makes of solutions, as they are searched for, those that differ under a group."""
        confinement = None if self.reduced is None else self.reduced.confinement
        if self.request.symmetry == Symmetry.ALL:
            return AsFound() if confinement is None else Images(confinement)
        if len(group) == 1 or (confinement is not None and confinement.complete):
            return AsFound()
        if confinement is not None and len(confinement.group) == len(group):
            return LeastForms(confinement)
        return CanonicalForms(group)

    def solution(self, chosen: Sequence[int]) -> Solution:
        """The solution that some of all options are, in the puzzle's own terms."""
        return self.all_options.solution(chosen)


def lower(puzzle: Puzzle, request: Request, known: Task | None = None) -> Task:
    """Turn a puzzle and a request into what any backend can take.

    `known` is a task of the same puzzle, labelled like the request or not: its options need not be
    made again. Raises `ConfigError` for what cannot be asked of such a puzzle.
    """
    if request.reductions and isinstance(puzzle, CoverProblem):
        raise ConfigError(
            f"reductions are for packing and edge-matching puzzles; {puzzle.name} is a bare cover"
        )
    asked = {"triggers": request.triggers, "traces": request.trace, "trials": request.removal}
    for what, value in asked.items():
        if value and not isinstance(puzzle, PackingPuzzle):
            raise ConfigError(f"{what} are for packing puzzles; {puzzle.name} has no placements")
    match puzzle:
        case PackingPuzzle():
            if known is not None and isinstance(known.all_options, PackingOptions):
                return packing_task(known.all_options, request)
            placements = bounded_placements(puzzle, labelled=request.labelled)
            return packing_task(PackingOptions(puzzle, placements), request)
        case EdgePuzzle():
            return _lower_board(puzzle, request)
        case CoverProblem():
            if request.labelled:
                raise ConfigError("a bare cover problem has no identical pieces to label")
            bare = BareOptions(puzzle)
            return Task(puzzle, request, bare, bare)


def packing_task(every: PackingOptions, request: Request) -> Task:
    """The task of a packing puzzle whose placements are there, `every` one of them."""
    _check_watches(every, request)
    if not request.reductions:
        return Task(every.puzzle, request, every, every)
    reduced = reduce_placements(every, request)
    left = PackingOptions(every.puzzle, every.placements.subset(reduced.kept))
    return Task(every.puzzle, request, left, every, reduced)


def _lower_board(puzzle: EdgePuzzle, request: Request) -> Task:
    """Identical tiles are one type for the search, whether or not they are told apart."""
    edges = edge_options(puzzle)
    every, labelling = edges, None
    if request.labelled and len(edges.types) < len(puzzle.tiles):
        every = edge_options(puzzle, labelled=True)
        labelling = Labelling(edges, every)
    if not request.reductions:
        return Task(puzzle, request, edges, every, labelling=labelling)
    # mirror images of a board are no boards of the same tiles: unique has all its symmetries
    group = (
        edges.symmetries(Symmetry.UNIQUE) if labelling is None else labelling.turns(Symmetry.UNIQUE)
    )
    reduced = reduce_board(edges, group, request)
    return Task(puzzle, request, edges.subset(reduced.kept), every, reduced, labelling)


def _check_watches(options: PackingOptions, request: Request) -> None:
    """Raises `ConfigError` for what counts pieces that do not add up to a number, or no colours."""
    reductions = {reduction.name for reduction in request.reductions}
    if ReductionName.PARITY in reductions or any(
        trigger.name == TriggerName.PARITY for trigger in request.triggers
    ):
        cell_colours(options.placements)
    pieces = options.placements_per_solution
    repeated = [one for one in request.reductions if one.down_to is not None]
    watches: tuple[Reduction | Trigger, ...] = (*repeated, *request.triggers)
    for watch in watches:
        what = "trigger" if isinstance(watch, Trigger) else "reduction"
        expected = f"{watch.name} or {watch.name}@PIECES with 1 to {pieces}"
        if pieces is None:
            expected = (
                f"{'none' if what == 'trigger' else watch.name}, since its pieces are used a "
            )
            expected += "varying number of times"
        if pieces is None or (watch.down_to or 0) > pieces:
            raise ConfigError(
                f"{what} {watch} does not fit {options.puzzle.name}; expected {expected}"
            )
    if request.trace is not None and request.trace.down_to > (pieces or 0):
        expected = "pieces used a fixed number of times" if pieces is None else f"1 to {pieces}"
        raise ConfigError(
            f"a trace while {request.trace.down_to} pieces remain does not fit "
            f"{options.puzzle.name}; expected {expected}"
        )
    most = pieces or 0
    if request.removal is not None and not 1 <= request.removal <= most:
        raise ConfigError(
            f"a removal that leaves {request.removal} pieces does not fit {options.puzzle.name}; "
            f"expected {f'1 to {most}' if most else 'none: its pieces vary in number'}"
        )


def as_cover(puzzle: Puzzle) -> CoverProblem:
    """`puzzle` as a bare cover problem: the same solutions, and as many `unique` ones.

    Its symmetries are those that `unique` counts up to; that it has pieces or tiles is lost.
    """
    if isinstance(puzzle, CoverProblem):
        return puzzle
    options = lower(puzzle, Request()).options
    return replace(options.cover, symmetries=options.symmetries(Symmetry.UNIQUE))
