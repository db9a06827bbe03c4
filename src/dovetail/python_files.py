"""Loading of classes from Python files, and errors that name a line of a loaded file."""

from __future__ import annotations

import ast
import hashlib
import os.path
import sys
import traceback
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

from dovetail.errors import FormatError, shorten
from dovetail.plugins import error_words

# Paths of loaded files as messages show them, by absolute path.
_shown_paths: dict[str, str] = {}
# Absolute paths of the files that are being loaded.
loading: list[str] = []


@cache
def class_in_file(path: str, text: bytes, name: str | None, base: type) -> type:
    """Run the `text` of a Python file, and return its class `name`, which must derive from `base`.

    Without a name, returns the only class of the file that derives from `base`. Raises
    `FormatError` with the line for a file that cannot be run, and with the valid names if there is
    no such class or, without a name, if there are several.
    """
    place = os.path.abspath(path)
    _shown_paths[place] = path
    module = ModuleType(f"{Path(path).stem}@{text_digest(text)}")
    module.__file__ = place
    sys.modules[module.__name__] = module  # `dataclass` looks up the module of a class
    loading.append(place)
    try:
        exec(compile(text, place, "exec"), vars(module))
    except (Exception, SystemExit) as error:  # a file may raise anything
        raise error_in_file(error) or FormatError(error_words(error), path) from error
    finally:
        loading.pop()
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and issubclass(value, base)
    }
    if name is None and len(classes) == 1:
        (name,) = classes
    if name in classes:
        return classes[name]
    problem = f"no class {shorten(name or '')}".rstrip() + f" derives from {base.__name__}"
    if name is None and classes:
        problem = f"{len(classes)} classes derive from {base.__name__}; expected FILE:CLASS"
    valid = ", ".join(classes) or "none"
    line = line_of_class(text, name or next(reversed(classes), None))
    raise FormatError(f"{problem}; valid: {valid}", path, line)


def class_in_package(module: str, name: str, path: str) -> type:
    """Import a class of the module in the file `path`, even if the package is not installed.

    Raises `FormatError` if the module cannot be imported or has no such class.
    """
    levels = module.count(".") + (Path(path).stem == "__init__")
    folder = str(Path(path).parents[levels])
    if folder not in sys.path:
        sys.path.append(folder)
    _shown_paths[path] = path
    try:
        found: type = EntryPoint(name, f"{module}:{name}", "").load()
    except (Exception, SystemExit) as error:  # a module may raise anything
        raise error_in_file(error) or FormatError(error_words(error), path) from error
    return found


def text_digest(text: bytes, digits: int = 8) -> str:
    """Return the first hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text).hexdigest()[:digits]


def line_of_class(text: bytes, name: str | None) -> int | None:
    """Return the line of a class at the top level of a file; None if there is no such class."""
    classes = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    return next((node.lineno for node in classes if node.name == name), None)


def error_in_file(error: BaseException) -> FormatError | None:
    """Return an error with the line of the loaded file that raised `error`; None if none did."""
    if isinstance(error, SyntaxError) and error.filename in _shown_paths:
        message = f"{type(error).__name__}: {error.msg}"
        return FormatError(message, _shown_paths[error.filename], error.lineno)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in _shown_paths:
            return FormatError(error_words(error), _shown_paths[frame.filename], frame.lineno)
    return None
