"""Run the checks of a backend in a child process, which is replaced if it crashes or hangs.

The child process also runs this module: `python -m dovetail.harness.contract.check_backend`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import IO

from dovetail.backends.config import build_config
from dovetail.backends.registry import Solver, backend_named, backends, not_installed, solver_of
from dovetail.errors import BackendError, ConfigError, reason_of
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import CheckVerdict, Judgement, Subject
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.workers.process import ChildProcess, send, serve
from dovetail.harness.workers.watched_run import SLOWEST_START_S

PROGRAM = "dovetail.harness.contract.check_backend"
# Time limit of a check in seconds. A check takes at most a second unless it compiles kernels.
PATIENCE_S = 60.0
# Number of crashed or killed processes after which no further check is run.
MAX_LOST = 3
# Message that the child process sends after it has imported the backend and compiled its kernels.
READY = "ready"

# Name of a backend, its settings, and the names of the checks to run.
Asked = tuple[str, Mapping[str, object], tuple[str, ...]]


def check_backend(
    solver: Solver,
    checks: Iterable[str] = tuple(CHECKS),
    patience_s: float = PATIENCE_S,
    settings: Mapping[str, object] = MappingProxyType({}),
) -> Iterator[CheckVerdict]:
    """Yield the verdict of each check on a backend with these settings, in the order of `checks`.

    `solver` is a name, `FILE.py`, `FILE.py:CLASS`, a class or an object.

    A check fails if it ends its process, or if it is killed because it does not end within
    `patience_s` seconds. The next check then begins in a new process. After `MAX_LOST` lost
    processes, the remaining checks get the judgement `NOT_RUN`. Raises `ConfigError` for a backend
    that is unknown or not installed, for invalid settings, and for settings with which the backend
    cannot count. Raises `BackendError` if no process can be started.
    """
    name, preset = solver_of(solver)
    settings = {**preset, **settings}
    backend = backend_named(name)
    missing = not_installed(backend)
    if missing is not None:
        ready = sorted(other.name for other in backends().values() if other.missing() is None)
        raise ConfigError(f"{missing}; installed: {', '.join(ready)}")
    if settings:  # the check `config` tests the config type itself
        config = build_config(backend.config_type, settings, f"backend {name}")
        stops = backend.stops_at_first(config)
        if stops is not None:
            raise ConfigError(f"{name}: {stops}; expected settings that count all solutions")
    return _verdicts(name, dict(settings), list(checks), patience_s)


def _verdicts(
    name: str, settings: dict[str, object], waiting: list[str], patience_s: float
) -> Iterator[CheckVerdict]:
    for _ in range(MAX_LOST):
        for verdict in _of_one_process((name, settings, tuple(waiting)), patience_s):
            yield verdict
            waiting = waiting[1:]
        if not waiting:
            return
    for check in waiting:
        reason = f"{MAX_LOST} processes crashed or were killed before this check"
        yield CHECKS[check].judged(name, Judgement.NOT_RUN, reason)


def _of_one_process(asked: Asked, patience_s: float) -> Iterator[CheckVerdict]:
    """Yield the verdicts of a child process; if it crashes or is killed, the last is `failed`.

    Raises `BackendError` if no process can be started.
    """
    name, _, checks = asked
    try:
        child = ChildProcess[str | CheckVerdict](asked, PROGRAM)
    except OSError as error:
        raise BackendError(f"no process could be started ({reason_of(error)})") from None
    try:
        limit_s, begun = SLOWEST_START_S, time.monotonic()
        for check in checks:
            while isinstance(message := child.next_message(limit_s), str):
                limit_s, begun = patience_s, time.monotonic()
            if not isinstance(message, CheckVerdict):
                reason = f"{type(message).__name__}: {message}"
                if message is None:
                    reason = f"it did not return within {limit_s:g} s and was killed"
                elif isinstance(message, EOFError):
                    reason = child.death()
                seconds = time.monotonic() - begun
                yield CHECKS[check].judged(name, Judgement.FAILED, reason, seconds)
                return
            yield message
            begun = time.monotonic()
    finally:
        child.end()


def _check(asked: Asked, results: IO[bytes]) -> None:
    """Compile the kernels and send `READY`, then run the checks and send each verdict."""
    name, settings, checks = asked
    MemoryLimit(None).hold_in_this_process()
    subject = Subject(name, settings)
    subject.backend.warm_up()
    send(results, READY)
    for check in checks:
        send(results, CHECKS[check].verdict(subject))


if __name__ == "__main__":
    serve(_check)
