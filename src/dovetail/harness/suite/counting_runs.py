"""The runs of a suite's section that asks how many solutions there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from dovetail.backends.command.definition import COMMAND
from dovetail.errors import ConfigError, DovetailError, FormatError
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.suite.choices import configs_of
from dovetail.harness.suite.plan import UNPUBLISHED, PlannedRun
from dovetail.harness.suite.sections import RunSection
from dovetail.models.request import Reduction, Request, Trigger
from dovetail.models.task import Puzzle

Programs = dict[str, Mapping[str, object]]
At = Callable[[str, DovetailError], FormatError]

# Keys of improvements.
FOR_IMPROVERS = ("seeds", "best_known")


def counting_runs(
    section: RunSection,
    puzzles: Sequence[Puzzle],
    limits: Limits,
    seed: int,
    programs: Programs,
    at: At,
) -> Iterator[PlannedRun]:
    """The runs of one section, puzzle by puzzle.

    `programs` has the settings of the suite's own; `at` is an error at a key of the section.
    """
    for key in FOR_IMPROVERS:
        if key in section.model_fields_set:
            raise at(key, ConfigError(f"{key} is for runs with improvers; expected none here"))
    configs = list(_configs(section, programs, at))
    request = _request(section, at)
    for puzzle in puzzles:
        for name, values in configs:
            job = Job(
                puzzle,
                request,
                name,
                values,
                limits,
                seed,
                trials=section.trials,
                cold_start=section.cold,
            )
            yield PlannedRun(
                job,
                tuple(section.tags),
                section.expected.get(puzzle.name),
                section.name,
                section.published or UNPUBLISHED,
                section.proxy_for,
                section.fitted,
                section.difference,
            )


def _configs(
    section: RunSection, programs: Programs, at: At
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The backends of a section, each with every one of its configs."""
    for name in section.backends:
        try:
            if name in programs and name not in section.config:
                yield COMMAND, programs[name]
            else:
                for values in configs_of(name, section, named_config):
                    yield name, values
        except ConfigError as error:
            raise at("config" if name in section.config else "backends", error) from None


def _request(section: RunSection, at: At) -> Request:
    """What one section asks of its puzzles."""
    try:
        reductions = tuple(map(Reduction.parse, section.reduce))
        request = Request(section.symmetry, section.labelled, reductions=reductions)
    except ConfigError as error:
        raise at("reduce", error) from None
    try:
        return replace(request, triggers=tuple(map(Trigger.parse, section.triggers)))
    except ConfigError as error:
        raise at("triggers", error) from None
