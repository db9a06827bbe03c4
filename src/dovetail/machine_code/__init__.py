"""Code that is written by hand for a processor, or for LLVM, in place of code that numba compiles.

| piece | module | replaced code |
|---|---|---|
| `start` | `start`, `two_processes` | numba as the caller of kernels |
| `vectors` | `vectors` | a kernel of `dovetail.kernels.bits`: which of eight masks fit |
| `lanes` | `vectors` | a kernel of `bitset`: the item with the fewest choices |
| `lists` | `vectors` | kernels of `bitset` for options of one word, which has a bit per item |
| `board` | `board` | the kernel of `rows`, on boards whose search is long |

The page "Hand-written code" of the documentation has the purpose and measurements of each piece.

| environment variable | meaning |
|---|---|
| `DOVETAIL_MACHINE_CODE` | pieces to use, separated by commas, or `off` for none; default: all |
"""

from __future__ import annotations

import os
from functools import cache

from dovetail.errors import ConfigError

START, VECTORS, LANES, LISTS, BOARD = PIECES = "start", "vectors", "lanes", "lists", "board"


@cache
def pieces() -> frozenset[str]:
    """Return the names of the pieces in use; the environment is read at the first call.

    Raises `ConfigError` for a piece that does not exist.
    """
    chosen = os.environ.get("DOVETAIL_MACHINE_CODE") or ",".join(PIECES)
    named = frozenset() if chosen == "off" else frozenset(chosen.split(","))
    if unknown := sorted(named - set(PIECES)):
        raise ConfigError(
            f"DOVETAIL_MACHINE_CODE: unknown piece {unknown[0]!r}; valid: off, {', '.join(PIECES)}"
        )
    return named


def is_on(piece: str) -> bool:
    """Return whether a piece is in use."""
    return piece in pieces()
