"""Random edge-matching boards that have a solution.

Boards follow the rule of Benoist and Bourreau (ColorPair): every inner edge of a board gets a
uniformly random colour, and the board is cut into tiles. To hide the places of the tiles, they are
sorted, and each tile is turned to its lexicographically least rotation.
"""

from __future__ import annotations

from dovetail.errors import ConfigError
from dovetail.models.boards.edges import BORDER, EdgePuzzle, canonical_turn
from dovetail.random_stream import RandomStream

MAX_SIDE = 64
MAX_COLOURS = 10_000


def random_board(
    width: int | None,
    height: int,
    inner_colours: int,
    seed: int,
    border_colours: int | None = None,
) -> EdgePuzzle:
    """Return a board of `width` x `height`, the same for the same arguments on every machine.

    The board is a square if `width` is None. Without `border_colours`, the colours of all inner
    edges are drawn from 1 to `inner_colours`. With `border_colours`, colours of edges between two
    cells of the frame are drawn from 1 to `border_colours`, and colours of other inner edges from
    the next `inner_colours` numbers. Edges between columns are drawn first (column by column,
    bottom to top), then edges between rows in the same order. Raises `ConfigError` for sizes and
    numbers of colours out of bounds.
    """
    width = height if width is None else width
    for what, value, max_value in (
        ("width", width, MAX_SIDE),
        ("height", height, MAX_SIDE),
        ("number of inner colours", inner_colours, MAX_COLOURS),
        ("number of border colours", 1 if border_colours is None else border_colours, MAX_COLOURS),
    ):
        if not 1 <= value <= max_value:
            raise ConfigError(f"the {what} is {value}; expected 1 to {max_value}")
    random = RandomStream(seed)

    def in_frame(x: int, y: int) -> bool:
        return x in (0, width - 1) or y in (0, height - 1)

    def colour(first: tuple[int, int], second: tuple[int, int]) -> int:
        if border_colours is None:
            return 1 + random.below(inner_colours)
        if in_frame(*first) and in_frame(*second):
            return 1 + random.below(border_colours)
        return 1 + border_colours + random.below(inner_colours)

    upright = {(x, y): colour((x, y), (x + 1, y)) for x in range(width - 1) for y in range(height)}
    level = {(x, y): colour((x, y), (x, y + 1)) for x in range(width) for y in range(height - 1)}
    tiles = []
    for x in range(width):
        for y in range(height):
            tile = (
                level.get((x, y), BORDER),
                upright.get((x, y), BORDER),
                level.get((x, y - 1), BORDER),
                upright.get((x - 1, y), BORDER),
            )
            tiles.append(canonical_turn(tile))
    size = f"{width}" if width == height else f"{height}x{width}"
    kind = f"{inner_colours}" if border_colours is None else f"b{border_colours}i{inner_colours}"
    return EdgePuzzle(f"edges-{size}-{kind}-{seed}", width, height, tuple(sorted(tiles)))
