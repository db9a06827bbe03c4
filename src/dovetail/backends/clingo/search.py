"""One search by clingo, for all answer sets or as many as the budget has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.backends.base import Budget
from dovetail.backends.clingo.program import add_program, options
from dovetail.backends.threaded import Deadline, ThreadedSearch
from dovetail.models.boolean_model import BooleanModel
from dovetail.models.outcome import Counters, Status

if TYPE_CHECKING:
    from clingo import SolveHandle


class ClingoSearch(ThreadedSearch):
    """The ground program, and the answer sets that its one solve finds.

    Clingo searches in its own thread while this one waits, so that a limit on time is met
    between two solutions, too. Its counters are known at the end.
    """

    uses_threads = True

    def __init__(self, model: BooleanModel, configuration: str, seed: int) -> None:
        from clingo import Control

        super().__init__()
        self._control = Control(
            ["--models=0", f"--configuration={configuration}", f"--seed={seed}"]
        )
        add_program(self._control, model)
        self._native: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions == 0:
            return Status.SOLUTION_LIMIT
        deadline = self.deadline(budget)
        with self._control.solve(yield_=True, async_=True) as handle:
            status = self._enumerate(handle, budget, deadline)
        figures = self._control.statistics["solving"]["solvers"]
        self._native = {name: int(figures[name]) for name in ("choices", "conflicts")}
        return status

    def _enumerate(self, handle: SolveHandle, budget: Budget, deadline: Deadline) -> Status:
        """Take answer sets from the handle until there are no more, or a limit is met."""
        while True:
            handle.resume()
            if not handle.wait(deadline.left_s):
                handle.cancel()
                return Status.TIME_LIMIT
            answer = handle.model()
            if answer is None:
                return Status.EXHAUSTED
            is_last = self.count + 1 == budget.solutions
            self.found.add(options(answer), is_last=is_last)
            if is_last:
                handle.cancel()
                return Status.SOLUTION_LIMIT
