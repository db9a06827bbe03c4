"""The tables of a suite file as they are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

from dovetail.files.toml_file import Name, NameNotEmpty, Strict
from dovetail.harness.exhibits.sections import ExhibitSection
from dovetail.harness.records.record import Published
from dovetail.harness.run.job import Limits, Trials
from dovetail.harness.sizes import parse_size
from dovetail.models.request import Symmetry
from dovetail.plain_data import AtLeastOne, Count, PositiveSeconds, Whole
from dovetail.platform.limits import check_memory_limit

Value = bool | int | float | str
Settings = dict[str, Value | list[Value | list[str]]]

NO_LIMITS = Limits()

_SETTINGS = TypeAdapter(Settings)


def _one_or_several(value: object, several: ValidatorFunctionWrapHandler) -> list[Settings]:
    """A table as a list of one; its errors name no place in a list that nobody wrote."""
    if isinstance(value, list):
        tables: list[Settings] = several(value)
        return tables
    return [_SETTINGS.validate_python(value)]


Tables = Annotated[list[Settings], Field(min_length=1), WrapValidator(_one_or_several)]


class LimitsSection(Strict):
    """Limits of every run, or those of some runs that differ; see `Limits`."""

    time_s: PositiveSeconds | None = None
    nodes: AtLeastOne | None = None
    solutions: AtLeastOne | None = None
    memory: str | None = None

    def limits(self, default: Limits = NO_LIMITS) -> Limits:
        """Return these limits, and those of `default` that are not given here.

        Raises `ConfigError` for a size that is none, or a limit that this system cannot keep.
        """
        if self.memory is not None:
            check_memory_limit("memory")
        return Limits(
            default.time_s if self.time_s is None else self.time_s,
            default.nodes if self.nodes is None else self.nodes,
            default.solutions if self.solutions is None else self.solutions,
            default.memory_bytes if self.memory is None else parse_size(self.memory),
        )


class RunSection(Strict):
    """Puzzles, backends and configs to multiply out; a single run may have a name.

    In place of backends there are `improvers` of boards, each run with every one of the `seeds`.
    """

    name: NameNotEmpty | None = None
    puzzles: Annotated[list[str], Field(min_length=1)]
    backends: list[str] = Field(default_factory=list)
    improvers: list[str] = Field(default_factory=list)
    seeds: Annotated[list[Whole], Field(min_length=1)] = Field(default_factory=lambda: [1])
    best_known: dict[str, Count] = Field(default_factory=dict)
    tags: list[Name] = Field(default_factory=list)
    symmetry: Symmetry = Symmetry.ALL
    labelled: bool = False
    reduce: list[str] = Field(default_factory=list)
    triggers: list[str] = Field(default_factory=list)
    trials: Trials | None = None
    cold: bool = False
    limits: LimitsSection = LimitsSection()
    expected: dict[str, Count] = Field(default_factory=dict)
    config: dict[str, Tables] = Field(default_factory=dict)
    published: Published | None = None
    proxy_for: NameNotEmpty | None = None
    fitted: str = ""
    difference: str = ""


class ProgramSection(Strict):
    """A program that runs of this suite name as a backend; see `CommandConfig`."""

    name: Name
    command: Annotated[list[str], Field(min_length=1)]
    model: str = "cover"
    solutions: str = "none"
    count: str = ""
    figures: dict[Annotated[str, Field(pattern="^[^=]+$")], str] = Field(default_factory=dict)
    version: list[str] = Field(default_factory=list)
    unsupported: list[str] = Field(default_factory=list)
    probable: bool = False
    exit_statuses: list[int] = Field(default_factory=lambda: [0])

    def settings(self, folder: Path) -> dict[str, object]:
        """Return the settings of the backend `command`; paths are relative to `folder`."""
        given = {key: getattr(self, key) for key in self.model_fields_set}
        given["command"] = [_from(folder, self.command[0]), *self.command[1:]]
        if "figures" in given:
            given["figures"] = [f"{name}={pattern}" for name, pattern in self.figures.items()]
        if "exit_statuses" in given:
            given["exit_statuses"] = [str(status) for status in self.exit_statuses]
        return given


def _from(folder: Path, program: str) -> str:
    """Return a program as it is called from the current folder; a bare name is looked for."""
    path = Path(program)
    if "/" not in program or path.is_absolute() or program.startswith("{"):
        return program
    called = os.path.relpath(folder / path)
    return called if "/" in called else f"./{called}"


class Suite(Strict):
    """A whole suite file.

    `files` says where its puzzle files come from, of a suite that does without those not at hand.
    """

    name: Name
    about: str = ""
    files: str = ""
    repeats: AtLeastOne = 1
    seed: Whole = 0
    limits: LimitsSection = LimitsSection()
    backend: list[ProgramSection] = Field(default_factory=list)
    run: Annotated[list[RunSection], Field(min_length=1)]
    exhibit: list[ExhibitSection] = Field(default_factory=list)
