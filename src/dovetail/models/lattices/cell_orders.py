"""Fixed orders in which cells can be filled, by name.

| name | order of the cells |
|---|---|
| `f` | by number |
| `x` `y` `z` `w` | least coordinate along this axis of space first |
| `X` `Y` `Z` `W` | greatest coordinate along this axis first |
| `R` | outside in: greatest distance from the centre first |
| `r` | inside out |
| `a@DEG` | least angle about the centre, counter-clockwise from DEG degrees |
| `[3 0 1 2]` | as listed, by cell numbers |

All orders but `f` and lists use the positions of the cells' centres in space. On a square lattice,
these positions are the cells' coordinates. Distances and angles are measured from the centre of the
bounding box of the positions, angles in x and y, with y upward. Source: Busche 2011, the ordering
heuristics of polycube.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, how_many, shorten

AXES = "xyzw"
ANGLE, LISTED = "a@DEG", "[CELLS]"
DIGITS = 9  # decimal places: positions that agree in all of them are equal

_ANGLE_FORM = re.compile(r"a@([0-9]{1,3}(?:\.[0-9]{1,6})?)")
_LISTED_FORM = re.compile(r"\[\s*([0-9]{1,9}(?:\s+[0-9]{1,9})*)\s*\]")


def orders_of(dimension: int) -> tuple[str, ...]:
    """Return the names and forms of the orders for a lattice of this dimension."""
    axes = AXES[:dimension]
    return ("f", *axes, *axes.upper(), "R", "r", *([ANGLE] if dimension > 1 else []), LISTED)


def check_order(name: str) -> None:
    """Raise `ConfigError` for a name that is no order of any puzzle."""
    if name.startswith("a@"):
        _start_of(name)
    elif name.startswith("["):
        _listed(name)
    elif name not in orders_of(len(AXES)):
        raise ConfigError(
            f"unknown cell order {shorten(name)!r}; valid: {', '.join(orders_of(len(AXES)))}"
        )


def cell_ranks(name: str, positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of each cell in the order called `name`, from 0.

    `positions` has shape (c, dimension), the ranks have shape (c,). The order does not decide
    between cells of equal rank. Raises `ConfigError` if the order does not exist for this dimension
    or number of cells.
    """
    check_order(name)
    cells, dimension = positions.shape
    valid = orders_of(dimension)
    if name.startswith("["):
        return _by_list(name, cells)
    if (ANGLE if name.startswith("a@") else name) not in valid:
        raise ConfigError(
            f"cells of dimension {dimension} have no order {shorten(name)}; "
            f"valid: {', '.join(valid)}"
        )
    if name == "f" or cells == 0:
        return np.arange(cells)
    if name.lower() in AXES:
        along = positions[:, AXES.index(name.lower())]
        return _dense(along if name.islower() else -along)
    from_centre = 2 * positions - positions.min(axis=0) - positions.max(axis=0)
    if name.startswith("a@"):
        return _by_angle(_start_of(name), from_centre[:, :2])
    distance = (from_centre**2).sum(axis=1)
    return _dense(distance if name == "r" else -distance)


def _start_of(name: str) -> float:
    """Return DEG of the name `a@DEG`; raise `ConfigError` for another name."""
    found = _ANGLE_FORM.fullmatch(name)
    if found is None or float(found[1]) >= 360:
        raise ConfigError(
            f"cell order {shorten(name)!r}; expected {ANGLE} with degrees from 0 and below 360"
        )
    return float(found[1])


def _listed(name: str) -> list[int]:
    """Return the cells that a name such as `[3 0 1 2]` lists; raise `ConfigError` for another name.

    The cells are a permutation of the numbers from 0.
    """
    found = _LISTED_FORM.fullmatch(name)
    numbers = [] if found is None else [int(number) for number in found[1].split()]
    if not numbers or sorted(numbers) != list(range(len(numbers))):
        raise ConfigError(
            f"cell order {shorten(name)!r}; expected the numbers of all cells from 0, each once, "
            "as in [3 0 1 2]"
        )
    return numbers


def _by_list(name: str, cells: int) -> NDArray[np.int64]:
    numbers = _listed(name)
    if len(numbers) != cells:
        raise ConfigError(
            f"cell order {shorten(name)!r} names {how_many(len(numbers), 'cell')}; expected all "
            f"{cells}"
        )
    return np.argsort(np.array(numbers, dtype=np.int64))


def _by_angle(start: float, from_centre: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return ranks by angle; a cell on the centre comes first."""
    angle = np.degrees(np.arctan2(from_centre[:, 1], from_centre[:, 0])) - start
    # The second modulus maps an angle just below `start`, which is rounded to 360, to 0.
    turned = np.round(angle % 360, DIGITS) % 360
    off_centre = np.round(from_centre, DIGITS).any(axis=1)
    return _dense(np.where(off_centre, turned, -1.0))


def _dense(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the ranks of the values, from 0, equal for equal values.

    Values are rounded first, since their last digits differ between machines.
    """
    rounded = np.round(values, DIGITS)
    ranks: NDArray[np.int64] = np.unique(rounded, return_inverse=True)[1].astype(np.int64)
    return ranks
