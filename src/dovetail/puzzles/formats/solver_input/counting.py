"""Bounds on how many literals are true, as clauses.

Few literals need no auxiliary variable: of every k + 1 of them one is false if at most k are
true, which for k = 1 are the pairs. More literals are counted one after another. Auxiliary
variables are defined by equivalences, so that every choice of the literals within the bounds has
exactly one extension, and models are counted with and without projection alike.

Source: C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005
(the sequential counter, which for k = 1 is the ladder); here with both directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from dovetail.models.clauses import Clauses

MAX_WITHOUT_COUNTER = 6


def bound(clauses: Clauses, literals: Sequence[int], lower: int, upper: int) -> None:
    """Require that `lower` to `upper` of `literals` are true; 0 <= lower <= upper."""
    count = len(literals)
    if lower > count:
        clauses.contradict()
        return
    if lower == 1:
        clauses.add(*literals)
    counted_from = lower if lower > 1 else 0
    if counter_size(count, lower, upper):
        _count(clauses, literals, counted_from, upper)
        return
    for some in combinations(literals, count - counted_from + 1) if counted_from else ():
        clauses.add(*some)
    for some in combinations(literals, upper + 1):
        clauses.add(*(-literal for literal in some))


def counter_size(count: int, lower: int, upper: int) -> int:
    """Return how many auxiliary variables `bound` takes for `count` literals, at most."""
    if count <= MAX_WITHOUT_COUNTER or lower >= count or (lower <= 1 and upper >= count):
        return 0
    return (count - 1) * _height(count, lower, upper)


def _height(count: int, lower: int, upper: int) -> int:
    """How far literals are counted."""
    return max(lower if lower > 1 else 0, upper if upper < count else 0)


def _count(clauses: Clauses, literals: Sequence[int], lower: int, upper: int) -> None:
    """Require the bounds by counting all literals but the last.

    `reached[j]` is true exactly when more than j of the literals so far are.
    """
    height = _height(len(literals), lower, upper)
    reached = [literals[0]]
    for literal in literals[1:-1]:
        if len(reached) >= upper:
            clauses.add(-literal, -reached[upper - 1])
        reached = [
            _reached(clauses, literal, reached, j) for j in range(min(len(reached) + 1, height))
        ]
    last = literals[-1]
    if len(reached) >= upper:
        clauses.add(-last, -reached[upper - 1])
    if lower:
        # One more is enough only where the last literal is true.
        before = reached[lower - 1 : lower]
        clauses.add(*before, last)
        clauses.add(*before, reached[lower - 2])


def _reached(clauses: Clauses, literal: int, before: list[int], j: int) -> int:
    """Return a variable that is true exactly when more than j are, with one more `literal`."""
    now = clauses.new_variable()
    already = before[j : j + 1]
    for earlier in already:
        clauses.add(-earlier, now)
    clauses.add(-now, *already, literal)
    if j == 0:
        clauses.add(-literal, now)
    else:
        clauses.add(-literal, -before[j - 1], now)
        clauses.add(-now, *already, before[j - 1])
    return now
