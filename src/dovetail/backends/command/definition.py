"""The settings that define a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dovetail.backends.base import Config, setting
from dovetail.backends.command.placeholders import check_command
from dovetail.backends.shared.model_setting import MODEL_MEANING
from dovetail.errors import ConfigError, shorten
from dovetail.models.boolean_model import ModelName
from dovetail.printable import is_printable

COMMAND = "command"
MAX_EXIT_STATUS = 255
FEATURES = ("bounds", "colours", "secondary")


@dataclass(frozen=True)
class CommandConfig(Config):
    """A program: how it is run and what it prints.

    Raises `ConfigError` for a word in braces that stands for no file, a regular expression without
    a group, and what else could not be read.
    """

    name: str = setting(COMMAND, "The name of the program in results and reports.")
    command: tuple[str, ...] = setting(
        (),
        "The program and its arguments. {dlx}, {cnf}, {opb}, {mzn}, {xml}, {def} and {json} stand "
        "for files with the puzzle, by the suffixes of `dovetail convert`; {python} is the "
        "interpreter of this installation.",
    )
    model: ModelName = setting(
        "cover", f"What {{cnf}}, {{opb}}, {{mzn}} and {{xml}} have. {MODEL_MEANING}"
    )
    solutions: Literal["none", "json", "printed"] = setting(
        "none",
        'How the program lists solutions: json has lines {"solution": [0, 5, 9]} of option '
        "numbers from 0; printed has those that solvers print for .cnf, .opb, .mzn and .xml; with "
        "none it only counts.",
    )
    count: str = setting(
        "",
        "Regular expression whose first group is the number of solutions. Default: a line "
        '{"count": 92}.',
    )
    figures: tuple[str, ...] = setting(
        (),
        "Other figures of the program, NAME=REGEX each. Other members of lines of JSON are figures "
        "as well.",
    )
    version: tuple[str, ...] = setting((), "The command that prints the program's version.")
    unsupported: tuple[str, ...] = setting((), "What the program cannot express.", choices=FEATURES)
    probable: bool = setting(
        default=False, meaning="The program counts correctly only with high probability."
    )
    exit_statuses: tuple[str, ...] = setting(("0",), "Exit statuses of a program that is done.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name.strip() or not is_printable(self.name) or "," in self.name:
            raise ConfigError(
                f"name is {shorten(self.name)!r}; expected a single line without commas"
            )
        check_command(self.command, self.model)
        if self.count:
            _check_pattern("count", self.count)
        for figure in self.figures:
            name, equals, pattern = figure.partition("=")
            if not name or not equals or not is_printable(name):
                raise ConfigError(f"figures has {shorten(figure)!r}; expected NAME=REGEX")
            _check_pattern(f"figures: {shorten(name)}", pattern)
        for status in self.exit_statuses:
            if not re.fullmatch(r"[0-9]{1,3}", status) or int(status) > MAX_EXIT_STATUS:
                raise ConfigError(
                    f"exit_statuses has {shorten(status)!r}; expected numbers from 0 to "
                    f"{MAX_EXIT_STATUS}"
                )

    @property
    def lists(self) -> bool:
        """Whether the program lists solutions."""
        return self.solutions != "none"


def _check_pattern(what: str, pattern: str) -> None:
    """Raise `ConfigError` for what is no regular expression with a group."""
    try:
        groups = re.compile(pattern).groups
    except (re.error, OverflowError, RecursionError) as error:
        raise ConfigError(f"{what} is {shorten(pattern)!r}: {error}") from None
    if groups == 0:
        raise ConfigError(f"{what} is {shorten(pattern)!r}; expected a group, as in '(\\d+) found'")
