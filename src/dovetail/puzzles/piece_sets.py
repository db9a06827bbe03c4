"""Sets of pieces by name: tetrominoes, hexominoes, pentacubes and others.

Pieces keep customary names, such as Golomb's letters of the pentominoes; piece_sets.toml lists
them. Pieces of other sets are numbered from 01 in two hexadecimal digits, in the order of
`polyforms`. A set defines the shapes of pieces, `set_motions` their usual motions.

Sets of forms that are not made of squares are generated. Their letters are Polyform Puzzler's (D.
Goodger), in the order of `polyforms`; a set of several sizes adds the size. The mirror image of a
form in a one-sided set has its letter in lower case. Forms without letters are numbered, mirror
images too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from pathlib import Path

from dovetail.errors import PuzzleError, unknown_name
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions
from dovetail.puzzles.polyforms import numbered, polyaboloes, polyforms
from dovetail.puzzles.polyominoes import PLANE, SPACE

Pieces = dict[str, Cells]

ONE_SIDED = "one-sided-"
BLANKS = " ."
SMALL = ("monominoes", "dominoes", "trominoes", "tetrominoes", "pentominoes", "hexominoes")
SOLID = ("pentominoes-4d", "soma", "tetris-cube", "bedlam-cube")

Forms = Callable[[Lattice, int], tuple[Cells, ...]]


@dataclass(frozen=True)
class PolyformSet:
    """All forms of some sizes on a lattice, free or one-sided."""

    lattice_name: str
    sizes: tuple[int, ...]
    motions: Motions = Motions.FREE
    forms: Forms = lambda lattice, size: polyforms(lattice, size, Motions.FREE)

    def __call__(self) -> dict[str, Cells]:
        """Return the cells of each piece by its name.

        Raises `PuzzleError` if two pieces have the same name.
        """
        pieces = dict[str, Cells]()
        for name, cells in self._named():
            if name in pieces:
                raise PuzzleError(f"two pieces of {self.lattice_name} are called {name}")
            pieces[name] = cells
        return pieces

    @property
    def lattice(self) -> Lattice:
        """Lattice of the pieces."""
        from dovetail.models.lattices.registry import lattice_named  # catalogues load without it

        return lattice_named(self.lattice_name)

    def _named(self) -> Iterator[tuple[str, Cells]]:
        numbers = (f"{number:02X}" for number in count(1))
        for size in self.sizes:
            letters = _listed()["letters"].get(f"{self.lattice_name}-{size}")
            suffix = str(size) if len(self.sizes) > 1 else ""
            for place, cells in enumerate(self.forms(self.lattice, size)):
                letter = None if letters is None else letters[place]
                yield (letter or next(numbers)) + suffix, cells
                other = self._other_hand(cells)
                if other is not None:
                    yield (letter.lower() if letter else next(numbers)) + suffix, other

    def _other_hand(self, cells: Cells) -> Cells | None:
        """Return the mirror image if it is a different form of a one-sided set, else None."""
        if self.motions != Motions.ONE_SIDED:
            return None
        turned = self.lattice.orientations(cells, reflections=False)
        images = self.lattice.orientations(cells, reflections=True)
        return next((image for image in images if image not in turned), None)


POLYFORM_SETS: dict[str, PolyformSet] = {
    "hexiamonds": PolyformSet("triangular", (6,)),
    "one-sided-hexiamonds": PolyformSet("triangular", (6,), Motions.ONE_SIDED),
    "heptiamonds": PolyformSet("triangular", (7,)),
    "polyiamonds-1-5": PolyformSet("triangular", (1, 2, 3, 4, 5)),
    "tetrahexes": PolyformSet("hexagonal", (4,)),
    "pentahexes": PolyformSet("hexagonal", (5,)),
    "one-sided-pentahexes": PolyformSet("hexagonal", (5,), Motions.ONE_SIDED),
    "polyhexes-3-4": PolyformSet("hexagonal", (3, 4)),
    "polyhexes-1-4": PolyformSet("hexagonal", (1, 2, 3, 4)),
    "tetrasticks": PolyformSet("square-edges", (4,)),
    "one-sided-tetrasticks": PolyformSet("square-edges", (4,), Motions.ONE_SIDED),
    "polysticks-1-3": PolyformSet("square-edges", (1, 2, 3)),
    "polysticks-1-4": PolyformSet("square-edges", (1, 2, 3, 4)),
    "tritrigs": PolyformSet("triangular-edges", (3,)),
    "one-sided-tritrigs": PolyformSet("triangular-edges", (3,), Motions.ONE_SIDED),
    "polytrigs-2-3": PolyformSet("triangular-edges", (2, 3)),
    "polytrigs-1-3": PolyformSet("triangular-edges", (1, 2, 3)),
    "tetratwigs": PolyformSet("hexagonal-edges", (4,)),
    "one-sided-tetratwigs": PolyformSet("hexagonal-edges", (4,), Motions.ONE_SIDED),
    "pentatwigs": PolyformSet("hexagonal-edges", (5,)),
    "polytwigs-1-4": PolyformSet("hexagonal-edges", (1, 2, 3, 4)),
    "tritans": PolyformSet("half-squares", (3,), forms=polyaboloes),
    "tetratans": PolyformSet("half-squares", (4,), forms=polyaboloes),
}


@cache
def listed_set(name: str) -> Pieces:
    """Return a set that piece_sets.toml lists."""
    pieces = dict[str, Cells]()
    for label, text in _listed()[name].items():
        if label == "picture":
            labels = sorted(set(text) - {".", "\n"})
            pieces = {each: drawn_cells(PLANE, text, each) for each in labels}
        elif "#" in text:
            pieces[label] = drawn_cells(PLANE, "\n".join(text.split()))
        else:
            pieces[label] = tuple(tuple(map(int, cell)) for cell in text.split())
    return pieces


@cache
def _listed() -> dict[str, dict[str, str]]:
    import tomllib

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def drawn_cells(lattice: Lattice, drawing: str, marks: str | None = None) -> Cells:
    """Return the cells at `marks`, by default all but `.`, of a drawing whose last line is row 0.

    Raises `PuzzleError` for a mark where the lattice has no cell.
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


# Built on demand: some take a tenth of a second.
PIECE_SETS: dict[str, Callable[[], Pieces]] = {
    **{name: partial(listed_set, name) for name in SMALL},
    "heptominoes": lambda: numbered(polyforms(PLANE, 7, Motions.FREE)),
    "one-sided-tetrominoes": partial(listed_set, "one-sided-tetrominoes"),
    "one-sided-pentominoes": partial(listed_set, "one-sided-pentominoes"),
    "one-sided-hexominoes": lambda: numbered(polyforms(PLANE, 6, Motions.ONE_SIDED)),
    "one-sided-heptominoes": lambda: numbered(polyforms(PLANE, 7, Motions.ONE_SIDED)),
    "tetracubes": partial(listed_set, "tetracubes"),
    "pentacubes": lambda: numbered(polyforms(SPACE, 5, Motions.FREE)),
    "solid-pentominoes": lambda: {
        name: tuple((*cell, 0) for cell in cells)
        for name, cells in piece_set("pentominoes").items()
    },
    **{name: partial(listed_set, name) for name in SOLID},
    **POLYFORM_SETS,
}


def piece_set(name: str) -> Pieces:
    """Return the cells of each piece of the set `name`, by the piece's name.

    Raises `ConfigError` with the valid names for an unknown name.
    """
    if name not in PIECE_SETS:
        raise unknown_name("set of pieces", name, PIECE_SETS)
    return dict(PIECE_SETS[name]())


def set_lattice(name: str) -> Lattice:
    """Return the lattice of the pieces of the set `name`.

    Raises `ConfigError` as `piece_set` does.
    """
    if name in POLYFORM_SETS:
        return POLYFORM_SETS[name].lattice
    cells = next(iter(piece_set(name).values()))
    return SquareLattice(len(cells[0]))


def set_motions(name: str) -> Motions:
    """Return the usual motions of pieces of the set `name`: one-sided sets are not flipped."""
    return Motions.ONE_SIDED if name.startswith(ONE_SIDED) else Motions.FREE
