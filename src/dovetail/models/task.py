"""Lowered puzzles, and tasks: the input of backends, made from lowered puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, how_many
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.impossibility import edges as impossible_edges
from dovetail.models.impossibility import packing as impossible_packing
from dovetail.models.options.base import BareOptions, Options
from dovetail.models.options.edges import EdgeOptions, edge_options
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import Placements, bounded_placements
from dovetail.models.reductions.pipeline import (
    Reduced,
    reduce_options,
    within_sub_problem,
)
from dovetail.models.request import (
    Reduction,
    ReductionName,
    Request,
    Symmetry,
    Trigger,
    TriggerName,
)
from dovetail.models.solution import Solution
from dovetail.models.sub_problem import SubProblem
from dovetail.models.sums import cell_colours
from dovetail.models.symmetry_expansion import (
    AsFound,
    CanonicalForms,
    Images,
    Labelling,
    Labels,
    LeastFormSolutions,
    LeastImageSolutions,
    StabilizerForms,
    SymmetryExpansion,
)

Puzzle = PackingPuzzle | EdgePuzzle | CoverProblem


@dataclass(frozen=True, eq=False)
class LoweredPuzzle:
    """A puzzle with all its options, from which tasks for all requests are made."""

    puzzle: Puzzle
    options: Options
    """Options that are searched."""
    all_options: Options
    """Options of which solutions consist. They differ from `options` if identical tiles of a
    board are distinguished, since searches do not distinguish them."""
    labelling: Labelling | None = None
    """Set if `all_options` differ from `options`."""

    def task(self, request: Request, sub_problem: SubProblem | None = None) -> Task:
        """Return the task for a request, with the options that its reductions leave.

        With a `sub_problem`, only the options of the sub-problem are kept, unless the sub-problem
        was cut from a search: then the search begins within the sub-problem. `request.labelled` has
        to be the value with which the puzzle was lowered. Raises `ConfigError` for a request that
        the puzzle does not support, and for an invalid sub-problem.
        """
        _check_request(self.puzzle, request)
        options = self.options
        if isinstance(options, PackingOptions):
            _check_post_placement_rules(options, request)
        if not request.reductions and sub_problem is None:
            return Task(self, request, options)
        reduced = self._reduced(request)
        if sub_problem is not None and sub_problem.cut_from is None:
            reduced = within_sub_problem(reduced, sub_problem, options.cover)
        return Task(self, request, options.subset(reduced.kept), reduced, sub_problem)

    def solution(self, chosen: Sequence[int]) -> Solution:
        """Return the solution that consists of `chosen` of `all_options`."""
        return self.all_options.solution(chosen)

    def _reduced(self, request: Request) -> Reduced:
        """Return the options that the request's reductions leave."""
        options = self.options
        if isinstance(options, BareOptions):
            return Reduced(options.option_count, np.arange(options.option_count), {}, None)
        if self.labelling is not None:
            group = partial(self.labelling.turns, Symmetry.UNIQUE)
        elif isinstance(options, EdgeOptions):  # mirror images are not boards of the same tiles
            group = partial(options.symmetries, Symmetry.UNIQUE)
        else:
            group = partial(options.symmetries, request.symmetry.broken)
        return reduce_options(options, group, request)


@dataclass(frozen=True, eq=False)
class Task:
    """Input of a backend: a lowered puzzle, a request, and the options to search.

    Solutions are checked, sorted and shown by the numbers of `all_options`.
    """

    lowered: LoweredPuzzle
    request: Request
    options: Options
    """Options of the lowered puzzle that reductions and a `sub_problem` have left."""
    reduced: Reduced | None = None
    """Result of the reductions, with the numbers of `options` in the lowered puzzle; None if
    `options` are those of the lowered puzzle, in their order."""
    sub_problem: SubProblem | None = None
    member_order: NDArray[np.int64] | None = None
    """Permutation of the members of `cover`: the order in which each item tries its options. None
    for the order of the options."""

    @property
    def puzzle(self) -> Puzzle:
        return self.lowered.puzzle

    @property
    def all_options(self) -> Options:
        """Options of the whole puzzle, of which solutions consist."""
        return self.lowered.all_options

    @property
    def unsolvable_reason(self) -> str | None:
        """One-line reason why the whole puzzle has no solution; None if only a search can tell.

        Bare cover problems are not examined.
        """
        every = self.all_options
        if isinstance(every, PackingOptions):
            return impossible_packing.why_impossible(every.placements)
        if isinstance(every, EdgeOptions):
            return impossible_edges.why_impossible(every.puzzle)
        return None

    @property
    def labelling(self) -> Labelling | None:
        """Labelling that distinguishes identical tiles; None if not requested or not needed."""
        return self.lowered.labelling

    @property
    def cover(self) -> CoverProblem:
        """Exact-cover problem over the options, built on first access."""
        return self.options.cover

    @property
    def placements(self) -> Placements | None:
        """Placements of a packing puzzle, None for other kinds."""
        return self.options.placements if isinstance(self.options, PackingOptions) else None

    @property
    def edges(self) -> EdgeOptions | None:
        """Options of an edge-matching puzzle, None for other kinds."""
        return self.options if isinstance(self.options, EdgeOptions) else None

    @cached_property
    def group(self) -> NDArray[np.int32]:
        """Symmetries up to which the request counts, shape (g, all options), identity first."""
        return self.all_options.symmetries(self.request.symmetry)

    @property
    def options_before(self) -> int:
        """Number of options before the reductions."""
        return self.options.option_count if self.reduced is None else self.reduced.before

    @property
    def part(self) -> SubProblem | None:
        """Sub-problem, numbered by `options`, if it was cut from a search; else None.

        Raises `ConfigError` for options that do not exist or that reductions remove.
        """
        part = self.sub_problem
        if part is None or part.cut_from is None:
            return None
        numbers = np.full(self.options_before, -1)
        kept = np.arange(self.options.option_count) if self.reduced is None else self.reduced.kept
        numbers[kept] = np.arange(len(kept))
        for option in (*part.taken, *(part.untried or ())):
            if not 0 <= option < len(numbers) or numbers[option] < 0:
                raise ConfigError(f"sub-problem: option {option} is not one of the options left")
        return part.renumbered(numbers)

    @property
    def post_placement_rules(self) -> tuple[Reduction | Trigger, ...]:
        """Rules that run after placements during the search: filters, then triggers."""
        pieces = self.options.placements_per_solution or 0
        repeated = (rule for rule in self.request.reductions if (rule.down_to or pieces) < pieces)
        return (*repeated, *self.request.triggers)

    def within(self, part: SubProblem) -> Task:
        """Return the task of the same request within a sub-problem.

        Raises `ConfigError` for an invalid sub-problem. If the sub-problem was cut from a search,
        the property `part` raises this error instead.
        """
        if part.cut_from is not None:
            within = replace(self, sub_problem=part)
        elif self.reduced is None or self.sub_problem is not None:
            within = self.lowered.task(self.request, part)
        else:
            every = self.lowered.options
            reduced = within_sub_problem(self.reduced, part, every.cover)
            options = every.subset(reduced.kept)
            within = replace(self, options=options, reduced=reduced, sub_problem=part)
        vars(within)["group"] = self.group  # equal for all parts and slow to compute
        return within

    def to_original_ids(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return a backend's solutions with the numbers of `all_options`; padding, −1, stays."""
        if self.reduced is not None:
            found = np.append(self.reduced.kept, -1).astype(np.int32)[found]
        return found if self.labelling is None else self.labelling.first(found)

    def symmetry_expansion(self) -> SymmetryExpansion:
        """Return a new converter of solutions found into the solutions requested."""
        if self.labelling is None:
            return self._up_to(self.group)
        turns = self.labelling.turns(self.request.symmetry)
        return Labels(self.labelling, self._up_to(turns), self.group)

    def _up_to(self, group: NDArray[np.int32]) -> SymmetryExpansion:
        """Return the expansion into all solutions or into one of each class, as requested.

        Classes are those under `group`.
        """
        symmetry_breaking = None if self.reduced is None else self.reduced.symmetry_breaking
        if self.sub_problem is not None and self.sub_problem.least_images:
            assert self.reduced is not None
            assert self.reduced.least_images is not None
            every = self.request.symmetry == Symmetry.ALL
            return LeastImageSolutions(self.reduced.least_images, every=every)
        if self.request.symmetry == Symmetry.ALL:
            return AsFound() if symmetry_breaking is None else Images(symmetry_breaking)
        if len(group) == 1 or (symmetry_breaking is not None and symmetry_breaking.complete):
            return AsFound()
        if symmetry_breaking is not None and len(symmetry_breaking.group) == len(group):
            return StabilizerForms(symmetry_breaking)
        if self.sub_problem is not None:
            return LeastFormSolutions(
                group, None if symmetry_breaking is None else symmetry_breaking.kept
            )
        return CanonicalForms(group, finds_all=symmetry_breaking is None)

    def other_counts(self, count: int | None, other: int | None) -> dict[str, int]:
        """Return the number of solutions by the other convention, with the name of its symmetry.

        `count` is the number that the request asks for, and `other` the number by the other
        convention (see `SymmetryExpansion.other`) if the search counts it. If `other` is None, the
        number is known only if each class has as many solutions as there are symmetries. The result
        is empty if the number is unknown or `count` is None.
        """
        if count is None:
            return {}
        symmetry, puzzle = Symmetry.ALL, self.puzzle
        if self.request.symmetry == symmetry:
            turns = isinstance(puzzle, PackingPuzzle) and not puzzle.lattice.flips
            symmetry = Symmetry.MIRROR if turns else Symmetry.UNIQUE
        breaking = None if self.reduced is None else self.reduced.symmetry_breaking
        if other is None and breaking is not None and breaking.complete:
            size = len(breaking.group)
            other = count * size if symmetry == Symmetry.ALL else count // size
        if other is None and symmetry == Symmetry.ALL and len(self.group) == 1:
            other = count
        return {} if other is None else {str(symmetry): other}

    def solution(self, chosen: Sequence[int]) -> Solution:
        """Return the solution that consists of `chosen` of `all_options`."""
        return self.all_options.solution(chosen)


def lower(
    puzzle: Puzzle, *, labelled: bool = False, memory_bytes: int | None = None
) -> LoweredPuzzle:
    """Find all options of a puzzle.

    With `labelled`, identical pieces or tiles are distinguished. Raises `ConfigError` if a cover
    problem, a board with counts that has identical tiles or may use a tile several times, or a
    packing with several copies of a piece, some of which need not be used, is to be labelled.
    Raises `PuzzleError` for a tile that fits no cell, a board with too many options, and placements
    that take too much memory (see `bounded_placements`).
    """
    match puzzle:
        case PackingPuzzle():
            placements = bounded_placements(puzzle, labelled=labelled, memory_bytes=memory_bytes)
            if placements.optional.any():
                may_be_empty = placements.optional & ~impossible_packing.on_full_lines(placements)
                placements = replace(placements, optional=may_be_empty)
            packing = PackingOptions(puzzle, placements)
            return LoweredPuzzle(puzzle, packing, packing)
        case EdgePuzzle():
            if puzzle.misfit is not None:
                raise PuzzleError(puzzle.misfit)
            edges = edge_options(puzzle)
            differ = len(edges.types) == len(puzzle.tiles)
            single = all(largest <= 1 for _, largest in puzzle.counts)
            if not labelled or (differ and single):
                return LoweredPuzzle(puzzle, edges, edges)
            if puzzle.counts:
                raise ConfigError(
                    "labelled: copies of a tile are interchangeable; expected no counts of copies"
                )
            every = edge_options(puzzle, labelled=True)
            return LoweredPuzzle(puzzle, edges, every, Labelling(edges, every))
        case CoverProblem():
            if labelled:
                raise ConfigError("a cover problem has no identical pieces to label")
            bare = BareOptions(puzzle)
            return LoweredPuzzle(puzzle, bare, bare)


def build_task(puzzle: Puzzle, request: Request) -> Task:
    """Lower a puzzle for a request."""
    return lower(puzzle, labelled=request.labelled).task(request)


def _check_request(puzzle: Puzzle, request: Request) -> None:
    """Raise `ConfigError` for a request that a puzzle of this kind does not support."""
    if request.reductions and isinstance(puzzle, CoverProblem):
        raise ConfigError(
            f"reductions are for packing and edge-matching puzzles; {puzzle.name} is a cover "
            "problem"
        )
    asked = {
        "triggers": request.triggers,
        "traces": request.trace,
        "trials": request.stop_at_remaining,
    }
    for what, value in asked.items():
        if value and not isinstance(puzzle, PackingPuzzle):
            raise ConfigError(f"{what} are for packing puzzles; {puzzle.name} has no placements")


def _check_post_placement_rules(options: PackingOptions, request: Request) -> None:
    """Raise `ConfigError` for rules, traces and trials that the cells or pieces do not allow."""
    reductions = {reduction.name for reduction in request.reductions}
    if ReductionName.PARITY in reductions or any(
        trigger.name == TriggerName.PARITY for trigger in request.triggers
    ):
        cell_colours(options.placements)
    pieces = options.placements_per_solution
    repeated = [rule for rule in request.reductions if rule.down_to is not None]
    post_placement_rules: tuple[Reduction | Trigger, ...] = (*repeated, *request.triggers)
    for rule in post_placement_rules:
        what = "trigger" if isinstance(rule, Trigger) else "reduction"
        expected = f"{rule.name} or {rule.name}@PIECES with 1 to {pieces}"
        if pieces is None:
            expected = (
                f"{'none' if what == 'trigger' else rule.name}, because its pieces are used a "
            )
            expected += "varying number of times"
        if pieces is None or (rule.down_to or 0) > pieces:
            raise ConfigError(
                f"{what} {rule} does not fit {options.puzzle.name}; expected {expected}"
            )
    if request.trace is not None and request.trace.down_to > (pieces or 0):
        expected = "pieces used a fixed number of times" if pieces is None else f"1 to {pieces}"
        raise ConfigError(
            f"a trace with {how_many(request.trace.down_to, 'piece')} remaining does not fit "
            f"{options.puzzle.name}; expected {expected}"
        )
    max_count = pieces or 0
    if request.stop_at_remaining is not None and not 1 <= request.stop_at_remaining <= max_count:
        raise ConfigError(
            f"a trial of {options.puzzle.name} cannot end with "
            f"{how_many(request.stop_at_remaining, 'piece')} remaining; expected "
            f"{f'1 to {max_count}' if max_count else 'no trials: its number of pieces varies'}"
        )


def as_cover(puzzle: Puzzle) -> CoverProblem:
    """Return a bare cover problem that has as many solutions as `puzzle`, also up to symmetry.

    The symmetries are those of `unique`. Pieces and tiles are lost. Item names are distinct, though
    a piece may have the name of a cell.
    """
    if isinstance(puzzle, CoverProblem):
        return puzzle
    options = lower(puzzle).options
    cover, symmetries = options.cover, options.symmetries(Symmetry.UNIQUE)
    if isinstance(options, EdgeOptions) and len(symmetries) > 1:
        cover = options.symmetric_cover
    names = dict[str, None]()
    for name in cover.item_names:
        new = name
        while new in names:
            new += "'"
        names[new] = None
    return replace(cover, item_names=tuple(names), symmetries=symmetries)
