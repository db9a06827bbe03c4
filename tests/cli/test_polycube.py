"""Command lines of polycube: the published rows, its rules, and what has no equivalent."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.command import dovetail
from cli.test_piped_input import TWO
from dovetail.cli.commands.polycube import FLAGS, ORDERS, VALUES, equivalent, parse_line, version_of
from dovetail.cli.jobs import GivenOptions
from dovetail.cli.main import make_app
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import Job
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.puzzles.loading import load

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "comparing" / "polycube.md"
ROWS: dict[str, dict[str, Any]] = {
    row["case"]: row
    for suite in ("fila-table1", "polycube-table2")
    for row in json.loads((ROOT / f"tests/golden/{suite}.json").read_text())["rows"]
}
RUNS = {
    run.name: run.job
    for suite in ("fila-table1", "polycube-table2")
    for run in read_suite(ROOT / f"suites/{suite}.toml").runs
}
COMMANDS: Any = typer.main.get_command(make_app()).commands  # type: ignore[attr-defined]
SMALL = "pentominoes-5x6-FLNPUY"


def line_of(name: str) -> str:
    """Return the flags of a row: as table 1 of 2018 prints them, or from the columns of table 2."""
    row = ROWS[name]
    if "flags" in row:
        return str(row["flags"])
    orders = [f"{order}={left}" for left, order in re.findall(r"(\d+)([a-z]\S*)", row["dlx"])]
    trials = ",".join(str(row[f"mc_{key}"] or 0) for key in ("trials", "stop_remaining", "seed"))
    flags = [f"-{key[0]}{row[key]}" for key in ("mch", "emch")]
    flags += [f"-{key[7].upper()}{row[key]}" for key in row if re.match("filter_[pvf]", key)]
    flags += [f"-o{':'.join(orders)}"] if orders else []
    flags += ["-p"] if row["trigger_parity"] == "ON" else []
    flags += [f"-s{trials}"] if row["mc_trials"] else []
    broken = f"-r{'G' if name.startswith('TC') else ''}"
    flags += ["-u" if row["filter_redundancy"] == "OFF" else broken]
    return f"--as=1.2.1 -q -b{row['debruijn']} {' '.join(flags)}".replace("OFF", "0")


def command_of(line: str, name: str) -> str:
    """Return dovetail's command for a command line and a puzzle."""
    given, (name,) = parse_line([*line.split(), name])
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return shlex.join(equivalent(given, version_of(given)[0], name, puzzle))


def question(job: Job) -> tuple[object, ...]:
    """Return what a job asks, limits and trials aside."""
    return job.puzzle.name, job.backend, named_config(job.backend, job.config), job.request


@pytest.mark.parametrize("name", ROWS)
def test_published_rows(name: str) -> None:
    """Each asks what its run in the suite asks."""
    trials = RUNS[name].trials
    command, *words = shlex.split(command_of(line_of(name), RUNS[name].puzzle.name))
    assert command == ("count" if trials is None else "trials")
    given = COMMANDS[command].make_context(command, words).params
    job = GivenOptions(given).jobs()[0] if trials is None else GivenOptions(given).job()[0]
    assert question(job) == question(RUNS[name])
    if trials is not None:
        asked = tuple(given[key] for key in ("number", "remaining", "seed"))
        assert asked == (10_000, trials.remaining, trials.seed)


@pytest.mark.parametrize("name", ["P5", "P-13"])
def test_rows_that_are_run(name: str) -> None:
    """The command is printed, can be pasted, and finds the published fits and solutions."""
    row, puzzle = ROWS[name], RUNS[name].puzzle.name
    done = dovetail("polycube", *line_of(name).split(), puzzle)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(f"dovetail {command_of(line_of(name), puzzle)}\n")
    assert f": {row['unique_solutions']:,} solutions up to rotation" in done.stdout
    assert f"fila, {row['fits']:,} nodes" in done.stdout


DLX = "--symmetry all -b dlx -c stages"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "-m4 -e3 -b2 -r L -i --",
            "solve X -v --symmetry unique --reduce redundancy=L -b fila "
            "-c nof=false -c stages=dlx:s,fila:s@4,fila:e@3,fila:f@2",
        ),
        ("-q -oa:R=6:a@-20=2", f"count X {DLX}=R,a@340@2"),
        ("-q -p -v 3", "all --trigger parity --trigger volume@3 -b dlx"),
    ],
)
def test_flags(line: str, words: str) -> None:
    """Values at once and as the next word, cut names, flags that are off, large numbers."""
    assert words in command_of(line, SMALL).replace(SMALL, "X")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-Q", "polycube has no flag -Q; did you mean '-q'? valid: "),
        ("--vol", "--vol abbreviates several flags; expected one of --volumeFilter --volumeB"),
        ("-iq", "-iq has value 'q'; expected no value, 0 or 1 (flags cannot be combined)"),
        ("-of=x", "-o has 'f=x'; expected ORDER=PIECES"),
        ("-b4 -n", "-b is of polycube 1.2.1; expected flags of 2.0"),
    ],
)
def test_refused(line: str, message: str) -> None:
    """One line for each, before any search."""
    done = dovetail("polycube", *line.split(), SMALL)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_flags_without_an_equivalent_are_named() -> None:
    """And so is the meaning of the order f where it is in doubt."""
    done = dovetail("polycube", "-q", "-r", "-R", "-t-4", "-of=3", SMALL)
    first, second, third, command = done.stderr.splitlines()
    assert first == "dovetail: -R has no equivalent; see -o"
    assert second.startswith("dovetail: -t has no equivalent; ")
    assert third.startswith("dovetail: read as by polycube 1.2.1: order f picks the fewest")
    assert command.endswith("-c stages=s")
    assert done.stdout.startswith(
        f"{SMALL}: 10 solutions up to rotation and reflection; 40 in all\n"
    )


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several files, several puzzles in a file, names with a dash or a space, standard input."""
    monkeypatch.chdir(tmp_path)
    Path("-one two.def").write_text(TWO[: TWO.index("~D") + 2])
    Path("two.def").write_text(TWO)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TWO.encode())))
    done = dovetail("polycube", "-q", "two.def", "-", "--", "-one two.def")
    assert done.returncode == 0, done.stderr
    named = [shlex.split(line)[2] for line in done.stderr.splitlines()]
    assert named == ["two.def#1", "two.def#2", "-#1", "-#2", "./-one two.def"]
    assert done.stdout.count(": 1 solution in all\n") == 5
    done = dovetail("polycube", "-q", "two.def", "missing.def")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'missing.def'" in done.stderr


def test_a_puzzle_without_pieces_that_move(tmp_path: Path) -> None:
    (tmp_path / "full.def").write_text(
        "D:xDim=2:yDim=1:zDim=1\nC:name=A:type=S:layout=0 0 0, 1 0 0\n~D\n"
    )
    done = dovetail("polycube", "-q", "-f", "-r", tmp_path / "full.def")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("full: 1 solution\n")


def test_help_and_page_have_the_table() -> None:
    """Every flag, every order, every form of a value."""
    page = PAGE.read_text().replace("`", "")
    assert (ROOT / "src/dovetail/cli/commands/polycube_flags.txt").read_text() in page
    assert {flag.value for flag in FLAGS} == set(VALUES)
    printed = dovetail("polycube", "-q", "--help").stdout
    for flag in FLAGS:
        assert f"  {flag.form} " in printed
    for version, names in ORDERS.items():
        assert f"Orders of {version} with an equivalent: {' '.join(names)} " in page
