"""Backends that need no registration: classes, and files (`plain_x.py`, `plain_x.py:PlainX`)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from dovetail.backends.base import AnyBackend, Backend
from dovetail.errors import ConfigError, FormatError, reason_of, shorten
from dovetail.plugins import error_words, naming_problem
from dovetail.python_files import (
    class_in_file,
    class_in_package,
    error_in_file,
    line_of_class,
    text_digest,
)

EXPECTED = "expected FILE.py or FILE.py:CLASS"
# All backends in files that this process knows, by name.
backend_files: dict[str, BackendFile] = {}


class BackendFile(str):
    """The name of a backend in a file, such as `plain-x@1f3c9a2b`, with a digest of the file.

    A pickled name carries the text of the file, so that other processes and machines can load the
    backend. They run the file when they first use the backend. If `module` is given, they import
    the class from that module of a package instead.
    """

    path: str
    class_name: str
    text: bytes
    module: str | None

    def __new__(
        cls, name: str, path: str, class_name: str, text: bytes, module: str | None = None
    ) -> BackendFile:
        file = super().__new__(cls, name)
        file.path, file.class_name, file.text, file.module = path, class_name, text, module
        return backend_files.setdefault(name, file)

    def __reduce__(self) -> tuple[Any, ...]:
        return BackendFile, (str(self), self.path, self.class_name, self.text, self.module)

    @cached_property
    def backend(self) -> AnyBackend:
        """The backend; raises `FormatError` if the file cannot be run or imported."""
        if self.module is None:
            backend_class = class_in_file(self.path, self.text, self.class_name, Backend)
        else:
            backend_class = class_in_package(self.module, self.class_name, self.path)
        backend = _new_backend(backend_class, self.path, self.text)
        backend.name = self
        return backend

    @property
    def short_name(self) -> str:
        """The name without the digest."""
        return self.rpartition("@")[0]

    @property
    def identity(self) -> dict[str, str]:
        """File name, class and first 16 hexadecimal digits of the SHA-256 digest, for records."""
        digest = text_digest(self.text, 16)
        return {"file": Path(self.path).name, "class": self.class_name, "sha256": digest}


def backend_in_file(reference: str, name: str | None = None) -> BackendFile:
    """Return the backend's name for a reference `FILE.py` or `FILE.py:CLASS`.

    `name` is used in place of the name that the class gives the backend. Raises `ConfigError` for a
    file that cannot be read, for two classes whose backends have the same name, and for `FILE.py:`
    without a class. Raises `FormatError` with the line for a file that cannot be run or has no such
    backend.
    """
    path, class_name = path_and_class(reference)
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{shorten(path, 200)}: {reason_of(error)}; {EXPECTED}") from None
    return _file_of(class_in_file(path, text, class_name, Backend), path, text, name=name)


def path_and_class(reference: str) -> tuple[str, str | None]:
    """Return the path and the class name of `FILE.py:CLASS`; the name is None for `FILE.py`.

    Raises `ConfigError` for `FILE.py:`.
    """
    before, colon, class_name = reference.partition(".py:")
    if colon and not class_name:
        raise ConfigError(f"{shorten(reference, 200)}: no class follows the colon; {EXPECTED}")
    return (f"{before}.py", class_name) if class_name else (reference, None)


def backend_of_class(backend_class: type[AnyBackend]) -> BackendFile:
    """Return the name of the backend of a class at the top level of a file; see `backend_in_file`.

    The file is run again, as in other processes, unless the file is the script of this process or a
    module of a package. Raises `ConfigError` for a class that is not at the top level of a file.
    Raises further errors as `backend_in_file` does.
    """
    module = inspect.getmodule(backend_class)
    path, class_name = getattr(module, "__file__", None) or "", backend_class.__qualname__
    if "." in class_name or not Path(path).is_file():
        raise ConfigError(
            f"{class_name} is not at the top level of a file, so other processes cannot load it; "
            "expected a class in a file (in a notebook: %%writefile plain_x.py)"
        )
    spec = getattr(module, "__spec__", None)
    package_module = spec.name if spec is not None and spec.parent else None
    if backend_class.__module__ != "__main__" and package_module is None:
        return backend_in_file(f"{path}:{class_name}")
    return _file_of(backend_class, path, Path(path).read_bytes(), package_module)


def _file_of(
    backend_class: type[AnyBackend],
    path: str,
    text: bytes,
    module: str | None = None,
    name: str | None = None,
) -> BackendFile:
    backend, class_name = _new_backend(backend_class, path, text), backend_class.__name__
    full_name = f"{name or backend.name}@{text_digest(text)}"
    file = BackendFile(full_name, path, class_name, text, module)
    if file.class_name != class_name or len({file.module, module} - {None}) == 2:
        both = f"{class_name} and {file.class_name} of {shorten(file.path, 200)}"
        raise ConfigError(f"{path}: {both} are both called {file.short_name}; rename one")
    vars(file).setdefault("backend", backend).name = file
    return file


def _new_backend(backend_class: type[AnyBackend], path: str, text: bytes) -> AnyBackend:
    name = backend_class.__name__
    try:
        backend = backend_class()
        problem = backend_problem(backend)
    except Exception as error:  # a file may raise anything
        located = error_in_file(error)
        problem = error_words(error)
        if located is not None:
            raise located from error
    if problem is not None:
        raise FormatError(f"{name}: {problem}", path, line_of_class(text, name))
    return backend


def backend_problem(backend: AnyBackend, _: Mapping[str, AnyBackend] | None = None) -> str | None:
    """Return the error in a backend's name, summary or config type, or None.

    An exception of the backend's method `missing` is passed on.
    """
    naming = naming_problem(getattr(backend, "name", None), getattr(backend, "summary", None))
    config_type = getattr(backend, "config_type", None)
    if naming is None and not isinstance(config_type, type):
        return f"its config_type is {config_type!r:.60}; expected a class"
    backend.missing()  # an error is reported here; later it would end a command that lists backends
    return naming
