"""Registry of lattices by name: built-in lattices and plugins."""

from __future__ import annotations

import re
from functools import cache

from dovetail.errors import ConfigError
from dovetail.models.lattices.kinds.square import MAX_DIMENSIONS, SquareLattice
from dovetail.models.lattices.protocol import Lattice
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.plugins import Registry, with_plugins

ENTRY_POINT_GROUP = "dovetail.lattices"
# All lattices but squares, which have a name for each dimension.
OWN = {
    "triangular": "dovetail.models.lattices.kinds.plane:triangular",
    "hexagonal": "dovetail.models.lattices.kinds.plane:hexagonal",
    "triangular-prisms": "dovetail.models.lattices.kinds.space:triangular_prisms",
    "hexagonal-prisms": "dovetail.models.lattices.kinds.space:hexagonal_prisms",
    "spheres": "dovetail.models.lattices.kinds.spheres:spheres",
    "rhombic": "dovetail.models.lattices.kinds.space:rhombic",
    "tetra-octa": "dovetail.models.lattices.kinds.space:tetra_octa",
    "square-edges": "dovetail.models.lattices.kinds.edges:square_edges",
    "triangular-edges": "dovetail.models.lattices.kinds.edges:triangular_edges",
    "hexagonal-edges": "dovetail.models.lattices.kinds.edges:hexagonal_edges",
    "half-squares": "dovetail.models.lattices.kinds.plane:half_squares",
}


@cache
def registry() -> Registry[Lattice]:
    """Return all lattices but squares: built-in lattices first, then plugins.

    An entry point in the group `dovetail.lattices` names a class, or a function, that returns the
    lattice when called without arguments.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Lattice, lambda lattice: lattice.name)


def lattice_names() -> tuple[str, ...]:
    """Return the names of all lattices, squares first."""
    return (*(f"square-{n}" for n in range(1, MAX_DIMENSIONS + 1)), *registry().found)


def lattice_named(name: str) -> Lattice:
    """Return the lattice called `name`; `BASE mod PERIODS` is a wrapped lattice.

    Raises `ConfigError` with the valid names for an unknown name, and with the reason for a plugin
    that cannot be used. Raises `PuzzleError` for periods that do not suit the base lattice.
    """
    base, wrapped, periods = name.partition(" mod ")
    if wrapped and re.fullmatch("[0-9]{1,7}(,[0-9]{1,7})*", periods):
        return WrappedLattice(lattice_named(base), tuple(map(int, periods.split(","))))
    square = re.fullmatch("square-([0-9])", name)
    if square is not None and f"square-{square[1]}" in lattice_names():
        return SquareLattice(int(square[1]))
    return registry().named("lattice", name, lattice_names())


def lattice_from_plain(value: object) -> Lattice:
    """Return the lattice that a value of plain data names.

    Raises `ConfigError` for a value that is not a lattice's name.
    """
    if isinstance(value, Lattice):
        return value
    if isinstance(value, str):
        return lattice_named(value)
    raise ConfigError(f"lattice {value!r:.60}; expected the name of a lattice, such as square-3")


def lattice_to_plain(lattice: Lattice) -> str:
    """Return the lattice's name.

    Raises `ConfigError` for a lattice that is not registered: other processes could not look it up.
    """
    if lattice.name.partition(" mod ")[0] not in lattice_names():
        raise ConfigError(f"lattice {lattice.name} is not registered ({ENTRY_POINT_GROUP})")
    return lattice.name
