"""States and CPU time of the methods that take assemblies apart.

`python benchmarks/disassembly_methods.py FILE…` prints a table of the solutions of puzzles up to
reflection; without files, of a box of sliding pieces.
"""

from __future__ import annotations

import gc
import sys
import time

from dovetail import load, solve
from dovetail.disassembly import Method
from dovetail.disassembly.assemblies import assembly_of
from dovetail.disassembly.plan import Assembly
from dovetail.disassembly.search import DisassemblyLimits, TakingApart
from dovetail.harness.disassembling import packing_of
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.solution import PackingSolution

BOX = ("kAABB", "CCDD.", "EEFF.", "GG...")  # the cell k can leave, the dominoes cannot


def box(rows: tuple[str, ...]) -> Assembly:
    """Return a box of pieces with a hole of one cell in its floor, below the last column."""
    width, height = max(map(len, rows)), len(rows)
    cells: dict[str, list[tuple[int, int]]] = {}
    for y, row in enumerate(reversed(rows)):
        for x, letter in enumerate(row):
            if letter != ".":
                cells.setdefault(letter, []).append((x, y))
    around = [(x, y) for x in range(-1, width + 1) for y in range(-1, height + 1)]
    hole = (width - 1, -1)
    cells["wall"] = [
        (x, y) for x, y in around if not (0 <= x < width and 0 <= y < height) and (x, y) != hole
    ]
    names = ("wall", *sorted(set(cells) - {"wall"}))
    shapes = tuple(tuple(sorted(cells[name])) for name in names)
    return Assembly(SquareLattice(2), names, shapes, (1,) * len(names), ((),) * len(names))


def main() -> None:
    """Print the table."""
    rows = []
    for path in sys.argv[1:]:
        puzzle = packing_of(load(path))
        solutions = solve(puzzle, symmetry="mirror")
        packed = [each for each in solutions if isinstance(each, PackingSolution)]
        rows.append((puzzle.name, [assembly_of(puzzle, each) for each in packed]))
    for name, assemblies in rows or [("box", [box(BOX)])]:
        for method in Method:
            limits = DisassemblyLimits(method=method)
            searches = TakingApart(assemblies[0].lattice)
            searches.all(assemblies[:1], DisassemblyLimits(1, method=method))
            gc.collect()  # else one of the searches pays for all objects of the program
            start = time.thread_time()
            found = searches.all(assemblies, limits)
            spent = time.thread_time() - start
            level = max((each.level for each in found), key=len)
            states = sum(each.states for each in found)
            print(f"{name} ({len(found)})  {method}  {states:,}  {spent * 1000:,.0f} ms  {level}")


if __name__ == "__main__":
    main()
