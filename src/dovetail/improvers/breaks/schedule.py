"""What `breaks` asks of a board after each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """What is asked of a board after each step: how many mismatches it may have, and how many sides
    of preferred colours it must have; and after how many nodes to begin again in a new order.
    With `apart`, no tile may have two sides that do not match.
    """

    allowed: Sequence[int]
    quota: Sequence[int]
    restart_nodes: int
    apart: bool = False


def allowed_from(depths: Sequence[int], steps: int) -> list[int]:
    """Return how many mismatches are allowed after each step where one unlocks at each depth.

    A depth is the number of cells filled by then.
    """
    return [sum(depth <= step + 1 for depth in depths) for step in range(steps)]
