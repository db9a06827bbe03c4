"""Groups of options: the placements of a shape, or the places of a tile type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class OptionGroups:
    """A partition of the n options: option o is in group `of_option[o]`."""

    noun: str
    """Noun for the things in `names`, such as "piece"."""
    of_option: NDArray[np.int32]
    """Group of each option, shape (n,), int32."""
    names: tuple[tuple[str, ...], ...]
    """Names of the pieces or tiles of each group."""
    once: tuple[bool, ...]
    """True for a group of which every solution has exactly 1 option."""
