"""Sets of pieces by name, and polyforms of any size, such as polyominoes and polyaboloes.

piece_sets.toml defines all sets. Pieces have customary names, such as Golomb's letters for the
pentominoes. A set defines the shapes of its pieces, and `set_motions` their usual motions.

Many sets are generated: they have all forms of some sizes on a lattice, in the order of
`polyforms`. Forms are named with the letters of Polyform Puzzler (D. Goodger). In a one-sided set
with letters, the mirror image of a chiral form follows the form and has its letter in lower case.
Forms without letters, and their mirror images, are numbered from 01 in hexadecimal, with at least
two digits. In a set of several sizes, the name of a form ends with the size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path

from dovetail.errors import ConfigError, PuzzleError, unknown_name
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.packing import Motions
from dovetail.puzzles.polyominoes import PLANE, in_dimension

Pieces = dict[str, Cells]

ONE_SIDED = "one-sided-"
BLANKS = " ."
HALF_SQUARES = "half-squares"
LETTERS = "letters"  # the only table of piece_sets.toml that is not a set


@cache
def _tables() -> dict[str, dict[str, str]]:
    import tomllib

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def set_names() -> list[str]:
    """Return the names of all sets."""
    return [name for name in _tables() if name != LETTERS]


def piece_set(name: str) -> Pieces:
    """Return the cells of each piece of the set `name`, by the piece's name.

    Raises `ConfigError` with the valid names for an unknown name.
    """
    return dict(_pieces(name))


@cache
def _pieces(name: str) -> Pieces:
    pieces = Pieces()
    for label, cells in _named_pieces(name):
        if label in pieces:
            raise PuzzleError(f"two pieces of {name} are called {label}")
        pieces[label] = cells
    return pieces


def _named_pieces(name: str) -> Iterator[tuple[str, Cells]]:
    """Yield the name and the cells of each piece of the set `name`."""
    for label, text in _table(name).items():
        match label:
            case "picture":
                labels = sorted(set(text) - {".", "\n"})
                yield from ((each, drawn_cells(PLANE, text, each)) for each in labels)
            case "solid":
                for each, cells in _pieces(text).items():
                    yield each, in_dimension(cells, 3)
            case "forms":
                yield from _lettered(text, one_sided=name.startswith(ONE_SIDED))
            case "one-sided forms":
                lattice, (size,) = _lattice_and_sizes(text)
                yield from zip(
                    _numbers(), polyforms(lattice, size, Motions.ONE_SIDED), strict=False
                )
            case _ if "#" in text:
                yield label, drawn_cells(PLANE, "\n".join(text.split()))
            case _:
                yield label, tuple(tuple(map(int, cell)) for cell in text.split())


def _table(name: str) -> dict[str, str]:
    names = set_names()
    if name not in names:
        raise unknown_name("set of pieces", name, names)
    return _tables()[name]


def _lettered(text: str, *, one_sided: bool) -> Iterator[tuple[str, Cells]]:
    """Yield names and cells of the free forms of the lattice and sizes that `text` names.

    With `one_sided`, a chiral form is followed by its mirror image.
    """
    lattice, sizes = _lattice_and_sizes(text)
    numbers = _numbers()
    for size in sizes:
        letters = _tables()[LETTERS].get(f"{lattice.name}-{size}")
        suffix = str(size) if len(sizes) > 1 else ""
        for place, cells in enumerate(polyforms(lattice, size, Motions.FREE)):
            letter = None if letters is None else letters[place]
            yield (letter or next(numbers)) + suffix, cells
            turned = lattice.orientations(cells, reflections=False)
            images = lattice.orientations(cells, reflections=one_sided)
            mirrored = next((image for image in images if image not in turned), None)
            if mirrored is not None:
                yield (letter.lower() if letter else next(numbers)) + suffix, mirrored


def _lattice_and_sizes(text: str) -> tuple[Lattice, Sequence[int]]:
    from dovetail.models.lattices.registry import lattice_named  # needed by few puzzles

    name, *sizes = text.split()
    return lattice_named(name), [*map(int, sizes)]


def _numbers() -> Iterator[str]:
    return (f"{number:02X}" for number in count(1))


def drawn_cells(lattice: Lattice, drawing: str, marks: str | None = None) -> Cells:
    """Return the sorted cells at the characters `marks` of a drawing, whose last line is row 0.

    By default, every character but a blank or a dot marks a cell. Raises `PuzzleError` for a mark
    where the lattice has no cell.
    """
    cells = []
    for row, line in enumerate(reversed(drawing.splitlines())):
        for column, mark in enumerate(line):
            if mark in marks if marks else mark not in BLANKS:
                cell = lattice.text_cell((column, row))
                if cell is None:
                    raise PuzzleError(f"{mark!r} in column {column}, row {row} is at no cell")
                cells.append(cell)
    return tuple(sorted(cells))


def set_lattice(name: str) -> Lattice:
    """Return the lattice of the pieces of the set `name`.

    Raises `ConfigError` as `piece_set` does.
    """
    table = _table(name)
    for key in ("forms", "one-sided forms"):
        if key in table:
            return _lattice_and_sizes(table[key])[0]
    cells = next(iter(_pieces(name).values()))
    return SquareLattice(len(cells[0]))


def set_motions(name: str) -> Motions:
    """Return one-sided motions for a set called `one-sided-…`, and free motions for others."""
    return Motions.ONE_SIDED if name.startswith(ONE_SIDED) else Motions.FREE


@cache
def polyforms(lattice: Lattice, size: int, motions: Motions) -> tuple[Cells, ...]:
    """Return all connected sets of `size` cells up to `motions`, sorted.

    `Motions.FREE` gives free polyominoes (1, 1, 2, 5, 12, 35, 108, 369, …) and polycubes up to
    rotation (1, 1, 2, 8, 29, 166, …). `Motions.ONE_SIDED` gives one-sided polyominoes (1, 1, 2, 7,
    18, 60, 196, 704, …). On the lattice of half squares, a cell is a quarter of a square and `size`
    counts half squares. The forms are then polyaboloes (1, 3, 4, 14, 30, …), whose half squares
    share whole sides. The forms of a size are the forms of the next lower size with another cell,
    or half square, beside them. Raises `ConfigError` for a size below 1.
    """
    if size < 1:
        raise ConfigError(f"the size of the polyforms is {size}; expected at least 1")
    smaller: tuple[Cells, ...] = polyforms(lattice, size - 1, motions) if size > 1 else ((),)
    grown = {  # a cell beside several cells is met several times
        tuple(sorted((*cells, *part)))
        for cells in smaller
        for cell in cells or lattice.fundamental_cells
        for beside in (lattice.neighbours(cell) if cells else (cell,))
        for part in _parts_with(lattice, beside)
        if not any(taken in cells for taken in part)
    }
    return tuple(sorted({canonical_form(lattice, cells, motions) for cells in grown}))


def canonical_form(lattice: Lattice, cells: Cells, motions: Motions) -> Cells:
    """Return the least orientation of `cells`: equal for sets that `motions` map to each other."""
    return min(motions.orientations(lattice, cells))


def _parts_with(lattice: Lattice, cell: Cell) -> tuple[Cells, ...]:
    """Return the parts that contain `cell` and can be added to a polyform.

    On most lattices, the only part is the cell itself. On the lattice of half squares, a cell is a
    quarter of a square, and the parts are the two half squares that contain this quarter. A half
    square that does not overlap a form, but has a quarter beside the form, shares a whole leg or
    the whole hypotenuse with the form; see `models.lattices.kinds.plane`.
    """
    if lattice.name != HALF_SQUARES:
        return ((cell,),)
    x, y, q = cell
    return (cell, (x, y, (q + 1) % 4)), ((x, y, (q - 1) % 4), cell)
