"""Programs that lie, hang, print without end, fork or die; and honest ones within limits."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from backends.command.definitions import LISTING, PYTHON
from dovetail.backends.command.search import GRANTED, VARIABLE
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.platform.processes import descendants
from dovetail.puzzles.cover_classics import queens
from oracle.answers import solved

MIB = 2**20
ALL = Request(Symmetry.ALL)
LISTED = Request(Symmetry.ALL, listing=True)
PREAMBLE = "import json, os, signal, sys, time\nprint_ = lambda **one: print(json.dumps(one))\n"
# What they do, and what becomes of the run.
BAD_PROGRAMS = {
    "no JSON": ("print('{no json')", "failed", "'{no json' is not a line of JSON"),
    "strange options": (
        "print_(solution=[99])",
        "failed",
        "solution [99] is not a list of options from 0 to 15",
    ),
    "wrong solution": ("print_(solution=[0, 1])", "wrong", "item file 0 is covered 2 times"),
    "twice": (
        "[print_(solution=[1, 7, 8, 14]) for _ in range(2)]",
        "wrong",
        "solution 2 was found before",
    ),
    "wrong count": (
        "print_(solution=[1, 7, 8, 14]); print_(count=2)",
        "wrong",
        "it counted 2 and listed 1 solution",
    ),
    "exit status": (
        "print('oh no', file=sys.stderr); sys.exit(3)",
        "failed",
        "ended with exit status 3: oh no",
    ),
    "a long line": (
        "while True: sys.stdout.write('x' * 2**20)",
        "failed",
        "printed a line of more than 67,108,864 bytes",
    ),
}


@pytest.fixture(autouse=True)
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, GRANTED)


def job(folder: Path, text: str, limits: Limits, request: Request = LISTED) -> Job:
    """The run of a program in Python."""
    path = folder / "program.py"
    path.write_text(PREAMBLE + text)
    config = {"name": "bad", "command": [PYTHON, "-I", "-S", str(path), "{dlx}"]}
    if request.listing:
        config["solutions"] = "json"
    return Job(queens(4), request, "command", config, limits)


def result(folder: Path, text: str, request: Request = LISTED, **limits: float) -> Result:
    """What becomes of it, and nothing is left of it."""
    time_s = limits.get("time_s", 30.0)
    memory = int(limits["memory"]) if "memory" in limits else None
    run = job(folder, text, Limits(time_s, memory_bytes=memory), request)
    finished = finish(run_watched(run))
    assert descendants(os.getpid()) == []
    return finished


@pytest.mark.parametrize("what", BAD_PROGRAMS)
def test_liars_and_what_dies(tmp_path: Path, what: str) -> None:
    """A run that is wrong or has failed, with the reason."""
    text, status, reason = BAD_PROGRAMS[what]
    finished = result(tmp_path, text)
    assert finished.status == status
    assert reason in (finished.reason or "")


@pytest.mark.parametrize(
    "text",
    [
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
        "sys.stdout.close(); os.close(1); os.close(2); time.sleep(60)",
    ],
)
def test_what_hangs(tmp_path: Path, text: str) -> None:
    """It is ended at the limit, whether it waits, works or prints."""
    begun = time.monotonic()
    finished = result(tmp_path, text, time_s=0.5)
    assert finished.status == Status.TIME_LIMIT
    assert time.monotonic() - begun < 5


def test_lines_beyond_the_memory_limit(tmp_path: Path) -> None:
    """It is read as it comes and takes no memory; the count behind it is not lost."""
    text = "for _ in range(300): sys.stdout.write(('x' * 1023 + '\\n') * 1024)\nprint_(count=2)"
    finished = result(tmp_path, text, request=ALL, memory=200 * MIB)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 2)


def test_forks(tmp_path: Path) -> None:
    """What a program leaves behind ends with it, in a session of its own or not."""
    text = (
        "if os.fork() == 0:\n  os.setsid()\n  time.sleep(60)\n"
        "if os.fork() == 0: time.sleep(60)\nprint_(count=2)"
    )
    begun = time.monotonic()
    finished = result(tmp_path, text, request=ALL)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 2)
    assert time.monotonic() - begun < 5


def test_memory(tmp_path: Path) -> None:
    """It counts for the run."""
    finished = result(tmp_path, "a = bytearray(2**29); time.sleep(60)", memory=300 * MIB)
    assert finished.status == Status.MEMORY_LIMIT


def test_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are deleted, whatever ends the run: those of the puzzle and those of the program."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    text = (
        "import tempfile; inner = tempfile.mkdtemp(); os.symlink('/', inner + '/root')\n"
        "open(inner + '/file', 'w').close(); time.sleep(60)"
    )
    assert result(tmp_path, text, time_s=0.5).status == Status.TIME_LIMIT
    assert list(folder.iterdir()) == []


def test_figures_and_time() -> None:
    """The program's own figures, its identity, and its processor time."""
    finished, _ = solved(queens(6), LISTED, "command", LISTING)
    assert (finished.count, finished.verified) == (4, 4)
    assert finished.counters.native == {"nodes": 110}
    assert set(finished.program) == {"sha256"}
    assert finished.solve_cpu_s is not None
    assert 0.005 < finished.solve_cpu_s <= finished.solve_s + 0.01  # two clocks


@pytest.fixture
def _not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)


@pytest.mark.usefixtures("_not_allowed")
def test_permission(tmp_path: Path) -> None:
    """Without it nothing runs."""
    trace = tmp_path / "trace"
    finished = result(tmp_path, f"open({str(trace)!r}, 'w')")
    assert finished.status == Status.SKIPPED
    assert finished.reason == (
        "it runs a program, which needs DOVETAIL_ALLOW_COMMANDS=1 (--allow-commands)"
    )
    assert not trace.exists()
