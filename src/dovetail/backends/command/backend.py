"""The backend `command`, whose settings define a program, and programs that are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec

from dovetail.backends.base import Backend, Config, setting, trigger_refusal
from dovetail.backends.command.definition import COMMAND, CommandConfig
from dovetail.backends.command.permission import commands_refusal
from dovetail.backends.command.placeholders import has_model, puzzle_refusal, with_python
from dovetail.backends.command.program import find_program
from dovetail.backends.command.search import CommandSearch
from dovetail.backends.shared.model_setting import MODEL_MEANING, model_refusal
from dovetail.models.boolean_model import ModelName
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.symmetry_expansion import AsFound
from dovetail.models.task import Task


class Command(Backend[CommandConfig]):
    """Runs the program that its settings name, on what that program supports."""

    name = COMMAND
    summary = "any program: it reads a file with the puzzle and prints a count or solutions"
    control = "process"
    needs_permission = True
    config_type = CommandConfig

    def label(self, config: CommandConfig) -> str:
        return config.name

    def is_probable(self, config: CommandConfig) -> bool:
        return config.probable

    def refuses(self, task: Task, config: CommandConfig) -> str | None:
        return program_refusal(task, config)

    def prepare(self, task: Task, config: CommandConfig) -> CommandSearch:
        return CommandSearch(task, config)


@dataclass(frozen=True)
class ModelConfig(Config):
    """Setting of a known program that gets a boolean model."""

    model: ModelName = setting("cover", MODEL_MEANING)


class KnownProgram(Backend[Config]):
    """A program whose definition comes with dovetail; there is nothing to set but a model.

    With a `module`, it needs that package of Python in place of a program on PATH, which `extra`
    brings.
    """

    control = "process"
    needs_permission = True

    def __init__(
        self,
        summary: str,
        definition: CommandConfig,
        extra: str | None = None,
        module: str | None = None,
    ) -> None:
        self.name, self.summary, self.extra = definition.name, summary, extra
        self.definition, self._module = definition, module
        self.config_type = ModelConfig if has_model(definition.command) else Config

    def is_probable(self, config: Config) -> bool:
        return self.definition.probable

    def missing(self) -> str | None:
        if self._module is not None:
            return None if find_spec(self._module) else self._module
        program = self.definition.command[0]
        return None if find_program(program) else f"the program {program}"

    def refuses(self, task: Task, config: Config) -> str | None:
        return program_refusal(task, self._defined(config))

    def prepare(self, task: Task, config: Config) -> CommandSearch:
        return CommandSearch(task, self._defined(config))

    def _defined(self, config: Config) -> CommandConfig:
        """The definition with what is set."""
        if isinstance(config, ModelConfig):
            return replace(self.definition, model=config.model)
        return self.definition


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
        model_refusal(task, definition.model)
        or puzzle_refusal(definition.command, task, lists=definition.lists)
        or trigger_refusal(task)
    )


def _feature_refusal(cover: CoverProblem, unsupported: tuple[str, ...]) -> str | None:
    present = {
        "bounds": not cover.unit_bounds,
        "colours": bool((cover.colour != UNCOLOURED).any()),
        "secondary": cover.item_count > cover.primary_count,
    }
    words = {
        "bounds": "bounds: primary items must be covered exactly once",
        "colours": "colours of secondary items",
        "secondary": "secondary items",
    }
    feature = next((one for one in unsupported if present[one]), None)
    return None if feature is None else f"it does not support {words[feature]}"
