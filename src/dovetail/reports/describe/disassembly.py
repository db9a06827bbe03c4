"""What was found about taking assemblies apart, in words."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Outcome
from dovetail.errors import how_many, list_first
from dovetail.harness.disassembling import AssemblyTally, TakenApart
from dovetail.printable import printable

MAX_LISTED = 12  # first numbers


def describe_taken_apart(taken: TakenApart) -> str:
    """Return a line about an assembly: its number, and its level or why it has none."""
    return f"{taken.number}: {describe_disassembly(taken.disassembly)}"


def describe_disassembly(found: Disassembly) -> str:
    """Return the level and the number of moves, or why there are none."""
    if found.outcome == Outcome.APART:
        return f"level {found.level}, {how_many(found.moves, 'move')}"
    return f"{found.outcome}{f' ({found.reason})' if found.reason else ''}"


def describe_moves(taken: TakenApart) -> Iterator[str]:
    """Yield a line for each move of the plan of an assembly, part by part."""
    plan = taken.disassembly.plan
    for separation in plan.all() if plan else ():
        yield f"  {_names(taken.assembly, separation.pieces)}:"
        for number, move in enumerate(separation.moves, 1):
            yield f"    {number}. {move_text(taken.assembly, move)}"


def move_text(assembly: Assembly, move: Move) -> str:
    """Return the pieces that move, the direction, and how far: `A, B +x 2`."""
    directions = directions_of(assembly.lattice)
    number = directions.vectors.index(move.direction)
    way = "away" if move.steps is None else str(move.steps)
    return f"{_names(assembly, move.pieces)} {directions.name(number, assembly.lattice.axes)} {way}"


def _names(assembly: Assembly, pieces: tuple[int, ...]) -> str:
    return printable(", ".join(assembly.names[piece] for piece in pieces))


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
