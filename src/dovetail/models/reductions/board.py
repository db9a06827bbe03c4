"""Reductions of an edge-matching puzzle: a restricted tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.reductions.least_images import least_images
from dovetail.models.reductions.pipeline import Reduced
from dovetail.models.reductions.redundancy import break_symmetry
from dovetail.models.request import ReductionName, Representatives, Request


def reduce_board(options: EdgeOptions, group: NDArray[np.int32], request: Request) -> Reduced:
    """Restrict a tile by the turns of the board in `group`, permutations of the options.

    If the tile keeps a single cell, all other tiles lose that cell. Raises `ConfigError` for
    another reduction, or a tile that cannot be restricted.
    """
    kept = np.ones(options.option_count, dtype=bool)
    left: dict[str, int] = {}
    symmetry_breaking = None
    for reduction in request.reductions:
        one_sided = reduction.representatives == Representatives.ONE_SIDED
        if reduction.name != ReductionName.REDUNDANCY or one_sided:
            raise ConfigError(
                f"reduction {reduction} is for packing puzzles; expected redundancy, "
                "redundancy=TILE, redundancy:top-left or redundancy:top-left=TILE for the "
                f"edge-matching puzzle {options.puzzle.name}"
            )
        ranks = options.ranks(reduction.representatives)
        symmetry_breaking = break_symmetry(options.option_groups, group, reduction.piece, ranks)
        if symmetry_breaking is not None:
            kept = symmetry_breaking.kept
            own = options.tile_type == symmetry_breaking.option_group
            cells = np.unique(options.cell[kept & own])
            if len(cells) == 1:
                kept = kept & (own | (options.cell != cells[0]))
        left[str(reduction.name)] = int(np.count_nonzero(kept))
    least = None
    if request.breaks_symmetry and symmetry_breaking is None:
        least = least_images(options.cover, group, kept)
    return Reduced(options.option_count, np.flatnonzero(kept), left, symmetry_breaking, least)
