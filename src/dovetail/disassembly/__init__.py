"""Disassembly: whether an assembly comes apart, in how many moves, and by which plan.

A *move* shifts some of the pieces along one direction by one or more steps, while the others stay.
Every step of the way has to be free. A move counts 1, however far it goes and however many pieces
it moves. Pieces do not turn. A *separation* is a move by which at most half of the pieces leave the
others for good. The part that stays and the removed part then have to come apart as well, and are
taken apart separately. The first number of a *level*, such as 98.2.4, is the least number of moves
to the first separation. The numbers of the part that stays and then of the removed part follow. A
part is left out if each of its separations takes one move. An assembly that does not come apart is
*locked*.

If the heaviest of the pieces that move is heavier than all others, the others move the opposite way
instead. Pieces of a group may stay together.

The numbers after the first depend on the choice among equally short plans. The order of BurrTools
decides: directions, then pieces, then steps.

| module | content |
|---|---|
| `directions` | directions of a lattice, and the cells that a cell meets on a step |
| `assemblies` | batches of assemblies, read from the options of solutions or from objects |
| `shapes` | the shapes of pieces, and the assemblies of a batch, as arrays for the search |
| `kernels` | the search: its states, gaps between pieces, the guide of A*; the check of plans |
| `search` | searches of batches, within limits |
| `plan` | plans as arrays; assemblies, moves, separations and levels as objects |
| `replay` | the check of every plan; it shares only directions and arrays with the search |

Assemblies and plans are arrays, from the options of a search to the counts at the end. Objects are
made only for assemblies and plans that a caller reads.
"""

from enum import StrEnum

STATE_LIMIT = 10_000_000  # default limit on the states of an assembly


class Method(StrEnum):
    """Method of a search: its moves, and the order in which it searches states."""

    BREADTH_FIRST = "breadth-first"  # a move counts 1, whatever its number of steps
    UNIT_STEPS = "unit-steps"
    """Breadth-first; each step is a move. The level begins with the least number of steps."""
    A_STAR = "a-star"
    """Best-first, by lower bounds on the moves that pairs of pieces need.

    The first number of a level is the same as by `BREADTH_FIRST`. The other numbers may differ.
    """
