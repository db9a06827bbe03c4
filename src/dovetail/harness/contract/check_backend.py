"""Checks an installed backend in a child process, which is replaced when it dies or hangs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import BackendError, ConfigError, DovetailError, reason_of
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.child import Asked
from dovetail.harness.contract.verdict import Judgement, Ready, Verdict
from dovetail.harness.execution.child_process import ChildProcess
from dovetail.harness.execution.isolation import SLOWEST_START_S

PROGRAM = "dovetail.harness.contract.child"
# A check takes a second at most, unless it has to compile what only its puzzle needs.
PATIENCE_S = 60.0
MAX_LOST = 3


def check_backend(
    name: str,
    checks: Iterable[str] = tuple(CHECKS),
    patience_s: float = PATIENCE_S,
    settings: Mapping[str, object] = MappingProxyType({}),
) -> Iterator[Verdict]:
    """Yield the verdict of each check on a backend with these settings, in their order.

    A check that does not end within `patience_s` seconds is killed and has failed, as has one that
    ends its process; the next one begins in another process, until `MAX_LOST` have been lost.
    Raises `ConfigError` for an unknown backend, one that is not installed, settings that it does
    not have, and settings with which it cannot count.
    """
    backend = backend_named(name)
    missing = not_installed(backend)
    if missing is not None:
        ready = sorted(one.name for one in backends().values() if one.missing() is None)
        raise ConfigError(f"{missing}; installed: {', '.join(ready)}")
    if settings:  # without them, what the config is made of is itself checked
        config = build_config(backend.config_type, settings, f"backend {name}")
        stops = backend.stops_at_first(config)
        if stops is not None:
            raise ConfigError(f"the checks of {name} count all solutions: {stops}")
    return _verdicts(name, dict(settings), list(checks), patience_s)


def _verdicts(
    name: str, settings: dict[str, object], left: list[str], patience_s: float
) -> Iterator[Verdict]:
    """Check in one process after another."""
    for _ in range(MAX_LOST):
        for verdict in _of_one_process((name, settings, tuple(left)), patience_s):
            yield verdict
            left = left[1:]
        if not left:
            return
    for check in left:
        reason = f"{MAX_LOST} processes crashed or were killed before this check"
        yield CHECKS[check].judged(name, Judgement.NOT_RUN, reason)


def _of_one_process(asked: Asked, patience_s: float) -> Iterator[Verdict]:
    """Yield the verdicts of one process, and of the check in which it was lost, if it was."""
    name, _, checks = asked
    try:
        child = ChildProcess[Ready | Verdict](asked, PROGRAM)
    except OSError as error:
        raise BackendError(f"no process could be started ({reason_of(error)})") from None
    try:
        left, limit_s = iter(checks), SLOWEST_START_S
        check = next(left, None)
        begun = time.monotonic()
        while check is not None:
            match child.next_message(limit_s):
                case Ready():
                    limit_s, begun = patience_s, time.monotonic()
                    continue
                case Verdict() as verdict:
                    yield verdict
                    check, begun = next(left, None), time.monotonic()
                    continue
                case None:
                    reason = f"it did not return within {limit_s:g} s and was killed"
                case EOFError():
                    reason = child.death()
                case MemoryError() | DovetailError() as fault:
                    reason = f"{type(fault).__name__}: {fault}"
            seconds = time.monotonic() - begun
            yield CHECKS[check].judged(name, Judgement.FAILED, reason, seconds)
            return
    finally:
        child.end()
