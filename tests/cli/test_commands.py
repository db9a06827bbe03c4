"""The command as its users meet it: output, exit status, one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from cli.command import DOVETAIL, dovetail, interrupted_when
from dovetail.backends.registry import backends
from dovetail.cli.main import run
from dovetail.harness import diagnosis
from dovetail.harness.contract import check_backend as contract
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import Judgement
from dovetail.harness.planning import AUTO
from dovetail.harness.suite.suite_file import read_suite
from harness.suite.bench_here import bench_here

FILA = ("count", "pentominoes-6x10", "-b", "fila")


RUN_KEYS = {"puzzle", "digest", "backend", "config", "symmetry", "status", "count", "reason"}
EFFORT_KEYS = {
    *("nodes", "attempts", "attempts_by_remaining", "fits_by_remaining"),
    *("native", "placements", "verified"),
}
COST_KEYS = {"prepare_s", "solve_s", "check_s", "total_s", "peak_bytes"}


def test_count_as_json() -> None:
    """One object with everything that is known of the run."""
    done = dovetail("count", "queens-8", "--symmetry", "all", "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(result) >= RUN_KEYS | EFFORT_KEYS | COST_KEYS
    assert (result["count"], result["nodes"], result["verified"]) == (92, 1198, 92)
    assert result["check_s"] > 0
    assert result["total_s"] == result["prepare_s"] + result["solve_s"]


def test_several_puzzles_one_line_each() -> None:
    """With --json each is an object of its own."""
    done = dovetail("count", "queens-6", "langford-4", "--symmetry", "all", "--json")
    assert [json.loads(line)["count"] for line in done.stdout.splitlines()] == [4, 2]


def test_labelled() -> None:
    """Identical tiles distinguished: a multiple of the boards."""
    words = ("count", "edges-3-1-1", "--symmetry", "all", "--json")
    once = json.loads(dovetail(*words).stdout)
    printed = json.loads(dovetail(*words, "--labelled").stdout)
    assert (once["labelled"], printed["labelled"], printed["config"]) == (False, True, {})
    assert (once["count"], printed["count"]) == (1, 576)  # 4 corners and 4 sides: 4! · 4!


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (("-b", "dlx", "--time-limit", "0.3"), 3, "(time-limit)"),
        (("--node-limit", "1000"), 3, "(node-limit)"),
        (("-b", "cpsat", "--time-limit", "0.3"), 3, "(time-limit)"),
        (("-b", "cpsat", "--node-limit", "5"), 2, "does not count nodes"),
    ],
)
def test_limits(words: tuple[str, ...], status: int, expected: str) -> None:
    """A run cut short says so, shows a lower bound, and exits with 3."""
    done = dovetail("count", "queens-30", "--symmetry", "all", *words)
    assert done.returncode == status
    assert expected in done.stdout
    assert "≥" in done.stdout or status == 2


@pytest.mark.parametrize(
    ("backend", "puzzle", "symmetry"),
    [
        ("dlx", "queens-30", "all"),
        ("cpsat", "queens-30", "all"),
    ],
)
def test_ctrl_c(backend: str, puzzle: str, symmetry: str) -> None:
    """Partial counts are printed as a lower bound, and the exit status is 130."""
    words = ["count", puzzle, "--symmetry", symmetry, "-b", backend, "--json"]
    done, waited_s = interrupted_when(lambda progress: (progress["count"] or 0) > 0, *words)
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr, result["status"]) == (130, "", "interrupted")
    assert result["count"] > 0
    assert min(result["prepare_s"], result["solve_s"]) > 0
    assert waited_s < 3.0  # beside other tests; a slice takes a few hundredths of a second


def test_a_bench_that_is_terminated(tmp_path: Path) -> None:
    """By SIGTERM: what is finished is kept and shown."""
    suite, runs = tmp_path / "suite.toml", tmp_path / "runs.jsonl"
    suite.write_text(
        'name = "tiny"\n[[run]]\npuzzles = ["queens-6", "queens-30"]\nbackends = ["dlx"]\n'
    )
    words = [*DOVETAIL, "bench", str(suite), "-o", str(runs), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (runs.exists() and runs.stat().st_size):
            time.sleep(0.02)
        process.terminate()
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, f"wrote {runs}\n".encode())
    finished = [json.loads(line) for line in runs.read_text().splitlines()]
    assert [(record["puzzle"], record["count"]) for record in finished] == [("queens-6", 4)]
    assert json.loads(out.splitlines()[0])["puzzle"] == "queens-6"


@pytest.mark.parametrize("module", ["typer", "numpy"])
def test_ctrl_c_in_an_import(tmp_path: Path, module: str) -> None:
    """One line, even where the library would make another error of it."""
    (tmp_path / f"{module}.py").write_text(
        "import os, signal, time\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(10)\n"
        "except KeyboardInterrupt:\n"
        "    raise ImportError('failed to import')\n"
    )
    done = subprocess.run(
        [*DOVETAIL, "count", "queens-6"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "dovetail: interrupted before there were any results\n"


def test_the_doctor_shows_refusals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a backend that takes none of the puzzles; nothing is ill. A failure is."""
    refused = CHECKS["edges"].judged("picky", Judgement.REFUSED, "it has no colours")
    monkeypatch.setattr(diagnosis, "self_test", lambda: iter([refused]))
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert " picky, edges: refuses all puzzles of the self-test: it has no colours\n" in shown
    failed = CHECKS["edges"].judged("rash", Judgement.FAILED, "found 26")
    monkeypatch.setattr(diagnosis, "self_test", lambda: iter([failed]))
    assert run(["doctor"]) == 1
    assert " rash, edges: found 26\n" in capsys.readouterr().out


def test_check_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each check and the totals, or an object each; what is required of a failure."""
    made = [
        CHECKS["packing"].judged("x", Judgement.OK, None),
        CHECKS["edges"].judged("x", Judgement.REFUSED, "it has no edges"),
        CHECKS["cover"].judged("x", Judgement.FAILED, "langford-4: expected 2 solutions, found 3"),
    ]
    monkeypatch.setattr(contract, "check_backend", lambda name, settings: iter(made))
    done = dovetail("check-backend", "x")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "  ok       packing",
        "  refused  edges: it has no edges",
        "  FAILED   cover: langford-4: expected 2 solutions, found 3",
        "           required: Every primary item is in exactly one chosen option.",
        "x: 1 ok, 1 refused, 1 failed",
    ]
    made.pop()
    done = dovetail("check-backend", "x", "--json")
    assert done.returncode == 0
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["judgement"], first["reason"]) == ("ok", None)
    assert (second["check"], second["judgement"]) == ("edges", "refused")
    monkeypatch.undo()
    assert "has no config key 'x'" in dovetail("check-backend", "dlx", "-c", "x=1").stderr


def test_solve_writes_what_verify_accepts(tmp_path: Path) -> None:
    """Text and JSON, limits, and the verdict on a spoilt file."""
    for name in ("solutions.txt", "solutions.jsonl"):
        path = tmp_path / name
        done = dovetail("solve", "soma-cube", "--limit", "3", "-o", path)
        assert (done.returncode, done.stderr) == (0, f"wrote {path}\n")
        assert "≥ 3 unique solutions (solution-limit)" in done.stdout
        done = dovetail("verify", "soma-cube", path)
        assert (done.returncode, done.stdout) == (0, "soma-cube: 3 solutions, all valid\n")
    text = (tmp_path / "solutions.txt").read_text()
    path.write_text(text.replace("V", "Q", 1))
    done = dovetail("verify", "soma-cube", path, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["wrong"][0]["line"] == 1


def test_solve_to_the_screen() -> None:
    """Solutions on standard output, the summary on standard error."""
    done = dovetail("solve", "pentominoes-3x20")
    assert len(done.stdout.strip().split("\n\n")) == 2
    assert "2 unique solutions" in done.stderr
    done = dovetail("solve", "queens-6", "--symmetry", "all", "--json")
    assert len(json.loads(done.stdout)["solutions"]) == 4


def test_list_and_show() -> None:
    """Everything but sets has a line; a puzzle shows its region and its pieces."""
    listing = [json.loads(line) for line in dovetail("list", "--json").stdout.splitlines()]
    listed = [row for row in listing if row["kind"] == "solver"]
    assert [row["name"] for row in listed] == [AUTO, *backends()]
    assert {row["kind"] for row in listing} == {"puzzle", "suite", "solver", "improver"}
    assert "a node is: a placement made" in dovetail("list", "solvers").stdout
    assert "pentominoes-HxW" in dovetail("list", "puzzles").stdout
    suites = {row["name"]: row for row in listing if row["kind"] == "suite"}
    quick = read_suite(Path(__file__).parents[2] / "suites" / "quick.toml")
    assert suites["quick"]["jobs"] == len(quick.jobs) > 50
    assert suites["quick"]["summary"] == quick.about
    shown = dovetail("show", "soma-cube").stdout
    assert "27 open cells" in shown
    assert shown.count("cells, free") == 7
    assert "tile: top right bottom left" in dovetail("show", "edges-4-b3i3-1").stdout
    assert "and 52 more" in dovetail("show", "queens-8").stdout


def test_list_names_with_a_word() -> None:
    """In a name, a summary or an example; that there is none is an error."""
    assert json.loads(dovetail("list", "sets", "hexominoes", "--json").stdout.splitlines()[0]) == {
        "kind": "set",
        "name": "hexominoes",
        "summary": "35 pieces of 6 cells, lattice square-2",
        "pieces": 35,
        "lattice": "square-2",
    }
    found = dovetail("list", "sets", "HEXO").stdout
    assert " one-sided-hexominoes   60 pieces of 6 cells, lattice square-2\n" in found
    assert "queens-N" in dovetail("list", "puzzles", "queens-8").stdout
    (line,) = dovetail("list", "solvers", "dancing cells", "--json").stdout.splitlines()
    assert json.loads(line)["name"] == "xcover"
    done = dovetail("list", "sets", "nosuch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dovetail: no name or summary of sets has 'nosuch'\n"


def test_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table, a file of records, and 1 as exit status when a count is wrong."""
    bench_here(monkeypatch)
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "tiny"\n[[run]]\npuzzles = ["queens-6", "edges-3-2-1"]\n'
        'backends = ["dlx", "constraint"]\nexpected = { queens-6 = 4 }\n'
        '[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\nlabelled = true\n'
    )
    done = dovetail("bench", suite, "--only", "queens-6")
    assert done.returncode == 0
    assert "refused:\n  queens-6, dlx: a cover problem has no identical" in done.stdout
    suite.write_text(suite.read_text().replace("labelled = true", 'symmetry = "unique"'))
    runs = tmp_path / "runs2.jsonl"
    done = dovetail("bench", suite, "-o", runs)
    assert (done.returncode, done.stderr) == (0, f"wrote {runs}\n")
    assert len(runs.read_text().splitlines()) == 5
    for expected in ("queens-6 (unique)", "constraint", "edges-3-2-1", "× solve"):
        assert expected in done.stdout
    suite.write_text(suite.read_text().replace("queens-6 = 4", "queens-6 = 3"))
    done = dovetail("bench", suite, "--only", "queens-6")
    assert done.returncode == 1
    assert "it counted 4; expected 3" in done.stdout
    done = dovetail("bench", suite, "--only", "edges-3-2-1", "--json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["backend"] for record in records] == ["dlx", "constraint"]
    assert {record["status"] for record in records} == {"exhausted"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("count", "nonsense"), "no puzzle is called 'nonsense'"),
        (("count", "nonsense.txt"), "there is no file 'nonsense.txt'"),
        (("count", "queens-6", "-b", "magic"), "unknown backend 'magic'; valid: "),
        (("check-backend", "magic"), "unknown backend 'magic'; valid: "),
        (("count", "queens-6", "-c", "speed=9"), "no config key 'speed'; valid: none"),
        (("count", "queens-6", "-c", "labelled"), "expected KEY=VALUE"),
        (("count", "queens-6", "--labelled"), "no identical pieces"),
        (("count", "queens-6", "--symmetry", "some"), "unknown symmetry 'some'; valid: all, mir"),
        (("count", "queens-6", "--memory-limit", "lots"), "expected a size such as 512M"),
        (("solve", "queens-6", "-o", "x.docx"), "unknown suffix '.docx'; valid: .txt"),
        (("solve", "queens-6", "-o", "/no/such/place.txt"), "cannot be written"),
        (("verify", "queens-6", "missing.txt"), "cannot be read"),
        (("bench", "missing.toml"), "there is no file 'missing.toml'"),
        (
            ("count", "queens-6", "-b", "cpsat", "-c", "seed=99999999999"),
            "expected a whole number from 0 to 2,147,483,647",
        ),
        (("count", "queens-6", "--time-limit", "nan"), "time is 'nan'; expected seconds"),
        (
            ("solve", "queens-6", "--reduce", "volume"),
            "is a cover problem",
        ),
        (("count", "soma-cube", "-b", "cpsat", "--reduce", "probe"), "cpsat does not"),
        ((*FILA, "-c", "stages=f@3"), "begins with all pieces; expected no @3"),
        ((*FILA, "-c", "kernel=slow"), "kernel is 'slow'; valid: reference, fast"),
        ((*FILA, "--reduce", "redundancy=Q"), "'Q'; valid: F, I, L, N, P, T, U, V, W, X, Y, Z"),
        ((*FILA, "--reduce", "volume@99"), "expected volume or volume@PIECES with 1 to 12"),
        (("count",), "Missing argument 'PUZZLE'"),
        (("frobnicate",), "No such command"),
        (("count", "a\nb"), "no puzzle is called"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], message: str) -> None:
    """Exit status 2, one line on standard error, no traceback."""
    done = dovetail(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("dovetail: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_wrong_results_exit_with_1(tmp_path: Path) -> None:
    """A backend from an entry point that lies is found out."""
    package = tmp_path / "liar.py"
    package.write_text(
        "from dovetail.backends.dlx.backend import Dlx\n"
        "from dovetail.backends.dlx.search import DlxSearch\n"
        "class Liar(Dlx):\n"
        "    name = 'liar'\n"
        "    def prepare(self, task, config):\n"
        "        search = super().prepare(task, config)\n"
        "        take = search.take\n"
        "        search.take = lambda: take()[:0]\n"
        "        return search\n"
    )
    metadata = tmp_path / "liar-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: liar\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[dovetail.backends]\nliar = liar:Liar\n")
    done = subprocess.run(
        [*DOVETAIL, "count", "queens-6", "-b", "liar", "--symmetry", "all"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "(wrong): it counted 4 and listed 0 solutions" in done.stdout
