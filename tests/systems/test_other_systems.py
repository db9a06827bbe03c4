"""Commands on imitated systems without the modules and functions of Linux (`elsewhere`)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from harness.workers.processes import is_gone
from jit.sample_kernels import digest_rows

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "src"
ENDS_S = 10.0
SUITE = """\
name = "elsewhere"
[[run]]
puzzles = ["queens-6"]
backends = ["constraint"]
limits = { time_s = 60 }
"""
COMMANDS = {
    "count": "count queens-6 -b constraint --time-limit 60s",
    "bench": "bench suite.toml -o runs.jsonl",
    "report": "report runs.jsonl -o report.html",
    "site": "site runs.jsonl -o results",
    "memory": "count queens-6 --memory-limit 1GiB",
    "program": "count queens-6 -b command -c 'command=cat,{dlx}' --allow-commands",
    "suite": "bench memory.toml",
}


def started(
    script: str, system: str, folder: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    """Run a script of this folder on an imitated system."""
    environment = {
        **os.environ,
        "PRETENDED_SYSTEM": system,
        "PYTHONPATH": os.pathsep.join(map(str, (HERE / "elsewhere", SOURCES))),
    }
    return subprocess.run(
        [sys.executable, str(HERE / script), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_commands_work_on_windows_or_are_refused_by_name(tmp_path: Path) -> None:
    """Limits on memory and programs are refused."""
    (tmp_path / "suite.toml").write_text(SUITE)
    (tmp_path / "memory.toml").write_text(SUITE.replace("time_s = 60", 'memory = "1GiB"'))
    done = started("commands.py", "win32", tmp_path, *COMMANDS.values())
    assert done.returncode == 0, done.stderr
    *lines, kernel = done.stdout.splitlines()
    results = dict(zip(COMMANDS, map(json.loads, lines), strict=True))
    statuses = {name: status for name, (status, _, _) in results.items()}
    assert statuses == dict.fromkeys(COMMANDS, 0) | {"memory": 2, "program": 2, "suite": 2}
    assert "1 solution" in results["count"][1]
    assert "queens-6" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert list((tmp_path / "results").rglob("queens-6*.html"))
    refused = "is not supported on Windows, only on Linux; "
    assert results["memory"][2] == (
        f"dovetail: --memory-limit {refused}limit time or nodes instead\n"
    )
    assert f"running a program {refused}choose another backend" in results["program"][1]
    assert results["suite"][2].endswith(f"memory {refused}limit time or nodes instead\n")
    assert kernel == str(digest_rows(np.arange(6).reshape(2, 3)))


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_files_are_locked_and_children_end_on_other_systems(system: str, tmp_path: Path) -> None:
    done = started("processes.py", system, tmp_path, "locked")
    assert done.returncode == -signal.SIGKILL, done.stderr
    locked, status, folder_went, child = json.loads(done.stdout)
    assert (locked, status, folder_went) == (True, -signal.SIGKILL, True)
    deadline = time.monotonic() + ENDS_S
    while not is_gone(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert is_gone(child)
