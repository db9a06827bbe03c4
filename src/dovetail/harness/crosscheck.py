"""Do the backends agree, with one another and with what is known?"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.record import Record
from dovetail.harness.summary import exact_count
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


def judged(records: Sequence[Record]) -> list[Record]:
    """The same records, those that are wrong marked so with the reason.

    A count that is not the `expected` one is wrong. Besides, records are compared when they
    answer the same question: the same puzzle by content, the same symmetry, labelled or not.
    Where an exhausted count is the expected one, those that differ are wrong; elsewhere
    nobody can tell which of two is right, and both are marked. So is a lower bound above an
    exhausted count.
    """
    questions: dict[tuple[str, str, bool], list[int]] = {}
    for place, record in enumerate(records):
        bound = record["count"] is not None and record["status"] != Status.FAILED
        if record["status"] != Status.WRONG and (bound or exact_count(record) is not None):
            key = (record["digest"], record["symmetry"], record["config"]["labelled"])
            questions.setdefault(key, []).append(place)
    reasons: dict[int, str] = {}
    for places in questions.values():
        reasons |= _contradictions(records, places)
    for place, record in enumerate(records):
        status, expected = Status(record["status"]), record.get("expected")
        exact = exact_count(record)
        error = expectation_error(record["count"], status, expected) or expectation_error(
            exact, Status.EXHAUSTED, expected
        )
        if error is not None and status not in (Status.WRONG, Status.FAILED):
            reasons[place] = error
    return [
        {**record, "status": str(Status.WRONG), "reason": reasons[place]}
        if place in reasons
        else record
        for place, record in enumerate(records)
    ]


def _contradictions(records: Sequence[Record], places: Sequence[int]) -> dict[int, str]:
    """The places of one question's records that contradict others, with the reason."""
    counted = ((p, exact_count(records[p])) for p in places)
    proved = {p: count for p, count in counted if count is not None}
    known = [p for p in proved if proved[p] == records[p].get("expected")]
    counts = {proved[p] for p in known or proved}
    above = [p for p in places if p not in proved and counts and records[p]["count"] > min(counts)]
    odd = [p for p in proved if len({*counts, proved[p]}) > 1 and p not in known]
    if not odd and not above:
        return {}
    suspects = odd + above + ([] if known else [p for p in proved if p not in odd])
    said = ", ".join(
        f"{records[p]['backend']} " + str(proved.get(p, f"≥ {records[p]['count']}"))
        for p in sorted({*proved, *above})
    )
    return dict.fromkeys(suspects, f"backends disagree: {said}")
