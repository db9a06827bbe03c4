"""Puzzles stated in Python by the keys of a TOML or JSON file; pydantic is imported on a call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isqrt
from typing import Literal

from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.packing import Motions, PackingPuzzle

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
    interchangeable: bool = True,
    motions: MotionsName | None = None,
    sets: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] | None = None,
    piece: Sequence[Mapping[str, object]] = (),
    fixed: Mapping[str, Points] | Sequence[Mapping[str, object]] = (),
) -> PackingPuzzle:
    """Return a packing puzzle from drawings.

    The arguments are the keys of a TOML file, which `docs/puzzles/formats.md` describes. In
    addition, `pieces` and `fixed` can be mappings by name. A piece is a drawing, a list of cells,
    or a mapping with the keys of a `[[piece]]`. Raises `PuzzleError` with the argument, and the
    line of a drawing, for a value that a file could not have.

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
    from dovetail.puzzles.formats.toml.reader import packing_of

    keys = {key: value for key, value in locals().items() if value is not None}
    if isinstance(pieces, Mapping):
        named = [{"name": label, **_keys_of(shape)} for label, shape in pieces.items()]
        keys["piece"] = [*named, *piece]
        del keys["pieces"]
    if isinstance(fixed, Mapping):
        keys["fixed"] = [{"name": label, "cells": taken} for label, taken in fixed.items()]
    del keys["packing_of"]
    return packing_of(keys)


def _keys_of(shape: Shape) -> Mapping[str, object]:
    """Return the keys of a piece that is given by its shape alone."""
    if isinstance(shape, Mapping):
        return shape
    return {"shape" if isinstance(shape, str) else "cells": shape}


def board(
    tiles: str | Sequence[Sequence[int]],
    *,
    width: int | None = None,
    height: int | None = None,
    hints: Iterable[Hint | Mapping[str, int]] = (),
    signed: bool = False,
    name: str = "board",
) -> EdgePuzzle:
    """Return an edge-matching puzzle.

    A tile is its colours on top, right, bottom and left; 0 is the frame. `tiles` can also be a
    text with a tile in each line. Without `width` and `height`, the board is square. A hint is a
    `Hint`, or its fields. Raises `PuzzleError` with the argument for a value that an edge-matching
    JSON file could not have.

    >>> board('''
    ...     0 1 1 0
    ...     0 0 1 1
    ...     1 1 0 0
    ...     1 0 0 1
    ... ''').width
    2
    """
    from dovetail.puzzles.formats.json_documents import edge_puzzle

    rows: object = tiles
    if isinstance(tiles, str):
        words = map(str.split, filter(str.strip, tiles.splitlines()))
        rows = [[int(w) if re.fullmatch("-?[0-9]{1,9}", w) else w for w in row] for row in words]
    keys = {"tiles": rows, "width": width, "height": height, "signed": signed, "name": name}
    if width is None and height is None and isinstance(rows, Sequence):
        keys["width"] = keys["height"] = isqrt(len(rows))
    keys["hints"] = [vars(hint) if isinstance(hint, Hint) else hint for hint in hints]
    return edge_puzzle({key: value for key, value in keys.items() if value is not None}, name)
