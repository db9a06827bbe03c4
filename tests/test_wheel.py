"""The wheel, installed away from the clone: what whoever has only that can do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHELLS = [
    pytest.param(shell, marks=pytest.mark.skipif(not shutil.which(shell), reason=f"no {shell}"))
    for shell in ("bash", "zsh")
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel installed and nothing else; dependencies are those of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*build, str(folder), str(ROOT)], check=True, timeout=120)
    (wheel,) = folder.glob("dovetail-*.whl")
    place = folder / "installed"
    install = [*pip, "install", "--no-deps", "--no-index", "--target"]
    subprocess.run([*install, str(place), str(wheel)], check=True, timeout=120)
    return place


def dovetail(installed: Path, *words: str, status: int = 0) -> str:
    """Run the installed command away from the clone, and return its output."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [installed / "bin" / "dovetail", *words],
        cwd=installed.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def test_what_is_in_it(installed: Path) -> None:
    """The package is that of the wheel, and has its suites."""
    place = "import dovetail; print(dovetail.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    found = subprocess.run(
        [sys.executable, "-c", place],
        cwd=installed.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert Path(found.stdout.strip()).is_relative_to(installed)
    suites = sorted(path.stem for path in (ROOT / "suites").glob("*.toml"))
    listed = dovetail(installed, "list", "suites")
    assert [line.split()[0] for line in listed.splitlines() if line[2:3].strip()][1:] == suites


def test_count_and_report(installed: Path) -> None:
    """A bench of a suite by its name, a page of it, a page of solutions."""
    only = ["--only", "queens-8"]
    dovetail(installed, "bench", "quick", *only, "-o", "runs.jsonl")
    dovetail(installed, "report", "runs.jsonl", "-o", "report.html")
    dovetail(installed, "solve", "soma-cube", "--limit", "2", "-o", "soma.html")
    report, viewer = (
        (installed.parent / name).read_text() for name in ("report.html", "soma.html")
    )
    assert "queens-8" in report
    assert "<canvas" in viewer


@pytest.mark.slow
def test_a_backend_is_checked(installed: Path) -> None:
    """By the contract's checks, which are in the wheel."""
    assert "dlx: " in dovetail(installed, "check-backend", "dlx").splitlines()[-1]


@pytest.mark.parametrize("shell", SHELLS)
def test_tab(installed: Path, shell: str) -> None:
    """The shell accepts the script that the command prints for it."""
    before, loaded = {
        "bash": ("", "complete -p dovetail"),
        "zsh": ("autoload -Uz compinit && compinit -u -D;", "echo ${_comps[dovetail]}"),
    }[shell]
    command = installed / "bin" / "dovetail"
    done = subprocess.run(
        [shell, "-c", f'{before} eval "$({command} --show-completion)" && {loaded}'],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "_dovetail_" in done.stdout
