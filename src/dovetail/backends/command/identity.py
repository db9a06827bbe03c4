"""Which program a run had: its version, and a digest of its files."""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from pathlib import Path

from dovetail.backends.command.definition import CommandConfig
from dovetail.backends.command.placeholders import with_python
from dovetail.backends.command.program import Program, ProgramError, find_program
from dovetail.errors import shorten

VERSION_TIMEOUT_S = 10.0
_DIGITS = 16  # hexadecimal ones of a digest


def identity(definition: CommandConfig) -> dict[str, str]:
    """Return what tells a program from another of the same name, as far as it can be known.

    `sha256` is of the files among the words of the command, the program first; `version` is the
    first line that the command for the version prints.
    """
    found = {}
    digest = _digest(definition.command)
    if digest is not None:
        found["sha256"] = digest
    if definition.version:
        found["version"] = _version(with_python(definition.version))
    return found


def _digest(command: tuple[str, ...]) -> str | None:
    first, *others = command
    paths = [find_program(first), *others]
    files = [Path(path) for path in paths if path is not None and Path(path).is_file()]
    if not files:
        return None
    digest = hashlib.sha256()
    for path in files:
        with suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:_DIGITS]


def _version(command: list[str]) -> str:
    """Return the first line that a command prints within some seconds."""
    try:
        program = Program(command)
    except ProgramError as error:
        return str(error)
    try:
        until = time.monotonic() + VERSION_TIMEOUT_S
        lines = program.lines(lambda: time.monotonic() >= until)
        return shorten(next((line.strip() for line in lines if line.strip()), "unknown"))
    except ProgramError as error:
        return str(error)
    finally:
        program.end()
