"""What publications say of the runs of a suite, beside what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.harness.record import Record
from dovetail.models.outcome import Status


@dataclass(frozen=True)
class Figure:
    """One figure as published and as measured, None where it is not known."""

    published: float | None
    measured: float | None


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published table and the run that repeats it.

    `seconds` measured are those of prepare and solve: the whole answer without its check.
    `rate` is of solutions per second of these, where a run is not to find all.
    """

    name: str
    status: Status
    count: int | None
    expected: int | None
    fits: Figure
    no_fits: Figure
    seconds: Figure
    rate: Figure


def published_rows(results: Iterable[Record]) -> list[PublishedRow]:
    """The named rows among `results`; records of old benches do not tell what is published."""
    return [
        _row(name, published, result)
        for result in results
        for name, published in (result.get("published") or {}).items()
    ]


def _row(name: str, published: Record, result: Record) -> PublishedRow:
    fits, attempts = result["nodes"], result["attempts"]
    no_fits = None if fits is None or attempts is None else attempts - fits
    searched = result["status"] not in (Status.SKIPPED, Status.FAILED)
    seconds = result["prepare_s"] + result["solve_s"] if searched else None
    return PublishedRow(
        name,
        Status(result["status"]),
        result["count"],
        result.get("expected"),
        Figure(published.get("fits"), fits),
        Figure(_no_fits(published), no_fits),
        Figure(published.get("seconds"), seconds),
        Figure(_rate(published), (result.get("searched") or {}).get("per_prepare_and_solve_s")),
    )


def _no_fits(published: Record) -> int | None:
    """Attempts that were no fits, where they are published under either name."""
    fits, attempts = published.get("fits"), published.get("attempts")
    if published.get("no_fits") is not None or fits is None or attempts is None:
        no_fits: int | None = published.get("no_fits")
        return no_fits
    return int(attempts) - int(fits)


def _rate(published: Record) -> float | None:
    """Solutions per second, where they are published as such or can be divided."""
    solutions, seconds = published.get("solutions"), published.get("seconds")
    if published.get("rate") is not None or solutions is None or seconds is None:
        rate: float | None = published.get("rate")
        return rate
    return float(solutions) / float(seconds)
