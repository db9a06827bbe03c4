"""From a command's words to the parameters of its jobs, and from results to exit statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dovetail.backends.config import parse_words, plain_values
from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_WRONG
from dovetail.cli.options import OptionOrder
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import Limits, RandomOrder
from dovetail.harness.run.result import Result
from dovetail.harness.sizes import parse_seconds, parse_size
from dovetail.models.outcome import Status
from dovetail.platform.resources import check_memory_limit


def make_limits(
    time: str | None = None,
    nodes: int | None = None,
    memory: str | None = None,
) -> Limits:
    """Return the limits that the options give.

    Raises `ConfigError` for a time or a size that is none.
    """
    if memory is not None:
        check_memory_limit("--memory-limit")
    return Limits(
        None if time is None else parse_seconds(time),
        nodes,
        memory_bytes=None if memory is None else parse_size(memory),
    )


def understood(backend: str | list[str] | None, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of `harness.parameters` that a command's options mean, by name.

    `words` are the options that the command has beside `backend`, by their names. Raises
    `ConfigError` for a config that the backend does not have, or a time or size that is none.
    """
    config: dict[str, object] = dict(parse_words(words["config"] or []))
    if isinstance(backend, str):  # each of several reads it by its own keys
        config = plain_values(named_config(backend, config), config)
    asked = {name: words[name] for name in ("symmetry", "labelled", "seed")} | {"config": config}
    asked |= {name: words[name] or () for name in ("reduce", "triggers") if name in words}
    if "option_order" in words:
        is_random = words["option_order"] == OptionOrder.RANDOM
        asked["random"] = RandomOrder(words["seed"]) if is_random else None
    if "limit" in words:
        asked["limit"] = words["limit"]
    if "time_limit" in words:
        limits = (words[name] for name in ("time_limit", "node_limit", "memory_limit"))
        asked["limits"] = make_limits(*limits)
    return asked


def exit_status(finished: Result) -> int:
    """The exit status that a result asks for."""
    return exit_status_of(finished.status)


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
