"""Limits on processes that the kernel of Linux keeps; other systems keep none of them.

RLIMIT_DATA counts private memory that was asked for, touched or not. RLIMIT_AS would count address
space, of which solvers reserve far more than they ever use.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from dovetail.errors import ConfigError
from dovetail.platform.system import IS_LINUX, refusal

if sys.platform == "linux":
    import resource

    _ALL = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]

Limit = tuple[int, int]  # soft and hard


def check_memory_limit(name: str) -> None:
    """Raise `ConfigError` where no limit on memory can be kept; `name` is what sets one."""
    if not IS_LINUX:
        raise ConfigError(refusal(name, "limit time or nodes instead"))


def all_limits() -> list[Limit]:
    """The limits of this process that a child of it would have."""
    if sys.platform == "linux":
        return [resource.getrlimit(limit) for limit in _ALL]
    return []


def data_limit() -> Limit | None:
    """The limit on the private memory of this process, None where there is none such."""
    if sys.platform == "linux":
        return resource.getrlimit(resource.RLIMIT_DATA)
    return None


def restore_data_limit(limit: Limit | None) -> None:
    """Set the limit on private memory to what `data_limit` returned."""
    if sys.platform == "linux" and limit is not None:
        resource.setrlimit(resource.RLIMIT_DATA, limit)


def lower_data_limit(bound: int, *, lift_soft: bool) -> None:
    """Let allocations that exceed `bound` bytes of private memory fail in this process.

    A hard limit stays, and so does a lower soft one unless it may be lifted.
    """
    if sys.platform == "linux":
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        for other in (hard,) if lift_soft else (soft, hard):
            bound = bound if other == resource.RLIM_INFINITY else min(bound, other)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))


def lift_data_limit(process: int) -> None:
    """Let another process of this user ask for memory up to the hard limit."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.prlimit(process, resource.RLIMIT_DATA, (hard, hard))


def limits_processor_time() -> bool:
    """Whether the system adds up the processor time of this process for a limit."""
    if sys.platform == "linux":
        return resource.getrlimit(resource.RLIMIT_CPU)[0] != resource.RLIM_INFINITY
    return False
