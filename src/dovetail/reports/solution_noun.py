"""What solutions of a puzzle are called: those of a puzzle to be assembled are assemblies."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.errors import how_many
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle


@dataclass(frozen=True)
class SolutionNoun:
    """The singular and the plural."""

    one: str
    many: str

    def of(self, number: int) -> str:
        """`1 assembly`, `3 assemblies`."""
        return how_many(number, self.one, self.many)


SOLUTION = SolutionNoun("solution", "solutions")
ASSEMBLY = SolutionNoun("assembly", "assemblies")


def solution_noun(puzzle: Puzzle) -> SolutionNoun:
    """Return what this puzzle's solutions are called wherever they are counted."""
    assembled = isinstance(puzzle, PackingPuzzle) and puzzle.assembled
    return ASSEMBLY if assembled else SOLUTION
