"""What was found about taking assemblies apart, in words."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Outcome
from dovetail.errors import how_many, list_first
from dovetail.harness.disassembling import AssemblyTally, TakenApart
from dovetail.printable import printable

MAX_LISTED = 12  # first numbers


def describe_taken_apart(taken: TakenApart) -> str:
    """Return a line about an assembly: its number, and its level or why it has none."""
    found = taken.disassembly
    if found.outcome == Outcome.APART:
        return f"{taken.number}: level {found.level}, {how_many(found.moves, 'move')}"
    reason = f" ({found.reason})" if found.reason else ""
    return f"{taken.number}: {found.outcome}{reason}"


def describe_moves(taken: TakenApart) -> Iterator[str]:
    """Yield a line for each move of the plan of an assembly, part by part."""
    assembly, plan = taken.assembly, taken.disassembly.plan
    directions = directions_of(assembly.lattice)
    for separation in plan.all() if plan else ():
        yield f"  {_names(taken, separation.pieces)}:"
        for number, move in enumerate(separation.moves, 1):
            direction = directions.name(
                directions.vectors.index(move.direction), assembly.lattice.axes
            )
            way = f"{direction} away" if move.steps is None else f"{direction} {move.steps}"
            yield f"    {number}. {_names(taken, move.pieces)} {way}"


def _names(taken: TakenApart, pieces: tuple[int, ...]) -> str:
    return printable(", ".join(taken.assembly.names[piece] for piece in pieces))


def describe_tally(name: str, tally: AssemblyTally) -> Iterator[str]:
    """Yield the lines about all assemblies of a puzzle."""
    outcomes = tally.outcomes
    words = [
        how_many(outcomes.total(), "assembly", "assemblies"),
        f"{how_many(outcomes[Outcome.APART], 'solution')} (taken apart)",
        f"{outcomes[Outcome.LOCKED]:,} locked",
    ]
    if outcomes[Outcome.UNDECIDED]:
        words.append(f"{outcomes[Outcome.UNDECIDED]:,} undecided: {tally.reason}")
    yield printable(f"{name}: {', '.join(words)}")
    if tally.first_numbers:
        numbers = [f"{first} ({n:,})" for first, n in sorted(tally.first_numbers.items())]
        yield f"  first numbers: {list_first(numbers, MAX_LISTED)}"
    yield f"  {how_many(tally.states, 'state')}"
