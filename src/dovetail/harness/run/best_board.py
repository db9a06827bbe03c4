"""What an improvement finds: better and better boards, and at last the best of them."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.plain_data import Seconds, Whole
from dovetail.models.partial_board import PartialBoard


@dataclass(frozen=True)
class Improved:
    """A better board than any before."""

    seconds: Seconds
    """Wall-clock seconds since the search began."""
    nodes: Whole
    """Placements made until then."""
    score: Whole
    """Matched edges of the board."""


@dataclass(frozen=True)
class BestBoard:
    """The best board, its score, the score of a solution, and all improvements until then."""

    board: PartialBoard
    score: int
    bound: int
    trace: tuple[Improved, ...]
