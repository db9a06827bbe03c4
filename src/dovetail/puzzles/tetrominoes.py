"""The tetrominoes by name.

A letter and a 4, so that they can stand beside pentominoes: Golomb's I, L, O, S (his skew
one) and T, and the mirror images J of L and Z of S, as usual for the one-sided ones.
"""

from __future__ import annotations

from dovetail.models.lattice import Cells
from dovetail.puzzles.polyominoes import drawn

TETROMINOES: dict[str, Cells] = {
    "I4": drawn(("####",)),
    "L4": drawn(("#.", "#.", "##")),
    "O4": drawn(("##", "##")),
    "S4": drawn((".##", "##.")),
    "T4": drawn(("###", ".#.")),
}

ONE_SIDED_TETROMINOES: dict[str, Cells] = {
    "I4": TETROMINOES["I4"],
    "J4": drawn((".#", ".#", "##")),
    "L4": TETROMINOES["L4"],
    "O4": TETROMINOES["O4"],
    "S4": TETROMINOES["S4"],
    "T4": TETROMINOES["T4"],
    "Z4": drawn(("##.", ".##")),
}
