"""Exact cover as a 0/1 matrix: a line for each option, a column for each item.

    1,0,0,1     # option 0 covers the items 0 and 3
    0 1 1 0     # blanks separate digits like commas
    1000        # separators may be missing
    0001

Blank lines and what follows a `#` are ignored. Every column has to be covered exactly once, as in
the input of many programs that follow D. E. Knuth, "Dancing Links", 2000. Rows and columns are
numbered from 0, and a column is an item called by its number.
"""

from __future__ import annotations

import re
from array import array

import numpy as np

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import LARGEST_FILE_BYTES, LONGEST_LINE, MAX_LINES, TextFile
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.puzzles.formats.base import PuzzleFormat

MAX_ONES = 10_000_000

_ROW = r"(?:[01]+|[01](?:[ \t]*,[ \t]*[01]|[ \t]+[01])*)$"
_SEPARATORS = str.maketrans("", "", " \t,")


class Matrix(PuzzleFormat):
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
        """Return `puzzle` as rows with commas, which no other format recognises.

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
                "a 0/1 matrix does not support items that are covered other than once; use Knuth's "
                "format (.mcc)"
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
