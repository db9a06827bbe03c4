"""Solvers and improvers for a puzzle: what they are, their settings, and who refuses it."""

from __future__ import annotations

from contextlib import suppress

from dovetail.backends.base import AnyBackend
from dovetail.backends.config import Setting, settings_of
from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.explanation.puzzle import backend_supports
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import backend_description, named_backend
from dovetail.improvers.registry import improvers
from dovetail.improvers.shared.board_arrays import board_arrays
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Trace
from dovetail.models.task import LoweredPuzzle, Task
from dovetail.ui.requests import Fields


def solver_rows(lowered: LoweredPuzzle) -> list[Fields]:
    """A row for each solver, `auto` first: whether it takes the puzzle, lists, and shows steps."""
    listing, traced = lowered.task(Request(listing=True)), _traced(lowered)
    rows = [_solver_row(AUTO, None, None, lists=True, steps=False)]
    for one in backend_supports(lowered.task(Request())):
        backend = named_backend(one.backend)
        assert backend is not None
        can = one.missing is None and one.refusal is None
        rows.append(
            _solver_row(
                one.backend,
                one.refusal,
                one.missing,
                lists=can and _takes(backend, listing),
                steps=can and traced is not None and _takes(backend, traced),
            )
        )
    return rows


def improver_rows(board: EdgePuzzle) -> list[Fields]:
    """A row for each improver; boards that contradict themselves are refused by all."""
    rows = []
    for name, improver in improvers().items():
        try:
            refusal = improver.refuses(board_arrays(board), improver.config_type())
        except PuzzleError as error:
            refusal = str(error)
        rows.append(
            {
                "name": name,
                "idea": improver.summary,
                "refusal": refusal,
                "missing": None,
                "lists": False,
                "steps": False,
                "settings": [_setting(one) for one in settings_of(improver.config_type)],
            }
        )
    return rows


def _traced(lowered: LoweredPuzzle) -> Task | None:
    """The task of a search that is recorded, None for a puzzle of which none can be."""
    if not isinstance(lowered.puzzle, PackingPuzzle):
        return None
    with suppress(ConfigError):
        return lowered.task(Request(trace=Trace()))
    return None


def _takes(backend: AnyBackend, task: Task) -> bool:
    return backend.refuses(task, backend.config_type()) is None


def _solver_row(
    name: str, refusal: str | None, missing: str | None, *, lists: bool, steps: bool
) -> Fields:
    described = backend_description(name)
    return {
        "name": name,
        "idea": described.summary,
        "refusal": refusal,
        "missing": missing,
        "lists": lists,
        "steps": steps,
        "settings": [_setting(one) for one in described.settings],
    }


def _setting(one: Setting) -> Fields:
    return {
        "name": one.key,
        "values": one.values,
        "default": one.default,
        "help": one.meaning,
    }
