"""Classic exact-cover problems: queens, Langford pairs, Sudoku, partitions, designs.

Some problems have too many solutions to list, but so few different sub-problems that the solutions
can be counted. docs/solvers/methods/families.md has the sources of the published counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, how_many
from dovetail.models.cover import CoverProblem, Member, cover


def queens(n: int) -> CoverProblem:
    """Return the n-queens problem: ranks and files are primary items, diagonals are secondary.

    The symmetries are the symmetries of the square, reflections included.
    """
    squares = [(file, rank) for file in range(n) for rank in range(n)]
    options: list[list[Member]] = [
        [f"file {x}", f"rank {y}", f"rising {x - y}", f"falling {x + y}"] for x, y in squares
    ]
    last = n - 1
    board = np.arange(n * n).reshape(n, n)
    turned = [np.rot90(board, quarters) for quarters in range(4)]
    images = [*turned, np.flipud(board), np.fliplr(board), board.T, turned[2].T]
    return cover(
        [*(f"file {x}" for x in range(n)), *(f"rank {y}" for y in range(n))],
        options,
        secondary=[
            *(f"rising {d}" for d in range(-last, last + 1)),
            *(f"falling {s}" for s in range(2 * last + 1)),
        ],
        option_names=[f"{_file_name(x)}{y + 1}" for x, y in squares],
        symmetries=_permutations(tuple(image.ravel().tolist()) for image in images),
        name=f"queens-{n}",
    )


def langford(n: int) -> CoverProblem:
    """Return Langford's problem: 1, 1, …, n, n in a row, with k numbers between the two k.

    The symmetry of the problem is the reversal of the row.
    """
    slots = 2 * n
    pairs = [(k, i) for k in range(1, n + 1) for i in range(slots - k - 1)]
    number = {pair: option for option, pair in enumerate(pairs)}
    backwards = tuple(number[k, slots - 1 - (i + k + 1)] for k, i in pairs)
    return cover(
        [*(f"slot {i}" for i in range(slots)), *(f"pair {k}" for k in range(1, n + 1))],
        [[f"slot {i}", f"slot {i + k + 1}", f"pair {k}"] for k, i in pairs],
        option_names=[f"{k} at {i} and {i + k + 1}" for k, i in pairs],
        symmetries=_permutations([tuple(range(len(pairs))), backwards]),
        name=f"langford-{n}",
    )


def sudoku(name: str, givens: str) -> CoverProblem:
    """Return a Sudoku as an exact cover: an option is a digit in a cell.

    `givens` has 81 characters, row by row from the top: the digits 1 to 9 are given, and any other
    character is an open cell. Raises `PuzzleError` for another number of characters.
    """
    if len(givens) != 81:
        raise PuzzleError(f"the Sudoku has {how_many(len(givens), 'character')}; expected 81")
    options: list[list[Member]] = []
    names = []
    for place, given in enumerate(givens):
        row, column = divmod(place, 9)
        for digit in given if given in "123456789" else "123456789":
            block = row // 3 * 3 + column // 3
            options.append(
                [
                    f"cell {row},{column}",
                    f"row {row}: {digit}",
                    f"column {column}: {digit}",
                    f"block {block}: {digit}",
                ]
            )
            names.append(f"{digit} in row {row + 1}, column {column + 1}")
    groups = [
        f"{kind} {i}: {digit}"
        for kind in ("row", "column", "block")
        for i in range(9)
        for digit in range(1, 10)
    ]
    cells = [f"cell {row},{column}" for row in range(9) for column in range(9)]
    return cover([*cells, *groups], options, option_names=names, name=name)


def set_partitions(n: int) -> CoverProblem:
    """Return the problem of partitioning n elements; its number of solutions is a Bell number.

    Each non-empty subset is an option.
    """
    sets = [chosen for size in range(1, n + 1) for chosen in combinations(range(n), size)]
    return cover(
        [f"{i}" for i in range(n)], [[f"{i}" for i in part] for part in sets], name=f"bell-{n}"
    )


def perfect_matchings(n: int) -> CoverProblem:
    """Return the problem of pairing n points; it has (n − 1)!! solutions for even n, else none."""
    pairs = combinations(range(n), 2)
    return cover(
        [f"{i}" for i in range(n)], [[f"{i}", f"{j}"] for i, j in pairs], name=f"matchings-{n}"
    )


def latin_squares(n: int) -> CoverProblem:
    """Return the problem of Latin squares: each of n symbols is once in every row and column."""
    places = [(i, j) for i in range(n) for j in range(n)]
    kinds = ("cell", "row", "column")
    return cover(
        [f"{kind} {i},{j}" for kind in kinds for i, j in places],
        [
            [f"cell {row},{column}", f"row {row},{symbol}", f"column {column},{symbol}"]
            for row, column in places
            for symbol in range(n)
        ],
        name=f"latin-{n}",
    )


def steiner_systems(n: int) -> CoverProblem:
    """Return the problem of Steiner triple systems: any two of n points are in exactly one triple.

    An option is a triple.
    """
    return cover(
        [f"{i},{j}" for i, j in combinations(range(n), 2)],
        [[f"{i},{j}" for i, j in combinations(triple, 2)] for triple in combinations(range(n), 3)],
        name=f"steiner-{n}",
    )


def kirkman_systems(n: int) -> CoverProblem:
    """Return Kirkman's problem: n schoolgirls walk in threes, any two together exactly once.

    There are (n − 1) / 2 days, and their order matters. Raises `ConfigError` unless n is an odd
    multiple of 3 from 3 to 21.
    """
    if n % 6 != 3 or not 3 <= n <= 21:
        raise ConfigError(f"the number of schoolgirls is {n}; expected 3, 9, 15 or 21")
    days = range((n - 1) // 2)
    return cover(
        [
            *(f"{i},{j}" for i, j in combinations(range(n), 2)),
            *(f"{i} on day {day}" for i in range(n) for day in days),
        ],
        [
            [*(f"{i},{j}" for i, j in combinations(row, 2)), *(f"{i} on day {day}" for i in row)]
            for row in combinations(range(n), 3)
            for day in days
        ],
        name=f"kirkman-{n}",
    )


def _file_name(x: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[x] if x < 26 else f"file{x + 1}-"


def _permutations(images: Iterable[tuple[int, ...]]) -> NDArray[np.int32]:
    """Return the permutations in `images` without duplicates, in their order."""
    return np.array(list(dict.fromkeys(images)), dtype=np.int32)
