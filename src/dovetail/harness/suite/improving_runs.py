"""The runs of a suite's section that asks for the best boards: improvers, each with every seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dovetail.errors import ConfigError, DovetailError, FormatError
from dovetail.harness.improving import edge_puzzle, improving_job
from dovetail.harness.run.job import Limits
from dovetail.harness.suite.choices import configs_of
from dovetail.harness.suite.plan import PlannedRun
from dovetail.harness.suite.sections import RunSection
from dovetail.improvers import DEFAULT_TIME_S
from dovetail.improvers.registry import improver_config
from dovetail.models.partial_board import max_score
from dovetail.models.task import Puzzle

# Keys that say how solutions are counted, or compare counts with those of a publication.
FOR_COUNTS = (
    *("backends", "symmetry", "labelled", "reduce", "triggers", "trials", "expected"),
    *("published", "proxy_for", "fitted", "difference"),
)


def improving_runs(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    limits: Limits,
    at: Callable[[str, DovetailError], FormatError],
) -> Iterator[PlannedRun]:
    """The runs of one section, board by board; without a limit on time with the default one.

    `at` is an error at a key of the section.
    """
    for key in FOR_COUNTS:
        if key in section.model_fields_set:
            raise at(key, ConfigError(f"{key} is for runs that count; expected none here"))
    if limits.solutions is not None:
        raise at("limits", ConfigError("an improvement has no limit on solutions"))
    limits = limits if limits.time_s is not None else replace(limits, time_s=DEFAULT_TIME_S)
    configs = []
    for name in section.improvers:
        try:
            configs += [(name, values) for values in configs_of(name, section, improver_config)]
        except ConfigError as error:
            raise at("config" if name in section.config else "improvers", error) from None
    for puzzle in puzzles:
        try:
            board = edge_puzzle(puzzle)
        except ConfigError as error:
            raise at("puzzles", error) from None
        best_known = section.best_known.get(puzzle.name)
        if best_known is not None and best_known > max_score(board):
            bound = f"the score of a solution of {puzzle.name} is {max_score(board)}"
            raise at("best_known", ConfigError(f"{best_known} is above it: {bound}"))
        for name, values in configs:
            for seed in section.seeds:
                job = improving_job(board, name, values, limits, seed=seed, cold_start=section.cold)
                yield PlannedRun(
                    job, tuple(section.tags), None, section.name, best_known=best_known
                )
