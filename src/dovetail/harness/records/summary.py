"""What the repeats of a job come to together, and whether the backends agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dovetail.backends.command.permission import NEEDS_PERMISSION
from dovetail.harness.records.questions import by_question, question_of
from dovetail.harness.records.record import Record
from dovetail.harness.run.collector import CHECKED_FIRST
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry

# A job that ended so ends so again.
REPEATABLE = (
    Status.EXHAUSTED,
    Status.SOLVED,
    Status.SOLUTION_LIMIT,
    Status.NODE_LIMIT,
    Status.REMAINING_LIMIT,
)
# And after the same work: where solutions are sorted into classes, a limit on them is only
# noticed between two slices of the search, whose sizes depend on the clock.
SAME_WORK = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.REMAINING_LIMIT)
UNFINISHED = (Status.INTERRUPTED, Status.FAILED)


def is_result(record: Record) -> bool:
    """Whether a run is a result; one that is not is done again when its suite is resumed."""
    return record.result.status not in UNFINISHED and record.result.reason != NEEDS_PERMISSION


def summaries(records: Iterable[Record]) -> list[Record]:
    """One result per job, in the order in which jobs first appear.

    Of several records of the same repeat the last one counts: a run that failed may have been
    done again. A job is represented by its median run by solving time; by one that could not be
    repeated if there is one. It is `wrong` when its runs differ in count or nodes, whichever of
    them represents it.
    """
    jobs: dict[str, list[Record]] = {}
    for record in records:
        jobs.setdefault(record.job.digest, []).append(record)
    return [_summary(runs) for runs in jobs.values()]


def _summary(recorded: Sequence[Record]) -> Record:
    """What a job comes to from all records of it."""
    last = {run.repeat: run for run in recorded}
    runs = [last[repeat] for repeat in sorted(last)]
    cut = [run for run in runs if run.result.status not in REPEATABLE]
    ordered = sorted(runs, key=lambda run: run.result.solve_s)
    chosen = cut[-1] if cut else ordered[(len(runs) - 1) // 2]
    result = replace(chosen, repeats=tuple(runs))
    reason = _contradiction(recorded, runs)
    return result if reason is None else result.marked_wrong(reason)


def has_same_nodes(run: Record) -> bool:
    """Whether each run of the same job makes the same nodes."""
    return run.result.parallel is None or run.result.parallel.same_nodes


def _contradiction(recorded: Iterable[Record], runs: Iterable[Record]) -> str | None:
    """Why the records of a job, or the `runs` that count, cannot all be right; None if they can.

    Nodes are compared among the runs that count only: other records of a repeat may be of
    another version.
    """
    answers = [
        (run, run.result.count)
        for run in recorded
        if run.result.status.has_answer and run.result.count is not None
    ]
    exact = {count for run, count in answers if run.result.is_finished}
    if len(exact) > 1 and len({run.repeat for run, _ in answers}) == 1:
        return f"records of one run differ in count: {sorted(exact)}"
    for status in REPEATABLE:
        ends = {
            (
                run.result.count,
                run.result.nodes if status in SAME_WORK and has_same_nodes(run) else None,
            )
            for run in runs
            if run.result.status == status
        }
        if len(ends) > 1:
            return f"repeats differ in (count, nodes): {sorted(ends, key=str)}"
    if len(exact) > 1:
        return f"its runs differ in count: {sorted(exact)}"
    largest = max((count for _, count in answers), default=0)
    if exact and largest > min(exact):
        return f"one of its runs found {largest}, another counted {min(exact)} in all"
    return None


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
    if record.result.status.is_error or not record.result.verified:
        return 0
    return min(record.result.verified, CHECKED_FIRST) if record.job.symmetry == Symmetry.ALL else 1


def max_verified(records: Iterable[Record]) -> int:
    """Number of solutions that the records of one question prove to exist."""
    return max(map(verified_count, records), default=0)


def refutation(count: int | None, proved: int) -> str | None:
    """Reason an exhausted `count` is too small where `proved` solutions exist, or None."""
    if count is None or count >= proved:
        return None
    return f"it counted {count}; verified solutions prove at least {proved}"


def judged(results: Sequence[Record]) -> list[Record]:
    """The same results, those that are wrong marked so with the reason.

    A count that is not the `expected` one is wrong. Besides, results are compared when they
    answer the same question: the same puzzle by content, the same symmetry, labelled or not.
    An exhausted count below the number of solutions that another run verified is wrong. Of the
    others, where an exhausted count is the expected one, those that differ are wrong; elsewhere
    nothing shows which of two is right, and both are marked; a count that is only probable
    contradicts none that is exact. So is a lower bound above an exhausted count.
    """
    questions: dict[tuple[str, str, bool], list[int]] = {}
    for place, record in enumerate(results):
        bound = record.result.count is not None and record.result.status != Status.FAILED
        if record.result.status != Status.WRONG and (bound or record.exact_count is not None):
            questions.setdefault(question_of(record).content, []).append(place)
    reasons: dict[int, str] = {}
    for places in questions.values():
        reasons |= _contradictions(results, places)
    for place, record in enumerate(results):
        expected, exact = record.expected, record.exact_count
        error = expectation_error(
            record.result.count, record.result.status, expected
        ) or expectation_error(exact, Status.EXHAUSTED, expected)
        if error is not None and not record.result.status.is_error:
            verified = verified_count(record)
            too_small = expected is not None and verified > expected
            reasons[place] = (
                (f"{error}, but {verified} {'was' if verified == 1 else 'were'} verified")
                if too_small
                else error
            )
    return [
        record.marked_wrong(reasons[place]) if place in reasons else record
        for place, record in enumerate(results)
    ]


def _contradictions(results: Sequence[Record], places: Sequence[int]) -> dict[int, str]:
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
        f"{results[place].job.backend} "
        + str(proved.get(place, f"≥ {results[place].result.count}"))
        for place in (places if refuted else sorted({*proved, *suspects}))
    )
    return {place: f"{reason} ({counts})" for place, reason in refuted.items()} | dict.fromkeys(
        suspects, f"backends disagree: {counts}"
    )


def _suspects(
    results: Sequence[Record], places: Sequence[int], proved: Mapping[int, int]
) -> list[int]:
    """Those of `places` of which at least one must be wrong, as its exact count is `proved`."""
    known = [place for place in proved if proved[place] == results[place].expected]
    exact = [place for place in proved if not results[place].job.probable]
    if not known and len(exact) < len(proved) and len({proved[place] for place in exact}) == 1:
        known = exact
    counts = {proved[place] for place in known or proved}
    bounds = {place: results[place].result.count or 0 for place in places if place not in proved}
    above = [place for place in bounds if counts and bounds[place] > min(counts)]
    odd = [p for p in proved if len({*counts, proved[p]}) > 1 and p not in known]
    if not odd and not above:
        return []
    return odd + above + ([] if known else [p for p in proved if p not in odd])


def with_shared_reductions(results: Sequence[Record]) -> list[Record]:
    """The results, those reductions under `shared_reductions` that all of a question's were asked.

    What all solvers of a question were asked alike is part of the question, and no setting that
    distinguishes them. Where one solver alone was asked, its reductions stay its own.
    """
    shared = {
        question: answers[0].job.reductions
        for question, answers in by_question(results).items()
        if len({answer.job.backend for answer in answers}) > 1
        and all(answer.job.reductions == answers[0].job.reductions for answer in answers)
    }
    return [
        replace(
            result,
            job=replace(result.job, reductions=()),
            shared_reductions=shared[question],
        )
        if (question := question_of(result)) in shared
        else result
        for result in results
    ]
