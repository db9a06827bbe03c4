"""A task: a puzzle lowered for a request, which is what every backend is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.bare import BareOptions
from dovetail.models.options.base import Options
from dovetail.models.options.edges import EdgeOptions, edge_options
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import Solution

Puzzle = PackingPuzzle | EdgePuzzle | CoverProblem


@dataclass(frozen=True, eq=False)
class Task:
    """A puzzle, what is asked of it, and its options."""

    puzzle: Puzzle
    request: Request
    options: Options

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
        """The symmetries that the request counts up to, shape (g, options), identity first."""
        return self.options.symmetries(self.request.symmetry)

    @property
    def needs_canonical_form(self) -> bool:
        """Whether listed solutions still have to be sorted into classes after the search."""
        return len(self.group) > 1

    def solution(self, chosen: Sequence[int]) -> Solution:
        """The solution that the options `chosen` are, in the puzzle's own terms."""
        return self.options.solution(chosen)


def lower(puzzle: Puzzle, request: Request) -> Task:
    """Turn a puzzle and a request into what any backend can take."""
    match puzzle:
        case PackingPuzzle():
            placements = bounded_placements(puzzle, labelled=request.labelled)
            return Task(puzzle, request, PackingOptions(puzzle, placements))
        case EdgePuzzle():
            return Task(puzzle, request, edge_options(puzzle, labelled=request.labelled))
        case CoverProblem():
            if request.labelled:
                raise ConfigError("a bare cover problem has no identical pieces to label")
            return Task(puzzle, request, BareOptions(puzzle))


def as_cover(puzzle: Puzzle) -> CoverProblem:
    """`puzzle` as a bare cover problem: the same solutions, and as many `unique` ones.

    Its symmetries are those that `unique` counts up to; that it has pieces or tiles is lost.
    """
    if isinstance(puzzle, CoverProblem):
        return puzzle
    options = lower(puzzle, Request()).options
    return replace(options.cover, symmetries=options.symmetries(Symmetry.UNIQUE))
