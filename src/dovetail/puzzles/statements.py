"""Puzzles from Python arguments, which are named like the keys of a TOML or JSON file.

Pydantic is imported when a function is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import VARIANTS, EdgePuzzle, Hint
from dovetail.models.boards.geometry import SQUARE, board_region, check_lattice
from dovetail.models.packings.packing import Motions, PackingPuzzle
from dovetail.puzzles.formats.edges import read_tiles

Points = Iterable[Sequence[int]]
# A drawing, a list of cells, or the keys of a piece, such as {"like": "dominoes:I2", "count": 3}.
Shape = str | Points | Mapping[str, object]
MotionsName = Motions | Literal["free", "one-sided", "fixed"]


def packing(
    region: str | None = None,
    pieces: str | Mapping[str, Shape] | None = None,
    *,
    name: str = "packing",
    lattice: str = "square",
    dimension: int | None = None,
    box: Sequence[int] | None = None,
    cells: Points | None = None,
    origin: Sequence[int] | None = None,
    optional: Points | None = None,
    markings: Iterable[Points] | None = None,
    colours: str | Mapping[str, Points] | None = None,
    chequered: bool | Literal["one"] = False,
    wrap: Sequence[str] | Mapping[str, int] | None = None,
    interchangeable: bool = True,
    motions: MotionsName | None = None,
    sets: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] | None = None,
    piece: Sequence[Mapping[str, object]] = (),
    fixed: Mapping[str, Points] | Sequence[Mapping[str, object]] = (),
) -> PackingPuzzle:
    """Return a packing puzzle from drawings, lists of cells or sets of pieces.

    The arguments are the keys of a TOML file, which `docs/puzzles/formats.md` describes. In
    addition, `pieces` and `fixed` can be mappings by the names of pieces. A value in `pieces` is a
    drawing, a list of cells, or a mapping with the keys of a `[[piece]]`; a value in `fixed` is a
    list of cells. Raises `PuzzleError` with the argument, and the line of a drawing, for a value
    that a file could not have.

    >>> puzzle = packing(
    ...     region='''
    ...     . . .
    ...     . * .
    ...     . . .
    ...     ''',
    ...     pieces={"V": "##" "\\n" "#.", "I": {"like": "dominoes:I2", "count": [0, 4]}},
    ... )
    >>> print(puzzle.pieces[0].cells, len(puzzle.region))
    ((0, 0), (0, 1), (1, 1)) 8
    """
    keys = {key: _plain(value) for key, value in locals().items() if value is not None}
    if isinstance(pieces, Mapping):
        shapes = keys.pop("pieces").items()
        named = [{"name": label, **_keys_of(shape)} for label, shape in shapes]
        further = keys.get("piece", [])  # `packing_of` refuses a value that is not a list
        keys["piece"] = [*named, *further] if isinstance(further, list) else further
    if isinstance(fixed, Mapping):
        taken = keys["fixed"].items()
        keys["fixed"] = [{"name": label, "cells": cells} for label, cells in taken]
    from dovetail.puzzles.formats.toml.reader import packing_of

    return packing_of(keys)


def _plain(value: Any) -> Any:
    """Return `value` as plain data: dicts, lists, texts and numbers; a `Hint` becomes a dict."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [*map(_plain, value)]
    return vars(value) if isinstance(value, Hint) else value


def _keys_of(shape: Shape) -> Mapping[str, object]:
    """Return the keys of a piece: `shape` itself if it is a mapping, else its drawing or cells."""
    if isinstance(shape, Mapping):
        return shape
    return {"shape" if isinstance(shape, str) else "cells": shape}


def board(
    tiles: str | Sequence[Sequence[int]] | NDArray[np.integer[Any]],
    *,
    width: int | None = None,
    height: int | None = None,
    hints: Iterable[Hint | Mapping[str, int]] = (),
    signed: bool = False,
    unbounded: bool = False,
    frame: int | None = None,
    fixed: bool = False,
    flippable: bool = False,
    matches: Points = (),
    counts: Iterable[int | Sequence[int]] = (),
    holes: Points = (),
    lattice: str = SQUARE,
    region: str | None = None,
    name: str = "board",
) -> EdgePuzzle:
    """Return an edge-matching puzzle.

    A square tile is its colours on top, right, bottom and left; the frame has colour 0. `tiles` can
    also be edge-matching text, with or without its first line. The number of tiles gives a missing
    `width` or `height`; without both, the board is square. A board with `counts`, `holes` or a
    `lattice` other than `square` needs both or a `region`. `lattice` may be `hexagonal` or
    `triangular`, and `region` a drawing, `hexagon-N` or `triangle-N`, instead of `width`, `height`
    and `holes`. A hint is a `Hint`, or a mapping with its fields. The arguments from `signed` to
    `holes` are rules, which edge-matching text has as words before the size; see
    `docs/puzzles/formats.md`. Raises `PuzzleError` with the argument for a value that an
    edge-matching file could not have.

    >>> board('''
    ...     0 1 1 0
    ...     0 0 1 1
    ...     1 1 0 0
    ...     1 0 0 1
    ... ''').width
    2
    >>> len(board([[1] * 6] * 7, lattice="hexagonal", region="hexagon-2", unbounded=True).tiles)
    7
    """
    from dovetail.puzzles.formats.json_documents import edge_puzzle

    check_lattice(lattice)
    size = None
    if region is not None:
        if not isinstance(region, str):
            raise PuzzleError(f"the region is {region!r}; expected text")
        if (width, height, holes) != (None, None, ()):
            raise PuzzleError("both region and a size or holes are given; expected one of them")
        width, height, holes = board_region(lattice, region)
        size = width, height
    given = locals()
    rules = {key: _plain(given[key]) for key in ("signed", *VARIANTS)}
    for key in ("matches", "counts", "holes"):
        if not isinstance(rules[key], list):
            raise PuzzleError(f"{key} is {rules[key]!r}; expected a list")
    rows, width, height = map(_plain, (tiles, width, height))
    if isinstance(rows, str):
        file = TextFile(Path("tiles"), rows.encode())
        rows, size, rules = read_tiles(file, size=size, rules=rules)
        if size is not None:
            width, height = width or size[0], height or size[1]
            if (width, height) != size:
                raise file.error(f"the size is {size[0]} x {size[1]}; expected {width} x {height}")
    if isinstance(rows, Sequence) and None in (width, height):
        if rules["counts"] or rules["holes"] or rules["lattice"] != SQUARE:
            raise PuzzleError(
                "width or height is missing; boards with counts, holes or another lattice need both"
            )
        side = width or height
        known = side if isinstance(side, int) else None  # another value is refused below
        other = len(rows) // (known or isqrt(len(rows)) or 1)
        if other * (known or other) != len(rows):
            expected = f"a multiple of {known}" if known else "a square number, or width and height"
            raise PuzzleError(f"{how_many(len(rows), 'tile')}; expected {expected}")
        width, height = (other if side is None else side for side in (width, height))
    keys = {"tiles": rows, "width": width, "height": height, "name": name} | _plain(rules)
    keys = {key: value for key, value in keys.items() if value is not None}
    return edge_puzzle({"hints": _plain(hints), **keys}, name)
