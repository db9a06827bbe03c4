"""Which options are of one kind: placements of one shape, places of one tile type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Kinds:
    """Option o is of kind `of_option[o]`, shape (n,), int32.

    `names` are those of the pieces or tiles of each kind, `once` whether every solution has
    exactly one option of it. `noun` says what names are names of.
    """

    noun: str
    of_option: NDArray[np.int32]
    names: tuple[tuple[str, ...], ...]
    once: tuple[bool, ...]
