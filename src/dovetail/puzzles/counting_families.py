"""Problems that are counted rather than solved: few sub-problems, and numbers beyond listing.

What their counts are called is in the docstrings; docs/solvers/methods/families.md has sources.
"""

from __future__ import annotations

from itertools import combinations

from dovetail.errors import ConfigError
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.polyominoes import PLANE, box, drawn

MAX_ELEMENTS = 16
MAX_POINTS = 64
MAX_LATIN = 12
MAX_SIDE = 64
DOMINO = ("##",)
TROMINOES = {"I": ("###",), "L": ("#.", "##")}


def set_partitions(n: int) -> CoverProblem:
    """Partitions of n elements into sets: every set that is not empty is an option (Bell numbers).

    Raises `ConfigError` unless n is from 1 to 16.
    """
    _check("elements", n, 1, MAX_ELEMENTS)
    sets = [chosen for size in range(1, n + 1) for chosen in combinations(range(n), size)]
    return cover_problem(
        f"bell-{n}", [f"{i}" for i in range(n)], [[f"{i}" for i in one] for one in sets]
    )


def perfect_matchings(n: int) -> CoverProblem:
    """Pairings of n points, each with each other: (n − 1)!! for even n, none for odd n.

    Raises `ConfigError` unless n is from 2 to 64.
    """
    _check("points", n, 2, MAX_POINTS)
    pairs = combinations(range(n), 2)
    return cover_problem(
        f"matchings-{n}", [f"{i}" for i in range(n)], [[f"{i}", f"{j}"] for i, j in pairs]
    )


def latin_squares(n: int) -> CoverProblem:
    """Squares of n symbols, each once in every row and column.

    Raises `ConfigError` unless n is from 1 to 12.
    """
    _check("symbols", n, 1, MAX_LATIN)
    places = [(i, j) for i in range(n) for j in range(n)]
    kinds = ("cell", "row", "column")
    return cover_problem(
        f"latin-{n}",
        [f"{kind} {i},{j}" for kind in kinds for i, j in places],
        [
            [f"cell {row},{column}", f"row {row},{symbol}", f"column {column},{symbol}"]
            for row, column in places
            for symbol in range(n)
        ],
    )


def steiner_systems(n: int) -> CoverProblem:
    """Steiner triple systems: triples of n points, every two points together in one of them.

    Raises `ConfigError` unless n is from 3 to 64.
    """
    _check("points", n, 3, MAX_POINTS)
    return cover_problem(
        f"steiner-{n}",
        [f"{i},{j}" for i, j in combinations(range(n), 2)],
        [[f"{i},{j}" for i, j in combinations(one, 2)] for one in combinations(range(n), 3)],
    )


def kirkman_systems(n: int) -> CoverProblem:
    """Kirkman's schoolgirls: n of them walk in threes, every two together on one of the days.

    There are (n − 1) / 2 days, in order. Raises `ConfigError` unless n is an odd multiple of 3 from
    3 to 21.
    """
    if n % 6 != 3 or not 3 <= n <= 21:
        raise ConfigError(f"{n} schoolgirls; expected 3, 9, 15 or 21")
    days = range((n - 1) // 2)
    return cover_problem(
        f"kirkman-{n}",
        [
            *(f"{i},{j}" for i, j in combinations(range(n), 2)),
            *(f"{i} on day {day}" for i in range(n) for day in days),
        ],
        [
            [*(f"{i},{j}" for i, j in combinations(one, 2)), *(f"{i} on day {day}" for i in one)]
            for one in combinations(range(n), 3)
            for day in days
        ],
    )


def dominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """A rectangle of an even area full of dominoes (Kasteleyn; Temperley and Fisher, 1961)."""
    _check_sides(height, width, 2)
    count = height * width // 2
    piece = Piece("A", drawn(DOMINO), min_count=count, max_count=count)
    return PackingPuzzle(f"dominoes-{height}x{width}", PLANE, box(width, height), (piece,))


def trominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """A rectangle full of straight and bent trominoes, any number of each."""
    _check_sides(height, width, 3)
    pieces = tuple(
        Piece(name, drawn(lines), min_count=0, max_count=height * width // 3)
        for name, lines in TROMINOES.items()
    )
    return PackingPuzzle(f"trominoes-{height}x{width}", PLANE, box(width, height), pieces)


def _check(what: str, n: int, smallest: int, largest: int) -> None:
    if not smallest <= n <= largest:
        raise ConfigError(f"{n} {what}; expected {smallest} to {largest}")


def _check_sides(height: int, width: int, divisor: int) -> None:
    _check("cells on a side", min(height, width), 1, MAX_SIDE)
    _check("cells on a side", max(height, width), 1, MAX_SIDE)
    if height * width % divisor:
        raise ConfigError(
            f"a rectangle of {height * width} cells; expected a multiple of {divisor}"
        )
