"""Edge-matching puzzles as text and CSV; `edge_documents` has JSON and TOML.

Text (`EdgeText`) has the width W and the height H of the board, and then a line for each of the
W·H tiles with its colours on the top, right, bottom and left. 0 is the frame:

    2 2
    0 0 1 1       # the first tile: top and right on the frame
    …

Blank lines and comments after `#` are ignored. The first line may have other forms:

* `bounded signed W H`: words before the size, each at most once:
  `bounded` (the default): exactly the sides on the frame show 0; `unbounded`: there is no frame;
  `frame=0`: outer sides show 0, and inner sides may show 0, too;
  `signed`: colours meet their negatives; `unsigned`: they meet themselves;
  `fixed`: tiles do not turn; `flippable`: tiles may be flipped;
  `matches=1-2,1-3,4-4`: pairs of colours that match; colours in no pair match themselves;
  `counts=0-9` or `counts=0-9,1,2-3`: number of copies of every tile, or of each tile in turn;
  `holes=1.1,2.1`: cells x.y, from 0.0 at the bottom left, that are not part of the board;
  `lattice=hexagonal` or `lattice=triangular`: tiles have six or three sides, see
  `models.boards.geometry`;
  `region=hexagon-2`, `region=triangle-3` or rows such as `region=.o./ooo`, instead of `W H` and
  `holes`;
* `0`: a mark without meaning at the beginning of some files; the tiles make a square;
* four numbers: the line is already the first tile, and the tiles make a square.

Files whose tiles do not make a square state their size. Callers may specify another order of the
sides. If the line of the first tile has one number more than a tile has sides, every line begins
with the number of its tile: from 0 or from 1, in any order.

CSV of the Eternity community (`EdgeCsv`) has the side of a square board, or `width,height`, and
then a line for each tile:

    2
    1111111111111111,0000000000000001,0000000000000010,1111111111111111
    1111111111111111,1111111111111111,0000000000000010,0000000000000001,1,0,2
    …

A tile is its colours on top, right, bottom and left, as words of 16 binary digits. The frame is
sixteen ones. A hint follows its tile: column from the left and row from the top, both from 0, and
quarter turns clockwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, takewhile
from math import isqrt
from types import MappingProxyType
from typing import Any

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile, whole_number
from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, Tile
from dovetail.models.boards.geometry import SIDE_NAMES, SQUARE, board_region, check_lattice
from dovetail.puzzles.formats.base import Format, check_plain

MAX_SIDE = 256
LARGEST_COLOUR = 999_999_999
SIDES = {"t": "top", "r": "right", "b": "bottom", "l": "left"}
MARK = "0"  # first line without meaning of some files
WORDS = {  # words before the size; True if the word has a value
    **dict.fromkeys(("bounded", "unbounded", "signed", "unsigned", "fixed", "flippable"), False),
    **dict.fromkeys(("frame", "matches", "counts", "holes", "lattice", "region"), True),
}
MARKS = {"matches": "-", "counts": "-", "holes": "."}  # separators of the numbers of an entry
NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
BITS = 16
FRAME = 2**BITS - 1

_BINARY = re.compile(f"[01]{{{BITS}}}")

Lines = Iterator[tuple[int, str]]


class EdgeText(Format):
    """Edge-matching text, which begins with a number or with a word before the size."""

    name = "edges"
    summary = "edge matching: text, W H and then the colours of each tile"
    suffixes = (".txt",)
    begins = (  # a line with ` = ` or without a size is TOML
        r"[+-]?\d|(?i:(un)?(bounded|signed)\b|fixed\b|flippable\b|(frame|matches|counts|holes)="
        r"[\d.,-]+\s+\S|(lattice|region)=[^\s\"'])(?!\s*=)"
    )
    first_line = "two numbers"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        return read_edge_text(file)

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        """Return `puzzle` as text: words of its rules and the size, then a line for each tile.

        Raises `PuzzleError` for hints, for boards that are too large, for colours that are too
        large in absolute value, and for too many tiles, copies, pairs or holes.
        """
        if puzzle.hints:
            raise PuzzleError("edge-matching text does not support hints; use JSON (.json)")
        if not _possible(puzzle.width, puzzle.height):
            raise PuzzleError(
                f"edge-matching text does not support a board of {puzzle.width} x {puzzle.height}; "
                f"expected sides of 1 to {MAX_SIDE}"
            )
        named = (puzzle.frame or 0, *chain.from_iterable(puzzle.matches))
        if max(map(abs, chain(named, *puzzle.tiles))) > LARGEST_COLOUR:
            raise PuzzleError(
                f"edge-matching text does not support colours above {LARGEST_COLOUR:,}"
            )
        words = "".join(f"{word} " for word in _words(puzzle))
        if len(words) > LONGEST_LINE // 2 or len(puzzle.tiles) > MAX_SIDE**2:
            raise PuzzleError(
                f"edge-matching text does not support {len(puzzle.tiles):,} tiles with rules of "
                f"{len(words):,} characters; use JSON (.json)"
            )
        tiles = "".join(" ".join(map(str, tile)) + "\n" for tile in puzzle.tiles)
        return f"{words}{puzzle.width} {puzzle.height}\n{tiles}"


class EdgeCsv(Format):
    """CSV of the Eternity community: a line for each tile, with its hint if there is one."""

    name = "csv"
    summary = "edge matching: CSV with colours in binary, with hints"
    suffixes = (".csv",)
    begins = r"[0-9]"
    contains = rf"[01]{{{BITS}}},"
    first_line = "a number, and then tiles in binary"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        lines = file.content()
        line, first = next(lines, (None, ""))
        with file.at(line):
            sides = map(str.strip, first.split(","))
            size = [whole_number(side, "the size", (1, MAX_SIDE)) for side in sides]
            if len(size) > 2:
                raise PuzzleError(f"{shorten(first)!r}; expected the size, such as 16 or 12,6")
        width, height = size[0], size[-1]
        tiles: list[Tile] = []
        hints: list[Hint] = []
        for line, content in lines:
            with file.at(line):
                words = [word.strip() for word in content.split(",")]
                if len(words) not in (4, 7):
                    raise PuzzleError(
                        f"{how_many(len(words), 'value')}; expected top,right,bottom,left, and for "
                        "a hint also column,row,turns"
                    )
                if words[4:]:
                    column = whole_number(words[4], "the column", (0, width - 1))
                    row = whole_number(words[5], "the row", (0, height - 1))
                    turns = whole_number(words[6], "the turns", (0, 3))
                    hints.append(Hint(column, height - 1 - row, len(tiles), -turns % 4))
                tiles.append(tuple(map(_colour, words[:4])))
        return EdgePuzzle(file.stem, width, height, tuple(tiles), tuple(hints))

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        check_plain(puzzle, "CSV", "; use JSON (.json)")
        if max(map(max, puzzle.tiles)) >= FRAME:
            raise PuzzleError(f"CSV does not support colours above {FRAME - 1}; use JSON (.json)")
        if max(puzzle.width, puzzle.height) > MAX_SIDE:
            raise PuzzleError(f"CSV does not support boards with sides above {MAX_SIDE}")
        square = puzzle.width == puzzle.height
        lines = [f"{puzzle.width}" if square else f"{puzzle.width},{puzzle.height}"]
        hints = {hint.tile: hint for hint in puzzle.hints}
        for number, tile in enumerate(puzzle.tiles):
            words = [f"{FRAME if colour == BORDER else colour:0{BITS}b}" for colour in tile]
            if number in hints:
                hint = hints[number]
                words += map(str, (hint.x, puzzle.height - 1 - hint.y, -hint.rotation % 4))
            lines.append(",".join(words))
        return "\n".join(lines) + "\n"


def read_edge_text(
    file: TextFile,
    *,
    size: tuple[int, int] | None = None,
    header: bool = True,
    sides: str = "trbl",
) -> EdgePuzzle:
    """Return the puzzle in `file`, named after the file.

    If the first line does not give a size, the tiles make a square, unless `size` (width, height)
    is given. With `header=False` the first line is always a tile. `sides` is the order of the four
    numbers of a square tile, each of the letters t r b l once.

    Raises `FormatError` at the first mistake. Raises `ConfigError` for an impossible `size`, for an
    invalid order, and for any order but the default if the lattice is not square.
    """
    if sorted(sides) != sorted(SIDES):
        raise ConfigError(f"sides in the order {shorten(sides)!r}; valid: t r b l, each once")
    if size is not None and not _possible(*size):
        raise ConfigError(
            f"a board {size[0]} wide, {size[1]} high; valid: sides of 1 to {MAX_SIDE}"
        )
    tiles, size, rules = read_tiles(file, size=size, header=header, sides=sides)
    if size is None:
        side = isqrt(len(tiles))
        if not tiles or side**2 != len(tiles):
            raise file.error(
                f"{how_many(len(tiles), 'tile')} and no size; expected a square number or a size",
                len(file.lines),
            )
        size = side, side
    with file.at(None):
        return EdgePuzzle(file.stem, *size, tiles, **rules)


def read_tiles(
    file: TextFile,
    *,
    size: tuple[int, int] | None = None,
    header: bool = True,
    sides: str = "trbl",
    rules: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[tuple[Tile, ...], tuple[int, int] | None, dict[str, Any]]:
    """Return the tiles in `file`, the size or None, and arguments of `EdgePuzzle` by name.

    The size is None if neither the file nor `size` gives it. The arguments are `rules`, updated
    with the rules of the words before the size. The other parameters are the parameters of
    `read_edge_text`.
    """
    lines = file.content()
    given = dict(rules)
    if header:
        size, words, lines = _head(file, lines, size, len(SIDE_NAMES[rules.get("lattice", SQUARE)]))
        given |= words
    max_tiles = None
    if size is not None and not given.get("counts"):
        max_tiles = size[0] * size[1] - len(given.get("holes") or ())
    lattice = given.get("lattice", SQUARE)
    if lattice != SQUARE and sides != "".join(SIDES):
        raise ConfigError(f"sides in the order {sides} are for squares, not for {lattice} cells")
    names = tuple(SIDES[side] for side in sides) if lattice == SQUARE else SIDE_NAMES[lattice]
    return _tiles(file, lines, names, size, max_tiles, bool(given.get("signed"))), size, given


def parse_board_size(text: str) -> tuple[int, int]:
    """Return (width, height) from N or HEIGHTxWIDTH; raise `ConfigError` for another text."""
    found = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", text)
    if found is None:
        raise ConfigError(f"size {shorten(text)!r}; expected N, or HEIGHTxWIDTH such as 4x5")
    height, width = found[1], found[2] or found[1]
    return int(width), int(height)


def _possible(width: int, height: int) -> bool:
    return 1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE


def _words(puzzle: EdgePuzzle) -> Iterator[str]:
    """Yield the words before the size of a board."""
    if puzzle.signed and puzzle.has_plain_frame:
        yield "bounded"
    if puzzle.signed:
        yield "signed"
    for key in puzzle.variants:
        value, mark = getattr(puzzle, key), MARKS.get(key)
        if mark is None:
            yield key if value is True else f"{key}={value}"
            continue
        if key == "counts" and len(set(value)) == 1:
            value = value[:1]
        pairs = (
            str(first) if key == "counts" and first == second else f"{first}{mark}{second}"
            for first, second in value
        )
        yield f"{key}={','.join(pairs)}"


def _rules(words: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `EdgePuzzle` for words before the size.

    Raises `PuzzleError` for an unknown word, an invalid value, a word that appears twice, and
    contradictory words.
    """
    rules: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.lower().partition("=")
        name = {"bounded": "unbounded", "unsigned": "signed"}.get(key, key)
        if name in rules or key not in WORDS or bool(equals) != WORDS[key]:
            raise PuzzleError(
                f"{shorten(' '.join(words))!r} before the size; expected (un)bounded, "
                "(un)signed, fixed, flippable, frame=COLOUR, matches=A-B,…, counts=LEAST-MOST,…, "
                "holes=X.Y,…, lattice=NAME, region=…, each once"
            )
        if key == "frame":
            rules[name] = whole_number(value, "the frame", (-LARGEST_COLOUR, LARGEST_COLOUR))
        elif key in ("lattice", "region"):
            rules[name] = value
        elif equals:
            rules[name] = tuple(_pair(key, entry) for entry in value.split(","))
        else:
            rules[name] = key == name
    return rules


def _pair(key: str, entry: str) -> tuple[int, int]:
    numbers = entry.split(MARKS[key])
    if len(numbers) == 1 and key == "counts":
        numbers *= 2
    if len(numbers) != 2:
        raise PuzzleError(f"{key} has {shorten(entry)!r}; expected two numbers, A{MARKS[key]}B")
    first, second = (whole_number(number, key, (0, LARGEST_COLOUR)) for number in numbers)
    return first, second


def _head(
    file: TextFile, lines: Lines, size: tuple[int, int] | None, sides: int
) -> tuple[tuple[int, int] | None, dict[str, Any], Lines]:
    """Return the size or None, the rules of the words before it, and the lines of the tiles.

    `size` is the size that the caller knows, or None; `sides` is the number of sides of a tile.
    """
    line, text = next(lines, (len(file.lines), ""))
    words = text.split()
    if words == [MARK]:
        return size, {}, lines
    kinds = [*takewhile(lambda word: word[0].isalpha(), words)]
    numbers = words[len(kinds) :]
    if not kinds and (len(numbers) in (sides, sides + 1) or (size and len(numbers) != 2)):
        return size, {}, chain([(line, text)] if text else [], lines)
    with file.at(line):
        rules = _rules(kinds)
        check_lattice(lattice := rules.get("lattice", SQUARE))
        region = rules.pop("region", None)
        if region is not None and not numbers and "holes" not in rules:
            *found, rules["holes"] = board_region(lattice, region)
            return (found[0], found[1]), rules, lines
        if region is not None:
            raise PuzzleError(f"{shorten(text)!r}; expected a region, or width, height and holes")
        if size is not None and not numbers:
            return size, rules, lines
        if len(numbers) != 2:
            other = "a region" if kinds else f"the {NUMBERS[sides]} colours of a tile"
            raise PuzzleError(f"{shorten(text)!r}; expected width and height, or {other}")
        width, height = (whole_number(number, "a side", (1, MAX_SIDE)) for number in numbers)
        if size not in (None, (width, height)):
            raise PuzzleError(f"the size is {width} x {height}; {size[0]} x {size[1]} was given")
    return (width, height), rules, lines


def _tiles(
    file: TextFile,
    lines: Lines,
    names: tuple[str, ...],
    size: tuple[int, int] | None,
    number_of_tiles: int | None,
    signed: bool,
) -> tuple[Tile, ...]:
    """Return the tiles; `names` are the names of a tile's sides in the order of its colours.

    `number_of_tiles` is None if any number of tiles up to `MAX_SIDE`² is valid.
    """
    width, height = (MAX_SIDE, MAX_SIDE) if size is None or number_of_tiles is None else size
    max_cells = number_of_tiles or width * height
    holes = f" − {width * height - max_cells}" if max_cells < width * height else ""
    expected = f"{'' if number_of_tiles else 'at most '}{width} · {height}{holes}"
    tiles: dict[int, Tile] = {}
    is_numbered = False
    for line, text in lines:
        words = text.split()
        is_numbered = is_numbered or (not tiles and len(words) == len(names) + 1)
        with file.at(line):
            number = _take_number(words, names, max_cells) if is_numbered else len(tiles)
            if number in tiles:
                raise PuzzleError(f"a second tile {number}; expected each number once")
            tiles[number] = _tile(words, names, signed)
            if len(tiles) > max_cells:
                raise PuzzleError(f"too many tiles; expected {expected} = {max_cells}")
    if number_of_tiles is not None and len(tiles) < max_cells:
        raise file.error(
            f"the file ends after {how_many(len(tiles), 'tile')}; expected {expected} = "
            f"{max_cells}",
            len(file.lines),
        )
    numbers, count = sorted(tiles), len(tiles)
    if numbers and (numbers[0] > 1 or numbers[-1] - numbers[0] >= count):
        message = f"tiles {numbers[0]} to {numbers[-1]}; expected 0 to {count - 1}, or 1 to {count}"
        raise file.error(message, len(file.lines))
    return tuple(tiles[number] for number in numbers)


def _take_number(words: list[str], names: tuple[str, ...], most: int) -> int:
    """Remove and return the number of a tile at the beginning of its line."""
    if len(words) != len(names) + 1:
        raise _wrong_number(words, ("tile", *names))
    return whole_number(words.pop(0), "the tile", (0, most))


def _tile(words: list[str], names: tuple[str, ...], signed: bool) -> Tile:
    if len(words) != len(names):
        raise _wrong_number(words, names)
    numbers = [whole_number(word, "a colour") for word in words]
    if min(numbers) < 0 and not signed:
        raise PuzzleError(
            f"colour {min(numbers)}; expected 0 (the frame) or more, or a first line "
            "bounded signed W H"
        )
    in_order = SIDES.values() if len(names) == len(SIDES) else names
    return tuple(numbers[names.index(side)] for side in in_order)


def _wrong_number(words: list[str], names: tuple[str, ...]) -> PuzzleError:
    joint = ", " if any(" " in name for name in names) else " "
    return PuzzleError(
        f"{how_many(len(words), 'number')}; expected {NUMBERS[len(names)]}: {joint.join(names)}"
    )


def _colour(word: str) -> int:
    if not _BINARY.fullmatch(word):
        raise PuzzleError(f"{shorten(word)!r}; expected a colour of {BITS} binary digits")
    colour = int(word, 2)
    if colour == BORDER:
        raise PuzzleError(f"colour {word}; expected 1 or higher, or ones for the frame")
    return BORDER if colour == FRAME else colour
