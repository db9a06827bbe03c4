"""What solvers are called: a backend with the settings that it was given.

Seeds are left out of a name: runs of one solver with several seeds are several runs of it. Runs
that began without compiled kernels are those of another solver.
"""

from __future__ import annotations

from dovetail.backends.command.definition import COMMAND
from dovetail.errors import how_many
from dovetail.harness.records.record import RunRecord

SEED = "seed"


def solver_name(record: RunRecord) -> str:
    """The backend of a record with its settings, in full."""
    start = " (cold start)" if record.cold_start else ""
    return f"{record.backend}{show_settings(record, seeds=False)}{start}"


def show_settings(record: RunRecord, *, seeds: bool = True) -> str:
    """The backend's own settings, reductions, triggers, as one reads them behind its name.

    Those that define a program are left out: the name stands for them.
    """
    settings = record.config if seeds else own_settings(record)
    if COMMAND in settings:
        settings = {}
    own = [f"{key}={_shown(value)}" for key, value in settings.items()]
    reductions = [f"−{reduction}" for reduction in record.reductions]
    triggers = [f"!{trigger}" for trigger in record.triggers]
    asked = [] if record.trials is None else [how_many(record.trials.count, "trial")]
    return "".join(f" {word}" for word in [*own, *reductions, *triggers, *asked])


def own_settings(record: RunRecord) -> dict[str, object]:
    """The settings that make a solver another one: all but the seed."""
    return {key: value for key, value in record.config.items() if key != SEED}


def _shown(value: object) -> str:
    """A setting as one would write it behind -c."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
