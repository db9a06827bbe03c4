"""The child process that checks one backend: `python -m dovetail.harness.contract.child`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO

from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import Subject
from dovetail.harness.contract.verdict import Ready
from dovetail.harness.execution.child import serve
from dovetail.harness.execution.wire import send
from dovetail.harness.run.memory_limit import MemoryLimit

# The name of a backend, its settings, and the names of checks.
Asked = tuple[str, Mapping[str, object], tuple[str, ...]]


def main() -> None:
    """Send `Ready`, and the verdict of each check that the harness asks for."""
    serve(_check)


def _check(asked: Asked, results: IO[bytes]) -> None:
    name, settings, checks = asked
    MemoryLimit(None).hold_in_this_process()
    subject = Subject(name, settings)
    subject.backend.warm_up()
    send(results, Ready())
    for check in checks:
        send(results, CHECKS[check].verdict(subject))


if __name__ == "__main__":
    main()
