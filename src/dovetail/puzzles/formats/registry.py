"""The registry of file formats, and the choice of the format of a file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dovetail.errors import ConfigError, DovetailError, PuzzleError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.plugins import Registry, error_words, with_plugins
from dovetail.puzzles.formats.base import Format

if TYPE_CHECKING:
    from dovetail.models.boards.partial_board import PartialBoard
    from dovetail.models.solution import Solution
    from dovetail.puzzles.formats.base import SolutionWriter

ENTRY_POINT_GROUP = "dovetail.formats"
# The built-in formats by name. The first format that recognises a file of solutions reads the file.
# If no format recognises the file, `text` reads it.
OWN = {
    "xcsp3-output": "dovetail.puzzles.formats.solver_files.solver_output:Instantiations",
    "sat-output": "dovetail.puzzles.formats.solver_files.solver_output:Literals",
    "minizinc-output": "dovetail.puzzles.formats.solver_files.solver_output:Arrays",
    "board": "dovetail.puzzles.formats.edge_documents:BoardDoc",
    "text": "dovetail.puzzles.formats.solutions:Text",
    "solution-lines": "dovetail.puzzles.formats.solutions:JsonLines",
    "solution-json": "dovetail.puzzles.formats.solutions:Json",
    "solution-csv": "dovetail.puzzles.formats.solutions:SolutionCsv",
    "polycube": "dovetail.puzzles.formats.polycube:Polycube",
    "toml": "dovetail.puzzles.formats.toml.format:TomlPuzzle",
    "burrtools": "dovetail.puzzles.formats.burrtools.format:BurrTools",
    "csv": "dovetail.puzzles.formats.edges:EdgeCsv",
    "edges": "dovetail.puzzles.formats.edges:EdgeText",
    "edges-toml": "dovetail.puzzles.formats.edge_documents:EdgeToml",
    "eternity2": "dovetail.puzzles.formats.edge_documents:Eternity2Json",
    "json": "dovetail.puzzles.formats.edge_documents:EdgeJson",
    "eternity2-viewer": "dovetail.puzzles.formats.viewer:Eternity2Viewer",
    "viewer": "dovetail.puzzles.formats.viewer:Viewer",
    "knuth": "dovetail.puzzles.formats.exact_cover:Knuth",
    "matrix": "dovetail.puzzles.formats.exact_cover:Matrix",
    "dimacs": "dovetail.puzzles.formats.solver_files.cnf:Dimacs",
    "opb": "dovetail.puzzles.formats.solver_files.solver_input:Opb",
    "minizinc": "dovetail.puzzles.formats.solver_files.minizinc:MiniZinc",
    "xcsp3": "dovetail.puzzles.formats.solver_files.solver_input:Xcsp3",
}


@cache
def registry() -> Registry[Format]:
    """Return all formats by name: built-in formats, then plugins.

    An entry point in the group `dovetail.formats` names a subclass of `Format`, or a function that
    returns a format. A format that cannot be used is left out with a warning, see `with_plugins`.
    """
    return with_plugins(OWN, ENTRY_POINT_GROUP, Format, lambda each: each.name, _problem)


def puzzle_formats() -> dict[str, Format]:
    """Return the formats of puzzles by name."""
    return {name: each for name, each in registry().found.items() if each.puzzle_type is not None}


def solution_formats() -> dict[str, Format]:
    """Return the formats of solutions by suffix."""
    formats = (each for each in registry().found.values() if each.holds_solutions)
    return {suffix: each for each in formats for suffix in each.suffixes}


def board_formats() -> dict[str, Format]:
    """Return the formats of boards by suffix."""
    formats = (each for each in registry().found.values() if each.holds_boards)
    return {suffix: each for each in formats for suffix in each.suffixes}


def format_named(name: str) -> Format:
    """Return the format of puzzles called `name`; raise `ConfigError` if there is none."""
    if name not in registry().found or registry().found[name].puzzle_type is None:
        raise unknown_name("format", name, puzzle_formats())
    return registry().found[name]


def suffix_among(path: Path, suffixes: Iterable[str]) -> str:
    """Return the longest of `suffixes` that ends `path`, such as `.e2.url`, else `path.suffix`."""
    name = path.name.lower()
    return max(filter(name.endswith, suffixes), key=len, default=path.suffix)


def possible_formats(file: TextFile) -> list[Format]:
    """Return the formats of puzzles that a file may have by its suffix and its content.

    If a single format has the suffix, only this format is possible. However, a format with a longer
    suffix is recognised by the content: a file `.json` may have the format of files `.e2.json`. If
    several formats have the suffix, the formats whose `begins` matches the first line are possible;
    so is any other format with a `contains` that recognises the file. If no `begins` matches, or no
    format has the suffix, the content alone decides. A possible format with a longer suffix, such
    as `.e2.url`, excludes the format of `.url`. Suffixes of formats that are only written do not
    count. Raises `FormatError` for a blank file. Unless a single format has the suffix, also raises
    `FormatError` for a file of comments and for an unknown first line.
    """
    if not any(map(str.strip, file.lines)):
        raise file.error("the file is empty; expected a puzzle")
    with_suffix = [each for each in _formats_with(file.path) if each.readable]
    every = puzzle_formats().values()
    if len(with_suffix) == 1:
        variants = (each for each in every if _is_variant(each, with_suffix[0]))
        return [next((each for each in variants if recognises(each, file)), with_suffix[0])]
    line, first = next(file.content(), (None, ""))
    if line is None:
        raise file.error("there are only comments; expected a puzzle")
    named = [each for each in with_suffix if each.begins and re.match(each.begins, first)]
    possible = [
        each
        for each in every
        if each in named or ((each.contains or not named) and recognises(each, file))
    ]
    if not possible:
        *beginnings, last = _beginnings()
        raise file.error(
            f"{shorten(first)!r} is not the beginning of a puzzle; expected "
            f"{', '.join(beginnings)}, or {last}",
            line,
        )
    return [each for each in possible if not any(_is_variant(other, each) for other in possible)]


def read_puzzles(file: TextFile, format_name: str | None = None) -> Sequence[Puzzle]:
    """Return the puzzles in a file, whose format is recognised unless `format_name` is given.

    A puzzle may be read only when it is accessed. If no possible format can read the file, the
    error is that of the format whose reader gets furthest.

    Raises `ConfigError` for an unknown format, and `FormatError` for a file that cannot be read,
    for a file without a puzzle, and for a file that several formats read as different puzzles.
    """
    possible = possible_formats(file) if format_name is None else [format_named(format_name)]
    if len(possible) == 1:
        return _puzzles(file, possible[0])
    read = dict[Format, tuple[Puzzle, ...]]()
    errors = list[PuzzleError]()
    for candidate in possible:
        try:
            read[candidate] = tuple(_puzzles(file, candidate))
        except PuzzleError as error:
            errors.append(error)
    if not read:
        raise max(errors, key=lambda error: getattr(error, "line", None) or 0)
    if len({tuple(puzzle.digest for puzzle in puzzles) for puzzles in read.values()}) > 1:
        readings = "; ".join(
            f"as format {reader.name} it is {shorten(', '.join(map(_in_words, puzzles)), 100)}"
            for reader, puzzles in read.items()
        )
        options = " or ".join(repr(reader.name) for reader in read)
        raise file.error(
            f"the format is ambiguous: {readings}; choose format_name (--from): {options}"
        )
    return next(iter(read.values()))


def read_solutions(
    file: TextFile, puzzle: Puzzle, fold: Mapping[str, str] | None = None
) -> Iterator[tuple[int, Solution]]:
    """Yield the solutions in `file`, each with the line in which it begins.

    The content identifies the format. In layered text, a symbol in `fold` stands for the piece that
    it maps to, so that a piece may be drawn with several symbols. Raises `FormatError` for a file
    without content, for content that cannot be a solution of the puzzle, and for a file of another
    format than `text` if `fold` is not empty.
    """
    from dovetail.puzzles.formats.solutions import Text, first_line

    chosen = _recognised(file, puzzle, lambda each: each.holds_solutions or each.holds_boards)
    line, _ = first_line(file)
    if chosen is None:
        raise file.error(f"no solutions found; expected solutions of {puzzle.name}")
    if fold and not isinstance(chosen, Text):
        raise file.error("not a picture; expected layered text, whose symbols can be folded", line)
    yield from (Text(fold) if fold else chosen).read(file, puzzle).solutions or ()


def solution_writer(
    suffix: str, puzzle: Puzzle, source: TextFile | None = None, *, also: Iterable[str] = ()
) -> SolutionWriter:
    """Return a writer of solutions of `puzzle` for a file with this suffix.

    Solutions are written back into `source`, the file of the puzzle, if the format `extends` it.
    `also` are suffixes that the caller handles; the error for an unknown suffix names them, too.

    Raises `ConfigError` for an unknown suffix and `PuzzleError` if the format cannot express
    solutions of the puzzle.
    """
    formats = solution_formats()
    if suffix not in formats:
        valid = ", ".join([*formats, *also])
        raise ConfigError(f"unknown suffix {shorten(suffix)!r}; valid: {valid}")
    extended = source if source is not None and extends(suffix, source) else None
    return formats[suffix].solution_writer(puzzle, extended)


def extends(suffix: str, source: TextFile) -> bool:
    """Return True if solutions in a file with this suffix are written back into `source`."""
    chosen = solution_formats().get(suffix)
    return chosen is not None and chosen.extends and chosen in possible_formats(source)


def read_board(file: TextFile, puzzle: EdgePuzzle, rules: EdgePuzzle | None = None) -> PartialBoard:
    """Return the first board of `puzzle` in `file`; the content identifies the format.

    The board has to keep the rules of the puzzle `rules`, or else of `puzzle`. Raises `FormatError`
    for a file without a valid board.
    """
    from dovetail.models.boards.partial_board import board_error

    chosen = _recognised(file, puzzle, lambda each: each.holds_boards)
    boards = chosen.read(file, puzzle).boards if chosen else None
    line, board = next(iter(boards or ()), (None, None))
    if board is None:
        raise file.error("the file has no board; expected one")
    error = board_error(rules or puzzle, board)
    if error is not None:
        raise file.error(f"not a board of {puzzle.name}: {error}", line)
    return board


def board_format(path: Path, *also: str) -> Format:
    """Return the format of boards with the suffix of `path`; raise `ConfigError` if none exists.

    The error names the suffixes of boards and `also`.
    """
    formats = board_formats()
    suffix = suffix_among(path, formats)
    if suffix not in formats:
        raise unknown_name("suffix of a board", suffix, [*formats, *also])
    return formats[suffix]


def format_to_write(path: Path, puzzle: Puzzle) -> Format:
    """Return the format in which a puzzle is written to `path`, by its suffix.

    Of several formats with the suffix, formats for the class of the puzzle are preferred. Raises
    `ConfigError` for an unknown suffix.
    """
    candidates = _formats_with(path)
    if not candidates:
        valid = {suffix for each in puzzle_formats().values() for suffix in each.suffixes}
        raise unknown_name("suffix of a puzzle file", path.suffix, valid)
    return next((each for each in candidates if each.is_for(puzzle)), candidates[0])


def _recognised(
    file: TextFile, puzzle: Puzzle, is_possible: Callable[[Format], bool]
) -> Format | None:
    """Return the first possible format that recognises a file.

    If there is none, returns `text`, or None for a file of blank lines and comments.
    """
    from dovetail.puzzles.formats.solutions import first_line

    text = registry().found["text"] if first_line(file)[1] else None
    formats = filter(is_possible, registry().found.values())
    return next((each for each in formats if recognises(each, file, puzzle)), text)


def recognises(each: Format, file: TextFile, puzzle: Puzzle | None = None) -> bool:
    """Return True if a format recognises a file; if a plugin fails, warn and return False."""
    try:
        return each.recognise(file, puzzle)
    except DovetailError:
        raise
    except Exception as error:  # any exception of a plugin
        warnings.warn(f"format {each.name} is ignored ({error_words(error)})", stacklevel=2)
        return False


def _puzzles(file: TextFile, chosen: Format) -> Sequence[Any]:
    puzzles = chosen.read(file).puzzles
    if not puzzles:
        raise file.error(f"no puzzle found; expected {_beginning(chosen)}")
    return puzzles


def _in_words(puzzle: Puzzle) -> str:
    match puzzle:
        case EdgePuzzle():
            return f"a board of {puzzle.width} x {puzzle.height} tiles"
        case PackingPuzzle():
            return f"a packing of {how_many(len(puzzle.region), 'cell')}"
        case CoverProblem():
            items = how_many(puzzle.item_count, "item")
            return f"an exact cover of {items} by {how_many(puzzle.option_count, 'option')}"


def _is_variant(each: Format, other: Format) -> bool:
    """Return True if the usual suffix of `each` ends with that of `other`, a different format."""
    return each is not other and each.suffixes[0].endswith(other.suffixes[0])


def _problem(each: Format, found: Mapping[str, Format]) -> str | None:
    """Return why a plugin's format cannot be used, or None."""
    re.compile(each.begins or "")
    re.compile(each.contains or "")
    has_content = each.suffixes if each.puzzle_type else each.holds_solutions or each.holds_boards
    if not (each.summary and has_content):
        return "it has no summary, or neither puzzles with a suffix nor solutions nor boards"
    unusual = next(
        (suffix for suffix in each.suffixes if not re.match(r"\.[^A-Z]+$", suffix)), None
    )
    if unusual is not None:
        return f"its suffix is {unusual!r}; expected a dot, and no capital letters"
    readers = type(each).read_puzzle, type(each).read_puzzles
    if each.puzzle_type and each.readable and readers == (Format.read_puzzle, Format.read_puzzles):
        return "it has no method read_puzzle or read_puzzles"
    for other in found.values() if each.holds_solutions or each.holds_boards else ():
        same_kind = each.holds_solutions and other.holds_solutions
        same_kind |= each.holds_boards and other.holds_boards
        taken = {*each.suffixes} & {*other.suffixes}
        if same_kind and taken:
            return f"the suffix {min(taken)!r} is taken by {other.name}"
    return None


def _formats_with(path: Path) -> list[Format]:
    """Return the formats of puzzles with the longest suffix that a file has before any `.gz`."""
    formats = puzzle_formats().values()
    suffixes = {suffix for each in formats for suffix in each.suffixes}
    suffix = suffix_among(Path(path.name.lower().removesuffix(".gz")), suffixes)
    return [each for each in formats if suffix in each.suffixes]


def _beginnings() -> Iterator[str]:
    """Yield the beginning of files of each format; formats without a `first_line` come last."""
    readable = (each for each in puzzle_formats().values() if each.readable)
    yield from map(_beginning, sorted(readable, key=lambda each: not each.first_line))


def _beginning(each: Format) -> str:
    return f"{each.first_line or f'a file called {each.suffixes[0]}'} ({each.name})"
