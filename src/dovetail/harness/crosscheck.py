"""Do the backends agree, with one another and with what is known?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dovetail.harness.record import Record
from dovetail.harness.run.checking import CHECKED_FIRST
from dovetail.harness.summary import exact_count
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry

NOT_EVIDENCE = (Status.WRONG, Status.FAILED)


def expectation_error(count: int | None, status: Status, expected: int | None) -> str | None:
    """Why a count contradicts the expected one, or None. A cut run's count is a lower bound."""
    if expected is None or count is None:
        return None
    if status == Status.EXHAUSTED and count != expected:
        return f"it counted {count}; expected {expected}"
    if count > expected:
        return f"it found {count}; expected {expected} in all"
    return None


def verified_count(record: Record) -> int:
    """Number of solutions to the record's question that its verified solutions prove to exist.

    Every run verifies the first `CHECKED_FIRST` solutions that it finds and compares them with one
    another. Where all solutions count, so many exist. Up to symmetry they may all be images of one:
    how many solutions they stand for is what dovetail works out, and not verified.
    """
    verified = record.get("verified") or 0
    if record["status"] in NOT_EVIDENCE or not verified:
        return 0
    return min(verified, CHECKED_FIRST) if record["symmetry"] == Symmetry.ALL else 1


def refutation(count: int, records: Iterable[Record]) -> str | None:
    """Reason an exhausted `count` is too small for what `records` verified, or None."""
    proved = max(map(verified_count, records), default=0)
    return (
        f"it counted {count}; verified solutions prove at least {proved}"
        if count < proved
        else None
    )


def judged(records: Sequence[Record]) -> list[Record]:
    """The same records, those that are wrong marked so with the reason.

    A count that is not the `expected` one is wrong. Besides, records are compared when they
    answer the same question: the same puzzle by content, the same symmetry, labelled or not.
    An exhausted count below the number of solutions that another run verified is wrong. Of the
    others, where an exhausted count is the expected one, those that differ are wrong; elsewhere
    nothing shows which of two is right, and both are marked. So is a lower bound above an
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
            verified = verified_count(record)
            too_small = expected is not None and verified > expected
            reasons[place] = f"{error}, but {verified} were verified" if too_small else error
    return [
        {**record, "status": str(Status.WRONG), "reason": reasons[place]}
        if place in reasons
        else record
        for place, record in enumerate(records)
    ]


def _contradictions(records: Sequence[Record], places: Sequence[int]) -> dict[int, str]:
    """The places of one question's records that contradict others, with the reason."""
    exact = {place: exact_count(records[place]) for place in places}
    proved = {place: count for place, count in exact.items() if count is not None}
    answered = [records[place] for place in places]
    refuted = {
        place: reason
        for place, count in proved.items()
        if (reason := refutation(count, answered)) is not None
    }
    left = [place for place in places if place not in refuted]
    suspects = _suspects(records, left, {p: c for p, c in proved.items() if p not in refuted})
    counts = ", ".join(
        f"{records[place]['backend']} " + str(proved.get(place, f"≥ {records[place]['count']}"))
        for place in (places if refuted else sorted({*proved, *suspects}))
    )
    return {place: f"{reason} ({counts})" for place, reason in refuted.items()} | dict.fromkeys(
        suspects, f"backends disagree: {counts}"
    )


def _suspects(
    records: Sequence[Record], places: Sequence[int], proved: Mapping[int, int]
) -> list[int]:
    """Those of `places` of which at least one must be wrong, as its exact count is `proved`."""
    known = [place for place in proved if proved[place] == records[place].get("expected")]
    counts = {proved[place] for place in known or proved}
    above = [p for p in places if p not in proved and counts and records[p]["count"] > min(counts)]
    odd = [p for p in proved if len({*counts, proved[p]}) > 1 and p not in known]
    if not odd and not above:
        return []
    return odd + above + ([] if known else [p for p in proved if p not in odd])
