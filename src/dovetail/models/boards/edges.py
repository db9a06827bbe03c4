"""Edge-matching puzzles: the colours of tiles on a board have to match across each edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many, shorten, show
from dovetail.models.arrays import content_digest
from dovetail.models.boards.geometry import (
    NORTH,
    SOUTH,
    SQUARE,
    BoardGeometry,
    Frame,
    Position,
    check_lattice,
)
from dovetail.printable import Shown, printable


class TileClass(StrEnum):
    """Class of a cell by its sides on the frame, or of a tile by its sides with the frame's colour.

    Turning does not change the class. Cells of the classes `PASSAGE`, `END` and `LONE` occur only
    on boards with holes or a single row or column.
    """

    CORNER = "corner"  # two adjacent such sides
    BORDER = "border"  # one such side
    INNER = "inner"  # no such side
    END = "end"  # three such sides
    PASSAGE = "passage"  # two opposite such sides
    LONE = "lone"  # four such sides


class Place(StrEnum):
    """Position of an edge between two cells: whether one of its ends lies on the frame."""

    AT_FRAME = "ending at the frame"
    AWAY = "away from the frame"


FRAMED = {
    TileClass.CORNER: "on two adjacent sides",
    TileClass.BORDER: "on one side only",
    TileClass.INNER: "on no side",
    TileClass.END: "on three sides",
    TileClass.PASSAGE: "on two opposite sides",
    TileClass.LONE: "on all four sides",
}


def class_of_tile(tile: Tile) -> TileClass:
    """Return the class of the cells that a square tile fits."""
    return class_of_frame(frame_of(tile))


def frame_of(shown: Tile) -> Frame:
    """Return the sides that have to lie on the frame for a tile that shows these colours."""
    return tuple(colour == BORDER for colour in shown)


# Class by the number of sides on the frame; two adjacent sides make a `CORNER` instead.
BY_SIDES = (
    TileClass.INNER,
    TileClass.BORDER,
    TileClass.PASSAGE,
    TileClass.END,
    TileClass.LONE,
)


def class_of_frame(frame: Frame) -> TileClass:
    """Return the class of square cells with these sides on the frame, equal for all turns."""
    if sum(frame) == 2 and frame[NORTH] != frame[SOUTH]:
        return TileClass.CORNER
    return BY_SIDES[sum(frame)]


def tiles_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the tiles of each class; classes without tiles are left out."""
    return Counter(map(class_of_tile, puzzle.tiles))


def cells_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the cells of each class; classes without cells are left out."""
    return Counter(map(class_of_frame, puzzle.geometry.frames))


def edges_by_place(puzzle: EdgePuzzle) -> dict[Place, int]:
    """Return the number of edges between two squares for each place, on a board without holes."""
    width, height = puzzle.width, puzzle.height
    at_frame = (width - 1) * min(height, 2) + (height - 1) * min(width, 2)
    every = (width - 1) * height + (height - 1) * width
    return {Place.AT_FRAME: at_frame, Place.AWAY: every - at_frame}


def colours_facing(tile: Tile, place: Place) -> list[int]:
    """Return the colours of the sides of a tile that face edges at `place`, with repetition."""
    return [
        colour
        for side, colour in enumerate(tile)
        if colour != BORDER
        and (BORDER in (tile[side - 1], tile[(side + 1) % 4])) == (place == Place.AT_FRAME)
    ]


def sides_facing(puzzle: EdgePuzzle, place: Place) -> Counter[int]:
    """Count the sides of all tiles that face edges at `place`, by colour in `by_size` order."""
    shown = Counter(colour for tile in puzzle.tiles for colour in colours_facing(tile, place))
    return Counter({colour: shown[colour] for colour in sorted(shown, key=by_size)})


def by_size(colour: int) -> tuple[int, int]:
    """Return the sort key of a colour, for the order 1, −1, 2, −2 and so on."""
    return abs(colour), -colour


Tile = tuple[int, ...]  # the colours of the sides, clockwise

Scalar = TypeVar("Scalar", np.int32, np.int64)
Value = TypeVar("Value")

BORDER = 0
LARGEST_COLOUR = 1_000_000_000
MAX_CELLS = 2_000_000
MAX_COPIES = 999_999_999  # maximum number of copies of a tile


@dataclass(frozen=True, repr=False)
class Hint(Shown):
    """Hint that tile `tile`, in rotation `rotation`, lies in column `x` and row `y`.

    All numbers start at 0. Columns are counted from the left, rows from the bottom.

    >>> tiles = (0, 1, 0, 0), (0, 0, 0, 1)
    >>> wrong = EdgePuzzle("pair", 2, 1, tiles, hints=(Hint(x=0, y=0, tile=0, rotation=2),))
    >>> has_solution(wrong)  # colour 1 would lie on the frame
    False
    """

    x: int
    y: int
    tile: int
    rotation: int

    @property
    def position(self) -> Position:
        return self.x, self.y


VARIANTS = {
    "lattice": "boards of hexagons or triangles",
    "unbounded": "boards without a frame",
    "frame": "the frame's colour inside",
    "fixed": "tiles that must not turn",
    "flippable": "tiles that may be flipped",
    "matches": "colours that match other colours",
    "counts": "numbers of copies of tiles",
    "holes": "boards with holes",
}
"""Features beyond a square board of plain tiles in a frame, by the field of `EdgePuzzle`."""


@dataclass(frozen=True, repr=False)
class EdgePuzzle(Shown):
    """A board of `width` x `height` cells and its tiles.

    A tile is (north, east, south, west); rotation r makes side s show `tile[(s + r) % 4]`, a
    quarter turn anticlockwise for each step. Colour 0 belongs to the frame: exactly the sides on
    the frame show it. Colours on the two sides of an inner edge must be equal or, in a `signed`
    puzzle, each other's negative. Cell (0, 0) is at the bottom left. `geometry` has the sides
    and the cells of another `lattice`.

    Raises `PuzzleError` for an unknown lattice, a size or colour beyond the limits, a negative
    colour in an unsigned puzzle, a tile with a wrong number of sides, numbers of tiles or copies
    that cannot fill the cells, impossible or repeated hints, holes outside the board, repeated
    pairs or holes, or variants that contradict each other.

    >>> count(EdgePuzzle("pair", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))).count
    1
    >>> wang = EdgePuzzle("Wang", 3, 2, ((1, 2, 1, 2),), unbounded=True, counts=((0, 9),))
    >>> count(wang, symmetry="all").count
    2
    """

    name: str
    width: int
    height: int
    tiles: tuple[Tile, ...]
    hints: tuple[Hint, ...] = ()
    signed: bool = False
    unbounded: bool = False
    """There is no frame: outer sides show any colour, and 0 is a colour like others."""
    frame: int | None = None
    """Colour of all outer sides, which inner sides may show too; None without such a colour."""
    fixed: bool = False
    """Tiles must not turn, and boards are not turned either: no two solutions are symmetric."""
    flippable: bool = False
    """Tiles may be flipped, with the same colours on the back; see `turned` for the rotations."""
    matches: tuple[tuple[int, int], ...] = ()
    """Pairs of colours that match each other, (a, a) for a colour that matches itself.

    A colour may be in several pairs; colours in no pair match themselves only.
    """
    counts: tuple[tuple[int, int], ...] = ()
    """Least and largest number of copies of each tile, or one pair for all; () for 1 of each."""
    holes: tuple[Position, ...] = ()
    """Cells (x, y) that are not part of the board; their sides lie on the frame."""
    lattice: str = SQUARE
    """`square`, `hexagonal` or `triangular`."""

    def __str__(self) -> str:
        return f"{shorten(printable(self.name))}: edge matching, {self.sizes}"

    @property
    def sizes(self) -> str:
        """Size of the board, numbers of colours and hints, and variants, in words."""
        colours = {self.representative(colour) for tile in self.tiles for colour in tile}
        words = {
            "lattice": f"{self.lattice} cells",
            "unbounded": "no frame",
            "frame": f"colour {self.frame} on the frame",
            "signed": "signed colours",
            "fixed": "tiles do not turn",
            "flippable": "tiles may be flipped",
            "matches": f"{how_many(len(self.matches), 'pair')} of colours that match",
            "counts": f"{how_many(len(self.tiles), 'tile')} in several copies",
            "holes": how_many(len(self.holes), "hole"),
        }
        inside = "" if self.unbounded else " including the frame's"
        marked = ["signed"] * self.signed + self.variants
        return (
            f"{self.width} wide, {self.height} high, {how_many(len(colours), 'colour')}"
            f"{inside}, "
            f"{how_many(len(self.hints), 'hint')}"
            f"{''.join(f', {text}' for key, text in words.items() if key in marked)}"
        )

    def __post_init__(self) -> None:
        check_lattice(self.lattice)
        tiles = tuple(tuple(int(colour) for colour in tile) for tile in self.tiles)
        object.__setattr__(self, "tiles", tiles)
        object.__setattr__(self, "hints", tuple(self.hints))
        for field in ("matches", "counts", "holes"):
            pairs = tuple((int(first), int(second)) for first, second in getattr(self, field))
            object.__setattr__(self, field, pairs)
        if len(self.counts) == 1:
            object.__setattr__(self, "counts", self.counts * len(tiles))
        self._check_size()
        self._check_variants()
        if not tiles:
            raise PuzzleError("the board has no tiles; expected at least one")
        if not self.counts and len(tiles) != len(self.geometry.positions):
            holes = f" − {how_many(len(self.holes), 'hole')}" if self.holes else ""
            raise PuzzleError(
                f"the puzzle has {how_many(len(tiles), 'tile')}; expected width · height{holes} = "
                f"{self.width} · {self.height}{holes} = {len(self.geometry.positions)}"
            )
        for number, tile in enumerate(tiles):
            sides = self.geometry.side_count
            if len(tile) != sides:
                raise PuzzleError(
                    f"tile {number} has {how_many(len(tile), 'side')}; expected {sides}"
                )
            if max(map(abs, tile)) > LARGEST_COLOUR:
                raise PuzzleError(f"tile {number} has a colour beyond {LARGEST_COLOUR:,}")
            if min(tile) < 0 and not self.signed:
                raise PuzzleError(f"tile {number} has the negative colour {min(tile)}")
        self._check_hints()

    def _check_size(self) -> None:
        for field in ("width", "height"):
            side = getattr(self, field)
            if isinstance(side, bool) or not hasattr(side, "__index__"):
                raise PuzzleError(f"{field} is {show(side)}; expected a whole number")
            object.__setattr__(self, field, int(side))
        if self.width < 1 or self.height < 1:
            raise PuzzleError(f"the board is {self.width} x {self.height}; expected at least 1 x 1")
        if self.width * self.height > MAX_CELLS:
            raise PuzzleError(
                f"the board is {self.width} x {self.height}; expected at most {MAX_CELLS:,} cells"
            )

    def _check_variants(self) -> None:
        for first, second in (
            ("unbounded", "frame"),
            ("fixed", "flippable"),
            ("signed", "matches"),
        ):
            if {first, second} <= {*self.variants, *["signed"] * self.signed}:
                raise PuzzleError(f"{first} and {second} are both given; expected one at most")
        for what, given in (
            ("pair of colours", [(min(pair), max(pair)) for pair in self.matches]),
            ("hole", [*self.holes]),
        ):
            for twice in repeated(given):
                raise PuzzleError(f"{what} {twice} is in two entries; expected one")
        colours = [self.frame or 0, *(colour for pair in self.matches for colour in pair)]
        least = -LARGEST_COLOUR if self.signed else 0
        if min(colours) < least or max(colours) > LARGEST_COLOUR:
            raise PuzzleError(
                f"frame, matches: colours {min(colours)} to {max(colours)}; "
                f"valid: {least:,} to {LARGEST_COLOUR:,}"
            )
        self._check_holes()
        self._check_counts()

    def _check_holes(self) -> None:
        box = BoardGeometry(self.width, self.height)
        for hole in self.holes:
            if hole not in box:
                raise PuzzleError(f"the hole {hole} is outside the board")
        if len(self.holes) == len(box.positions):
            raise PuzzleError("there are holes in all cells; expected a cell without a hole")

    def _check_counts(self) -> None:
        cells = len(self.geometry.positions)
        if self.counts and len(self.counts) != len(self.tiles):
            raise PuzzleError(
                f"counts has {how_many(len(self.counts), 'entry', 'entries')} for "
                f"{how_many(len(self.tiles), 'tile')}; expected one for each tile, or one for all"
            )
        for least, largest in self.counts:
            if not 0 <= least <= largest or not 1 <= largest <= MAX_COPIES:
                raise PuzzleError(
                    f"a tile has {least} to {largest} copies; expected 0 <= least <= largest, and "
                    f"largest from 1 to {MAX_COPIES:,}"
                )
        least, largest = map(sum, zip(*self.copies, strict=True)) if self.counts else (cells, cells)
        if not least <= cells <= largest:
            raise PuzzleError(
                f"the counts allow {least} to {how_many(largest, 'tile')}; the board has "
                f"{how_many(cells, 'cell')}"
            )

    @property
    def copies(self) -> list[tuple[int, int]]:
        """Bounds on the copies of each tile; the lower bound covers all hints for the tile."""
        counts = self.counts or ((1, 1),) * len(self.tiles)
        hinted = Counter(hint.tile for hint in self.hints)
        return [(max(least, hinted[n]), largest) for n, (least, largest) in enumerate(counts)]

    @property
    def variants(self) -> list[str]:
        """Names of the fields in `VARIANTS` whose values differ from those of a plain board."""
        plain: tuple[object, ...] = (False, (), SQUARE)
        given = {key: getattr(self, key) for key in VARIANTS}
        given["frame"] = self.frame is not None
        return [key for key, value in given.items() if value not in plain]

    @property
    def has_plain_frame(self) -> bool:
        """True if exactly the sides on the frame show colour 0."""
        return not self.unbounded and self.frame is None

    @property
    def frame_colour(self) -> int | None:
        """Colour of the frame; None if there is no frame."""
        return BORDER if self.has_plain_frame else self.frame

    @property
    def turns(self) -> range:
        """Rotations that a tile may have; see `turned`."""
        return range(1 if self.fixed else self.geometry.side_count * (1 + self.flippable))

    @cached_property
    def hinted(self) -> dict[Position, Hint]:
        """Hint of each hinted cell."""
        return {hint.position: hint for hint in self.hints}

    def hint_sides(self, hint: Hint) -> Tile:
        """Return the sides that a hinted tile shows."""
        return turned(self.tiles[hint.tile], hint.rotation)

    def look(self, tile: Tile) -> Tile:
        """Return the lexicographically least turn of `tile`: equal for tiles that look alike."""
        return min(turned(tile, rotation) for rotation in self.turns)

    def fits(self, shown: Tile, frame: Frame) -> bool:
        """Return whether a tile that shows these colours may lie in a cell with this frame."""
        if self.unbounded:
            return True
        if self.frame is None:
            return frame_of(shown) == frame
        return all(
            colour == self.frame for colour, outer in zip(shown, frame, strict=True) if outer
        )

    @property
    def misfit(self) -> str | None:
        """Reason why a tile that has to be used fits no cell; None if there is no such tile."""
        frames = set(self.geometry.frames)
        shown = dict.fromkeys(
            tile for n, tile in enumerate(self.tiles) if not self.counts or self.counts[n][0]
        )
        for tile in shown:
            turns = [turned(tile, rotation) for rotation in self.turns]
            if not any(self.fits(turn, frame) for turn in turns for frame in frames):
                return self._misfit(self.tiles.index(tile))
        return None

    def _misfit(self, number: int) -> str:
        tile = self.tiles[number]
        size = f"a {self.width} x {self.height} board"
        shown = f"tile {number} ({' '.join(map(str, tile))})"
        if self.frame is not None:
            return f"{shown} fits no cell of {size} with colour {self.frame} on all outer sides"
        square = self.lattice == SQUARE
        where = FRAMED[class_of_tile(tile)] if square else f"on {how_many(tile.count(0), 'side')}"
        return (
            f"{shown} has the frame's colour 0 {where}; no cell of {size} "
            "has such sides on the frame (set unbounded, or frame=0 if inner sides may show 0)"
        )

    @cached_property
    def digest(self) -> str:
        """Digest of the content without the name."""
        return content_digest(
            {
                "kind": "edges",
                "size": (self.width, self.height),
                "tiles": self.tiles,
                "hints": [(hint.x, hint.y, hint.tile, hint.rotation) for hint in self.hints],
                "signed": self.signed,
            }
            | {key: getattr(self, key) for key in self.variants}
        )

    @cached_property
    def geometry(self) -> BoardGeometry:
        """Geometry of the board."""
        return BoardGeometry(self.width, self.height, frozenset(self.holes), self.lattice)

    def mates(self, colour: int) -> list[int]:
        """Return the colours that match `colour` on the other side of an edge, ascending."""
        return [-colour] if self.signed else self._mates.get(colour, [colour])

    @cached_property
    def has_single_mates(self) -> bool:
        """True if each colour matches exactly one colour."""
        return all(len(mates) == 1 for mates in self._mates.values())

    def mate(self, colour: int) -> int:
        """Return the only colour that matches `colour`; raise ValueError if there are several."""
        (mate,) = self.mates(colour)
        return mate

    def match(self, colours: NDArray[Scalar], facing: NDArray[Scalar]) -> NDArray[np.bool_]:
        """Return, element by element, whether `colours` match the colours that face them."""
        if self.signed:
            return np.asarray(facing == -colours)
        found = np.asarray(facing == colours)
        for colour, mates in self._mates.items():
            named = colours == colour
            found[named] = np.isin(facing[named], mates)
        return found

    def representative(self, colour: int) -> int:
        """Return the colour that represents `colour` and its mate.

        In a signed puzzle, this is the positive colour, else the lesser one. Returns `colour` if it
        or its mate matches several colours.
        """
        if self.signed:
            return abs(colour)
        mates = self.mates(colour)
        return min(colour, *mates) if len(mates) == len(self.mates(mates[0])) == 1 else colour

    @cached_property
    def _mates(self) -> dict[int, list[int]]:
        found = dict[int, set[int]]()
        for pair in self.matches:
            for colour, two in (pair, pair[::-1]):
                found.setdefault(colour, set()).add(two)
        return {colour: sorted(mates) for colour, mates in found.items()}

    def _check_hints(self) -> None:
        for hint in self.hints:
            valid = (
                hint.position in self.geometry
                and 0 <= hint.tile < len(self.tiles)
                and hint.rotation in self.turns
            )
            if not valid:
                raise PuzzleError(
                    f"{hint} is impossible; expected x below {self.width}, y below "
                    f"{self.height}, tile below {len(self.tiles)}, rotation below "
                    f"{len(self.turns)}{', and no hole' if self.holes else ''}"
                )
        for what, given in (
            ("cell", [hint.position for hint in self.hints]),
            ("tile", [hint.tile for hint in self.hints] if not self.counts else []),
        ):
            for twice in repeated(given):
                raise PuzzleError(f"two hints name the same {what}: {twice}")
        for number, (least, largest) in enumerate(self.copies):
            if least > largest:
                raise PuzzleError(
                    f"tile {number} has {how_many(least, 'hint')}; expected at most {largest}"
                )


def repeated(values: Iterable[Value]) -> list[Value]:
    """Return the values that occur several times."""
    return [value for value, times in Counter(values).items() if times > 1]


def unsupported(puzzle: EdgePuzzle) -> str | None:
    """Return a refusal that names the first variant of a puzzle, or None for a plain board."""
    return next((f"it does not support {VARIANTS[key]}" for key in puzzle.variants), None)


def turned(tile: Tile, rotation: int) -> Tile:
    """Return the sides that `tile` shows after `rotation` turns anticlockwise by one side.

    If `rotation` is at least the number of sides, the tile is flipped first: the order of all sides
    but the first is reversed, so that east and west of a square change places.
    """
    if rotation >= len(tile):
        tile, rotation = tile[:1] + tile[:0:-1], rotation - len(tile)
    return tile[rotation:] + tile[:rotation]


def canonical_turn(tile: Tile) -> Tile:
    """Return the lexicographically least turn of `tile`: equal for tiles that look alike."""
    return min(turned(tile, rotation) for rotation in range(len(tile)))
