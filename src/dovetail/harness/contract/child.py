"""The child process that checks one backend: `python -m dovetail.harness.contract.child`."""

from __future__ import annotations

from typing import IO

from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import Subject
from dovetail.harness.contract.verdict import Ready
from dovetail.harness.execution.child import serve
from dovetail.harness.execution.wire import send
from dovetail.harness.run.memory_limit import MemoryLimit


def main() -> None:
    """Send `Ready`, and the verdict of each check that the harness asks for."""
    serve(_check)


def _check(asked: tuple[str, tuple[str, ...]], results: IO[bytes]) -> None:
    name, checks = asked
    MemoryLimit(None).hold_in_this_process()
    subject = Subject(name)
    subject.backend.warm_up()
    send(results, Ready())
    for check in checks:
        send(results, CHECKS[check].verdict(subject))


if __name__ == "__main__":
    main()
