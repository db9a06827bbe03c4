"""Backends by their names, `auto` among them, and their configs."""

from __future__ import annotations

from collections.abc import Mapping

from dovetail.backends.base import AnyBackend, Config
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends
from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.harness.planning import AUTO

SUMMARY = "chooses a backend that suits the puzzle, by rules and short trials, and reports why"


def named_backend(name: str) -> AnyBackend | None:
    """The backend called `name`, None for `auto`; `ConfigError` lists the valid names."""
    if name == AUTO:
        return None
    if name not in backends():
        raise unknown_name("backend", name, [AUTO, *backends()])
    return backend_named(name)


def config_type_named(name: str) -> type[Config]:
    """What a backend's config is made of; `auto` has none. `ConfigError` lists the valid names."""
    backend = named_backend(name)
    return Config if backend is None else backend.config_type


def named_config(name: str, values: Mapping[str, object]) -> Config:
    """Return the config of the backend called `name` with `values`.

    Raises `ConfigError` as `build_config` does; `auto`, which chooses a config, takes no values.
    """
    config_type = config_type_named(name)
    if name == AUTO and values:
        raise ConfigError(
            f"backend {AUTO} has no config key {shorten(min(values))!r}; valid: none; to "
            "configure a backend, choose it with -b NAME"
        )
    return build_config(config_type, values, f"backend {name}")
