"""The command as tests run it: in their own process, or as one of its own."""

from __future__ import annotations

import io
import json
import signal
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen
from typing import Any

from dovetail.cli.main import run

DOVETAIL = [sys.executable, "-m", "dovetail.cli.main"]  # for a process of its own


def dovetail(*words: str | Path) -> CompletedProcess[str]:
    """Run the command to its end in this process; only `main` is left out.

    A process of its own would spend most of its time on imports.
    """
    output, errors = _stream(), _stream()
    with redirect_stdout(output), redirect_stderr(errors):
        status = run(list(map(str, words)))
    return CompletedProcess(words, status, _text(output), _text(errors))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def interrupted_when(
    reached: Callable[[dict[str, Any]], bool], *words: str | Path
) -> tuple[CompletedProcess[str], float]:
    """Run the command in a process of its own, and press Ctrl-C when its progress has `reached`.

    Returns what it printed, its progress left out, and how many seconds it took to end.
    """
    command = [*DOVETAIL, *map(str, words), "--json-progress"]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        assert any(reached(json.loads(line)) for line in lines), "it has ended before"
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        output, rest = process.communicate(timeout=60)
        waited_s = time.monotonic() - asked
    errors = [line for line in rest.splitlines(keepends=True) if not line.startswith("{")]
    return CompletedProcess(command, process.returncode, output, "".join(errors)), waited_s
