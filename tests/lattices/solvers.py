"""Which solvers take which lattices: what tests hold the solvers to."""

from __future__ import annotations

# + takes, - refuses. `fila` does not detect crossing pieces, `fletcher` needs cells of one class.
TABLE = """
                    dlx bitset fila frontier fletcher cpsat zdd xcover
triangular           +    +     +      +        -       +    +    +
hexagonal            +    +     +      +        +       +    +    +
triangular-prisms    +    +     +      +        -       +    +    +
hexagonal-prisms     +    +     +      +        +       +    +    +
spheres              +    +     +      +        +       +    +    +
rhombic              +    +     +      +        -       +    +    +
tetra-octa           +    +     +      +        -       +    +    +
square-edges         +    +     -      +        -       +    +    +
triangular-edges     +    +     -      +        -       +    +    +
hexagonal-edges      +    +     +      +        -       +    +    +
half-squares         +    +     +      +        -       +    +    +
"""


def _read(table: str) -> dict[tuple[str, str], bool]:
    solvers, *rows = (line.split() for line in table.strip().splitlines())
    return {
        (name, solver): mark == "+"
        for name, *marks in rows
        for solver, mark in zip(solvers, marks, strict=True)
    }


TAKES = _read(TABLE)  # by lattice and solver
