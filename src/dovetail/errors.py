"""The one family of errors that dovetail raises for its users' mistakes.

Every command turns a `DovetailError` into one line on standard error and exit status 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log10
from pathlib import Path

MAX_COMPARED = 500  # names to find one that is meant
MAX_DIGITS = 4_300  # that Python writes of a number
MIN_BEGINNING = 3  # characters of a name, below which anything looks like it


class DovetailError(Exception):
    """Something the user gave cannot be used; the message is one line."""


class PuzzleError(DovetailError, ValueError):
    """A puzzle contradicts itself, or a solution does not belong to it."""


class ConfigError(DovetailError, ValueError):
    """An unknown name or an unusable value; the message lists the valid ones."""


class BackendError(DovetailError):
    """A backend refuses a puzzle, fails, or gives a result that is wrong."""


class LimitError(DovetailError):
    """A time, node or memory limit ended a listing before it was complete."""


class FormatError(PuzzleError):
    """A file cannot be read: names the file, the line and what was expected there."""

    def __init__(self, message: str, path: str | Path, line: int | None = None) -> None:
        self.message = message
        self.path = str(path)
        self.line = line
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{place}: {message}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.path, self.line)


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> ConfigError:
    """The error for a `name` that is not one of `valid` names of a `kind`."""
    names = sorted(valid)
    choices = shorten(", ".join(map(shorten, names)) or "none", 400)
    return ConfigError(
        f"unknown {kind} {shorten(name)!r}; {did_you_mean(name, names)}valid: {choices}"
    )


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return "did you mean 'NAME'? " for the valid name that looks most like `name`, if one does.

    Looks at `MAX_COMPARED` valid names at most.
    """
    from difflib import get_close_matches

    names = {shorten(str(one)).lower(): str(one) for one in islice(valid, MAX_COMPARED)}
    meant = shorten(name).lower()
    begun = [one for one in names if len(meant) >= MIN_BEGINNING and one.startswith(meant)]
    long_enough = [one for one in names if len(one) >= MIN_BEGINNING]
    close = begun or get_close_matches(meant, long_enough, n=1, cutoff=0.65)
    return f"did you mean {shorten(names[close[0]])!r}? " if close else ""


def reason_of(error: OSError) -> str:
    """Return why an operation of the system failed: the system's words, or else the error's own."""
    return error.strerror or str(error) or type(error).__name__


def how_many(number: int, one: str, many: str | None = None) -> str:
    """Return `number` and its noun: `1 board`, `3 boards`; `many` is an irregular plural."""
    return f"{show_integer(number)} {one if number == 1 else many or one + 's'}"


def list_first(texts: Sequence[str], most: int, separator: str = ", ") -> str:
    """Return the first texts and the number of the others: `dlx, rows and 3 more`."""
    others = len(texts) - most
    return separator.join(texts[:most]) + (f" and {others:,} more" if others > 0 else "")


def show_integer(number: int, digits: int = MAX_DIGITS) -> str:
    """Return all of a number, or its first digits and a power of ten: `1.23e5678`.

    Numbers of more than `digits` digits are cut.
    """
    size = int(abs(number).bit_length() * log10(2)) + 1  # of digits, or one too many
    if size <= digits:
        return f"{number:,}"
    first = str(abs(number) // 10 ** (size - 4))
    exponent = size - 5 + len(first)
    return f"{'-' if number < 0 else ''}{first[0]}.{first[1:3]}e{exponent}"


def shorten(text: str, width: int = 60) -> str:
    """`text` cut to `width` characters, so that hostile input cannot flood a message."""
    return text if len(text) <= width else text[: width - 1] + "…"
