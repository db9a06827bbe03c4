"""Benchmarks for BenchExec: written from suites, and read back from a recorded result file.

`tests/harness/records/benchexec.xml` was written by BenchExec 3.35 with `--no-container` from the
files of `SUITE`, with the file of pentominoes-3x20 damaged; its environment was removed.
"""

from __future__ import annotations

import bz2
import gzip
import re
from importlib.util import find_spec
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from cli.command import dovetail
from dovetail.cli.process import JOB_FIRST
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.harness.records.record_files import parse_file, read_records
from dovetail.harness.sizes import parse_seconds
from dovetail.harness.suite.benchexec_files import DEFINITION, benchmark_files
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.puzzles.loading import load

SUITE = """
name = "mixed"
limits = { time_s = 2 }
[[run]]
puzzles = ["queens-8", "pentominoes-3x20"]
backends = ["dlx"]
symmetry = "all"
expected = { queens-8 = 92, pentominoes-3x20 = 8 }
[[run]]
puzzles = ["soma-cube"]
backends = ["dlx"]
symmetry = "all"
expected = { soma-cube = 11521 }
[[run]]
puzzles = ["pentominoes-6x10", "langford-7"]
backends = ["dlx"]
symmetry = "all"
"""
OTHERS = """
[[run]]
puzzles = ["edges-4-b3i3-1"]
backends = ["fila"]
symmetry = "unique"
reduce = ["redundancy"]
config.fila = { stages = ["dlx:s", "fila:f@11"] }
[[run]]
puzzles = ["pentominoes-3x20"]
backends = ["dlx"]
symmetry = "all"
trials = { count = 10, remaining = 3 }
"""
RECORDED = Path(__file__).parent.parent / "records" / "benchexec.xml"
needs_benchexec = pytest.mark.skipif(find_spec("benchexec") is None, reason="no benchexec")


def plan_of(text: str) -> SuitePlan:
    """The plan of a suite."""
    return read_suite(TextFile(Path("mixed.toml"), text.encode()))


def test_the_files_of_a_suite(tmp_path: Path) -> None:
    """A task has the question and the known count, a run definition the solver and its tasks."""
    plan = plan_of(SUITE + OTHERS)
    contents, left_out = benchmark_files(plan)
    files = {path: data.decode() for path, data in contents}
    assert left_out == "left out: 1 run of improvers, trials, disassembly or programs"
    assert files["tasks/queens-8-all.yml"].splitlines() == [
        *("format_version: '2.0'", 'input_files: "queens-8.dlx"'),
        *("properties:", "  - property_file: ../count.prp", "    expected_verdict: true"),
        *("options:", "  count: 92", '  symmetry: "all"', "  labelled: false"),
    ]
    assert "expected_verdict" not in files["tasks/edges-4-b3i3-1-unique.yml"]
    (tmp_path / "tasks").mkdir()
    for run in plan.runs:
        suffix = next(path for path in files if Path(path).stem == run.job.puzzle.name)
        (tmp_path / suffix).write_text(files[suffix])
        assert load(tmp_path / suffix).digest == run.job.puzzle.digest
    words = [line.strip() for line in files[DEFINITION].splitlines()]
    first = words.index('<option name="-c">stages=dlx:s,fila:f@11</option>')
    assert words[first + 1] == '<option name="--reduce">redundancy</option>'
    assert words[first + 2] == '<option name="--time-limit">2s</option>'
    assert words[first + 4] == "<include>tasks/edges-4-b3i3-1-unique.yml</include>"


@pytest.mark.parametrize("seconds", [0.00002, 100.25, 1_234_567.5])
def test_long_and_short_time_limits(seconds: float) -> None:
    """The command reads the limit that the suite states."""
    plan = plan_of(SUITE.replace("time_s = 2", f"time_s = {seconds}"))
    files = dict(benchmark_files(plan)[0])
    (shown,) = set(re.findall('"--time-limit">(.*?)<', files[DEFINITION].decode()))
    assert parse_seconds(shown) == seconds


def test_times_of_other_zones_are_in_utc() -> None:
    data = RECORDED.read_bytes().replace(b"T18:27:01.478562+00:00", b"T20:27:01.478562+02:00")
    begun = [record.begun for record in parse_file(data, RECORDED).records]
    assert "2026-11-28T18:27:01+00:00" in begun


def test_a_recorded_result_file() -> None:
    """Its records are those of the jobs of the suite, with what BenchExec found and measured."""
    plan, file = plan_of(SUITE), read_records(RECORDED)
    by = {record.job.puzzle: record for record in file.records}
    jobs = {run.job.puzzle.name: run.job.digest for run in plan.runs}
    del jobs["pentominoes-3x20"]
    assert {name: record.job.digest for name, record in by.items()} == jobs
    assert {name: str(record.result.status) for name, record in by.items()} == {
        "queens-8": "exhausted",
        "langford-7": "exhausted",
        "soma-cube": "wrong",
        "pentominoes-6x10": "time-limit",
    }
    assert (by["queens-8"].expected, by["langford-7"].expected) == (92, None)
    queens = by["queens-8"]
    assert (queens.suite, queens.environment.versions) == ("mixed", {"dovetail": "0.2.0"})
    assert queens.result.counters.native.keys() >= {"cputime_s", "walltime_s", "memory_bytes"}
    assert str(queens.begun).startswith("2026-11-28T18:")
    (skipped,) = file.skipped
    assert skipped.message == (
        "tasks/pentominoes-3x20-all.yml: ERROR (no result): it has no record; expected a run of "
        "tool dovetail.benchexec that began to search"
    )
    whole = RECORDED.read_bytes()
    for pack in (bz2.compress, gzip.compress):
        assert parse_file(pack(whole), RECORDED).records == file.records
    odd = re.sub(rb'title="cputime" value="[^"]*"', b'title="cputime" value="1.2.3s"', whole)
    queens = next(one for one in parse_file(odd, RECORDED).records if one.job.puzzle == "queens-8")
    assert "cputime_s" not in queens.result.counters.native
    with pytest.raises(FormatError, match="not XML"):
        parse_file(whole[:-900], RECORDED)
    with pytest.raises(FormatError, match="the compressed file is damaged"):
        parse_file(bz2.compress(whole)[:-900], RECORDED)


@pytest.mark.parametrize(
    ("verdict", "status"), [("OUT OF MEMORY", "memory-limit"), ("SEGMENTATION FAULT", "failed")]
)
def test_a_run_that_was_killed(verdict: str, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its record is the one that it printed before it began, with what BenchExec says."""
    monkeypatch.setenv(JOB_FIRST, "1")
    done = dovetail("count", "pentominoes-3x20", "-b", "dlx", "--json", "--time-limit", "2s")
    (begun,) = [line for line in done.stderr.splitlines() if line.startswith('{"job"')]
    column = f'<column title="record" value={quoteattr(begun)}/>\n    <column title="status"'
    old = '<column title="status" value="ERROR (no result)"'
    new = f'{column} value="{verdict}"'
    file = parse_file(RECORDED.read_text().replace(old, new).encode(), RECORDED)
    record = file.records[1]
    assert (record.job.puzzle, record.result.count) == ("pentominoes-3x20", None)
    assert (record.result.status, record.result.reason) == (status, f"BenchExec: {verdict}")
    assert record.result.solve_s == record.result.counters.native["walltime_s"]
    assert (len(file.records), file.skipped) == (5, ())


def test_the_commands(tmp_path: Path) -> None:
    """A folder of tasks is written again, but no other folder; results are reported."""
    target = tmp_path / "bench"
    for _ in range(2):
        done = dovetail("convert", "soma-cube", target, "--to", "benchexec")
        assert (done.returncode, done.stderr) == (0, f"wrote {target / DEFINITION}: 1 task\n")
    refused = dovetail("convert", "soma-cube", tmp_path, "--to", "benchexec")
    assert refused.returncode == 2
    assert "is not empty and holds no count.prp" in refused.stderr
    report = dovetail("report", RECORDED)
    assert "Wrong results: 1 of 4" in report.stdout
    assert "1 run skipped: tasks/pentominoes-3x20-all.yml" in report.stderr


@needs_benchexec
def test_the_tool_info_module() -> None:
    """Limits and questions become options; the verdict is whether the count is the known one."""
    from benchexec.tools.template import BaseTool2
    from benchexec.util import ProcessExitCode

    from dovetail.benchexec import Tool

    tool = Tool()
    options = {"count": 92, "symmetry": "all", "labelled": True}
    task = BaseTool2.Task.with_files(["queens-8.dlx"], property_file="p", options=options)
    limits = BaseTool2.ResourceLimits(100, 100, None, 2**30)
    command = tool.cmdline("dovetail", ["-b", "dlx"], task, limits)
    assert command == [
        *("dovetail", "count", "--json", "-b", "dlx", "--time-limit", "90.000s"),
        *("--memory-limit", str(int(0.9 * 2**30)), "--symmetry", "all", "--labelled"),
        "queens-8.dlx",
    ]

    def verdict(*lines: str) -> str:
        output = BaseTool2.RunOutput([f"{line}\n" for line in lines])
        return tool.determine_result(
            BaseTool2.Run(command, ProcessExitCode(raw=0, value=0, signal=None), output, None)
        )

    found = '{"job": "x", "status": "exhausted", "count": 92}'
    assert verdict("a message", found) == "true"
    assert verdict(found.replace("92", "91")) == "false"
    assert verdict(found.replace("exhausted", "time-limit")) == "TIMEOUT"
    assert verdict("dovetail: bad") == verdict(found.replace("exhausted", "interrupted")) == "ERROR"
    assert tool.get_value_from_output([found], "count") == "92"
    assert tool.get_value_from_output(["none"], "count") is None
