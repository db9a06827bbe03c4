"""Files of solutions as `solve` writes and `verify` reads them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DOVETAIL = [sys.executable, "-m", "dovetail.cli.main"]


def dovetail(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [*DOVETAIL, *map(str, words)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".json", ".csv"])
def test_a_limit_leaves_a_whole_file(tmp_path: Path, suffix: str) -> None:
    """Every format can be read back when a node limit cut the run."""
    path = tmp_path / f"solutions{suffix}"
    done = dovetail("solve", "queens-12", "-o", path, "--node-limit", "20000")
    assert done.returncode == 3
    done = dovetail("verify", "queens-12", path)
    assert done.returncode == 0
    assert "all valid" in done.stdout


def test_ctrl_c_leaves_whole_json(tmp_path: Path) -> None:
    """The closing is written, and what was found is right."""
    path = tmp_path / "solutions.json"
    words = [*DOVETAIL, "solve", "queens-30", "--symmetry", "all", "-o", str(path)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    assert process.returncode == 130
    assert len(json.loads(path.read_text())["solutions"]) > 0


def test_four_dimensions_as_text_are_refused(tmp_path: Path) -> None:
    """With the formats that can say it; the file is left as it was."""
    path = tmp_path / "solutions.txt"
    path.write_text("before")
    done = dovetail("solve", "hypercube-paths-2x3x3x5", "--limit", "1", "-o", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "use JSON (.json, .jsonl) or CSV (.csv)" in done.stderr
    assert path.read_text() == "before"


def test_names_of_others(tmp_path: Path) -> None:
    """Told by shape when asked for; else the error says that this is possible."""
    path = tmp_path / "solutions.txt"
    done = dovetail("solve", "pentominoes-5x6-FLNPUY", "--limit", "1", "-o", path)
    text = path.read_text()
    path.write_text(text.translate(str.maketrans("FLNPUY", "qrstuv")))
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path)
    assert done.returncode == 1
    assert "there is no piece" in done.stdout
    assert "--by-shape" in done.stdout
    assert dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--by-shape").returncode == 0
    path.write_text(text.translate(str.maketrans("FLNPUY", "LNPUYF")))  # names, but of others
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path)
    assert (done.returncode, "--by-shape" in done.stdout) == (1, True)
    path.write_text(text.replace("F", ".", 1))
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--by-shape")
    assert done.returncode == 1
    assert "'F' on " in done.stdout
    assert "is the shape of no piece" in done.stdout


def test_two_symbols_of_a_piece(tmp_path: Path) -> None:
    """`--fold` makes one piece of them."""
    path = tmp_path / "solutions.txt"
    dovetail("solve", "pentominoes-5x6-FLNPUY", "--limit", "1", "-o", path)
    path.write_text(path.read_text().replace("F", "f", 2).replace("Y", "&", 3))
    assert dovetail("verify", "pentominoes-5x6-FLNPUY", path).returncode == 1
    done = dovetail("verify", "pentominoes-5x6-FLNPUY", path, "--fold", "f=F,&=Y")
    assert (done.returncode, done.stdout.count("all valid")) == (0, 1)
    done = dovetail("verify", "queens-6", path, "--fold", "f=F")
    assert done.returncode == 2
    assert "are for packings" in done.stderr
