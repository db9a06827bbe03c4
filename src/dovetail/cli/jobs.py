"""From a command's words to jobs, and from results to exit statuses."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from dovetail.backends.config import parse_value, parse_words, plain_values
from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_WRONG
from dovetail.errors import ConfigError
from dovetail.harness.auto.named import named_config
from dovetail.harness.events import Event, Finished, Progress
from dovetail.harness.job import Job, Limits, RandomOrder, Trials
from dovetail.harness.sizes import parse_size
from dovetail.models.outcome import LIMITS, Status
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.puzzles.loading import load_all


def make_limits(
    time_s: float | None = None,
    nodes: int | None = None,
    memory: str | None = None,
    solutions: int | None = None,
) -> Limits:
    """Limits from what the options gave."""
    return Limits(time_s, nodes, solutions, None if memory is None else parse_size(memory))


def make_jobs(
    references: list[str],
    backend_name: str,
    config_words: list[str],
    symmetry: str,
    limits: Limits,
    reductions: list[str],
    *,
    triggers: Iterable[str] = (),
    listing: bool = False,
    random: RandomOrder | None = None,
    trials: Trials | None = None,
) -> list[Job]:
    """A job for every puzzle that `references` name; errors come before anything runs."""
    values: dict[str, object] = dict(parse_words(config_words))
    labelled = parse_value("labelled", bool, values.pop("labelled", "false"))
    config = named_config(backend_name, values, also=["labelled"])
    reduce = tuple(map(Reduction.parse, reductions))
    check = tuple(map(Trigger.parse, triggers))
    request = Request(Symmetry.named(symmetry), labelled, listing, reduce, check)
    plain = plain_values(config, values)
    return [
        Job(puzzle, request, backend_name, plain, limits, random=random, trials=trials)
        for reference in references
        for puzzle in load_all(reference)
    ]


def only_one(jobs: list[Job], reference: str) -> Job:
    """The job of a command that takes one puzzle; raises `ConfigError` if there are more."""
    if len(jobs) != 1:
        raise ConfigError(f"{reference} holds {len(jobs)} puzzles; {reference}#N names one")
    return jobs[0]


def exit_status(finished: Finished) -> int:
    """The exit status that a result asks for."""
    return exit_status_of(finished.outcome.status)


def exit_status_of(status: Status) -> int:
    """The exit status that the end of a search asks for."""
    if status in (Status.WRONG, Status.FAILED):
        return EXIT_WRONG
    if status == Status.SKIPPED:
        return EXIT_BAD_INPUT
    if status == Status.INTERRUPTED:
        return EXIT_INTERRUPTED
    return EXIT_LIMIT if status in LIMITS else 0


def worst(statuses: list[int]) -> int:
    """The exit status of several runs."""
    for status in (EXIT_WRONG, EXIT_INTERRUPTED, EXIT_BAD_INPUT, EXIT_LIMIT):
        if status in statuses:
            return status
    return 0


def with_progress(events: Iterator[Event]) -> Iterator[Event]:
    """The same events; progress is shown in one line on standard error if it is a terminal."""
    shown = False
    terminal = sys.stderr.isatty()
    for event in events:
        if terminal and isinstance(event, Progress):
            share = "" if event.share is None else f", {event.share:.1%} of the tree"
            nodes = "" if event.nodes is None else f", {event.nodes:,} nodes"
            found = "no count yet" if event.count is None else f"≥ {event.count:,} solutions"
            line = f"{found}{nodes}{share}"
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()
            shown = True
        elif shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            shown = False
        yield event
