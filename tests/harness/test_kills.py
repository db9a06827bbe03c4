"""Kills at random moments of a running suite: nothing finished is lost, none is done twice.

The moments are drawn from a seed; which run they hit depends on the machine. The long version
(200 kills) is `pytest -m slow tests/harness/test_kills.py --log-cli-level=INFO`.
"""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import uuid
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.records.summary import UNFINISHED
from dovetail.platform.processes import descendants, marked
from harness.workers.processes import command_line, happens, workers_of

SUITE = """\
name = "killed"
limits = { time_s = 60 }

[[run]]
puzzles = ["queens-7"]
backends = ["dlx", "constraint"]

[[run]]
puzzles = ["queens-3"]
backends = ["rude"]
config.rude = { how = "family" }
"""
REPEATED = SUITE.replace("\n", "\nrepeats = 2\n", 1)
LONGER = """
[[run]]
puzzles = ["pentominoes-4x15"]
backends = ["dlx"]

[[run]]
puzzles = ["queens-3"]
backends = ["cpsat"]
"""
LONGEST_WAIT_S = 1.5
LOG = logging.getLogger(__name__)
MARK = "DOVETAIL_KILL_TEST"


def command(suite: Path, runs: Path, parallel: int = 1) -> list[str]:
    """The bench, as a user starts it."""
    words = ["bench", str(suite), "-o", str(runs), "--parallel", str(parallel)]
    return [sys.executable, "-m", "dovetail.cli.main", *words]


def kill(harness: int, whom: str) -> bool:
    """Kill the harness, a supervisor, a child, or two; whether there was somebody to kill."""
    children = workers_of(harness)
    below = descendants(harness)
    supervisors = [process for process in below if b"supervisor.py" in command_line(process)]
    victims = {
        "harness": [harness],
        "supervisor": supervisors,
        "child": children,
        "child and harness": [*children, harness],
    }[whom]
    for victim in victims:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    return bool(victims)


def finished(runs: Path) -> list[dict[str, Any]]:
    """The records of runs that came to an end of their own."""
    records = [json.loads(line) for line in runs.read_text().splitlines()]
    return [record for record in records if record["status"] not in UNFINISHED]


def result(record: dict[str, Any]) -> tuple[object, ...]:
    """What must not depend on kills."""
    keys = ("puzzle", "backend", "repeat", "job", "status", "count", "nodes", "verified")
    return tuple(record[key] for key in keys)


@pytest.mark.usefixtures("rude_backend")
@pytest.mark.parametrize(
    ("kills", "text", "runs_planned"),
    [(2, SUITE, 3), pytest.param(200, REPEATED + LONGER, 10, marks=pytest.mark.slow)],
)
def test_kills_at_random_moments(tmp_path: Path, kills: int, text: str, runs_planned: int) -> None:
    """The records of finished runs equal those of an undisturbed bench, and nobody is left."""
    suite, token = tmp_path / "suite.toml", str(uuid.uuid4())
    suite.write_text(text)
    environment = {**os.environ, MARK: token}
    undisturbed = tmp_path / "undisturbed.jsonl"
    subprocess.run(command(suite, undisturbed), env=environment, capture_output=True, check=True)
    expected = sorted(map(result, finished(undisturbed)), key=str)
    assert len(expected) == runs_planned

    draw = random.Random(20261120)
    done, suites, struck = 0, 0, Counter[str]()
    runs = tmp_path / "runs0.jsonl"
    while done < kills:
        with subprocess.Popen(
            command(suite, runs, draw.choice([1, 1, 2])),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as harness:
            try:
                harness.wait(draw.uniform(0.0, LONGEST_WAIT_S))
            except subprocess.TimeoutExpired:
                whom = draw.choice(["harness", "supervisor", "child", "child and harness"])
                if kill(harness.pid, whom):
                    done += 1
                    struck[whom] += 1
                if whom in ("supervisor", "child"):
                    harness.wait()
            _, complaint = harness.communicate()
        assert b"Traceback" not in complaint
        assert happens(lambda: not marked(MARK, token)), "a process goes on"
        if harness.returncode == 0:
            assert sorted(map(result, finished(runs)), key=str) == expected
            suites += 1
            runs = tmp_path / f"runs{suites}.jsonl"
    subprocess.run(command(suite, runs), env=environment, capture_output=True, check=True)
    assert sorted(map(result, finished(runs)), key=str) == expected
    LOG.info("%d kills %s, %d suites finished, all as undisturbed", done, dict(struck), suites + 1)
