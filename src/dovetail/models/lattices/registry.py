"""Lattices by name: dovetail's own, and those that other distributions add."""

from __future__ import annotations

import re
from functools import cache

from dovetail.errors import ConfigError, unknown_name
from dovetail.models.lattices.protocol import Lattice
from dovetail.models.lattices.square import MAX_DIMENSIONS, SquareLattice
from dovetail.plugins import Registry, with_plugins

ENTRY_POINT_GROUP = "dovetail.lattices"
# All but squares, which have a name for each dimension.
OWN = {
    "triangular": "dovetail.models.lattices.triangular:triangular",
    "hexagonal": "dovetail.models.lattices.hexagonal:hexagonal",
    "triangular-prisms": "dovetail.models.lattices.prisms:triangular_prisms",
    "hexagonal-prisms": "dovetail.models.lattices.prisms:hexagonal_prisms",
    "spheres": "dovetail.models.lattices.spheres:spheres",
    "rhombic": "dovetail.models.lattices.rhombic:rhombic",
    "tetra-octa": "dovetail.models.lattices.tetra_octa:tetra_octa",
    "square-edges": "dovetail.models.lattices.edges:square_edges",
    "triangular-edges": "dovetail.models.lattices.edges:triangular_edges",
    "hexagonal-edges": "dovetail.models.lattices.edges:hexagonal_edges",
    "half-squares": "dovetail.models.lattices.half_squares:half_squares",
}


@cache
def registry() -> Registry[Lattice]:
    """All lattices but squares: dovetail's own, then those that other distributions add.

    An entry point in the group `dovetail.lattices` names a class, or a function, that gives the
    lattice when called without arguments.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Lattice, lambda lattice: lattice.name)


def lattice_names() -> tuple[str, ...]:
    """The names of all lattices, squares first."""
    return (*(f"square-{n}" for n in range(1, MAX_DIMENSIONS + 1)), *registry().found)


def lattice_named(name: str) -> Lattice:
    """Return the lattice called `name`, the same one each time.

    Raises `ConfigError` with the valid names for an unknown one, and with the reason for a plugin
    that cannot be used.
    """
    square = re.fullmatch(r"square-(\d)", name)
    if square is not None and f"square-{square[1]}" in lattice_names():
        return SquareLattice(int(square[1]))
    if name in registry().found:
        return registry().found[name]
    if name in registry().broken:
        raise ConfigError(registry().broken[name])
    raise unknown_name("lattice", name, lattice_names())


def lattice_from_plain(value: object) -> Lattice:
    """The lattice that plain data name; squares may be given as an object with their dimension.

    Raises `ConfigError` for what names none.
    """
    if isinstance(value, Lattice):
        return value
    if isinstance(value, str):
        return lattice_named(value)
    if isinstance(value, dict) and set(value) == {"dimension"}:
        return SquareLattice(value["dimension"])
    raise ConfigError("a lattice is neither a name nor an object with a dimension")


def lattice_to_plain(lattice: Lattice) -> object:
    """What `lattice_from_plain` reads: the dimension of squares, the name of others.

    Raises `ConfigError` for a lattice that has no name here, so that no other process knows it.
    """
    if isinstance(lattice, SquareLattice):
        return {"dimension": lattice.dimension}
    if lattice.name not in registry().found:
        raise ConfigError(f"lattice {lattice.name} is not registered ({ENTRY_POINT_GROUP})")
    return lattice.name
