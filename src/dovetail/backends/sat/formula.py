"""A boolean model in conjunctive normal form: bounds as clauses, by python-sat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dovetail.models.boolean_model import BooleanModel, Bound

Encoding = Literal[
    "pairwise",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "bitwise",
    "ladder",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
]
ONLY_AT_MOST_ONE = ("pairwise", "bitwise", "ladder")
FOR_OTHER_BOUNDS = "seqcounter"


def clauses(model: BooleanModel, encoding: Encoding) -> Iterator[Iterable[int]]:
    """Yield the clauses of the model; those of bounds may have further variables.

    An encoding that knows only "at most one" is replaced by a sequential counter for other bounds.
    """
    plain, bounds = model.clauses_and_bounds()
    yield from plain.clauses
    last = plain.variable_count
    for bound in bounds:
        for clause in _encoded(bound, encoding, last):
            last = max([last, *map(abs, clause)])
            yield clause


def _encoded(bound: Bound, encoding: Encoding, last: int) -> Iterator[list[int]]:
    """Yield the clauses of one bound, with further variables from `last` + 1 up."""
    variables, lower, upper = bound.variables, bound.lower, bound.upper
    if bound.is_impossible:
        yield []
    elif lower == 1:
        yield variables
    elif lower == len(variables):
        yield from ([variable] for variable in variables)
    elif lower > 1:
        false = [-variable for variable in variables]
        for clause in _at_most(false, len(variables) - lower, encoding, last):
            last = max(last, *map(abs, clause))
            yield clause
    if upper < len(variables):
        yield from _at_most(variables, upper, encoding, last)


def _at_most(literals: list[int], bound: int, encoding: Encoding, last: int) -> list[list[int]]:
    """Return clauses for "at most `bound` of the literals are true"; 1 <= bound < len(literals)."""
    from pysat.card import CardEnc, EncType

    chosen = FOR_OTHER_BOUNDS if bound > 1 and encoding in ONLY_AT_MOST_ONE else encoding
    encoded = CardEnc.atmost(literals, bound, top_id=last, encoding=getattr(EncType, chosen))
    return encoded.clauses  # type: ignore[no-any-return]
