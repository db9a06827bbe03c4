"""Reads Knuth's exact-cover text; see the package for what it says."""

from __future__ import annotations

import json
import re
from array import array
from dataclasses import dataclass, field
from itertools import count, pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.cover import LARGEST_COLOUR, MAX_COVERED, UNCOLOURED, CoverProblem
from dovetail.printable import is_printable

MAX_OPTIONS = 2_000_000
MAX_MEMBERS = 10_000_000
MAX_COLOURED = 500_000  # different pairs of an item and a colour
MAX_SYMMETRIES = 1_000
MAX_SYMMETRY_NUMBERS = 4_000_000
MAX_SYMMETRY_STEPS = 50_000_000  # to see that the symmetries are a group that fits the items

_NATURAL = re.compile(r"[1-9][0-9]{0,9}")


@dataclass(frozen=True)
class _Items:
    """The line that names the items."""

    line: int
    names: list[str]
    bounds: list[tuple[int, int]]


@dataclass
class _Options:
    """The options read so far.

    A member is the number of a different word: first the plain names of the items, then
    names with a colour in the order in which they appear.
    """

    items: _Items
    member_of: dict[str, int]
    item_of: list[int]
    colour_of: list[str | None]
    members: array[int] = field(default_factory=lambda: array("i"))
    start: array[int] = field(default_factory=lambda: array("q", [0]))
    lines: array[int] = field(default_factory=lambda: array("q"))


@dataclass
class _Comments:
    """What comments of our own say: names by item, numbers by colour, symmetries' options."""

    names: dict[str, tuple[int, str]] = field(default_factory=dict)
    colours: dict[str, tuple[int, int]] = field(default_factory=dict)
    symmetries: dict[str, tuple[int, array[int]]] = field(default_factory=dict)
    numbers: int = 0


def read_knuth(file: TextFile) -> CoverProblem:
    """The problem in `file`, named after it. Raises `FormatError` at the first mistake."""
    options: _Options | None = None
    comments = _Comments()
    for line, text in enumerate(file.lines, start=1):
        words = text.split()
        if not words:
            continue
        if words[0].startswith("|"):
            _read_comment(file, comments, text, words, line)
        elif options is None:
            options = _no_options(_read_items(file, words, line))
        else:
            _read_option(file, options, words, line)
    if options is None:
        raise file.error("there are no items; expected a line that names them", len(file.lines))
    return _problem(file, options, comments)


def _read_items(file: TextFile, words: list[str], line: int) -> _Items:
    names: dict[str, None] = {}
    bounds: list[tuple[int, int]] = []
    secondary = False
    for word in words:
        if word.startswith("|"):
            if secondary:
                raise file.error("a second bar between items; expected one at most", line)
            secondary, name = True, word[1:]
            if not name:
                continue
        else:
            name = word
        before, bar, after = name.partition("|")
        if secondary:
            if bar or ":" in name:
                raise file.error(
                    f"secondary item {shorten(name)!r}; expected a name without | and :", line
                )
        else:
            name = after if bar else before
            bounds.append(_bounds(file, before if bar else "1", line))
        if not name or ":" in name or "|" in name:
            raise file.error(
                f"{shorten(word)!r}; expected an item: name, n|name or low:high|name", line
            )
        file.check_name(name, line)
        if name in names:
            raise file.error(f"two items are called {shorten(name)!r}", line)
        names[name] = None
    return _Items(line, list(names), bounds)


def _bounds(file: TextFile, text: str, line: int) -> tuple[int, int]:
    first, colon, second = text.partition(":")
    words = [first, second] if colon else [first, first]
    # Eleven digits are beyond any bound, and quickly read.
    if not all(re.fullmatch(r"[0-9]{1,11}", word) for word in words):
        raise file.error(f"bounds {shorten(text)!r}; expected n or low:high", line)
    low, high = map(int, words)
    if not low <= high or not 1 <= high <= MAX_COVERED:
        raise file.error(
            f"bounds {low} to {high}; expected low <= high and 1 <= high <= {MAX_COVERED:,}",
            line,
        )
    return low, high


def _no_options(items: _Items) -> _Options:
    number = range(len(items.names))
    return _Options(
        items=items,
        member_of=dict(zip(items.names, number, strict=True)),
        item_of=list(number),
        colour_of=[None] * len(number),
    )


def _read_option(file: TextFile, options: _Options, words: list[str], line: int) -> None:
    members = [*map(options.member_of.get, words)]
    if None in members:
        members = [_member(file, options, word, line) for word in words]
    # Names of primary items are the first members.
    if min(members) >= len(options.items.bounds):  # type: ignore[type-var, operator]
        _check_passed_over(file, options, members, line)  # type: ignore[arg-type]
        return
    options.members.extend(members)  # type: ignore[arg-type]
    options.start.append(len(options.members))
    options.lines.append(line)
    if len(options.lines) > MAX_OPTIONS or len(options.members) > MAX_MEMBERS:
        raise file.error(
            f"too large; expected at most {MAX_OPTIONS:,} options with {MAX_MEMBERS:,} items",
            line,
        )


def _check_passed_over(file: TextFile, options: _Options, members: list[int], line: int) -> None:
    """An option without primary items is none, but it has to be well written."""
    items = sorted(options.item_of[member] for member in members)
    for first, second in pairwise(items):
        if first == second:
            name = shorten(options.items.names[first])
            raise file.error(f"item {name!r} appears twice in the option", line)


def _member(file: TextFile, options: _Options, word: str, line: int) -> int:
    """The number of a word that may be new."""
    if word in options.member_of:
        return options.member_of[word]
    name, _, colour = word.partition(":")
    item = options.member_of.get(name)
    if item is None:
        raise file.error(
            f"unknown item {shorten(name)!r}; expected one named on line {options.items.line}",
            line,
        )
    if item < len(options.items.bounds):
        raise file.error(
            f"{shorten(word)!r}: {shorten(name)!r} is primary; expected no colour", line
        )
    if not colour:
        raise file.error(f"{shorten(word)!r}; expected a colour after the colon", line)
    number = len(options.item_of)
    if number - len(options.items.names) >= MAX_COLOURED:
        raise file.error(
            f"too many colours; expected at most {MAX_COLOURED:,} items with their colours",
            line,
        )
    options.member_of[word] = number
    options.item_of.append(item)
    options.colour_of.append(colour)
    return number


def _read_comment(
    file: TextFile, comments: _Comments, text: str, words: list[str], line: int
) -> None:
    """Keep what a comment of our own says; pass over others."""
    kind, subject = [*words[1:3], "", ""][:2] if words[0] == "|" else ("", "")
    rest = text.partition(":")[2].strip()
    if kind == "symmetry" and subject[:1] in "0123456789" and subject:
        _read_symmetry(file, comments, subject, words[3:], line)
    elif kind == "name" and subject.endswith(":") and rest.startswith('"'):
        item = subject.removesuffix(":")
        if item in comments.names:
            raise file.error(f"item {shorten(item)!r} is given a name twice", line)
        try:
            name = json.loads(rest)
        except ValueError:
            name = None
        if not isinstance(name, str) or not is_printable(name) or not name:
            raise file.error(f"name {shorten(rest)!r}; expected a printable JSON string", line)
        comments.names[item] = (line, name)
    elif kind == "colour" and subject.endswith(":") and re.fullmatch("[0-9]+", rest):
        _read_colour(file, comments, subject.removesuffix(":"), rest, line)


def _read_colour(file: TextFile, comments: _Comments, word: str, text: str, line: int) -> None:
    if word in comments.colours:
        raise file.error(f"colour {shorten(word)!r} is given a number twice", line)
    if not _NATURAL.fullmatch(text) or int(text) > LARGEST_COLOUR:
        raise file.error(f"colour {shorten(text)!r}; expected 1 to {LARGEST_COLOUR:,}", line)
    comments.colours[word] = (line, int(text))


def _read_symmetry(
    file: TextFile, comments: _Comments, subject: str, words: list[str], line: int
) -> None:
    number = subject.removesuffix(":")
    if number == subject or not _NATURAL.fullmatch(number):
        raise file.error(
            f"symmetry {shorten(subject)!r}; expected a number from 1 and a colon", line
        )
    bad = next((word for word in words if not re.fullmatch("[0-9]{1,9}", word)), None)
    if bad is not None:
        raise file.error(f"{shorten(bad)!r} in a symmetry; expected option numbers", line)
    _, numbers = comments.symmetries.setdefault(number, (line, array("i")))
    numbers.extend(map(int, words))
    comments.numbers += len(words)
    if len(comments.symmetries) > MAX_SYMMETRIES or comments.numbers > MAX_SYMMETRY_NUMBERS:
        raise file.error(
            f"too many symmetries; expected at most {MAX_SYMMETRIES:,} of "
            f"{MAX_SYMMETRY_NUMBERS:,} option numbers together",
            line,
        )


def _problem(file: TextFile, options: _Options, comments: _Comments) -> CoverProblem:
    items = options.items
    member = np.array(options.members, dtype=np.int32)
    start = np.array(options.start, dtype=np.int64)
    item = np.array(options.item_of, dtype=np.int32)[member]
    colour = _colours(file, options, comments)[member]
    _check_options(file, options, start, item)
    symmetries = _symmetries(file, comments, len(start) - 1, len(member))
    names = _true_names(file, items, comments)
    try:
        return CoverProblem(
            name=file.stem,
            item_names=names,
            lower=np.array([low for low, _ in items.bounds], dtype=np.int32),
            upper=np.array([high for _, high in items.bounds], dtype=np.int32),
            start=start,
            item=item,
            colour=colour,
            symmetries=symmetries,
        )
    except PuzzleError as error:
        first = next(iter(comments.symmetries.values()), (items.line, None))
        raise file.error(str(error), first[0]) from None


def _colours(file: TextFile, options: _Options, comments: _Comments) -> NDArray[np.int32]:
    """The colour of every member: what a comment says, the number that its word is, its place."""
    words = options.colour_of
    named = comments.colours
    known = {word: named[word][1] for word in dict.fromkeys(words) if word in named}
    others = [word for word in dict.fromkeys(words) if word is not None and word not in known]
    if all(_NATURAL.fullmatch(word) and int(word) <= LARGEST_COLOUR for word in others):
        number = {word: int(word) for word in others}
    else:
        taken = set(known.values())
        free = (place for place in count(1) if place not in taken)
        number = dict(zip(others, free, strict=False))
    word_of = {place: word for word, place in number.items()}
    for word, place in known.items():
        if place in word_of:
            raise file.error(
                f"colours {shorten(word)!r} and {shorten(word_of[place])!r} are both {place}; "
                "expected different numbers",
                named[word][0],
            )
        word_of[place] = word
    number |= known
    return np.array([UNCOLOURED if w is None else number[w] for w in words], dtype=np.int32)


def _check_options(
    file: TextFile, options: _Options, start: NDArray[np.int64], item: NDArray[np.int32]
) -> None:
    """No option has an item twice."""
    names = options.items.names
    option = np.repeat(np.arange(len(start) - 1), np.diff(start))
    keys = np.sort(option * len(names) + item)
    again = np.flatnonzero(keys[1:] == keys[:-1])
    if again.size:
        which, twice = divmod(int(keys[again[0]]), len(names))
        raise file.error(
            f"item {shorten(names[twice])!r} appears twice in the option", options.lines[which]
        )


def _symmetries(
    file: TextFile, comments: _Comments, options: int, members: int
) -> NDArray[np.int32]:
    """The identity and the permutations that comments give."""
    identity = np.arange(options, dtype=np.int32)
    rows = [identity]
    for number, (line, numbers) in comments.symmetries.items():
        row = np.array(numbers, dtype=np.int32)
        if len(row) != options or np.any(np.sort(row) != identity):
            raise file.error(
                f"symmetry {number} has {how_many(len(row), 'number')}; expected each of the "
                f"{options} options, numbered from 0, once",
                line,
            )
        rows.append(row)
        if len(rows) * (len(rows) * (options + 100) + 5 * members) > MAX_SYMMETRY_STEPS:
            raise file.error("too many symmetries for a problem of this size", line)
    return np.stack(rows)


def _true_names(file: TextFile, items: _Items, comments: _Comments) -> tuple[str, ...]:
    known = set(items.names)
    for word, (line, _) in comments.names.items():
        if word not in known:
            raise file.error(
                f"unknown item {shorten(word)!r}; expected one named on line {items.line}", line
            )
    names: dict[str, None] = {}
    for word in items.names:
        line, name = comments.names.get(word, (items.line, word))
        if name in names:
            raise file.error(f"two items are called {shorten(name)!r}", line)
        names[name] = None
    return tuple(names)
