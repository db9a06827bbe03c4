"""What a child that runs several jobs sends beside the events of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """The child can run another job."""


@dataclass(frozen=True)
class Accepted:
    """The child runs the job that it was sent: what comes next is of that."""
