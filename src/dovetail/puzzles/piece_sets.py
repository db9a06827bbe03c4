"""Sets of pieces by name: tetrominoes, hexominoes, pentacubes and their kin.

Where pieces have customary names, they keep them: Golomb's letters of the pentominoes,
Busche's letters and digits of the hexominoes, Piet Hein's letters of the Soma pieces. Pieces
of other sets are numbered from 01 in two hexadecimal digits, in the order of `polyforms`.
A set says what the pieces look like; how they are usually moved, `set_motions` says.
"""

from __future__ import annotations

from collections.abc import Callable

from dovetail.errors import unknown_name
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions
from dovetail.puzzles import hypercubes, polycubes, polyform_sets, polyominoes
from dovetail.puzzles.hexominoes import hexominoes
from dovetail.puzzles.polyforms import polyforms
from dovetail.puzzles.polyominoes import PLANE, SPACE

Pieces = dict[str, Cells]

ONE_SIDED = "one-sided-"

# Built when asked for: some take a tenth of a second.
PIECE_SETS: dict[str, Callable[[], Pieces]] = {
    "dominoes": lambda: {"I2": ((0, 0), (1, 0))},
    "trominoes": lambda: {"I3": ((0, 0), (1, 0), (2, 0)), "L3": ((0, 0), (0, 1), (1, 0))},
    "tetrominoes": lambda: polyominoes.TETROMINOES,
    "pentominoes": lambda: dict(sorted(polyominoes.PENTOMINOES.items())),
    "hexominoes": hexominoes,
    "heptominoes": lambda: numbered(polyforms(PLANE, 7, Motions.FREE)),
    "one-sided-tetrominoes": lambda: polyominoes.ONE_SIDED_TETROMINOES,
    "one-sided-pentominoes": lambda: polyominoes.ONE_SIDED_PENTOMINOES,
    "one-sided-hexominoes": lambda: numbered(polyforms(PLANE, 6, Motions.ONE_SIDED)),
    "one-sided-heptominoes": lambda: numbered(polyforms(PLANE, 7, Motions.ONE_SIDED)),
    "tetracubes": lambda: polycubes.cubes(polycubes.TETRACUBES),
    "pentacubes": lambda: numbered(polyforms(SPACE, 5, Motions.FREE)),
    "solid-pentominoes": lambda: {
        name: tuple((x, y, 0) for x, y in cells) for name, cells in piece_set("pentominoes").items()
    },
    "pentominoes-4d": hypercubes.hyperspace_pentominoes,
    "soma": lambda: polycubes.cubes(polycubes.SOMA_PIECES),
    "tetris-cube": lambda: polycubes.cubes(polycubes.TETRIS_PIECES),
    "bedlam-cube": lambda: polycubes.cubes(polycubes.BEDLAM_PIECES),
    **polyform_sets.SETS,
}


def piece_set(name: str) -> Pieces:
    """The cells of each piece of the set `name`, by the piece's name.

    Raises `ConfigError` for an unknown name, listing the valid ones.
    """
    if name not in PIECE_SETS:
        raise unknown_name("set of pieces", name, PIECE_SETS)
    return dict(PIECE_SETS[name]())


def set_lattice(name: str) -> Lattice:
    """The lattice that the pieces of the set `name` are on.

    Raises `ConfigError` as `piece_set` does.
    """
    if name in polyform_sets.SETS:
        return polyform_sets.SETS[name].lattice
    cells = next(iter(piece_set(name).values()))
    return SquareLattice(len(cells[0]))


def set_motions(name: str) -> Motions:
    """How pieces of the set `name` are usually moved: those of a one-sided one without flips."""
    return Motions.ONE_SIDED if name.startswith(ONE_SIDED) else Motions.FREE


def numbered(forms: tuple[Cells, ...]) -> Pieces:
    """`forms` named 01, 02, … 0A, … in their order."""
    return {f"{number:02X}": cells for number, cells in enumerate(forms, start=1)}
