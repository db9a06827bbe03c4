"""Results of taking assemblies apart, in words."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.disassembly.directions import directions_of
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Outcome
from dovetail.errors import how_many, list_first
from dovetail.harness.disassembling import TakenApart
from dovetail.harness.run.result import Disassembled
from dovetail.printable import printable

MAX_LISTED = 12  # maximum length of a list of numbers


def describe_taken_apart(taken: TakenApart) -> str:
    """Return a line about an assembly: its number, and its level or why it has no level."""
    return f"{taken.number}: {describe_disassembly(taken.disassembly)}"


def describe_disassembly(found: Disassembly) -> str:
    """Return the level and the number of moves, or why there are no moves."""
    if found.outcome == Outcome.APART:
        return f"level {found.level}, {how_many(found.moves, 'move')}"
    return f"{found.outcome}{f' ({found.reason})' if found.reason else ''}"


def describe_moves(taken: TakenApart) -> Iterator[str]:
    """Yield for each separation of a plan a line with its pieces, then a line for each move."""
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


def totals_rows(found: Disassembled) -> Iterator[tuple[str, str]]:
    """Yield labels and texts about all assemblies of a puzzle; the first text is a summary."""
    words = [
        how_many(found.assemblies, "assembly", "assemblies"),
        f"{how_many(found.solutions, 'solution')} (taken apart)",
        f"{found.locked:,} locked",
    ]
    if found.undecided:
        words.append(f"{found.undecided:,} undecided: {found.reason}")
    yield "assemblies", ", ".join(words)
    if found.solutions:
        numbers = [f"{first} ({n:,})" for first, n in found.first_numbers.items()]
        yield "first numbers", list_first(numbers, MAX_LISTED)
        removed = list_first(list(map(str, found.removed)), MAX_LISTED)
        off = f", pieces off: {removed}" if removed else ""
        yield "best", f"level {found.level}, {how_many(found.moves, 'move')}{off}"
    yield "states", f"{found.states:,}"


def describe_totals(name: str, found: Disassembled) -> Iterator[str]:
    """Yield the lines about all assemblies of a puzzle."""
    (_, summary), *rows = totals_rows(found)
    yield printable(f"{name}: {summary}")
    yield from (f"  {label}: {text}" for label, text in rows)
