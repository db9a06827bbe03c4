"""Errors that commands and the API report to the user, and helpers for their messages.

A command prints a `DovetailError` as one line on standard error. The exit status is 2, or 3 if a
`LimitError` ends `estimate` or `sample`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log10
from numbers import Number
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_COMPARED = 500  # maximum number of valid names from which a suggestion is chosen
MAX_DIGITS = 4_300  # Python's limit for converting an integer to text
TOO_LONG = f"more than {MAX_DIGITS:,} digits"
MIN_BEGINNING = 3  # minimum length of a beginning and of a similar name; others match too often


class DovetailError(Exception):
    """Base of the errors for unusable input, failed backends and reached limits.

    The message is one line.

    >>> try:
    ...     count("queens-6", limits=Limits(nodes=-1))
    ... except DovetailError as error:
    ...     print(error)
    limit nodes is -1; expected 0 or more
    """


class PuzzleError(DovetailError, ValueError):
    """A puzzle, lattice or solution is invalid, or cannot be used for the task.

    >>> SquareLattice(9)
    Traceback (most recent call last):
    dovetail.errors.PuzzleError: a square lattice of 9 dimensions; expected 1 to 6
    """


class ConfigError(DovetailError, ValueError):
    """An unknown name, an invalid value, or a file or resource that cannot be used.

    The message says what is expected, or why the file or resource cannot be used.

    >>> count("queens-6", time_limit="soon")
    Traceback (most recent call last):
    dovetail.errors.ConfigError: time is 'soon'; expected seconds, or a time such as 5s, 2m or 1h
    """


class BackendError(DovetailError):
    """A backend refuses a puzzle, fails, or returns a wrong result.

    >>> count("soma-cube", "rows")
    Traceback (most recent call last):
    dovetail.errors.BackendError: soma-cube: rows refuses: it supports edge-matching puzzles only
    """


class WorkersError(BackendError):
    """Workers cannot be started, or no worker is left."""


class LimitError(DovetailError):
    """A limit on time, nodes or memory ended a search before its answer was complete.

    >>> has_solution("queens-30", limits=Limits(nodes=9))
    Traceback (most recent call last):
    dovetail.errors.LimitError: queens-30: auto ended with status node-limit
    """


class FormatError(PuzzleError):
    """A file cannot be read; the message has the file, the line if it is known, and the reason.

    >>> str(FormatError("expected a region", "mine.toml", 3))
    'mine.toml:3: expected a region'
    """

    def __init__(self, message: str, path: str | Path, line: int | None = None) -> None:
        self.message = message
        self.path = str(path)
        self.line = line
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{place}: {message}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.path, self.line)


def unknown_name(kind: str, name: object, valid: Iterable[str]) -> ConfigError:
    """Return the error for a `name` of a `kind` that is not among the `valid` names."""
    name = name if isinstance(name, str) else show(name)
    names = sorted(valid)
    choices = shorten(", ".join(map(shorten, names)) or "none", 400)
    return ConfigError(
        f"unknown {kind} {shorten(name)!r}; {did_you_mean(name, names)}valid: {choices}"
    )


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return "did you mean 'NAME'? " for a valid name that begins with `name` or resembles it.

    Returns "" if there is no such name among the first `MAX_COMPARED` valid names.
    """
    from difflib import get_close_matches

    names = {shorten(str(entry)).lower(): str(entry) for entry in islice(valid, MAX_COMPARED)}
    meant = shorten(name).lower()
    begun = [entry for entry in names if len(meant) >= MIN_BEGINNING and entry.startswith(meant)]
    long_enough = [entry for entry in names if len(entry) >= MIN_BEGINNING]
    close = begun or get_close_matches(meant, long_enough, n=1, cutoff=0.65)
    return f"did you mean {shorten(names[close[0]])!r}? " if close else ""


def reason_of(error: Exception) -> str:
    """Return why a system call failed: the system's message, or the text of the error."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def how_many(number: int, one: str, many: str | None = None) -> str:
    """Return `number` and its noun: `1 board`, `3 boards`; `many` is an irregular plural."""
    return f"{show_integer(number)} {one if number == 1 else many or one + 's'}"


def list_first(texts: Sequence[str], most: int, separator: str = ", ") -> str:
    """Return at most `most` texts and the number of the others, if any: `dlx, rows and 3 more`."""
    others = len(texts) - most
    return separator.join(texts[:most]) + (f" and {others:,} more" if others > 0 else "")


def span(least: int, most: int) -> str:
    """Return the text of two bounds: `1 to 3`, or `2` if they are equal."""
    return str(least) if least == most else f"{least} to {most}"


def is_too_long(*numbers: int | None) -> bool:
    """Return whether an integer has `TOO_LONG` digits; the integers are 0 or more, or None."""
    return any((number or 0) >= 10**MAX_DIGITS for number in numbers)


def show_integer(number: int, digits: int = MAX_DIGITS) -> str:
    """Return an integer in full, or its first digits and a power of ten: `1.23e5678`.

    Numbers of more than `digits` digits are shortened, and some with exactly `digits` digits.
    """
    size = int(abs(number).bit_length() * log10(2)) + 1  # number of digits, or one more
    if size <= digits:
        return f"{number:,}"
    first = str(abs(number) // 10 ** (size - 4))
    exponent = size - 5 + len(first)
    return f"{'-' if number < 0 else ''}{first[0]}.{first[1:3]}e{exponent}"


def show(value: object) -> str:
    """Return a value on one line, shortened; text is in quotes."""
    try:
        shown = str(value) if isinstance(value, Number) else repr(value)
    except ValueError:  # Python does not convert integers of more than `MAX_DIGITS` digits
        shown = show_integer(value) if isinstance(value, int) else f"a value with {TOO_LONG}"
    return shorten(" ".join(shown.splitlines()))


def shorten(text: str, width: int = 60) -> str:
    """Return `text` cut to `width` characters, so that hostile input cannot flood a message."""
    return text if len(text) <= width else text[: width - 1] + "…"
