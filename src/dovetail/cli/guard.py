"""What every command does with trouble: one line on standard error and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import typer

from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from dovetail.errors import DovetailError

Command = TypeVar("Command", bound=Callable[..., None])


def guarded(command: Command) -> Command:
    """`command`, its mistakes, interruptions and unwritable output turned into exit statuses."""

    @wraps(command)
    def run(*args: object, **kwargs: object) -> None:
        try:
            try:
                command(*args, **kwargs)
            finally:
                sys.stdout.flush()  # here, where a full disk or a closed pipe can be told
        except DovetailError as error:
            complain(str(error))
            raise typer.Exit(EXIT_BAD_INPUT) from None
        except KeyboardInterrupt:
            complain("interrupted before a search had anything to tell")
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except BrokenPipeError:  # whoever read the output has left
            _discard_output()
            raise typer.Exit(0) from None
        except OSError as error:
            complain(f"the output cannot be written ({error.strerror})")
            _discard_output()
            raise typer.Exit(EXIT_BAD_INPUT) from None

    return run  # type: ignore[return-value]


def complain(message: str) -> None:
    """Say `message` in one line on standard error."""
    one_line = message.replace("\r", "\\r").replace("\n", "\\n")
    sys.stderr.write(f"dovetail: {one_line}\n")


def _discard_output() -> None:
    """Python flushes standard output at exit, and would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
