"""Summaries of records: by question and solver, by job, and by the seeds of an improver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from dovetail.backends.command.config import COMMAND
from dovetail.backends.command.search import NEEDS_PERMISSION
from dovetail.errors import how_many
from dovetail.harness.records.record import Record, grouped
from dovetail.harness.run.collector import CHECKED_FIRST
from dovetail.harness.run.job import Limits
from dovetail.models.boards.partial_board import Objective
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry

FAMILIES = {"cells": "packing", "tiles": "edge matching", "items": "exact cover"}
OTHER_PUZZLES = "other"
SEED = "seed"


def family_of(answers: Iterable[Record]) -> str:
    """Return the family of a puzzle, such as "packing"; `answers` are results for the puzzle."""
    units = (unit for answer in answers for unit in answer.size)
    return next((FAMILIES[unit] for unit in units if unit in FAMILIES), OTHER_PUZZLES)


def solver_name(record: Record) -> str:
    """Return the name of a record's solver: the backend, its settings and other choices.

    The other choices are the reductions, the triggers, the random order and the trials.

    The seed is left out, because runs with different seeds are runs of the same solver. A backend
    with cold starts is a separate solver.
    """
    start = " (cold start)" if record.job.cold_start else ""
    return f"{record.job.backend}{show_settings(record, seeds=False)}{start}"


def show_settings(record: Record, *, seeds: bool = True) -> str:
    """Format the settings of the backend, the reductions, the triggers, the order and the trials.

    Each text begins with a space, because it follows the name of the backend. The settings
    of a program that is run by its command are left out, because the name of the program stands for
    them. Without `seeds`, the setting `seed` is also left out.
    """
    settings = record.job.config if seeds else own_settings(record)
    words = []
    if COMMAND not in settings:
        words += [f"{key}={_show_setting(value)}" for key, value in settings.items()]
    words += [f"−{reduction}" for reduction in record.job.reductions]
    words += [f"!{trigger}" for trigger in record.job.triggers]
    order, trials = record.job.random, record.job.trials
    if order is not None:
        words += ["random order", *["restarts"] * order.restarts]
        words += ["hardest first"] * order.hardest_first
    if trials is not None:
        words.append(f"{how_many(trials.count, 'trial')} to {trials.remaining} remaining")
    within = any(random is not None and random.within_items for random in (order, trials))
    words += ["within items"] * within
    return "".join(f" {word}" for word in words)


def own_settings(record: Record) -> dict[str, object]:
    """Return the settings that distinguish solvers: all except the seed."""
    return {key: value for key, value in record.job.config.items() if key != SEED}


def _show_setting(value: object) -> str:
    """Format the value of a setting as in the option -c."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Question:
    """A question that several jobs may answer."""

    puzzle: str
    digest: str
    symmetry: str
    labelled: bool
    # Number of solutions to search for; None for all solutions.
    wanted: int | None = None
    # Objective of the best board; None if the question is for the number of solutions.
    objective: Objective | None = None

    @property
    def content(self) -> tuple[str, str, bool]:
        """The fields that determine the number of solutions."""
        return self.digest, self.symmetry, self.labelled

    @property
    def title(self) -> str:
        """The question in words, without the digest."""
        title = self.puzzle + ("" if self.symmetry == "all" else f" ({self.symmetry})")
        title += " labelled" if self.labelled else ""
        if self.objective is not None:
            title += f", best board{by_objective(self.objective)}"
        if self.wanted is None:
            return title
        return f"{title}, first {'solution' if self.wanted == 1 else f'{self.wanted:,} solutions'}"


def question_of(record: Record) -> Question:
    """Return the question that a record answers."""
    job = record.job
    return Question(
        job.puzzle,
        job.puzzle_digest,
        job.symmetry,
        job.labelled,
        None if job.limits is None else job.limits.solutions,
        job.objective if job.improves else None,
    )


def by_objective(objective: Objective) -> str:
    """Return the suffix that names the objective, such as " by tiles"; empty for `edges`."""
    return "" if objective is Objective.EDGES else f" by {objective}"


def by_question(results: Iterable[Record]) -> dict[Question, list[Record]]:
    """Return the results by question; questions and results are in the order of appearance."""
    return grouped(results, question_of)


# Statuses that are reproducible: a repeat of the job ends with the same status.
REPEATABLE = (
    Status.EXHAUSTED,
    Status.SOLVED,
    Status.SOLUTION_LIMIT,
    Status.NODE_LIMIT,
    Status.REMAINING_LIMIT,
)
# Statuses for which a repeat of the job also visits the same number of nodes. `SOLUTION_LIMIT` is
# not among them: a limit on solutions up to symmetry is tested between slices of the search, and
# the sizes of slices depend on the clock.
SAME_WORK = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.REMAINING_LIMIT)
# Statuses of runs that are repeated when their suite is resumed.
UNFINISHED = (Status.INTERRUPTED, Status.FAILED)


def is_result(record: Record) -> bool:
    """Return whether a run has a result: it did not fail, was not interrupted and had permission.

    A resumed suite repeats a run without a result.
    """
    return record.result.status not in UNFINISHED and record.result.reason != NEEDS_PERMISSION


def summaries(records: Iterable[Record]) -> list[Record]:
    """Return the result of each job, in the order in which the jobs first appear.

    If several records have the same job and the same `repeat`, only the last record counts, because
    a failed run may have been repeated. The result of a job is its last repeat with a status that
    is not in `REPEATABLE`. Without such a repeat, the result is the repeat with the median solve
    time; for an even number of repeats, the faster of the two in the middle. The status of the
    result is `wrong` if the runs of the job contradict each other in count or nodes.
    """
    jobs = grouped(records, lambda record: record.job.digest)
    return [_summary(runs) for runs in jobs.values()]


def _summary(records: Sequence[Record]) -> Record:
    last = {run.repeat: run for run in records}
    runs = [last[repeat] for repeat in sorted(last)]
    cut = [run for run in runs if run.result.status not in REPEATABLE]
    ordered = sorted(runs, key=lambda run: run.result.solve_s)
    chosen = cut[-1] if cut else ordered[(len(runs) - 1) // 2]
    result = replace(chosen, repeats=tuple(runs))
    reason = _contradiction(records, runs)
    return result if reason is None else result.marked_wrong(reason)


def has_same_nodes(run: Record) -> bool:
    """Return whether every repeat of a run visits the same number of nodes."""
    return run.result.parallel is None or run.result.parallel.same_nodes


def chosen_search(run: Record) -> str:
    """Return the backend that `auto` chose with its settings and reductions; a dash for none."""
    chosen = run.result.chosen
    if chosen is None:
        return "–"
    settings = (f"{key}={value}" for key, value in sorted(chosen.config.items()))
    reductions = (f"−{reduction}" for reduction in chosen.reductions)
    return " ".join([chosen.backend, *settings, *reductions])


def _contradiction(records: Iterable[Record], runs: Sequence[Record]) -> str | None:
    """Return the reason why the records of a job cannot all be right, or None if they can.

    Nodes are compared only among `runs`, the last record of each repeat, because earlier records
    may be from another version. The nodes of repeats for which `auto` made different choices, which
    may depend on the time for choosing, are not compared.
    """
    answers = [
        (run, run.result.count)
        for run in records
        if run.result.status.has_answer and run.result.count is not None
    ]
    exact = {count for run, count in answers if run.result.is_finished}
    if len(exact) > 1 and len({run.repeat for run, _ in answers}) == 1:
        return f"records of the same run differ in count: {sorted(exact)}"
    first = chosen_search(runs[0])
    same_nodes = all(has_same_nodes(run) and chosen_search(run) == first for run in runs)
    for status in REPEATABLE:
        ends = {
            (run.result.count, run.result.nodes if status in SAME_WORK and same_nodes else None)
            for run in runs
            if run.result.status == status and (status is not Status.NODE_LIMIT or same_nodes)
        }
        if len(ends) > 1:
            return f"repeats differ in (count, nodes): {sorted(ends, key=str)}"
    if len(exact) > 1:
        return f"its runs differ in count: {sorted(exact)}"
    largest = max((count for _, count in answers), default=0)
    if exact and largest > min(exact):
        return f"a run found {how_many(largest, 'solution')}; another counted {min(exact):,} in all"
    return None


def expectation_error(count: int | None, status: Status, expected: int | None) -> str | None:
    """Return the reason why a count contradicts the expected count, or None if it does not.

    The count is a lower bound unless the status is `EXHAUSTED`.
    """
    if expected is None or count is None:
        return None
    if status == Status.EXHAUSTED and count != expected:
        return f"it counted {count}; expected {expected}"
    return f"it found {count}; expected {expected} in all" if count > expected else None


def verified_count(record: Record) -> int:
    """Return a lower bound of the number of solutions, from the verified solutions of a record.

    Every run verifies its first `CHECKED_FIRST` solutions and checks that they are distinct. Their
    number is the bound if the symmetry is `all`. Otherwise, the bound is 1, because all of them may
    be images of a single solution. The bound is 0 for a run that failed, is wrong or verified no
    solution.
    """
    if record.result.status.is_error or not record.result.verified:
        return 0
    return min(record.result.verified, CHECKED_FIRST) if record.job.symmetry == Symmetry.ALL else 1


def max_verified(records: Iterable[Record]) -> int:
    """Return the largest `verified_count` of the records of a question."""
    return max(map(verified_count, records), default=0)


def refutation(count: int | None, proved: int) -> str | None:
    """Return the reason why an exhausted count is wrong, or None if it may be right.

    `proved` is a lower bound of the number of solutions.
    """
    if count is None or count >= proved:
        return None
    return f"it counted {count}; verified solutions prove at least {proved}"


def judged(results: Sequence[Record]) -> list[Record]:
    """Return the results; results that may be wrong get the status `wrong` and a reason.

    A count that contradicts the `expected` count is wrong. Results for puzzles with the same digest
    and the same `symmetry` and `labelled` are compared:

    * An exhausted count is wrong if a run verified more solutions.
    * If exhausted counts differ, the expected count is trusted. If no count is the expected count,
      but all counts by deterministic methods agree, their count is trusted. All other exhausted
      counts get the status `wrong`.
    * A lower bound above a trusted count is wrong. Without a trusted count, a lower bound above an
      exhausted count and all exhausted counts get the status `wrong`.
    """
    questions: dict[tuple[str, str, bool], list[int]] = {}
    for index, record in enumerate(results):
        has_bound = record.result.count is not None and record.result.status != Status.FAILED
        if record.result.status != Status.WRONG and (has_bound or record.exact_count is not None):
            questions.setdefault(question_of(record).content, []).append(index)
    reasons: dict[int, str] = {}
    for indices in questions.values():
        reasons |= _contradictions(results, indices)
    for index, record in enumerate(results):
        expected, result = record.expected, record.result
        error = expectation_error(result.count, result.status, expected) or expectation_error(
            record.exact_count, Status.EXHAUSTED, expected
        )
        if error is not None and not result.status.is_error:
            verified = verified_count(record)
            if expected is not None and verified > expected:
                error += f", but {verified} {'was' if verified == 1 else 'were'} verified"
            reasons[index] = error
    return [
        record.marked_wrong(reasons[index]) if index in reasons else record
        for index, record in enumerate(results)
    ]


def _contradictions(results: Sequence[Record], indices: Sequence[int]) -> dict[int, str]:
    """Return the reason for each contradicting result of a question, by index in `results`."""
    exact = {index: results[index].exact_count for index in indices}
    proved = {index: count for index, count in exact.items() if count is not None}
    verified = max_verified(results[index] for index in indices)
    refuted = {
        index: reason
        for index, count in proved.items()
        if (reason := refutation(count, verified)) is not None
    }
    suspects = _suspects(
        results,
        [index for index in indices if index not in refuted],
        {index: count for index, count in proved.items() if index not in refuted},
    )
    counts = ", ".join(
        f"{results[index].job.backend} {proved.get(index, f'≥ {results[index].result.count}')}"
        for index in (indices if refuted else sorted({*proved, *suspects}))
    )
    disagreement = f"backends disagree: {counts}"
    return {
        **{index: f"{reason} ({counts})" for index, reason in refuted.items()},
        **dict.fromkeys(suspects, disagreement),
    }


def _suspects(
    results: Sequence[Record], indices: Sequence[int], proved: Mapping[int, int]
) -> list[int]:
    """Return the indices of results that contradict a trusted count, or each other without one.

    `proved` maps the index of each exhausted result to its count.
    """
    known = [index for index in proved if proved[index] == results[index].expected]
    exact = [index for index in proved if not results[index].job.probable]
    if not known and len(exact) < len(proved) and len({proved[index] for index in exact}) == 1:
        known = exact
    counts = {proved[index] for index in known or proved}
    bounds = {index: results[index].result.count or 0 for index in indices if index not in proved}
    above = [index for index in bounds if counts and bounds[index] > min(counts)]
    odd = [index for index in proved if index not in known and len({*counts, proved[index]}) > 1]
    if not odd and not above:
        return []
    return odd + above + ([] if known else [index for index in proved if index not in odd])


def with_shared_reductions(results: Sequence[Record]) -> list[Record]:
    """Return the results with the common reductions of a question in `shared_reductions`.

    If all jobs of a question have the same reductions, these are part of the question and do not
    distinguish its solvers. The reductions are therefore removed from the jobs. The jobs of a
    question with only one backend are not changed.
    """
    shared = {
        question: answers[0].job.reductions
        for question, answers in by_question(results).items()
        if len({answer.job.backend for answer in answers}) > 1
        and all(answer.job.reductions == answers[0].job.reductions for answer in answers)
    }
    return [
        replace(result, job=replace(result.job, reductions=()), shared_reductions=shared[question])
        if (question := question_of(result)) in shared
        else result
        for result in results
    ]


@dataclass(frozen=True)
class Scores:
    """The lowest, the median and the highest score of several runs."""

    low: int
    middle: float
    high: int


@dataclass(frozen=True)
class SeedRuns:
    """The runs of an improver on a puzzle with any seeds, but the same objective and limits."""

    puzzle: str
    digest: str
    objective: Objective
    # The improver with its settings.
    solver: str
    # The runs with a board, by seed and repeat.
    runs: tuple[Record, ...]
    # The runs without a board, because they were refused, failed or were killed.
    lost: tuple[Record, ...]
    limits: Limits | None
    # Highest known score of the puzzle; None if the suite does not state it.
    best_known: int | None

    @cached_property
    def best(self) -> Record | None:
        """The run with the highest score, see `best_run`; None if no run has a board."""
        return best_run(self.runs)

    @property
    def bound(self) -> int | None:
        """The score of a solution; None if no run has a board."""
        return None if self.best is None else self.best.result.bound

    @property
    def solved(self) -> int:
        """Number of runs that found a solution."""
        return sum(run.result.score == run.result.bound for run in self.runs)

    @cached_property
    def improved_at(self) -> list[float]:
        """The times in seconds at which a run found a better board, in ascending order."""
        return sorted({entry.seconds for run in self.runs for entry in run.result.trace or ()})

    def scores(self, seconds: float | None = None) -> Scores | None:
        """Return the scores after `seconds`, or at the end of the runs if `seconds` is None.

        A run without a board at that time has the score 0. Returns None if no run has a board.
        """
        scores = [score_at(run, seconds) for run in self.runs]
        return Scores(min(scores), median(scores), max(scores)) if scores else None


def seed_runs(results: Iterable[Record]) -> list[SeedRuns]:
    """Return the improvements among `results`, grouped by board, objective, solver and limits."""
    groups: dict[tuple[str, Objective, str, object], list[Record]] = {}
    for result in results:
        if result.job.improves:
            job = result.job
            key = job.puzzle_digest, job.objective, solver_name(result), job.limits
            groups.setdefault(key, []).extend(result.runs)
    return [
        SeedRuns(
            puzzle=runs[0].job.puzzle,
            digest=digest,
            objective=objective,
            solver=solver,
            runs=tuple(run for run in runs if run.result.score is not None),
            lost=tuple(run for run in runs if run.result.score is None),
            limits=runs[0].job.limits,
            best_known=runs[0].best_known,
        )
        for (digest, objective, solver, _), runs in groups.items()
    ]


def best_run(runs: Iterable[Record]) -> Record | None:
    """Return the run that needed the least time for the highest score; None without runs."""
    return min(runs, key=lambda run: (-(run.result.score or 0), last_improved_s(run)), default=None)


def score_at(run: Record, seconds: float | None = None) -> int:
    """Return the score of a run after `seconds`, or at the end of the run if `seconds` is None."""
    if seconds is None:
        return run.result.score or 0
    trace = run.result.trace or ()
    return max((entry.score for entry in trace if entry.seconds <= seconds), default=0)


def last_improved_s(run: Record) -> float:
    """Return the time in seconds at which a run found its best board, or 0 if it found none."""
    return run.result.trace[-1].seconds if run.result.trace else 0.0
