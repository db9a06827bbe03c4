"""Application of a request's reductions to the options of a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import Placements, bounded_placements
from dovetail.models.reductions.filters import fit_filter, parity_filter, volume_filter
from dovetail.models.reductions.least_images import LeastImages, least_images
from dovetail.models.reductions.redundancy import SymmetryBreaking, break_symmetry
from dovetail.models.request import Reduction, ReductionName, Representatives, Request
from dovetail.models.sub_problem import SubProblem


@dataclass(frozen=True, eq=False)
class Reduced:
    """The options of a puzzle that reductions have left."""

    before: int
    """Number of options before the reductions."""
    kept: NDArray[np.int64]
    """Numbers of the options left, shape (m,), int64, ascending unless they are searched in a
    random order."""
    left: Mapping[str, int]
    """Number of options left after each reduction, by the reduction's name."""
    symmetry_breaking: SymmetryBreaking | None
    """The restricted shape or tile type, with its options; None if there is none."""
    least_images: LeastImages | None = None
    """Order of options for symmetry breaking without a restricted piece or tile; else None."""


def warm_up_reductions(request: Request) -> None:
    """Compile the kernels of the request's reductions, before lowering is timed."""
    compiled = (ReductionName.VOLUME, ReductionName.FIT)
    cell = ((0,),)
    tiny = PackingPuzzle("warm-up", SquareLattice(1), cell, (Piece("A", cell),))
    for reduction in request.reductions:
        if reduction.name in compiled:
            filtered(bounded_placements(tiny), reduction)


def reduce_options(
    options: PackingOptions | EdgeOptions, group: Callable[[], NDArray[np.int32]], request: Request
) -> Reduced:
    """Apply the request's reductions to all options of a puzzle.

    `group` returns the symmetries to be broken, as permutations of the options. Raises
    `ConfigError` for a piece or tile that cannot be restricted, and for a reduction that the puzzle
    does not support.
    """
    kept = np.ones(options.option_count, dtype=bool)
    left: dict[str, int] = {}
    symmetry_breaking = None
    for reduction in request.reductions:
        _check_kind(reduction, options)
        if reduction.name == ReductionName.REDUNDANCY:
            ranks = options.ranks(reduction.representatives)
            symmetry_breaking = break_symmetry(
                options.option_groups, group(), reduction.piece, ranks
            )
            if symmetry_breaking is not None:
                kept &= symmetry_breaking.kept
                kept &= _beside(options, kept, symmetry_breaking.option_group)
        elif isinstance(options, PackingOptions):
            remaining = np.flatnonzero(kept)
            kept[remaining] = filtered(options.placements.subset(remaining), reduction)
        left[str(reduction.name)] = int(np.count_nonzero(kept))
    least = None
    if request.breaks_symmetry and symmetry_breaking is None:
        least = least_images(options.cover, group(), kept)
    return Reduced(options.option_count, np.flatnonzero(kept), left, symmetry_breaking, least)


def _check_kind(reduction: Reduction, options: PackingOptions | EdgeOptions) -> None:
    """Raise `ConfigError` for a reduction that the kind of puzzle does not support."""
    name = options.puzzle.name
    if isinstance(options, PackingOptions):
        if reduction.representatives == Representatives.TOP_LEFT:
            raise ConfigError(
                f"reduction {reduction} is for edge-matching puzzles; expected "
                f"redundancy or redundancy:one-sided for {name}"
            )
        if reduction.name == ReductionName.PROBE:
            raise ConfigError("reduction probe works in runs only; expected redundancy=PIECE")
        return
    one_sided = reduction.representatives == Representatives.ONE_SIDED
    if reduction.name != ReductionName.REDUNDANCY or one_sided:
        raise ConfigError(
            f"reduction {reduction} is for packing puzzles; expected redundancy, "
            "redundancy=TILE, redundancy:top-left or redundancy:top-left=TILE for the "
            f"edge-matching puzzle {name}"
        )


def _beside(
    options: PackingOptions | EdgeOptions, kept: NDArray[np.bool_], tile_type: int
) -> NDArray[np.bool_]:
    """Return a mask of the options that leave a cell for the restricted tile type.

    If the tile type can only lie in one cell, the options of other types in this cell are removed.
    """
    if isinstance(options, EdgeOptions):
        of_type = options.tile_type == tile_type
        cells = np.unique(options.cell[kept & of_type])
        if len(cells) == 1:
            return np.asarray(of_type | (options.cell != cells[0]))
    return np.ones_like(kept)


def within_sub_problem(reduced: Reduced, sub_problem: SubProblem, cover: CoverProblem) -> Reduced:
    """Return the options of `reduced` that lie in a sub-problem of the whole problem `cover`.

    Raises `ConfigError` for an invalid sub-problem, and for a taken option that a reduction has
    dropped.
    """
    kept = np.zeros(reduced.before, dtype=bool)
    kept[reduced.kept] = True
    left = kept & sub_problem.kept(cover)
    for option in sub_problem.taken:
        if not left[option]:
            raise ConfigError(f"sub-problem: option {option} is taken, but a reduction removes it")
    return replace(reduced, kept=np.flatnonzero(left))


def filtered(placements: Placements, reduction: Reduction) -> NDArray[np.bool_]:
    """Return a mask of the placements that a parity, volume or fit filter keeps, shape (n,).

    Raises ValueError for another reduction.
    """
    match reduction.name:
        case ReductionName.PARITY:
            return parity_filter(placements)
        case ReductionName.VOLUME:
            return volume_filter(placements)
        case ReductionName.FIT:
            return fit_filter(placements, to_fixed_point=reduction.to_fixed_point)
        case _:
            raise ValueError(f"reduction {reduction} is no filter; expected parity, volume or fit")
