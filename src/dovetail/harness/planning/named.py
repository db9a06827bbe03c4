"""Descriptions and configs of backends by name, including `auto`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dovetail.backends.base import AnyBackend, Config
from dovetail.backends.config import Setting, build_config, settings_of
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import ConfigError, shorten
from dovetail.harness.planning import AUTO


@dataclass(frozen=True)
class BackendDescription:
    """Description of a backend, for lists, help and completion."""

    name: str
    summary: str
    node_meaning: str | None
    missing: str | None
    """Reason why the backend cannot run here; None if it can."""
    settings: tuple[Setting, ...]


AUTO_DESCRIPTION = BackendDescription(
    AUTO,
    "chooses a backend that suits the puzzle, by rules and short trials, and reports why",
    node_meaning="what the chosen backend counts as a node",
    missing=None,
    settings=(),
)


def backend_names() -> list[str]:
    """Return all valid names of a backend."""
    return [AUTO, *backends()]


def backend_description(name: str) -> BackendDescription:
    """Return the description of a backend; raise `ConfigError` for an unknown name."""
    backend = named_backend(name)
    if backend is None:
        return AUTO_DESCRIPTION
    return BackendDescription(
        name,
        backend.summary,
        backend.node_meaning,
        not_installed(backend),
        settings_of(backend.config_type),
    )


def named_backend(name: str) -> AnyBackend | None:
    """Return the backend with this name, or None for `auto`.

    Raises `ConfigError` for an unknown name.
    """
    return None if name == AUTO else backend_named(name, AUTO)


def named_config(name: str, values: Mapping[str, object]) -> Config:
    """Return the config of the backend with this name.

    Raises the errors of `build_config`, and `ConfigError` for any value for `auto`, which chooses a
    config itself.
    """
    backend = named_backend(name)
    if backend is None and values:
        raise ConfigError(
            f"backend {AUTO} has no config key {shorten(min(values))!r}; valid: none; to "
            "configure a backend, choose it with -b NAME"
        )
    config_type: type[Config] = Config if backend is None else backend.config_type
    return build_config(config_type, values, f"backend {name}")
