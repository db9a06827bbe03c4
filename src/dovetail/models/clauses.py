"""Clauses over numbered variables, as DIMACS writes them: literal -3 is "variable 3 is false"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Clause = tuple[int, ...]


class Clauses:
    """A growing set of clauses and the number of their variables."""

    def __init__(self, variable_count: int, clauses: Iterable[Clause] = ()) -> None:
        self.variable_count = variable_count
        self.clauses = list(clauses)

    def add(self, *literals: int) -> None:
        """Add a clause: at least one of `literals` is true."""
        self.clauses.append(literals)

    def new_variable(self) -> int:
        """Return a new variable that no clause has yet."""
        self.variable_count += 1
        return self.variable_count

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a variable that is true exactly when one of `literals` is."""
        if len(literals) == 1:
            return literals[0]
        one = self.new_variable()
        for literal in literals:
            self.add(-literal, one)
        self.add(-one, *literals)
        return one

    def contradict(self) -> None:
        """Make the set unsatisfiable without the empty clause, which some programs cannot read."""
        never = self.new_variable()
        self.add(never)
        self.add(-never)
