"""Dovetail: exhaustive solving of packing and edge-matching puzzles, compared honestly.

>>> import dovetail
>>> dovetail.count("pentominoes-3x20").count
2

Names are imported when they are first used, so that `import dovetail` costs nothing. In a
notebook, puzzles, solutions and results show themselves from then on.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.api import (
        Picture,
        Result,
        bench,
        catalogue,
        count,
        data_frame,
        estimate,
        improve,
        load,
        picture,
        sample,
        solve,
        trials,
        verify,
    )
    from dovetail.errors import (
        BackendError,
        ConfigError,
        DovetailError,
        FormatError,
        LimitError,
        PuzzleError,
    )
    from dovetail.harness.confidence import Interval
    from dovetail.harness.estimating import Estimate
    from dovetail.harness.parallel.options import ParallelOptions
    from dovetail.harness.run.job import Limits, RandomOrder, Trials
    from dovetail.models.cover import CoverProblem, cover_problem
    from dovetail.models.edges import EdgePuzzle, Hint
    from dovetail.models.lattices.square import SquareLattice
    from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
    from dovetail.models.partial_board import PartialBoard
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.catalogue import CatalogueEntry
    from dovetail.puzzles.verification import Verification

_HOME = {
    "bench": "api",
    "catalogue": "api",
    "count": "api",
    "data_frame": "api",
    "sample": "api",
    "estimate": "api",
    "improve": "api",
    "PartialBoard": "models.partial_board",
    "load": "api",
    "picture": "api",
    "Picture": "api",
    "Result": "harness.run.result",
    "solve": "api",
    "trials": "api",
    "verify": "api",
    "BackendError": "errors",
    "ConfigError": "errors",
    "DovetailError": "errors",
    "FormatError": "errors",
    "LimitError": "errors",
    "PuzzleError": "errors",
    "Interval": "harness.confidence",
    "Estimate": "harness.estimating",
    "ParallelOptions": "harness.parallel.options",
    "Limits": "harness.run.job",
    "RandomOrder": "harness.run.job",
    "Trials": "harness.run.job",
    "CoverProblem": "models.cover",
    "cover_problem": "models.cover",
    "EdgePuzzle": "models.edges",
    "Hint": "models.edges",
    "SquareLattice": "models.lattices.square",
    "FixedPiece": "models.packing",
    "Motions": "models.packing",
    "PackingPuzzle": "models.packing",
    "Piece": "models.packing",
    "solution_error": "models.verification.dispatch",
    "CatalogueEntry": "puzzles.catalogue",
    "Verification": "puzzles.verification",
}

__all__ = [
    "BackendError",
    "CatalogueEntry",
    "ConfigError",
    "CoverProblem",
    "DovetailError",
    "EdgePuzzle",
    "Estimate",
    "FixedPiece",
    "FormatError",
    "Hint",
    "Interval",
    "LimitError",
    "Limits",
    "Motions",
    "PackingPuzzle",
    "ParallelOptions",
    "PartialBoard",
    "Picture",
    "Piece",
    "PuzzleError",
    "RandomOrder",
    "Result",
    "SquareLattice",
    "Trials",
    "Verification",
    "bench",
    "catalogue",
    "count",
    "cover_problem",
    "data_frame",
    "estimate",
    "improve",
    "load",
    "picture",
    "sample",
    "solution_error",
    "solve",
    "trials",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'dovetail' has no attribute {name!r}")
    return getattr(import_module(f"dovetail.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


if "IPython" in sys.modules:
    from dovetail.reports.notebook import register

    register()
