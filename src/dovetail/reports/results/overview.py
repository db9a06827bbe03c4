"""How many questions, solvers and runs there are, and what became of the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.records.questions import by_question, solver_name
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.page import Part, Table

MAX_NAMED = 40
ENDS = {
    Status.SOLVED: "solved",
    Status.SKIPPED: "refused",
    Status.FAILED: "failed",
    Status.WRONG: "wrong",
}


def overview_part(records: Sequence[Record], results: Sequence[Record]) -> Part:
    """What was run: `results` are what `records` come to."""
    rows = (
        ("questions", _questions(results)),
        ("solvers", _named(list(dict.fromkeys(map(solver_name, results))))),
        ("runs", f"{len(results):,}, from {how_many(len(records), 'record')}"),
        *_ends(results),
    )
    about = (
        "A question is a puzzle, the symmetry up to which solutions are counted, and whether "
        "identical pieces are distinguished. A solver is a backend with its settings. For repeated "
        "runs, the report shows the median run by solve time."
    )
    times = (
        "prepare: generating the options, reductions, the solver's own tables; solve: the search, "
        "and sorting solutions into symmetry classes if requested; check: verifying solutions; "
        "total: prepare + solve. No figure includes imports or compiling."
    )
    table = Table(("", ""), rows, left=2)
    return Part("overview", "What was run", tables=(table,), definitions=(about, times))


def _questions(results: Sequence[Record]) -> str:
    questions = by_question(results)
    puzzles = len({question.digest for question in questions})
    return f"{len(questions):,}, on {how_many(puzzles, 'puzzle')}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    return f"{len(names):,}: {', '.join(names[:MAX_NAMED])}{more}"


def _ends(results: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """Yield how many runs ended in which way, each limit separately."""
    order = list(Status)
    in_order = sorted(results, key=lambda record: order.index(record.result.status))
    for end, count in Counter(map(_end, in_order)).items():
        yield end, f"{count:,}"


def _end(record: Record) -> str:
    """The way in which a run ended; one that found all that was asked is finished."""
    if record.result.status in ENDS:
        return ENDS[record.result.status]
    return "finished" if record.result.is_answered else f"stopped: {record.result.status}"
