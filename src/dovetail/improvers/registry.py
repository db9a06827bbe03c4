"""The registry of improvers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dovetail.backends.base import Config
from dovetail.backends.config import build_config
from dovetail.improvers.base import AnyImprover, Improver
from dovetail.plugins import Registry, with_plugins

ENTRY_POINT_GROUP = "dovetail.improvers"
OWN = {
    "portfolio": "dovetail.improvers.portfolio:Portfolio",
    "breaks": "dovetail.improvers.breaks.improver:Breaks",
    "beam": "dovetail.improvers.beam:Beam",
    "repair": "dovetail.improvers.repair.improver:Repair",
}


@cache
def registry() -> Registry[AnyImprover]:
    """Return all improvers: dovetail's own, then improvers of other distributions.

    An entry point in the group `dovetail.improvers` names a class or a function. Called without
    arguments, it returns the improver. An entry point that cannot be used is left out with a
    warning.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Improver, lambda improver: improver.name)


def improvers() -> Mapping[str, AnyImprover]:
    """Return all improvers that can be used, by name."""
    return registry().found


def improver_named(name: str) -> AnyImprover:
    """Return the improver called `name`; raise `ConfigError`, with all names, if there is none."""
    return registry().named("improver", name)


def improver_config(name: str, values: Mapping[str, object]) -> Config:
    """Return the config of an improver; raise the errors of `improver_named` and `build_config`."""
    config: Config = build_config(improver_named(name).config_type, values, f"improver {name}")
    return config
