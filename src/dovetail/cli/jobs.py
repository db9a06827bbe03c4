"""From a command's words to jobs, and from results to exit statuses."""

from __future__ import annotations

from collections.abc import Iterable

from dovetail.backends.config import parse_value, parse_words, plain_values
from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_WRONG
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.events import Finished
from dovetail.harness.run.job import Job, Limits, RandomOrder, Trials
from dovetail.harness.sizes import parse_size
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import Puzzle


def make_limits(
    time_s: float | None = None,
    nodes: int | None = None,
    memory: str | None = None,
    solutions: int | None = None,
) -> Limits:
    """Limits from what the options gave."""
    return Limits(time_s, nodes, solutions, None if memory is None else parse_size(memory))


def make_jobs(
    puzzles: Iterable[Puzzle],
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
    """A job for each of `puzzles`, which are loaded when the words have been understood."""
    values: dict[str, object] = dict(parse_words(config_words))
    labelled = parse_value("labelled", bool, values.pop("labelled", "false"))
    config = named_config(backend_name, values, also=["labelled"])
    request = Request.named(symmetry, labelled, reductions, triggers, listing=listing)
    plain = plain_values(config, values)
    return [
        Job(puzzle, request, backend_name, plain, limits, random=random, trials=trials)
        for puzzle in puzzles
    ]


def exit_status(finished: Finished) -> int:
    """The exit status that a result asks for."""
    return exit_status_of(finished.outcome.status)


def exit_status_of(status: Status) -> int:
    """The exit status that the end of a search asks for."""
    if status.is_error:
        return EXIT_WRONG
    if status == Status.SKIPPED:
        return EXIT_BAD_INPUT
    if status == Status.INTERRUPTED:
        return EXIT_INTERRUPTED
    return EXIT_LIMIT if status.is_limit else 0


def worst(statuses: list[int]) -> int:
    """The exit status of several runs."""
    for status in (EXIT_WRONG, EXIT_INTERRUPTED, EXIT_BAD_INPUT, EXIT_LIMIT):
        if status in statuses:
            return status
    return 0
