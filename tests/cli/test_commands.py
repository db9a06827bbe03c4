"""The commands as users meet them: output, exit status, one-line errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from subprocess import CompletedProcess

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

KEYS = {
    *("puzzle", "digest", "backend", "config", "symmetry", "status", "count", "reason", "nodes"),
    *("attempts", "attempts_by_remaining", "fits_by_remaining", "native", "placements"),
    *("verified", "prepare_s", "solve_s", "check_s", "total_s", "peak_bytes"),
}


def test_count_as_json_is_one_object_per_puzzle() -> None:
    done = dovetail("count", "queens-8", "langford-4", "--symmetry", "all", "--json")
    result, other = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, "")
    assert set(result) >= KEYS
    assert (result["count"], result["nodes"], result["verified"]) == (92, 1198, 92)
    assert other["count"] == 2
    assert result["check_s"] > 0
    assert result["total_s"] == result["prepare_s"] + result["solve_s"]


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (("-b", "dlx", "--time-limit", "0.1"), 3, "(time-limit)"),
        (("-b", "cpsat", "--node-limit", "5"), 2, "does not count nodes"),
    ],
)
def test_a_run_cut_short_shows_a_lower_bound_and_exits_with_3(
    words: tuple[str, ...], status: int, expected: str
) -> None:
    done = dovetail("count", "queens-30", "--symmetry", "all", *words)
    assert done.returncode == status
    assert expected in done.stdout
    assert "≥" in done.stdout or status == 2


@pytest.mark.parametrize("backend", ["dlx"])
def test_ctrl_c_prints_a_lower_bound_and_exits_with_130(backend: str) -> None:
    words = ["count", "queens-30", "--symmetry", "all", "-b", backend, "--json"]
    done, waited_s = interrupted_when(lambda progress: (progress["count"] or 0) > 0, *words)
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr, result["status"]) == (130, "", "interrupted")
    assert result["count"] > 0
    assert min(result["prepare_s"], result["solve_s"]) > 0
    assert waited_s < 3.0  # beside other tests; a slice takes a few hundredths of a second


def test_a_terminated_bench_keeps_and_shows_finished_runs(tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    words = [*DOVETAIL, "bench", "queens-6", "queens-30", "-b", "dlx", "-o", str(runs), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (runs.exists() and runs.stat().st_size):
            time.sleep(0.02)
        process.terminate()
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, f"wrote {runs}\n".encode())
    finished = [json.loads(line) for line in runs.read_text().splitlines()]
    assert [(record["puzzle"], record["count"]) for record in finished] == [("queens-6", 1)]
    assert json.loads(out.splitlines()[0])["puzzle"] == "queens-6"


def dovetail_with(folder: Path, module: str, text: str, *words: str) -> CompletedProcess[str]:
    """Run the command in a process of its own that finds a module in `folder`."""
    (folder / f"{module}.py").write_text(text)
    variables = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [*DOVETAIL, *words], env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("module", ["typer", "numpy"])
def test_ctrl_c_in_an_import_is_one_line(tmp_path: Path, module: str) -> None:
    """The library makes another error of the interruption."""
    text = (
        "import os, signal, time\n"
        "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(10)\n"
        "except KeyboardInterrupt:\n    raise ImportError('failed to import')\n"
    )
    before = signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # what ignores it makes children ignore it
    try:
        done = dovetail_with(tmp_path, module, text, "count", "queens-6")
    finally:
        signal.signal(signal.SIGINT, before)
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


def test_check_backend_exits_with_1_and_shows_what_is_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [
        CHECKS["packing"].judged("x", Judgement.OK, None),
        CHECKS["edges"].judged("x", Judgement.REFUSED, "it has no edges"),
        CHECKS["cover"].judged("x", Judgement.FAILED, "langford-4: found 3"),
    ]
    monkeypatch.setattr(contract, "check_backend", lambda name, settings: iter(made))
    done = dovetail("check-backend", "x")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[1:] == [
        "  refused  edges: it has no edges",
        "  FAILED   cover: langford-4: found 3",
        "           required: Every primary item is in exactly one chosen option.",
        "x: 1 ok, 1 refused, 1 failed",
    ]
    made.pop()
    done = dovetail("check-backend", "x", "--json")
    assert done.returncode == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["check"], one["judgement"]) for one in rows] == [
        ("packing", "ok"),
        ("edges", "refused"),
    ]


def test_list_has_everything_but_sets_and_show_has_regions_and_pieces() -> None:
    listing = [json.loads(line) for line in dovetail("list", "--json").stdout.splitlines()]
    listed = [row for row in listing if row["kind"] == "solver"]
    assert [row["name"] for row in listed] == [AUTO, *backends()]
    assert {row["kind"] for row in listing} == {"puzzle", "suite", "solver", "improver"}
    assert "a node is: a placement made" in dovetail("list", "solvers").stdout
    (quick,) = (row for row in listing if row["name"] == "quick")
    suite = read_suite(Path(__file__).parents[2] / "suites" / "quick.toml")
    assert (quick["jobs"], quick["summary"]) == (len(suite.jobs), suite.about)
    shown = dovetail("show", "soma-cube", "edges-4-b3i3-1", "queens-8").stdout
    assert "27 open cells" in shown
    assert shown.count("cells, free") == 7
    assert "tile: top right bottom left" in shown
    assert "and 52 more" in shown


def test_list_finds_a_word_in_names_summaries_and_examples() -> None:
    (row,) = dovetail("list", "sets", "hexominoes", "--json").stdout.splitlines()[:1]
    summary = "35 pieces of 6 cells, lattice square-2"
    expected = {"kind": "set", "name": "hexominoes", "pieces": 35, "lattice": "square-2"}
    assert json.loads(row) == expected | {"summary": summary}
    assert " one-sided-hexominoes   60 pieces" in dovetail("list", "sets", "HEXO").stdout
    assert "queens-N" in dovetail("list", "puzzles", "queens-8").stdout
    (line,) = dovetail("list", "solvers", "dancing cells", "--json").stdout.splitlines()
    assert json.loads(line)["name"] == "xcover"
    done = dovetail("list", "sets", "nosuch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dovetail: no name, summary or example of sets has 'nosuch'\n"


def test_bench_prints_a_table_and_exits_with_1_for_a_wrong_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench_here(monkeypatch)
    suite, runs = tmp_path / "suite.toml", tmp_path / "runs.jsonl"
    suite.write_text(
        'name = "tiny"\n[[run]]\npuzzles = ["queens-6", "edges-3-2-1"]\n'
        'backends = ["dlx", "constraint"]\nexpected = { queens-6 = 1 }\n'
        '[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\nlabelled = true\n'
        '[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\nsymmetry = "all"\n'
    )
    done = dovetail("bench", suite, "-o", runs)
    assert (done.returncode, done.stderr) == (0, f"wrote {runs}\n")
    assert len(runs.read_text().splitlines()) == 6
    refused = "refused:\n  queens-6, dlx: a cover problem has no identical"
    for expected in ("queens-6 (unique)", "constraint", "edges-3-2-1", "× solve", refused):
        assert expected in done.stdout
    suite.write_text(suite.read_text().replace("queens-6 = 1", "queens-6 = 3"))
    done = dovetail("bench", suite, "--only", "queens-6")
    assert done.returncode == 1
    assert "it counted 1; expected 3" in done.stdout
    done = dovetail("bench", suite, "--only", "edges-3-2-1", "--json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["backend"], one["status"]) for one in records] == [
        ("dlx", "exhausted"),
        ("constraint", "exhausted"),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("count queens-6 -c labelled", "expected KEY=VALUE"),
        ("count queens-6 --time-limit nan", "time is 'nan'; expected seconds"),
        ("solve queens-6 --reduce volume", "is a cover problem"),
        ("count pentominoes-6x10 -b fila -c stages=f@3", "begins with all pieces; expected no @3"),
    ],
)
def test_bad_input_is_one_line(words: str, message: str) -> None:
    done = dovetail(*words.split(" "))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("dovetail: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_a_plugin_that_lies_is_found_out_and_exits_with_1(tmp_path: Path) -> None:
    metadata = tmp_path / "liar-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: liar\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[dovetail.backends]\nliar = liar:Liar\n")
    text = (
        "from dovetail.backends.dlx.backend import Dlx\n"
        "class Liar(Dlx):\n"
        "    name = 'liar'\n"
        "    def prepare(self, task, config):\n"
        "        search = super().prepare(task, config)\n"
        "        take = search.take\n"
        "        search.take = lambda: take()[:0]\n"
        "        return search\n"
    )
    words = ("count", "queens-6", "-b", "liar", "--symmetry", "all")
    done = dovetail_with(tmp_path, "liar", text, *words)
    assert done.returncode == 1
    assert "(wrong): it counted 4 and listed 0 solutions" in done.stdout


LONG = "one-sided-pentominoes-9x10"


def count(*words: str) -> int:
    """The exit status of counting by `frontier`."""
    return run(["count", *words, "-b", "frontier"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hexominoes-box-in-a-diamond",), "its sets of pieces need 35 bits; "),
        (("soma-cube", "--trigger", "volume"), "it does not support triggers (volume)"),
    ],
)
def test_refusals(
    words: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line and exit status 2; with --json the status is `skipped`, and there is no count."""
    assert count(*words) == 2
    out = capsys.readouterr().out
    assert out.startswith(f"{words[0]}: frontier refuses: {expected}")
    assert out.count("\n") == 1
    assert count(*words, "--json") == 2
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"]) == ("skipped", None)
    assert result["reason"].startswith(expected)


@pytest.mark.parametrize(
    ("words", "status"),
    [(("--time-limit", "0.3"), "time-limit"), (("--memory-limit", "400M"), "memory-limit")],
)
def test_limits_leave_no_count(
    words: tuple[str, ...], status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dynamic programme has no lower bound until it ends; exit status 3."""
    assert count(LONG, *words, "--json") == 3
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"], result["verified"]) == (status, None, 0)
    if status == "memory-limit":
        assert re.search(r"would take [\d,]+ bytes; [\d,]+ are left", result["reason"])
