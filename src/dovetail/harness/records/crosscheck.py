"""Do the backends agree, with one another and with what is known?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dovetail.harness.records.questions import question_of
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.checking import CHECKED_FIRST
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry


def expectation_error(count: int | None, status: Status, expected: int | None) -> str | None:
    """Why a count contradicts the expected one, or None. A cut run's count is a lower bound."""
    if expected is None or count is None:
        return None
    if status == Status.EXHAUSTED and count != expected:
        return f"it counted {count}; expected {expected}"
    if count > expected:
        return f"it found {count}; expected {expected} in all"
    return None


def verified_count(record: RunRecord) -> int:
    """Number of solutions to the record's question that its verified solutions prove to exist.

    Every run verifies the first `CHECKED_FIRST` solutions that it finds and compares them with one
    another. Where all solutions count, so many exist. Up to symmetry they may all be images of one:
    how many solutions they stand for is what dovetail works out, and not verified.
    """
    if record.status.is_error or not record.verified:
        return 0
    return min(record.verified, CHECKED_FIRST) if record.symmetry == Symmetry.ALL else 1


def max_verified(records: Iterable[RunRecord]) -> int:
    """Number of solutions that the records of one question prove to exist."""
    return max(map(verified_count, records), default=0)


def refutation(count: int | None, proved: int) -> str | None:
    """Reason an exhausted `count` is too small where `proved` solutions exist, or None."""
    if count is None or count >= proved:
        return None
    return f"it counted {count}; verified solutions prove at least {proved}"


def judged(results: Sequence[JobResult]) -> list[JobResult]:
    """The same results, those that are wrong marked so with the reason.

    A count that is not the `expected` one is wrong. Besides, results are compared when they
    answer the same question: the same puzzle by content, the same symmetry, labelled or not.
    An exhausted count below the number of solutions that another run verified is wrong. Of the
    others, where an exhausted count is the expected one, those that differ are wrong; elsewhere
    nothing shows which of two is right, and both are marked; a count that is only probable
    contradicts none that is exact. So is a lower bound above an exhausted count.
    """
    questions: dict[tuple[str, str, bool], list[int]] = {}
    for place, result in enumerate(results):
        bound = result.count is not None and result.status != Status.FAILED
        if result.status != Status.WRONG and (bound or result.exact_count is not None):
            questions.setdefault(question_of(result).content, []).append(place)
    reasons: dict[int, str] = {}
    for places in questions.values():
        reasons |= _contradictions(results, places)
    for place, result in enumerate(results):
        expected, exact = result.expected, result.exact_count
        error = expectation_error(result.count, result.status, expected) or expectation_error(
            exact, Status.EXHAUSTED, expected
        )
        if error is not None and not result.status.is_error:
            verified = verified_count(result)
            too_small = expected is not None and verified > expected
            reasons[place] = (
                (f"{error}, but {verified} {'was' if verified == 1 else 'were'} verified")
                if too_small
                else error
            )
    return [
        result.marked_wrong(reasons[place]) if place in reasons else result
        for place, result in enumerate(results)
    ]


def _contradictions(results: Sequence[JobResult], places: Sequence[int]) -> dict[int, str]:
    """The places of one question's results that contradict others, with the reason."""
    exact = {place: results[place].exact_count for place in places}
    proved = {place: count for place, count in exact.items() if count is not None}
    verified = max_verified(results[place] for place in places)
    refuted = {
        place: reason
        for place, count in proved.items()
        if (reason := refutation(count, verified)) is not None
    }
    left = [place for place in places if place not in refuted]
    suspects = _suspects(results, left, {p: c for p, c in proved.items() if p not in refuted})
    counts = ", ".join(
        f"{results[place].backend} " + str(proved.get(place, f"≥ {results[place].count}"))
        for place in (places if refuted else sorted({*proved, *suspects}))
    )
    return {place: f"{reason} ({counts})" for place, reason in refuted.items()} | dict.fromkeys(
        suspects, f"backends disagree: {counts}"
    )


def _suspects(
    results: Sequence[JobResult], places: Sequence[int], proved: Mapping[int, int]
) -> list[int]:
    """Those of `places` of which at least one must be wrong, as its exact count is `proved`."""
    known = [place for place in proved if proved[place] == results[place].expected]
    exact = [place for place in proved if not results[place].probable]
    if not known and len(exact) < len(proved) and len({proved[place] for place in exact}) == 1:
        known = exact
    counts = {proved[place] for place in known or proved}
    bounds = {place: results[place].count or 0 for place in places if place not in proved}
    above = [place for place in bounds if counts and bounds[place] > min(counts)]
    odd = [p for p in proved if len({*counts, proved[p]}) > 1 and p not in known]
    if not odd and not above:
        return []
    return odd + above + ([] if known else [p for p in proved if p not in odd])
