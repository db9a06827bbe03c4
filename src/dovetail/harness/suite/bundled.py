"""The suites that come with dovetail, by their names; each is a file in the package's `suites`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.puzzles.loading import folder_named, is_file


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
    path = suite_path(suite)
    if path is None:
        raise unknown_name("suite", str(suite), bundled_suites())
    return read_suite(path)


def suite_path(word: str | Path) -> Path | None:
    """Return the file that a word means: a file, a bundled suite, a folder; None for another name.

    A word with a folder or a suffix can only mean a file, there or not.
    """
    path = Path(word)
    if is_file(path) or "/" in str(word) or path.suffix:
        return path
    return bundled_suites().get(str(word)) or (path if folder_named(path) else None)
