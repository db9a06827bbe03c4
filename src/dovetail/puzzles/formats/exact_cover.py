"""Exact cover as Knuth's text, and as a 0/1 matrix.

Knuth's text is the input of his programs DLX1, DLX2, DLX3, XCC and MCC.

    | A comment, as every line that begins with a bar. Blank lines are ignored.
    A B 2:3|C | X Y
    A B X:red Y:red
    A C X:blue

The first line that is not a comment names the items, the primary items before the bar that stands
alone. `low:high|C` has to be covered low to high times, `n|C` exactly n times, `C` once. Every
further line is an option: its items, secondary items optionally with a colour. If all colours are
whole numbers from 1 up, without leading zeros, they are taken as these numbers; otherwise they are
words, numbered from 1 in the order in which they appear. An option without a primary item is
skipped, as in Knuth's programs: it has no number.

Source: D. E. Knuth, the programs DLX1, DLX2 and DLX3 ("Inputting the matrix"), and The Art of
Computer Programming, volume 4B, section 7.2.2.1. The programs take names of at most eight
characters, bounds of at most seven digits and single characters as colours.

Three comments extend the format:

    | name i7: "row 0: 1"          name of item i7: a JSON string
    | colour a: 10                 colour a is number 10
    | symmetry 1: 3 2 1 0          option 0 goes to 3, 1 to 2, …

`name` is written for names that are not one to eight visible ASCII characters, and for names with
`|` or `:`. `colour` is written for colours above 9, which are letters or unused digits; with more
than 61 colours, all colours are decimals without such comments. Option numbers begin with 0, as in
solutions. Symmetry lines with the same number are parts of one permutation. The identity is left
out.

A matrix has a line for each option and a column for each item.

    1,0,0,1     # option 0 covers the items 0 and 3
    0 1 1 0     # blanks separate digits like commas
    1000        # separators may be missing
    0001

Blank lines and comments after `#` are ignored. Every column has to be covered exactly once, as in
the input of many programs that follow D. E. Knuth, "Dancing Links", 2000. Rows and columns are
numbered from 0, and an item is named after the number of its column.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import count, pairwise
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import (
    LARGEST_FILE_BYTES,
    LONGEST_LINE,
    MAX_LINES,
    TextFile,
    check_name,
)
from dovetail.models.cover import LARGEST_COLOUR, MAX_COVERED, UNCOLOURED, CoverProblem
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Format

MAX_OPTIONS = 2_000_000
MAX_MEMBERS = 10_000_000
MAX_COLOURED = 500_000  # different pairs of an item and a colour
MAX_SYMMETRIES = 1_000
MAX_SYMMETRY_NUMBERS = 4_000_000
MAX_SYMMETRY_STEPS = 50_000_000  # steps to check that the symmetries are a group and fit the items

_NATURAL = re.compile(r"[1-9][0-9]{0,9}")
# Bounds of an item, and its name. Eleven digits are enough to exceed every valid bound.
_ITEM = re.compile(r"(?:(?:([0-9]{1,11}):)?([0-9]{1,11})\|)?([^|:]+)")
_NUMBERS_PER_LINE = 16
_COLOUR_MARKS = ascii_letters + "123456789"
_PLAIN_NAME = re.compile(r"[!-9;-{}~]{1,8}")


class Knuth(Format):
    """Knuth's text."""

    name = "knuth"
    summary = "exact cover: input of Knuth's DLX programs"
    suffixes = (".dlx", ".xcc", ".mcc", ".xc")
    begins = r"\|"
    puzzle_type = CoverProblem

    def read_puzzle(self, file: TextFile) -> CoverProblem:
        return _Reader(file).problem()

    def write_puzzle(self, puzzle: CoverProblem) -> str:
        """Return `puzzle` as text, which is read as a problem with the same digest.

        Colours 1 to 9 are digits, and other colours letters or unused digits, since Knuth's
        programs take single characters. With more than 61 colours, all are decimals, which the
        programs do not take. The names of the problem and of its options are left out. Raises
        `PuzzleError` for a problem without primary items, for names that are empty or have
        unprintable characters, and for lines longer than a file may have.
        """
        if puzzle.primary_count == 0:
            raise PuzzleError("Knuth's format does not support problems without primary items")
        words = _words(puzzle.item_names)
        word_of: dict[str, str] = {}
        for word, name in zip(words, puzzle.item_names, strict=True):
            word_of.setdefault(name, word)  # the reader allows a name once
        lines = [
            f"| name {word}: {json.dumps(name)}" for name, word in word_of.items() if word != name
        ]
        colours = _colour_words(puzzle)
        lines += [f"| colour {word}: {c}" for c, word in colours.items() if word != str(c)]
        lines += _symmetry_lines(puzzle)
        bounds = zip(puzzle.lower.tolist(), puzzle.upper.tolist(), strict=True)
        primary, secondary = words[: puzzle.primary_count], words[puzzle.primary_count :]
        named = [_bounded(word, *pair) for word, pair in zip(primary, bounds, strict=True)]
        lines.append(" ".join([*named, "|", *secondary] if secondary else named))
        lines += _option_lines(puzzle, words, colours)
        longest = max(map(len, lines))
        if longest > LONGEST_LINE:
            raise PuzzleError(
                f"Knuth's format would need a line of {longest:,} characters; expected at most "
                f"{LONGEST_LINE:,}"
            )
        return "\n".join(lines) + "\n"


class _Reader:
    """Reader of Knuth's text; the constructor raises `FormatError` at the first mistake in a line.

    A member is the number of a distinct word in options: first the plain names of the items, then
    names with a colour in the order in which they appear.
    """

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self.items_line = 0  # line with the items; 0 before it is read
        self.names: list[str] = []
        self.bounds: list[tuple[int, int]] = []
        self.member_of: dict[str, int] = {}
        self.item_of: list[int] = []
        self.colour_of: list[str | None] = []
        # Members of all options; start of each option in them, and the end; line of each option.
        self.members, self.start, self.lines = array("i"), array("q", [0]), array("q")
        # Comments of the extensions, with their lines.
        self.named: dict[str, tuple[int, str]] = {}
        self.coloured: dict[str, tuple[int, int]] = {}
        self.symmetries: dict[str, tuple[int, array[int]]] = {}
        self.symmetry_numbers = 0
        self.line = 0
        try:
            for self.line, text in enumerate(file.lines, start=1):
                words = text.split()
                if not words:
                    continue
                if words[0].startswith("|"):
                    self._comment(text, words)
                elif not self.items_line:
                    self._items(words)
                else:
                    self._option(words)
            if not self.items_line:
                raise PuzzleError("there are no items; expected a line that names them")
        except PuzzleError as error:
            raise file.error(str(error), self.line) from None

    def problem(self) -> CoverProblem:
        """Return the problem; raise `FormatError` for contradictions between lines."""
        member = np.array(self.members, dtype=np.int32)
        start = np.array(self.start, dtype=np.int64)
        item = np.array(self.item_of, dtype=np.int32)[member]
        colour = self._colours()[member]
        self._check_options(start, item)
        symmetries = self._permutations(len(start) - 1, len(member))
        names = self._item_names()
        line, _ = next(iter(self.symmetries.values()), (self.items_line, None))
        with self.file.at(line):
            return CoverProblem(
                name=self.file.stem,
                item_names=names,
                lower=np.array([low for low, _ in self.bounds], dtype=np.int32),
                upper=np.array([high for _, high in self.bounds], dtype=np.int32),
                start=start,
                item=item,
                colour=colour,
                symmetries=symmetries,
            )

    def _items(self, words: list[str]) -> None:
        self.items_line = self.line
        secondary = False
        for word in words:
            name = word
            if word.startswith("|"):
                if secondary:
                    raise PuzzleError("a second bar between items; expected one at most")
                secondary, name = True, word[1:]
                if not name:
                    continue
            item = _ITEM.fullmatch(name)
            if item is None or (secondary and item[2]):
                raise PuzzleError(
                    f"{shorten(word)!r}; expected an item: name, n|name or low:high|name, without "
                    "bounds if it is secondary"
                )
            low, high, name = item.groups()
            if not secondary:
                self.bounds.append(self._bounds(low or high or "1", high or "1"))
            check_name(name)
            if name in self.member_of:
                raise PuzzleError(f"two items are called {shorten(name)!r}")
            self.member_of[name] = len(self.names)
            self.names.append(name)
        self.item_of = list(range(len(self.names)))
        self.colour_of = [None] * len(self.names)

    def _bounds(self, *words: str) -> tuple[int, int]:
        low, high = map(int, words)
        if not low <= high or not 1 <= high <= MAX_COVERED:
            raise PuzzleError(
                f"bounds {low} to {high}; expected low <= high and 1 <= high <= {MAX_COVERED:,}"
            )
        return low, high

    def _option(self, words: list[str]) -> None:
        members: list[int] = [*map(self.member_of.get, words)]  # type: ignore[list-item]
        if None in members:
            members = [self._member(word) for word in words]
        # The names of primary items are the members with the lowest numbers.
        if min(members) >= len(self.bounds):
            # An option without primary items is skipped, but it has to be valid.
            for first, second in pairwise(sorted(self.item_of[member] for member in members)):
                if first == second:
                    raise self._twice(first)
            return
        self.members.extend(members)
        self.start.append(len(self.members))
        self.lines.append(self.line)
        if len(self.lines) > MAX_OPTIONS or len(self.members) > MAX_MEMBERS:
            raise PuzzleError(
                f"too large; expected at most {MAX_OPTIONS:,} options with {MAX_MEMBERS:,} items"
            )

    def _member(self, word: str) -> int:
        """Return the member number of a word of an option; give a new word the next number."""
        if word in self.member_of:
            return self.member_of[word]
        name, _, colour = word.partition(":")
        item = self.member_of.get(name)
        if item is None:
            raise self._unknown(name)
        if item < len(self.bounds):
            raise PuzzleError(
                f"{shorten(word)!r}: {shorten(name)!r} is primary; expected no colour"
            )
        if not colour:
            raise PuzzleError(f"{shorten(word)!r}; expected a colour after the colon")
        number = len(self.item_of)
        if number - len(self.names) >= MAX_COLOURED:
            raise PuzzleError(
                f"too many colours; expected at most {MAX_COLOURED:,} items with their colours"
            )
        self.member_of[word] = number
        self.item_of.append(item)
        self.colour_of.append(colour)
        return number

    def _comment(self, text: str, words: list[str]) -> None:
        """Keep a comment that extends the format; ignore any other comment."""
        kind, subject = [*words[1:3], "", ""][:2] if words[0] == "|" else ("", "")
        rest = text.partition(":")[2].strip()
        if kind == "symmetry" and subject[:1] in "0123456789" and subject:
            self._symmetry(subject, words[3:])
        elif kind == "name" and subject.endswith(":") and rest.startswith('"'):
            item = subject.removesuffix(":")
            if item in self.named:
                raise PuzzleError(f"item {shorten(item)!r} is given a name twice")
            try:
                name = json.loads(rest)
            except ValueError:
                name = None
            if not isinstance(name, str) or not is_printable(name) or not name:
                raise PuzzleError(f"name {shorten(rest)!r}; expected a printable JSON string")
            self.named[item] = (self.line, name)
        elif kind == "colour" and subject.endswith(":") and re.fullmatch("[0-9]+", rest):
            word = subject.removesuffix(":")
            if word in self.coloured:
                raise PuzzleError(f"colour {shorten(word)!r} is given a number twice")
            if not _NATURAL.fullmatch(rest) or int(rest) > LARGEST_COLOUR:
                raise PuzzleError(f"colour {shorten(rest)!r}; expected 1 to {LARGEST_COLOUR:,}")
            self.coloured[word] = (self.line, int(rest))

    def _symmetry(self, subject: str, words: list[str]) -> None:
        number = subject.removesuffix(":")
        if number == subject or not _NATURAL.fullmatch(number):
            raise PuzzleError(
                f"symmetry {shorten(subject)!r}; expected a number from 1 and a colon"
            )
        bad = next((word for word in words if not re.fullmatch("[0-9]{1,9}", word)), None)
        if bad is not None:
            raise PuzzleError(f"{shorten(bad)!r} in a symmetry; expected option numbers")
        _, numbers = self.symmetries.setdefault(number, (self.line, array("i")))
        numbers.extend(map(int, words))
        self.symmetry_numbers += len(words)
        if len(self.symmetries) > MAX_SYMMETRIES or self.symmetry_numbers > MAX_SYMMETRY_NUMBERS:
            raise PuzzleError(
                f"too many symmetries; expected at most {MAX_SYMMETRIES:,} of "
                f"{MAX_SYMMETRY_NUMBERS:,} option numbers together"
            )

    def _colours(self) -> NDArray[np.int32]:
        """Return the colour of every member.

        A comment may give the number of a colour. If all other colour words are numbers, their
        values are used. Otherwise these words get the lowest free numbers in order of appearance.
        """
        words = dict.fromkeys(word for word in self.colour_of if word is not None)
        number = {word: self.coloured[word][1] for word in words if word in self.coloured}
        others = [word for word in words if word not in number]
        if all(_NATURAL.fullmatch(word) and int(word) <= LARGEST_COLOUR for word in others):
            unnumbered = {word: int(word) for word in others}
        else:
            taken = set(number.values())
            free = (place for place in count(1) if place not in taken)
            unnumbered = dict(zip(others, free, strict=False))
        word_of = {place: word for word, place in unnumbered.items()}
        for word, place in number.items():
            if place in word_of:
                raise self.file.error(
                    f"colours {shorten(word)!r} and {shorten(word_of[place])!r} are both {place}; "
                    "expected different numbers",
                    self.coloured[word][0],
                )
            word_of[place] = word
        number |= unnumbered
        its = [UNCOLOURED if word is None else number[word] for word in self.colour_of]
        return np.array(its, dtype=np.int32)

    def _check_options(self, start: NDArray[np.int64], item: NDArray[np.int32]) -> None:
        """Raise `FormatError` if an option has an item twice."""
        option = np.repeat(np.arange(len(start) - 1), np.diff(start))
        keys = np.sort(option * len(self.names) + item)
        again = np.flatnonzero(keys[1:] == keys[:-1])
        if again.size:
            which, twice = divmod(int(keys[again[0]]), len(self.names))
            with self.file.at(self.lines[which]):
                raise self._twice(twice)

    def _permutations(self, options: int, members: int) -> NDArray[np.int32]:
        """Return the identity and the permutations that comments give, shape (number, options)."""
        identity = np.arange(options, dtype=np.int32)
        rows = [identity]
        for number, (line, numbers) in self.symmetries.items():
            row = np.array(numbers, dtype=np.int32)
            if len(row) != options or np.any(np.sort(row) != identity):
                raise self.file.error(
                    f"symmetry {number} has {how_many(len(row), 'number')}; expected each of the "
                    f"{options} options, numbered from 0, once",
                    line,
                )
            rows.append(row)
            if len(rows) * (len(rows) * (options + 100) + 5 * members) > MAX_SYMMETRY_STEPS:
                raise self.file.error("too many symmetries for a problem of this size", line)
        return np.stack(rows)

    def _item_names(self) -> tuple[str, ...]:
        """Return the names of the items, which comments may give."""
        known = set(self.names)
        for word, (line, _) in self.named.items():
            if word not in known:
                with self.file.at(line):
                    raise self._unknown(word)
        names: dict[str, None] = {}
        for word in self.names:
            line, name = self.named.get(word, (self.items_line, word))
            if name in names:
                raise self.file.error(f"two items are called {shorten(name)!r}", line)
            names[name] = None
        return tuple(names)

    def _unknown(self, item: str) -> PuzzleError:
        return PuzzleError(
            f"unknown item {shorten(item)!r}; expected an item named on line {self.items_line}"
        )

    def _twice(self, item: int) -> PuzzleError:
        return PuzzleError(f"item {shorten(self.names[item])!r} appears twice in the option")


def _words(names: Iterable[str]) -> list[str]:
    """Return a word of the text for each of `names`: the name if valid, else i1, i2 and so on.

    Raises `PuzzleError` for a name that is empty or not printable.
    """
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
    """Return the word of the text for each colour in the problem."""
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


MAX_ONES = 10_000_000

_ROW = r"(?:[01]+|[01](?:[ \t]*,[ \t]*[01]|[ \t]+[01])*)$"
_SEPARATORS = str.maketrans("", "", " \t,")


class Matrix(Format):
    """A 0/1 matrix with a row for each option."""

    name = "matrix"
    summary = "exact cover: 0/1 matrix, a row for each option and a column for each item"
    suffixes = (".matrix", ".csv", ".txt")
    begins = _ROW
    first_line = "a row of zeros and ones"
    keeps_symmetries = False
    puzzle_type = CoverProblem

    def read_puzzle(self, file: TextFile) -> CoverProblem:
        rows: list[str] = []
        lines = array("q")
        is_row = re.compile(_ROW).match
        for line, text in file.content():
            if not is_row(text):
                raise _not_a_row(file, line, text)
            row = text.translate(_SEPARATORS)
            if rows and len(row) != len(rows[0]):
                expected = f"expected {len(rows[0]):,} as in the first row"
                raise file.error(f"{how_many(len(row), 'column')}; {expected}", line)
            rows.append(row)
            lines.append(line)
        if not rows:
            raise file.error("there are no rows; expected rows of zeros and ones")
        cells = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1) == ord("1")
        ones = int(np.count_nonzero(cells))
        if ones > MAX_ONES:
            raise file.error(f"{ones:,} ones; expected at most {MAX_ONES:,}")
        sizes = np.count_nonzero(cells, axis=1)
        if not sizes.all():
            raise file.error(
                "a row without a one; expected an option of at least one item",
                lines[int(np.argmin(sizes))],
            )
        return CoverProblem(
            name=file.stem,
            item_names=tuple(map(str, range(len(rows[0])))),
            lower=np.ones(len(rows[0]), np.int32),
            upper=np.ones(len(rows[0]), np.int32),
            start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            item=np.nonzero(cells)[1].astype(np.int32),
            colour=np.full(ones, UNCOLOURED, np.int32),
        )

    def write_puzzle(self, puzzle: CoverProblem) -> str:
        """Return `puzzle` as rows with commas, which no reader of another format accepts.

        Names and symmetries are left out. Raises `PuzzleError` for a problem with secondary items,
        with items that are not covered exactly once, without options, or with a matrix that is
        longer than a file may be.
        """
        options, items = puzzle.option_count, puzzle.item_count
        if puzzle.primary_count < items:
            raise PuzzleError(
                "a 0/1 matrix does not support secondary items; use Knuth's format (.xcc)"
            )
        if not puzzle.unit_bounds:
            raise PuzzleError(
                "a 0/1 matrix does not support items that are not covered exactly once; use "
                "Knuth's format (.mcc)"
            )
        if not options:
            raise PuzzleError("a 0/1 matrix needs at least one row; the problem has no options")
        row_bytes = 2 * items
        file_bytes = options * row_bytes
        if row_bytes > LONGEST_LINE or options > MAX_LINES or file_bytes > LARGEST_FILE_BYTES:
            raise PuzzleError(
                f"a 0/1 matrix of {options:,} x {items:,} is larger than a file may be; use "
                "Knuth's format (.dlx)"
            )
        text = np.full((options, row_bytes), ord(","), np.uint8)
        text[:, ::2] = ord("0")
        text[:, -1] = ord("\n")
        text[puzzle.option_of_member, 2 * puzzle.item] = ord("1")
        return text.tobytes().decode()


def _not_a_row(file: TextFile, line: int, text: str) -> PuzzleError:
    """Return the error for a line that is not a row."""
    words = re.split(r"[ \t]*,[ \t]*|[ \t]+", text)
    bad = next((word for word in words if word not in ("0", "1")), text)
    return file.error(
        f"{shorten(bad)!r}; expected zeros and ones, with commas, with blanks or with neither", line
    )
