"""A boolean model in conjunctive normal form: cardinalities as clauses, by python-sat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dovetail.backends.shared.boolean_model import BooleanModel, Cardinality

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


def clauses(model: BooleanModel, encoding: Encoding) -> Iterator[list[int]]:
    """Yield the clauses of the model; those of cardinalities may have further variables.

    An encoding that knows only "at most one" is replaced by a sequential counter for other bounds.
    """
    yield from model.clauses
    last = model.variable_count
    for cardinality in model.cardinalities:
        for clause in _encoded(cardinality, encoding, last):
            last = max(last, *map(abs, clause))
            yield clause


def _encoded(cardinality: Cardinality, encoding: Encoding, last: int) -> Iterator[list[int]]:
    """Yield the clauses of one cardinality, with further variables from `last` + 1 up."""
    variables, low, high = list(cardinality.variables), cardinality.low, cardinality.high
    if low == 1:
        yield variables
    elif low == len(variables):
        yield from ([variable] for variable in variables)
    elif low > 1:
        false = [-variable for variable in variables]
        for clause in _at_most(false, len(variables) - low, encoding, last):
            last = max(last, *map(abs, clause))
            yield clause
    if high < len(variables):
        yield from _at_most(variables, high, encoding, last)


def _at_most(literals: list[int], bound: int, encoding: Encoding, last: int) -> list[list[int]]:
    """Return clauses for "at most `bound` of the literals are true"; 1 <= bound < len(literals)."""
    from pysat.card import CardEnc, EncType

    chosen = FOR_OTHER_BOUNDS if bound > 1 and encoding in ONLY_AT_MOST_ONE else encoding
    encoded = CardEnc.atmost(literals, bound, top_id=last, encoding=getattr(EncType, chosen))
    return encoded.clauses  # type: ignore[no-any-return]
