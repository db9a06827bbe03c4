"""The runs of a section of a suite file, which are counts or improvements of boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import product

from dovetail.backends.command.config import COMMAND
from dovetail.errors import ConfigError, unknown_name
from dovetail.harness.improving import edge_puzzle, improving_job
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import Limits
from dovetail.harness.suite.plan import UNPUBLISHED, PlannedRun
from dovetail.harness.suite.sections import RunSection
from dovetail.improvers.registry import improver_config
from dovetail.models.partial_board import max_score
from dovetail.models.request import Request
from dovetail.models.task import Puzzle

Programs = dict[str, Mapping[str, object]]
Configs = list[tuple[str, Mapping[str, object]]]
# A context that turns errors into a `FormatError` at a key of the section.
At = Callable[[str], AbstractContextManager[None]]

# Keys of a section that are parameters of `make_jobs`.
QUESTION = ("symmetry", "labelled", "reduce", "triggers")
FOR_IMPROVERS = ("seeds", "best_known")
FOR_COUNTS = (
    *(*QUESTION, "backends", "trials", "expected"),
    *("published", "proxy_for", "fitted", "difference"),
)


def section_runs(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    limits: Limits,
    seed: int,
    programs: Programs,
    at: At,
) -> Iterator[PlannedRun]:
    """Yield the runs of a section, puzzle by puzzle.

    `seed` is the seed of counts. `programs` has the settings of the suite's programs by name.
    Errors are raised in the context `at` with the key that has the problem.
    """
    improves = bool(section.improvers)
    solvers = section.improvers or section.backends
    with at("backends"):
        if not solvers:
            raise ConfigError("no backends given; expected at least one name, or improvers")
    with at("config"):
        for name in section.config:
            if name not in solvers:
                what = "improver" if improves else "backend"
                raise unknown_name(f"{what} in this run", name, solvers)
    for key in FOR_COUNTS if improves else FOR_IMPROVERS:
        with at(key):
            if key in section.model_fields_set:
                runs = "runs that count" if improves else "runs with improvers"
                raise ConfigError(f"{key} is for {runs}; expected none here")
    with at("limits"):
        if improves and limits.solutions is not None:
            raise ConfigError("an improvement has no limit on solutions")
    configs: Configs = []
    for name in solvers:
        with at("config" if name in section.config else "improvers" if improves else "backends"):
            if not improves and name in programs and name not in section.config:
                configs.append((COMMAND, programs[name]))
            else:
                named = improver_config if improves else named_config
                configs += [(name, config) for config in section.configs(name, named)]
    if improves:
        yield from _improvements(section, puzzles, configs, limits, at)
    else:
        yield from _counts(section, puzzles, configs, limits, seed, at)


def _counts(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    configs: Configs,
    limits: Limits,
    seed: int,
    at: At,
) -> Iterator[PlannedRun]:
    with at("reduce"):
        Request.named(section.symmetry, section.labelled, section.reduce)
    with at("triggers"):
        Request.named(section.symmetry, section.labelled, (), section.triggers)
    question = {name: getattr(section, name) for name in QUESTION}
    for puzzle, (name, config) in product(puzzles, configs):
        (job,) = make_jobs([puzzle], name, config=config, limits=limits, seed=seed, **question)
        yield PlannedRun(
            replace(job, trials=section.trials, cold_start=section.cold),
            tuple(section.tags),
            section.expected.get(puzzle.name),
            section.name,
            section.published or UNPUBLISHED,
            section.proxy_for,
            section.fitted,
            section.difference,
        )


def _improvements(
    section: RunSection, puzzles: Sequence[Puzzle], configs: Configs, limits: Limits, at: At
) -> Iterator[PlannedRun]:
    for puzzle in puzzles:
        with at("puzzles"):
            board = edge_puzzle(puzzle)
        best_known = section.best_known.get(puzzle.name)
        with at("best_known"):
            if best_known is not None and best_known > max_score(board):
                bound = f"the score of a solution of {puzzle.name} is {max_score(board)}"
                raise ConfigError(f"{best_known} is too large: {bound}")
        for (name, config), seed in product(configs, section.seeds):
            job = improving_job(board, name, config, limits, seed=seed, cold_start=section.cold)
            yield PlannedRun(job, tuple(section.tags), None, section.name, best_known=best_known)
