"""Options of runs with several workers or with a checkpoint."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from dovetail.errors import ConfigError, show, unknown_name
from dovetail.platform.resources import usable_cores

if TYPE_CHECKING:
    from dovetail.harness.workers.clusters.slurm import SolverResources

MAX_JOBS = 1024
AUDITED = 0.01
# Order in which parts are searched: the order of a serial search, or the most promising part first.
SubProblemOrder = Literal["serial", "promising"]


@dataclass(frozen=True)
class ParallelOptions:
    """Distribution of a run over cores and machines; raises `ConfigError` for invalid values."""

    # Number of worker processes; 0 for a process per core.
    jobs: int = 1
    # Address of a dask scheduler, `local:N`, `slurm` or `slurm:FILE`; None to use no cluster.
    cluster: str | None = None
    # File with the results, from which the same command continues; None to keep no results.
    checkpoint: Path | str | None = None
    subproblem_order: SubProblemOrder = "serial"
    # Share of the sub-problems that are searched a second time.
    audit: float = AUDITED
    # Seconds after which a stuck local worker is replaced; doubled for the workers of a cluster.
    worker_timeout_s: float = 30.0
    # SLURM resources by the digest of a job; they replace the resources in the file.
    resources: Mapping[str, SolverResources] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.jobs) is not int or not 0 <= self.jobs <= MAX_JOBS:
            raise ConfigError(f"jobs is {show(self.jobs)}; expected 0 (all cores) to {MAX_JOBS}")
        if not isinstance(self.cluster, str | None) or self.cluster == "":
            valid = "an address, local:N, slurm or slurm:FILE"
            raise ConfigError(f"cluster is {show(self.cluster)}; expected {valid}")
        if not isinstance(self.checkpoint, str | os.PathLike | None):
            raise ConfigError(f"checkpoint is {show(self.checkpoint)}; expected a path")
        if self.subproblem_order not in get_args(SubProblemOrder):
            orders = get_args(SubProblemOrder)
            raise unknown_name("subproblem_order", self.subproblem_order, orders)
        if self.cluster is not None and self.jobs != 1:
            raise ConfigError("jobs and cluster exclude each other; a cluster has its own workers")
        is_number = isinstance(self.audit, int | float) and not isinstance(self.audit, bool)
        if not (is_number and 0 <= self.audit <= 1):
            raise ConfigError(f"audit is {show(self.audit)}; expected a share from 0 to 1")
        timeout_s = self.worker_timeout_s
        if not (isinstance(timeout_s, int | float) and timeout_s > 0):
            raise ConfigError(f"worker_timeout_s is {show(timeout_s)}; expected a number above 0")

    @property
    def is_serial(self) -> bool:
        """Whether a single process searches, without a checkpoint."""
        return self.jobs == 1 and self.cluster is None and self.checkpoint is None

    @property
    def workers(self) -> int:
        """Number of worker processes on this machine, for a run without a cluster."""
        return self.jobs or usable_cores()
