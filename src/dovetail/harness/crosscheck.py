"""Do the backends agree, with one another and with what is known?"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.record import Record
from dovetail.models.outcome import Status


def expectation_error(count: int | None, status: Status, expected: int | None) -> str | None:
    """Why a count contradicts the expected one, or None. A cut run's count is a lower bound."""
    if expected is None or count is None:
        return None
    if status == Status.EXHAUSTED and count != expected:
        return f"it counted {count}; expected {expected}"
    if count > expected:
        return f"it found {count}; expected {expected} in all"
    return None


def disagreements(records: Sequence[Record]) -> dict[int, str]:
    """The records that contradict others about the same question, by their place.

    The question is a puzzle's content, the symmetry and whether pieces are labelled. Nobody
    can tell which of two different exhausted counts is right, so both are named; so is a
    lower bound above an exhausted count, and that count.
    """
    questions: dict[tuple[str, str, bool], list[int]] = {}
    for place, record in enumerate(records):
        if record["count"] is not None:
            key = (record["digest"], record["symmetry"], record["config"]["labelled"])
            questions.setdefault(key, []).append(place)
    found: dict[int, str] = {}
    for places in questions.values():
        exact = [p for p in places if records[p]["status"] in (Status.EXHAUSTED, Status.WRONG)]
        bounds = [p for p in places if p not in exact]
        counts = [records[p]["count"] for p in exact]
        above = [p for p in bounds if counts and records[p]["count"] > min(counts)]
        if len(set(counts)) > 1 or above:
            said = ", ".join(
                f"{records[p]['backend']} {'≥ ' if p in above else ''}{records[p]['count']}"
                for p in exact + above
            )
            found |= dict.fromkeys(exact + above, f"backends disagree: {said}")
    return found
