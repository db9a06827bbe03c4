"""The list of backends. Everything that shows or tests "all backends" reads it from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from dovetail.backends.base import AnyBackend, Backend
from dovetail.backends.config import build_config
from dovetail.errors import ConfigError, unknown_name
from dovetail.extras import install_command
from dovetail.plugins import Registry, naming_problem, with_plugins

ENTRY_POINT_GROUP = "dovetail.backends"
# Where they are, in the order of lists: searches of our own, libraries, programs.
OWN = {
    "dlx": "dovetail.backends.dlx.backend:Dlx",
    "fila": "dovetail.backends.fila.backend:Fila",
    "fletcher": "dovetail.backends.fletcher.backend:Fletcher",
    "frontier": "dovetail.backends.frontier.backend:Frontier",
    "bitset": "dovetail.backends.bitset.backend:Bitset",
    "zdd": "dovetail.backends.zdd.backend:Zdd",
    "rows": "dovetail.backends.rows.backend:RowsBackend",
    "colorpair": "dovetail.backends.colorpair.backend:ColorPair",
    "domains": "dovetail.backends.domains.backend:Domains",
    "cpsat": "dovetail.backends.cpsat.backend:CpSat",
    "constraint": "dovetail.backends.constraint:Constraint",
    "xcover": "dovetail.backends.xcover:XCover",
    "choco": "dovetail.backends.choco.backend:Choco",
    "clingo": "dovetail.backends.clingo:Clingo",
    "sat": "dovetail.backends.sat:Sat",
    "minizinc": "dovetail.backends.command.backend:minizinc",
    "nucs": "dovetail.backends.command.backend:nucs",
    "miniexact": "dovetail.backends.command.backend:miniexact",
    "d4": "dovetail.backends.command.backend:d4",
    "ganak": "dovetail.backends.command.backend:ganak",
    "command": "dovetail.backends.command.backend:Command",
}


@cache
def registry() -> Registry[AnyBackend]:
    """Return all backends: dovetail's own, then backends of other distributions.

    An entry point in the group `dovetail.backends` names a class, or a function, that gives
    the backend when called without arguments; an entry point that cannot be used is left out with
    a warning that names it.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Backend, lambda backend: backend.name, _problem)


def _problem(backend: AnyBackend, _: Mapping[str, AnyBackend]) -> str | None:
    """Return why nothing could describe a backend of another distribution, or None."""
    naming = naming_problem(backend.name, backend.summary)
    if naming is not None:
        return naming
    if not isinstance(backend.config_type, type):
        return f"its config_type is {backend.config_type!r:.60}; expected a class"
    backend.missing()  # raises what would otherwise end whatever lists backends
    return None


def backends() -> Mapping[str, AnyBackend]:
    """Return all backends that can be used, by name, in the order of the registry."""
    return registry().found


def backend_named(name: str, *also: str) -> AnyBackend:
    """Return the backend called `name`.

    Raises `ConfigError` with the valid names, and the names `also`, for an unknown name, and with
    the reason for a plugin that cannot be used.
    """
    if name not in backends():
        if name in registry().broken:
            raise ConfigError(registry().broken[name])
        raise unknown_name("backend", name, [*also, *backends()])
    return backends()[name]


def not_installed(backend: AnyBackend) -> str | None:
    """Return why `backend` cannot run in this environment, naming the extra that brings it."""
    missing = backend.missing()
    if missing is None:
        return None
    needs = f"backend {backend.name} needs {missing}"
    return needs if backend.extra is None else f"{needs}: {install_command(backend.extra)}"


def solver_label(name: str, values: Mapping[str, object]) -> str:
    """Return what results call the backend called `name` with `values`: its own name, if unknown.

    Raises `ConfigError` as `build_config` does.
    """
    backend = backends().get(name)
    return name if backend is None else backend.label(_config(backend, values))


def counts_probably(name: str, values: Mapping[str, object]) -> bool:
    """Return whether counts of the backend called `name` with `values` are only probable.

    Raises `ConfigError` as `build_config` does.
    """
    backend = backends().get(name)
    return backend is not None and backend.is_probable(_config(backend, values))


def _config(backend: AnyBackend, values: Mapping[str, object]) -> Any:
    return build_config(backend.config_type, values, f"backend {backend.name}")


def backends_that(capability: Callable[[AnyBackend], bool]) -> str:
    """Return the names of the backends with a capability, as messages list them."""
    return ", ".join(name for name, backend in backends().items() if capability(backend))


def overrides(backend: AnyBackend, method: str) -> bool:
    """Return whether a backend overrides an optional method of `Backend`."""
    return getattr(type(backend), method) is not getattr(Backend, method)
