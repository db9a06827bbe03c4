"""What the arguments of `dovetail bench` name: one suite, or puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dovetail.errors import ConfigError, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.harness.suite.plan import SuitePlan, not_for_a_suite, plan_of
from dovetail.harness.suite.suite_file import bundled_suites, is_suite, read_suite, suite_path
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue, is_catalogue_name
from dovetail.puzzles.loading import Reference


def plan_of_words(
    words: Sequence[str],
    backends: Sequence[str] | None,
    repeats: int,
    asked: Mapping[str, Any],
    puzzle_options: Sequence[str],
    source_format: str | None = None,
) -> SuitePlan:
    """Return the plan of a suite, or that of puzzles with the parameters `asked`.

    `puzzle_options` are the options given that a suite does not take. Raises `ConfigError` for a
    suite with any of them or beside another argument, and for a name of neither.
    """
    puzzles: list[Puzzle] = []
    for word in words:
        named = _named(word, source_format)
        if not isinstance(named, TextFile):
            puzzles += named
            continue
        if len(words) > 1:
            raise ConfigError(f"{shorten(word)!r} is a suite; expected one suite or only puzzles")
        if puzzle_options:
            raise not_for_a_suite(word, puzzle_options)
        return read_suite(named)
    return plan_of(puzzles, backends, repeats, **asked)


def _named(word: str, source_format: str | None) -> TextFile | tuple[Puzzle, ...]:
    """Return the file of a suite, or puzzles; the content of a file decides which it is."""
    path = suite_path(word)
    if path is None and not is_catalogue_name(word):
        examples = [example for entry in catalogue() for example in entry.examples]
        raise unknown_name("suite or puzzle", word, [*bundled_suites(), *examples])
    reference = Reference(word if path is None else str(path))
    if reference.file is not None and is_suite(reference.file):
        return reference.file
    return reference.puzzles(source_format)
