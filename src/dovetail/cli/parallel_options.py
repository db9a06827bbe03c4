"""The options that spread a run over cores and machines, for the commands that take them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from dovetail.errors import ConfigError
from dovetail.harness.workers.options import MAX_JOBS, ParallelOptions, SubProblemOrder

Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        min=0,
        max=MAX_JOBS,
        help="Number of worker processes for each search; 0: one per core.",
    ),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Keep what is done in FILE; the same command continues from there.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Search on the dask cluster with this scheduler, such as tcp://host:8786; local:N "
        "starts one with N workers.",
    ),
]
Order = Annotated[
    SubProblemOrder,
    typer.Option(
        "--subproblem-order",
        help="Which sub-problems to search first: serial, in the order of one search; promising, "
        "those with the most solutions per node in random probes.",
    ),
]
Audit = Annotated[
    float,
    typer.Option(
        "--audit",
        metavar="SHARE",
        min=0,
        max=1,
        help="Share of the sub-problems to search twice, comparing the results.",
    ),
]
_DEFAULTS = ParallelOptions()
# By the names of the fields of `ParallelOptions`, in the order of the help.
_OPTIONS = {
    "jobs": Jobs,
    "checkpoint": Checkpoint,
    "cluster": Cluster,
    "order": Order,
    "audit": Audit,
}
_NAMES = {"order": "subproblem_order"}
# The names of a command's parameters.
PARALLEL_OPTIONS = tuple(_NAMES.get(name, name) for name in _OPTIONS)


def with_parallel_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options, before its last ones; it is called with them as `spread`."""
    written = inspect.signature(command, eval_str=True)
    options = [
        Parameter(
            _NAMES.get(name, name),
            Parameter.KEYWORD_ONLY,
            default=getattr(_DEFAULTS, name),
            annotation=option,
        )
        for name, option in _OPTIONS.items()
    ]
    own = [one for one in written.parameters.values() if one.name != "spread"]
    place = next((at for at, one in enumerate(own) if one.name == "as_json"), len(own))

    @wraps(command)
    def run(**given: Any) -> None:
        values = {name: given.pop(_NAMES.get(name, name)) for name in _OPTIONS}
        _refuse_one_file_for_both(values["checkpoint"], given.get("output"))
        command(**given, spread=ParallelOptions(**values))

    run.__signature__ = written.replace(  # type: ignore[attr-defined]
        parameters=[*own[:place], *options, *own[place:]]
    )
    return run


def _refuse_one_file_for_both(checkpoint: Path | None, output: Path | None) -> None:
    """Raise `ConfigError` if the checkpoint would overwrite the output, or the other way round."""
    if checkpoint is not None and output is not None and checkpoint.resolve() == output.resolve():
        raise ConfigError(f"--checkpoint and -o are both {checkpoint}; expected different files")
