"""What is wrong with what a test has counted, in words that fit on one screen."""

from __future__ import annotations

from dovetail.errors import shorten
from dovetail.harness.pytest_plugin.golden import Entry, Figures, entry_line, quoted, whole
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.printable import printable

LONGEST = 300
HOW_TO_UPDATE = "if the new figures are right, record them with: pytest --update-counts"


def unproved(question: str, finished: Result) -> str | None:
    """Why a result is no count of all solutions, None if it is one."""
    if finished.status == Status.EXHAUSTED and finished.count is not None:
        return None
    count = "none" if finished.count is None else f"at least {whole(finished.count)}"
    return _lines(
        f"the count is incomplete: {_shown(question)}",
        f"status    {finished.status}",
        f"reason    {printable(shorten(finished.reason or 'none given', LONGEST))}",
        f"counted   {count}",
    )


def difference(
    question: str, found: Figures, recorded: Entry | None, golden: str, chosen: str | None
) -> str | None:
    """Describe how `found` differs from what the file `golden` records; None if it does not.

    Nodes are compared where `found` has them. `chosen` is what `auto` chose, None for others.
    """
    if recorded is None:
        return _missing(question, found, golden)
    was = recorded.figures
    count, digest = found.count == was.count, found.digest == was.digest
    nodes = found.nodes is None or found.nodes == was.nodes
    if count and nodes and digest:
        return None
    what = "the count has" if not count else "the nodes have" if not nodes else "the puzzle has"
    return _lines(
        f"{what} changed: {_shown(question)}",
        f"{'':8}{'recorded':>20}{'found':>20}",
        _row("count", whole(was.count), whole(found.count), same=count),
        _row("nodes", _whole_or_none(was.nodes), _whole_or_none(found.nodes), same=nodes),
        _row("puzzle", was.digest, found.digest, same=digest),
        f"recorded in {golden}:{recorded.line}",
        *([] if chosen is None else [f"counted by {chosen} (chosen by auto)"]),
        HOW_TO_UPDATE,
    )


def _missing(question: str, found: Figures, golden: str) -> str:
    return _lines(
        f"no count is recorded: {_shown(question)}",
        f"expected in {golden}; this line would record the result:",
        shorten(entry_line(question, found), 5 * LONGEST),
        HOW_TO_UPDATE,
    )


def _lines(first: str, *others: str) -> str:
    return "\n".join([first, *(f"  {line}" for line in others)])


def _row(what: str, recorded: str, found: str, *, same: bool) -> str:
    return f"{what:8}{recorded:>20}{found:>20}  {'same' if same else 'CHANGED'}"


def _whole_or_none(number: int | None) -> str:
    return "none" if number is None else whole(number)


def _shown(question: str) -> str:
    return quoted(shorten(question, LONGEST))
