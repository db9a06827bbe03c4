"""The backend `command`, whose settings define a program, and backends for known programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.command.config import (
    BRANCHING_MEANING,
    Branching,
    CommandConfig,
    formulation_refusal,
    puzzle_refusal,
    with_python,
)
from dovetail.backends.command.search import CommandSearch, commands_refusal, find_program
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.formulations.model import BranchingKind
from dovetail.models.formulations.registry import AUTO, BOOLEANS, ON_MEANING, Supported
from dovetail.models.symmetry_expansion import AsFound
from dovetail.models.task import Task
from dovetail.puzzles.formats.solver_files.minizinc import MiniZinc

SUMMARY = "any program: it reads a file with the puzzle and prints a count or solutions"
MINIZINC, ONLY_BOOLEANS = MiniZinc.formulations, Supported(*BOOLEANS)
_PROGRAMS = str(Path(__file__).with_name("programs.py"))


@dataclass(frozen=True)
class BooleansConfig(Config):
    """Settings of a known program that reads constraints over booleans."""

    formulation: str = setting(AUTO, ONLY_BOOLEANS.meaning, choices=ONLY_BOOLEANS.names)


@dataclass(frozen=True)
class MiniZincConfig(Config):
    """Settings of Gecode by MiniZinc."""

    formulation: str = setting(AUTO, MINIZINC.meaning, choices=MINIZINC.names)
    branching: Branching = setting("default", BRANCHING_MEANING)
    on: BranchingKind = setting("auto", ON_MEANING)


class Command(Backend[Any]):
    """Backend that runs a program, on the puzzles that the program supports.

    `defined` are the settings of a known program. Of these, a user can choose only the fields of
    `config_type`. With `module`, this Python module has to be installed instead of a program on
    PATH.
    """

    control = "process"
    needs_permission = True

    def __init__(
        self,
        summary: str = SUMMARY,
        extra: str | None = None,
        module: str | None = None,
        config_type: type[Config] = CommandConfig,
        formulations: Supported | None = None,
        **defined: Any,
    ) -> None:
        self._definition, self._module = CommandConfig(**defined), module
        self.name, self.summary, self.extra = self._definition.name, summary, extra
        self.config_type, self.formulations = config_type, formulations

    def defined(self, config: Config) -> CommandConfig:
        """Return the definition of the program, with the settings of `config`."""
        if isinstance(config, CommandConfig):
            return config
        return replace(self._definition, **vars(config))

    def counted_nodes(self, config: Config) -> str | None:
        return self.defined(config).node_meaning or None

    def label(self, config: Config) -> str:
        return self.defined(config).name

    def is_probable(self, config: Config) -> bool:
        return self.defined(config).probable

    def missing(self) -> str | None:
        if self._module is not None:
            return None if find_spec(self._module) else self._module
        missing = (name for name in self._definition.command[:1] if find_program(name) is None)
        return next((f"the program {name}" for name in missing), None)

    def refuses(self, task: Task, config: Config) -> str | None:
        return program_refusal(task, self.defined(config))

    def counts_by_itself(self, task: Task, config: Config) -> bool:
        return not self.defined(config).lists

    def prepare(self, task: Task, config: Config) -> CommandSearch:
        return CommandSearch(task, self.defined(config))


def program_refusal(task: Task, definition: CommandConfig) -> str | None:
    """Return why a program cannot be given a task, or None."""
    if not definition.command:
        return "no program is given; expected -c command=PROGRAM,{dlx} or the like"
    first = with_python(definition.command)[0]
    if find_program(first) is None:
        return f"there is no program {first}"
    reason = commands_refusal() or _feature_refusal(task.cover, definition.unsupported)
    if reason is not None:
        return reason
    if not definition.lists:
        if task.request.listing:
            return "it only counts solutions"
        if not isinstance(task.symmetry_expansion(), AsFound):
            return (
                "it only counts solutions, all of them; expected symmetry all, without labels "
                "and without a piece that breaks symmetry"
            )
    return (
        formulation_refusal(definition.command, task, definition.formulation)
        or puzzle_refusal(definition.command, task, lists=definition.lists)
        or trigger_refusal(task)
    )


def _feature_refusal(cover: CoverProblem, unsupported: tuple[str, ...]) -> str | None:
    colours = bool((cover.colour != UNCOLOURED).any())
    features = {
        "bounds": (not cover.unit_bounds, "bounds: primary items must be covered exactly once"),
        "colours": (colours, "colours of secondary items"),
        "secondary": (cover.item_count > cover.primary_count, "secondary items"),
    }
    present = (words for is_present, words in map(features.__getitem__, unsupported) if is_present)
    return next((f"it does not support {words}" for words in present), None)


def _package_version(python: str, package: str) -> tuple[str, ...]:
    """Return the command that prints the version of a Python package."""
    code = f"from importlib.metadata import version; print('{package}', version('{package}'))"
    return (python, "-c", code)


# Programs that others maintain. Programs that list solutions come first.
minizinc = partial(
    Command,
    "the constraint solver Gecode by MiniZinc, several formulations",
    config_type=MiniZincConfig,
    formulations=MINIZINC,
    name="minizinc",
    command=("minizinc", "--solver", "gecode", "--all-solutions", "--statistics", "{mzn}"),
    solutions="printed",
    figures=tuple(
        f"{name}=mzn-stat: {name}=([0-9]+)" for name in ("nodes", "failures", "propagations")
    ),
    version=("minizinc", "--version"),
)
nucs = partial(
    Command,
    "the constraint solver NUCS, in a separate Python environment",
    config_type=BooleansConfig,
    formulations=ONLY_BOOLEANS,
    name="nucs",
    command=("nucs-python", _PROGRAMS, "nucs", "{opb}"),
    solutions="json",
    version=_package_version("nucs-python", "nucs"),
)
miniexact = partial(
    Command,
    "miniexact: dancing links with colours, in C",
    config_type=Config,
    extra="miniexact",
    name="miniexact",
    command=("miniexact", "-c", "-e", "{dlx}"),
    count="Found ([0-9]+) solutions",
    version=_package_version("{python}", "miniexact"),
    unsupported=("bounds",),
    exit_statuses=("0", "10", "20"),
)
d4 = partial(
    Command,
    "the model counter d4, on clauses",
    config_type=BooleansConfig,
    formulations=ONLY_BOOLEANS,
    extra="d4",
    module="py_d4",
    name="d4",
    command=("{python}", _PROGRAMS, "d4", "{cnf}"),
    version=_package_version("{python}", "d4solver"),
)
ganak = partial(
    Command,
    "the model counter Ganak, on clauses; its counts are probable",
    config_type=BooleansConfig,
    formulations=ONLY_BOOLEANS,
    extra="ganak",
    module="pyganak",
    name="ganak",
    command=("{python}", _PROGRAMS, "ganak", "{cnf}"),
    version=_package_version("{python}", "pyganak"),
    probable=True,
)
