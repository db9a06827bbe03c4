"""Dovetail: solves packing and edge-matching puzzles exhaustively and compares the solvers.

>>> import dovetail
>>> dovetail.count("pentominoes-3x20").count
2

Names are imported when they are first used, so that `import dovetail` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dovetail.printable import Shown

if TYPE_CHECKING:
    from dovetail.api import (
        Picture,
        Result,
        bench,
        catalogue,
        count,
        data_frame,
        disassemble,
        estimate,
        has_solution,
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
    from dovetail.harness.run.job import Limits
    from dovetail.models.boards.edges import EdgePuzzle, Hint
    from dovetail.models.boards.partial_board import PartialBoard
    from dovetail.models.cover import CoverProblem, cover
    from dovetail.models.lattices.kinds.square import SquareLattice
    from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
    from dovetail.models.verification.dispatch import solution_error
    from dovetail.puzzles.catalogue import CatalogueEntry
    from dovetail.puzzles.statements import board, packing
    from dovetail.puzzles.verification import Verification

# Public names by the module from which they are imported.
_NAMES = {
    "api": (
        *("bench", "catalogue", "count", "data_frame", "disassemble", "estimate", "has_solution"),
        *("improve", "load", "picture", "Picture", "sample", "solve", "trials", "verify"),
    ),
    "errors": (
        *("BackendError", "ConfigError", "DovetailError", "FormatError", "LimitError"),
        *("PuzzleError",),
    ),
    "harness.confidence": ("Interval",),
    "harness.estimating": ("Estimate",),
    "harness.run.job": ("Limits",),
    "harness.run.result": ("Result",),
    "models.cover": ("CoverProblem", "cover"),
    "models.boards.edges": ("EdgePuzzle", "Hint"),
    "models.lattices.kinds.square": ("SquareLattice",),
    "models.packings.packing": ("FixedPiece", "Motions", "PackingPuzzle", "Piece"),
    "models.boards.partial_board": ("PartialBoard",),
    "models.verification.dispatch": ("solution_error",),
    "puzzles.statements": ("board", "packing"),
    "puzzles.catalogue": ("CatalogueEntry",),
    "puzzles.verification": ("Verification",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}

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
    "PartialBoard",
    "Picture",
    "Piece",
    "PuzzleError",
    "Result",
    "SquareLattice",
    "Verification",
    "bench",
    "board",
    "catalogue",
    "count",
    "cover",
    "data_frame",
    "disassemble",
    "estimate",
    "has_solution",
    "improve",
    "load",
    "packing",
    "picture",
    "sample",
    "solution_error",
    "solve",
    "trials",
    "verify",
]


def _views() -> Any:
    from dovetail.reports import notebook

    return notebook


Shown.views = staticmethod(_views)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'dovetail' has no attribute {name!r}")
    return getattr(import_module(f"dovetail.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
