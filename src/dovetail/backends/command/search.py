"""One run of a program as a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from dovetail.backends.base import Budget
from dovetail.backends.command.answers import Answers
from dovetail.backends.command.definition import CommandConfig
from dovetail.backends.command.identity import identity
from dovetail.backends.command.placeholders import write_files
from dovetail.backends.command.program import Program, ProgramError
from dovetail.backends.threaded import Deadline, ThreadedSearch
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task


class CommandSearch(ThreadedSearch):
    """Files for a program, then its run.

    What it prints says how many solutions there are, and which where it lists them.
    """

    def __init__(self, task: Task, definition: CommandConfig) -> None:
        super().__init__()
        self._definition = definition
        self._folder = TemporaryDirectory(prefix="dovetail-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._command = write_files(definition.command, task, definition.model, folder)
        patterns = dict(one.split("=", 1) for one in definition.figures)
        self._answers = Answers(
            task.options.option_count,
            re.compile(definition.count) if definition.count else None,
            {name: re.compile(pattern) for name, pattern in patterns.items()},
            printed=definition.solutions == "printed",
            reads_json=definition.solutions == "json" or not (definition.lists or definition.count),
        )
        self._identity = identity(definition)
        self._program: Program | None = None
        self._over = False
        self._failure: str | None = None

    @property
    def counters(self) -> Counters:
        return Counters(native=dict(self._answers.figures))

    @property
    def program(self) -> Mapping[str, str]:
        return self._identity

    @property
    def counts_only(self) -> bool:
        return not self._definition.lists

    @property
    def total(self) -> int | None:
        return self._answers.count if self._over and self.counts_only else None

    @property
    def count(self) -> int:
        stated = self._answers.count if self._over else None
        return self.found.count if stated is None else stated

    @property
    def reason(self) -> str | None:
        if self._failure is not None:
            return self._failure
        if self._definition.probable and self._over:
            return "probable: the program may count wrong with a small probability"
        return None

    @property
    def processes_cpu_s(self) -> float:
        return 0.0 if self._program is None else self._program.cpu_s

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions == 0 and not self.counts_only:
            return Status.SOLUTION_LIMIT
        try:
            return self._run(self.deadline(budget), budget.solutions)
        except ProgramError as error:
            self._failure = str(error)
            return Status.FAILED
        finally:
            self._folder.cleanup()

    def _run(self, deadline: Deadline, wanted: int | None) -> Status:
        """Run the program to its end, or until enough is found."""
        self._program = program = Program(self._command)
        try:
            return self._read(program, deadline, wanted)
        finally:
            program.end()

    def _read(self, program: Program, deadline: Deadline, wanted: int | None) -> Status:
        """Read all that the program prints, until it ends or enough is found."""
        for line in program.lines(lambda: deadline.is_over):
            if self._found_enough(self._answers.add(line), wanted):
                return Status.SOLUTION_LIMIT
        if program.timed_out:
            return Status.TIME_LIMIT
        program.check_end([int(status) for status in self._definition.exit_statuses])
        if self._found_enough(self._answers.finish(), wanted):
            return Status.SOLUTION_LIMIT
        if not self._answers.is_complete:
            raise ProgramError(f"{self._definition.command[0]} {self._lacking()}")
        self._over = True
        return Status.EXHAUSTED

    def _lacking(self) -> str:
        """What a program that ended has not printed."""
        if self._definition.solutions == "printed":
            return "printed neither a count nor that it found all (==========, s UNSATISFIABLE)"
        return "printed no count"

    def _found_enough(self, solutions: Iterable[list[int]], wanted: int | None) -> bool:
        """Add solutions; whether there are as many as are wanted."""
        if self.counts_only:
            return False
        for options in solutions:
            self.found.add(options, is_last=self.found.count + 1 == wanted)
            if self.found.count == wanted:
                return True
        return False
