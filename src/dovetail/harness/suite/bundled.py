"""The suites that come with dovetail, by their names; each is a file in the package's `suites`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.files.input_bytes import is_input
from dovetail.harness.suite.suite_file import SuitePlan, read_suite


def bundled_suites() -> dict[str, Path]:
    """Return the files of the bundled suites by name, sorted."""
    folder = Path(str(files("dovetail").joinpath("suites")))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def load_suite(suite: str | Path) -> SuitePlan:
    """Return the plan of a suite file, or of the bundled suite called `suite` if there is no file.

    Raises `ConfigError` for an unknown name, and `FormatError` as `read_suite` does.
    """
    if not isinstance(suite, str | Path):
        raise ConfigError(f"suite is {shorten(repr(suite))}; expected a suite's name or a file")
    path, bundled = Path(suite), bundled_suites()
    if is_input(path) or names_file(suite):
        return read_suite(path)
    if str(suite) not in bundled:
        raise unknown_name("suite", str(suite), bundled)
    return read_suite(bundled[str(suite)])


def names_file(word: str | Path) -> bool:
    """Whether a word can only mean a file: it has a folder or a suffix."""
    return "/" in str(word) or Path(word).suffix != ""
