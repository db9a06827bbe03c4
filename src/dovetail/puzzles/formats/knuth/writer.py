"""Writes a cover problem as Knuth's exact-cover text; see the package for what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count, pairwise
from string import ascii_letters

import numpy as np

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import LONGEST_LINE
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.printable import is_printable

_NUMBERS_PER_LINE = 16
_COLOUR_MARKS = ascii_letters + "123456789"
_PLAIN_NAME = re.compile(r"[!-9;-{}~]{1,8}")


def write_knuth(problem: CoverProblem) -> str:
    """`problem` as text; reading it gives a problem of the same digest.

    Colours 1 to 9 are digits and others letters, since his programs take colours of one
    character; where there are more than 61 colours all are decimals, which they do not take.
    The names of the problem and of its options are left out. Raises `PuzzleError` for a
    problem without primary items, for names that are empty or have unprintable characters,
    and for lines longer than a file may have.
    """
    if problem.primary_count == 0:
        raise PuzzleError("Knuth's format does not support problems without primary items")
    words = _words(problem.item_names)
    lines = [
        f"| name {word}: {json.dumps(name)}"
        for word, name in zip(words, problem.item_names, strict=True)
        if word != name
    ]
    colours = _colour_words(problem)
    lines += [f"| colour {word}: {c}" for c, word in colours.items() if word != str(c)]
    lines += _symmetry_lines(problem)
    bounds = zip(problem.lower.tolist(), problem.upper.tolist(), strict=True)
    primary, secondary = words[: problem.primary_count], words[problem.primary_count :]
    named = [_bounded(word, *pair) for word, pair in zip(primary, bounds, strict=True)]
    lines.append(" ".join([*named, "|", *secondary] if secondary else named))
    lines += _option_lines(problem, words, colours)
    longest = max(map(len, lines))
    if longest > LONGEST_LINE:
        raise PuzzleError(
            f"Knuth's format would need a line of {longest:,} characters; expected at most "
            f"{LONGEST_LINE:,}"
        )
    return "\n".join(lines) + "\n"


def _words(names: Iterable[str]) -> list[str]:
    """Words that can stand in the text for `names`, each for one: themselves where they can."""
    names = list(names)
    taken = set(names)
    stand_ins = (word for word in (f"i{number}" for number in count(1)) if word not in taken)
    words = list[str]()
    used = set[str]()
    for name in names:
        if not name or not is_printable(name):
            raise PuzzleError(
                f"Knuth's format does not support the item name {shorten(name)!r}; expected "
                "printable characters"
            )
        is_word = _PLAIN_NAME.fullmatch(name) is not None and name not in used
        words.append(name if is_word else next(stand_ins))
        used.add(name)
    return words


def _colour_words(problem: CoverProblem) -> dict[int, str]:
    """What stands for each colour in the text."""
    colours = [c for c in np.unique(problem.colour).tolist() if c != UNCOLOURED]
    if len(colours) > len(_COLOUR_MARKS):
        return {c: str(c) for c in colours}
    words = {c: str(c) for c in colours if c <= 9}
    free = [mark for mark in _COLOUR_MARKS if mark not in words.values()]
    return words | dict(zip((c for c in colours if c > 9), free, strict=False))


def _symmetry_lines(problem: CoverProblem) -> Iterator[str]:
    for number, row in enumerate(problem.symmetries[1:].tolist(), start=1):
        for first in range(0, len(row), _NUMBERS_PER_LINE):
            numbers = " ".join(map(str, row[first : first + _NUMBERS_PER_LINE]))
            yield f"| symmetry {number}: {numbers}"
        if not row:
            yield f"| symmetry {number}:"


def _bounded(word: str, low: int, high: int) -> str:
    if low != high:
        return f"{low}:{high}|{word}"
    return word if high == 1 else f"{high}|{word}"


def _option_lines(
    problem: CoverProblem, words: list[str], colours: dict[int, str]
) -> Iterator[str]:
    members = [words[i] for i in problem.item.tolist()]
    for m in np.flatnonzero(problem.colour).tolist():
        members[m] += f":{colours[int(problem.colour[m])]}"
    start = problem.start.tolist()
    for first, end in pairwise(start):
        yield " ".join(members[first:end])
