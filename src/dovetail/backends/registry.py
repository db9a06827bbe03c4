"""Registry of backends, from which every list of all backends is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from dovetail.backends.backend_file import (
    backend_files,
    backend_in_file,
    backend_of_class,
    backend_problem,
)
from dovetail.backends.base import AnyBackend, Backend
from dovetail.backends.config import build_config
from dovetail.errors import ConfigError
from dovetail.extras import install_command
from dovetail.plugins import Registry, with_plugins
from dovetail.python_files import loading

ENTRY_POINT_GROUP = "dovetail.backends"
# Classes of the built-in backends, in the order in which lists show the backends: solvers of this
# package, libraries, programs.
OWN = {
    "dlx": "dovetail.backends.dlx.backend:Dlx",
    "fila": "dovetail.backends.fila.backend:Fila",
    "fletcher": "dovetail.backends.fletcher.backend:Fletcher",
    "frontier": "dovetail.backends.frontier.backend:Frontier",
    "skyline": "dovetail.backends.skyline.backend:Skyline",
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
    """Return all backends: the built-in backends, then backends of other distributions.

    An entry point in the group `dovetail.backends` names a class or a function that returns the
    backend when it is called without arguments. An entry point that cannot be used is left out, and
    a warning names it.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Backend, attrgetter("name"), backend_problem)


def backends() -> Mapping[str, AnyBackend]:
    """Return all backends that can be used, by name, in the order of the registry."""
    return registry().found


def backend_named(name: str, *also: str) -> AnyBackend:
    """Return the backend called `name`.

    Raises `ConfigError` for an unknown name; the message lists the valid names and `also`. Raises
    `ConfigError` with the reason for a plugin that cannot be used.
    """
    found = find_backend(name)
    return registry().named("backend", name, [*also, *backends()]) if found is None else found


def find_backend(name: str) -> AnyBackend | None:
    """Return the backend called `name`, registered or in a file; None if it is unknown."""
    return backend_files[name].backend if name in backend_files else backends().get(name)


# A backend as the user gives it: a name, FILE.py, FILE.py:CLASS, a class, or an object.
Solver = str | Path | type[AnyBackend] | AnyBackend


def solver_of(backend: Solver) -> tuple[str, Mapping[str, object]]:
    """Return the name and the settings of a backend that the user gives.

    Only a backend object has settings. A file is run, so a text from an untrusted source must first
    be checked by `backend_named`. Any other text or object is returned unchanged. Raises
    `ConfigError` and `FormatError` as `backend_in_file` and `backend_of_class` do. Also raises
    `ConfigError` while a file is being loaded, and for an object whose class has an `__init__`.
    """
    if loading:
        expected = 'expected it below if __name__ == "__main__":'
        raise ConfigError(f"a search begins while the file is loaded; {expected}")
    if isinstance(backend, Backend):
        if type(backend).__init__ is not Backend.__init__:
            name, expected = type(backend).__name__, "expected settings in its config_type"
            raise ConfigError(f"{name} has an __init__, which only this process calls; {expected}")
        return solver_of(type(backend))[0], backend.settings
    if isinstance(backend, type) and issubclass(backend, Backend):
        name = getattr(backend, "name", "")
        return name if type(find_backend(name)) is backend else backend_of_class(backend), {}
    is_file = isinstance(backend, str | Path) and re.search(r"\.py(:[^,]*)?$", str(backend))
    if is_file and str(backend) not in backends():
        return backend_in_file(str(backend)), {}
    return backend, {}  # type: ignore[return-value]


def not_installed(backend: AnyBackend) -> str | None:
    """Return why `backend` cannot run in this environment, with the extra to install, or None."""
    missing = backend.missing()
    if missing is None:
        return None
    needs = f"backend {backend.name} needs {missing}"
    return needs if backend.extra is None else f"{needs}: {install_command(backend.extra)}"


def solver_label(name: str, values: Mapping[str, object]) -> str:
    """Return the label, in results, of the backend called `name` with the settings `values`.

    The label of an unknown backend is its name. Raises `ConfigError` as `build_config` does.
    """
    backend = find_backend(name)
    return name if backend is None else backend.label(_config(backend, values))


def counts_probably(name: str, values: Mapping[str, object]) -> bool:
    """Return whether the backend called `name` with `values` may count wrongly; see `is_probable`.

    The result is False for an unknown backend. Raises `ConfigError` as `build_config` does.
    """
    backend = find_backend(name)
    return backend is not None and backend.is_probable(_config(backend, values))


def _config(backend: AnyBackend, values: Mapping[str, object]) -> Any:
    return build_config(backend.config_type, values, f"backend {backend.name}")


def backends_that(capability: Callable[[AnyBackend], bool]) -> str:
    """Return the names of the backends with a capability, separated by commas."""
    return ", ".join(name for name, backend in backends().items() if capability(backend))


def overrides(backend: AnyBackend, method: str) -> bool:
    """Return whether a backend overrides an optional method of `Backend`."""
    return getattr(type(backend), method) is not getattr(Backend, method)
