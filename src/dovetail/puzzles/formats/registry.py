"""The formats of puzzle files: how each is told, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.errors import PuzzleError, shorten, unknown_name
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle, as_cover
from dovetail.puzzles.formats.edge_json import read_edge_json, write_edge_json
from dovetail.puzzles.formats.edge_text import BEGINS as EDGE_TEXT_BEGINS
from dovetail.puzzles.formats.edge_text import read_edge_text, write_edge_text
from dovetail.puzzles.formats.knuth.reader import read_knuth
from dovetail.puzzles.formats.knuth.writer import write_knuth
from dovetail.puzzles.formats.polycube.reader import read_polycube
from dovetail.puzzles.formats.polycube.writer import write_polycube
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.formats.viewer.puzzles import read_viewer, write_viewer
from dovetail.puzzles.formats.viewer.urls import BEGINS as VIEWER_BEGINS


@dataclass(frozen=True)
class PuzzleFormat:
    """A format of puzzle files.

    `begins` is what the first line that is no comment of `#` looks like, where that tells the
    format. `writes` is the kind of puzzle it can say at best; `write` raises `PuzzleError`
    for what it cannot. `write_all` is there where a file can hold several puzzles.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    begins: str | None
    read: Callable[[TextFile], tuple[Puzzle, ...]]
    writes: type[PackingPuzzle] | type[EdgePuzzle] | type[CoverProblem]
    write: Callable[[Any], str]
    write_all: Callable[[Sequence[Any]], str] | None = None

    def text(self, puzzle: Puzzle) -> str:
        """`puzzle` as the content of a file. Any puzzle can be written as a cover problem."""
        return self.write(self._sayable(puzzle))

    def text_of_all(self, puzzles: Sequence[Puzzle]) -> str:
        """`puzzles` as the content of one file; `PuzzleError` if it cannot hold so many."""
        if len(puzzles) == 1:
            return self.text(puzzles[0])
        if self.write_all is None:
            raise PuzzleError(
                f"a file of format {self.name} holds one puzzle, not {len(puzzles)}; "
                "FILE#N names one of those in FILE"
            )
        return self.write_all([self._sayable(puzzle) for puzzle in puzzles])

    def _sayable(self, puzzle: Puzzle) -> Puzzle:
        """`puzzle` as the kind that the format writes."""
        if isinstance(puzzle, self.writes):
            return puzzle
        if self.writes is not CoverProblem:
            raise PuzzleError(f"format {self.name} ({self.summary}) cannot say {puzzle.name}")
        return as_cover(puzzle)


# What brings pydantic or an XML parser is imported when it is used.


def _read_toml(file: TextFile) -> tuple[Puzzle, ...]:
    from dovetail.puzzles.formats.toml_puzzle.reader import read_toml

    return read_toml(file)


def _write_toml(puzzle: PackingPuzzle) -> str:
    from dovetail.puzzles.formats.toml_puzzle.writer import write_toml

    return write_toml(puzzle)


def _read_burrtools(file: TextFile) -> tuple[Puzzle, ...]:
    from dovetail.puzzles.formats.burrtools.reader import read_burrtools

    return read_burrtools(file)


def _write_burrtools(puzzle: PackingPuzzle) -> str:
    from dovetail.puzzles.formats.burrtools.writer import write_burrtools

    return write_burrtools(puzzle)


FORMATS = (
    PuzzleFormat(
        "polycube",
        "packing: definition file of Busche's polycube",
        (".def", ".txt"),
        r"[DCL]\s*:|L$|~",
        read_polycube,
        PackingPuzzle,
        lambda puzzle: write_polycube([puzzle]),
        write_polycube,
    ),
    PuzzleFormat(
        "toml",
        "packing: dovetail's own, for puzzles by hand",
        (".toml",),
        r"[A-Za-z_\"'-]+\s*=|\[",
        _read_toml,
        PackingPuzzle,
        _write_toml,
    ),
    PuzzleFormat(
        "burrtools",
        "packing: BurrTools file on the cubic grid",
        (".xmpuzzle",),
        "<",
        _read_burrtools,
        PackingPuzzle,
        _write_burrtools,
    ),
    PuzzleFormat(
        "edges",
        "edge matching: W H, then top right bottom left",
        (".txt",),
        EDGE_TEXT_BEGINS,
        lambda file: (read_edge_text(file),),
        EdgePuzzle,
        write_edge_text,
    ),
    PuzzleFormat(
        "json",
        "edge matching: JSON, which says everything",
        (".json",),
        r"\{",
        lambda file: (read_edge_json(file),),
        EdgePuzzle,
        write_edge_json,
    ),
    PuzzleFormat(
        "viewer",
        "edge matching: URLs of the viewer e2.bucas.name",
        (".url",),
        VIEWER_BEGINS,
        read_viewer,
        EdgePuzzle,
        lambda puzzle: write_viewer([puzzle]),
        write_viewer,
    ),
    PuzzleFormat(
        "knuth",
        "exact cover: input of Knuth's DLX programs",
        (".dlx", ".xcc", ".mcc", ".xc"),
        r"\|",
        lambda file: (read_knuth(file),),
        CoverProblem,
        write_knuth,
    ),
)


def format_named(name: str) -> PuzzleFormat:
    """The format called `name`; `ConfigError` lists the valid names."""
    for puzzle_format in FORMATS:
        if puzzle_format.name == name:
            return puzzle_format
    raise unknown_name("format", name, (puzzle_format.name for puzzle_format in FORMATS))


def format_of_file(file: TextFile) -> PuzzleFormat:
    """The format of a file: by its suffix where only one has it, else by its first line.

    Raises `FormatError` when neither tells.
    """
    by_suffix = _formats_with(file.path)
    if len(by_suffix) == 1:
        return by_suffix[0]
    line, first = next(file.content(), (None, ""))
    if line is None:
        raise file.error("the file is empty; expected a puzzle")
    for puzzle_format in FORMATS:
        if puzzle_format.begins is not None and re.match(puzzle_format.begins, first):
            return puzzle_format
    raise file.error(
        f"{shorten(first)!r} begins no puzzle; expected D: (polycube), two numbers (edges), "
        "{ (json), http (viewer), key = value (toml), < (burrtools), or a file called .dlx (knuth)",
        line,
    )


def format_to_write(path: Path, puzzle: Puzzle) -> PuzzleFormat:
    """The format that a file called so is written in: of those with its suffix, the puzzle's.

    Raises `ConfigError` for a suffix of no format.
    """
    candidates = _formats_with(path)
    if not candidates:
        valid = sorted({suffix for one in FORMATS for suffix in one.suffixes})
        raise unknown_name("suffix of a puzzle file", path.suffix, valid)
    fitting = [one for one in candidates if isinstance(puzzle, one.writes)]
    return (fitting or candidates)[0]


def _formats_with(path: Path) -> list[PuzzleFormat]:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return [one for one in FORMATS if suffixes and suffixes[-1] in one.suffixes]
