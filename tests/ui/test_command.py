"""`dovetail ui`: what it prints, and how it ends."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from cli.command import DOVETAIL, dovetail
from dovetail.cli.commands import bench as ui
from ui.served import Visitor

SLOW = "heptominoes-33x23"  # seconds to explain


def test_ctrl_c_ends_the_server_and_its_races(tmp_path: Path) -> None:
    """At once, with exit status 0 and no word of a search; the address has the token.

    Whoever waits for an explanation gets an answer.
    """
    source = tmp_path / "mine.toml"
    source.write_text('name = "mine"\nbox = [2, 1]\n[[piece]]\nlike = "dominoes:I2"\n')
    answers = list[httpx.Response]()
    command = [*DOVETAIL, "ui", "--no-browser", str(source), "pentominoes-6x10", SLOW]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().decode().strip()
            with closing(Visitor(address)) as visitor:
                assert [one["name"] for one in visitor.get("/api/puzzles").json()] == [
                    "mine",
                    "pentominoes-6x10",
                    SLOW,
                ]
                race = visitor.race("p2", "dlx", when_closed="continue")
                events = visitor.events(f"races/{race}")
                next(events)
                waiting = threading.Thread(
                    target=lambda: answers.append(visitor.get("/api/puzzles/p3/explanation"))
                )
                waiting.start()
                time.sleep(0.2)
                process.send_signal(signal.SIGINT)
                assert not [name for name, _ in events if name == "end"]
                waiting.join()
            _, errors = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, errors) == (0, b"")
    assert (answers[0].status_code, "the server ends" in answers[0].text) == (503, True)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install, and exit status 2."""
    monkeypatch.setattr(ui, "find_spec", lambda name: None)
    done = dovetail("ui")
    assert done.returncode == 2
    assert (
        "needs starlette and uvicorn: pip install 'starlette>=0.45' 'uvicorn>=0.34'" in done.stderr
    )


def test_a_port_in_use_and_a_puzzle_that_is_none() -> None:
    """Are one line each, before anything is served."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = dovetail("ui", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, "cannot be used" in done.stderr) == (2, True)
    done = dovetail("ui", "--no-browser", "soma-cub")
    assert (done.returncode, "did you mean 'soma-cube'" in done.stderr) == (2, True)


def test_nothing_of_it_is_imported_by_others() -> None:
    """The command without the extra works as before."""
    code = "import sys, dovetail, dovetail.cli.main as m; m.make_app()\n"
    code += "print(sorted({'starlette', 'uvicorn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
