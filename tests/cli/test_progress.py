"""Progress on standard error: live on a terminal, lines of JSON when asked for, else nothing."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.command import DOVETAIL
from dovetail.cli.main import run
from dovetail.cli.progress import Display, JsonDisplay, Notices, RunProgressView
from dovetail.harness.progress import Fields, RunProgress
from dovetail.harness.run.events import Found, Started
from dovetail.harness.run.job import Job
from dovetail.puzzles.loading import load

LONG = ("count", "pentominoes-6x10", "-b", "dlx")
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
COMMAND = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(self, *words: str) -> None:
        ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [*DOVETAIL, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
        )
        os.close(theirs)
        self.screen = ""
        self._ours = ours

    def until(self, word: str) -> None:
        """Read until the screen has shown `word`."""
        while word not in self.screen and self._read():
            pass
        assert word in self.screen

    def send(self, number: signal.Signals) -> None:
        """Send the command a signal."""
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Return the exit status and standard output."""
        while self._read():
            pass
        os.close(self._ours)
        output, _ = self._process.communicate(timeout=60)
        return self._process.returncode, output

    def _read(self) -> bool:
        """Read what there is; whether there may be more."""
        try:
            piece = os.read(self._ours, 2**16)
        except OSError:  # nobody else holds the terminal
            return False
        self.screen += piece.decode(errors="replace")
        return bool(piece)

    def check_clean(self) -> None:
        """Check that the cursor is shown and that nothing of the progress is left."""
        assert self.screen.count(HIDE) == self.screen.count(SHOW)
        assert COMMAND.sub("", self.screen.rpartition(SHOW)[2]).strip() == ""


def test_a_terminal_shows_progress_and_is_left_clean() -> None:
    terminal = Terminal("count", "langford-12", "-b", "dlx", "--time-limit", "60")
    status, output = terminal.end()
    assert (status, output.splitlines()[0]) == (
        0,
        "langford-12: 108,144 solutions up to symmetry; 216,288 in all",
    )
    for shown in ("langford-12, dlx: searching", "%", " left, ", " nodes/s"):
        assert shown in terminal.screen
    terminal.check_clean()


@pytest.mark.parametrize("number", [signal.SIGINT])
def test_a_signal_leaves_the_terminal_clean(number: signal.Signals) -> None:
    terminal = Terminal(*LONG)
    terminal.until("dlx: searching")
    terminal.send(number)
    status, output = terminal.end()
    assert status == 130
    assert output.startswith("pentominoes-6x10: ≥ ")
    terminal.check_clean()


def json_lines(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[dict[str, Any]]:
    """What a command that succeeds tells on standard error, each line parsed."""
    assert run([*map(str, words), "--json-progress"]) == 0
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


KEYS = {
    *("phase", "puzzle", "backend", "share", "count", "nodes", "nodes_per_s"),
    *("estimate", "elapsed_s", "left_s", "status", "parallel", "apart"),
}


@pytest.mark.parametrize("words", ["count langford-11 -b dlx", "estimate queens-6 --descents 1000"])
def test_lines_of_json_have_the_same_keys_and_an_end(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = json_lines(capsys, *words.format(tmp_path).split())
    assert all(set(line) == KEYS for line in lines)
    assert [line for line in lines if line["phase"] == "ended"] == lines[-1:]
    if words.startswith("count langford"):
        keys = ("status", "share", "count", "nodes", "left_s")
        assert [lines[-1][key] for key in keys] == ["exhausted", 1.0, 17792, 444455, None]


class Kept(Display):
    """A display that keeps what it is given."""

    every_s = 0.001

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.shown = threading.Event()

    def show(self, fields: Fields) -> None:
        self.printed.append(fields["phase"])
        self.shown.set()

    def hide(self) -> None:
        self.printed.append("hidden")

    def close(self, fields: Fields) -> None:
        self.printed.append(f"closed: {fields['phase']}")


def test_a_count_too_long_for_json_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    JsonDisplay().show({"count": 10**5000, "nodes": 3})
    assert json.loads(capsys.readouterr().err) == {"count": None, "nodes": 3}


def progress_of(display: Kept | None) -> RunProgressView:
    """The progress of some job."""
    return RunProgressView(RunProgress(Job(load("queens-6"))), display, prints=True)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something that another thread does has come true."""
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert condition()


def test_it_is_shown_while_nothing_happens() -> None:
    """By a thread that only waits; it ends with the rest."""
    display = Kept()
    with progress_of(display):
        wait_for(lambda: len(display.printed) >= 3)
    printed = len(display.printed)
    assert display.printed == ["starting"] * (printed - 1) + ["closed: ended"]
    assert [thread for thread in threading.enumerate() if "_show_in_time" in thread.name] == []
    assert len(display.printed) == printed


def test_it_is_hidden_while_solutions_are_printed() -> None:
    """However long that takes."""
    display = Kept()
    found = Found(np.zeros((0, 0), dtype=np.int32))
    with progress_of(display) as progress:
        for event in progress.track(iter([Started(0.0), found])):
            if event is found:
                printed = len(display.printed)
                display.shown.clear()
                assert display.printed[-1] == "hidden"
                assert not display.shown.wait(0.05)
                assert len(display.printed) == printed
        assert display.shown.wait(20)


@pytest.mark.parametrize("within", ["a run", "a bench"])
def test_notices_where_nobody_sees_live_lines(
    within: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line when compiling takes long, however often it is asked for; none for other work."""
    notices = Notices()
    steps = [("compiling", 0.5), ("searching", 9.0), ("starting", 2.5), ("compiling", 9.0)]
    for phase, elapsed_s in steps:
        run = {"phase": phase, "elapsed_s": elapsed_s}
        notices.show(run if within == "a run" else {"phase": "running", "running": [run]})
        shown = capsys.readouterr().err
        notice = "dovetail: loading and compiling kernels; later runs load them from the cache\n"
        assert shown == (notice if phase == "starting" else "")


def test_the_last_state_of_a_bench_is_printed_unless_dovetail_quiet_is_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "queens-8", "-b", "dlx"]
    assert run(words) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.delenv("DOVETAIL_QUIET")
    assert run(words) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "dovetail: 1 of 1 run done"
