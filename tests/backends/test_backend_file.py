"""Backends in files: the guide's `plain_x.py`, wherever a backend is named, and its mistakes."""

from __future__ import annotations

import importlib
import json
import pickle
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import dovetail
from backends.command.definitions import LISTING
from cli.command import dovetail as run
from dovetail.backends.base import PLACEMENT_MADE
from dovetail.backends.command.search import VARIABLE
from dovetail.backends.registry import Solver, backend_named, solver_of
from dovetail.errors import ConfigError, DovetailError
from dovetail.harness.pytest_plugin.solution_count import asked_job, question_words
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from guide.pages import blocks
from harness.suite.bench_here import bench_here

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "4-adding-a-backend.md"
(TEXT,) = (block.text for block in blocks(GUIDE) if block.file == "plain_x.py")
NODES = 152  # of queens-6 on the first item; 110 on the item with the fewest options
FIRST = {"fewest": False}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in the current folder; permission to run programs ends with the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    path = tmp_path / "plain_x.py"
    path.write_text(TEXT)
    return path


@pytest.fixture
def module(file: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the file, as a script imports it."""
    monkeypatch.syspath_prepend(file.parent)
    monkeypatch.delitem(__import__("sys").modules, "plain_x", raising=False)
    return importlib.import_module("plain_x")


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benches run in this process."""
    bench_here(monkeypatch)


@pytest.mark.usefixtures("_here")
def test_all_that_name_it(module: ModuleType, file: Path) -> None:
    """A text, a path, a class and an object give the same solver; settings of an object count."""
    (name, given) = solver_of(module.PlainX(**FIRST))
    assert given == FIRST
    solvers: list[Solver] = ["plain_x.py", "plain_x.py:PlainX", file, module.PlainX, name]
    assert [solver_of(solver) for solver in solvers] == [(name, {})] * 5
    results = [dovetail.count("queens-6", solver, config=FIRST) for solver in solvers[:2]]
    results.append(dovetail.count("queens-6", module.PlainX(**FIRST)))
    assert [(result.nodes, result.job and result.job.backend) for result in results] == [
        (NODES, name)
    ] * 3
    records = dovetail.bench(puzzles="queens-6", backends=["dlx", module.PlainX(**FIRST)])
    assert [record.result.nodes for record in records] == [110, NODES]
    assert solver_of(type(backend_named("dlx"))) == ("dlx", {})


def test_other_processes_need_no_file(file: Path) -> None:
    """They get its text with the name; plans in JSON find it where it is known."""
    job = asked_job(dovetail.load("queens-6"), "plain_x.py", symmetry="all", time_limit=60)
    assert question_words(job) == "queens-6 plain-x all"
    file.unlink()
    assert dovetail.count("queens-6", job.backend, time_limit=60, symmetry="all").nodes == 110
    plan = plan_from_json(plan_to_json(Plan.of(job)))
    assert pickle.loads(pickle.dumps(plan.backend)) is job.backend is plan.backend


@pytest.mark.usefixtures("_here")
def test_a_changed_file_is_another_solver(file: Path) -> None:
    """A bench runs it again; records say which file it was."""
    names = []
    for text in (TEXT, TEXT, TEXT + "# changed\n"):
        file.write_text(text)
        assert run("bench", "queens-6", "-b", "plain_x.py", "-o", "r.jsonl").returncode == 0
        names.append(solver_of("plain_x.py")[0])
    records = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert [record["backend"] for record in records] == [names[0], names[2]]
    assert records[0]["program"]["sha256"].startswith(names[0].partition("@")[2])
    assert "expected --suite FILE" in run("capsule", "r.jsonl", "-o", "c.zip").stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("if not todo:", "if not todo", "plain_x.py:47: SyntaxError: expected ':'"),
        ("def exact", "class Y(PlainX):\n    pass\ndef exact", "plain_x.py:35: 2 classes derive"),
        ("return StepwiseSearch", "return 1 / 0  #", "plain_x.py:32: ZeroDivisionError: division"),
    ],
)
def test_faults(file: Path, old: str, new: str, message: str) -> None:
    """Each is a single line with the line of the file."""
    file.write_text(TEXT.replace(old, new, 1))
    done = run("count", "queens-6", "-b", "plain_x.py")
    assert done.returncode in (1, 2)
    assert done.stderr.startswith(f"dovetail: {message}")
    assert done.stderr.count("\n") == 1
    if old == "return StepwiseSearch":
        assert message in (dovetail.count("queens-6", "plain_x.py", time_limit=60).reason or "")


def test_what_cannot_be_named(file: Path, module: ModuleType) -> None:
    """The error names the valid classes, or what is expected."""
    file.write_text(f"{TEXT}\nclass Other(PlainX):\n    def __init__(self): pass\n")

    class Inner(module.PlainX):  # type: ignore[misc, name-defined]
        pass

    importlib.reload(module)
    solver_of("plain_x.py:PlainX")
    mistakes: list[tuple[object, str]] = [
        ("plain_x.py:PlainXConfig", "14: no class PlainXConfig derives.*; valid: PlainX, Other"),
        (
            "plain_x.py:Other",
            "Other and PlainX of .*plain_x.py are both called plain-x; rename one",
        ),
        ("plain_y.py", "plain_y.py: No such file or directory; expected FILE.py"),
        (module.Other(), "Other has an __init__"),
        (Inner, "Inner is not at the top level of a file"),
    ]
    for solver, message in mistakes:
        with pytest.raises(DovetailError, match=message):
            solver_of(solver)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="backend plain-x has no config key 'least'"):
        module.PlainX(least=1)


def test_a_class_of_a_package(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes import it too, with the modules beside it."""
    package = file.parent / "some" / "kit"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text("FEWEST = False\n")
    own = TEXT.replace("True, ", "FEWEST, ").replace(
        '."""\n', '."""\nfrom .helper import FEWEST\n', 1
    )
    (package / "solver.py").write_text(own)
    monkeypatch.syspath_prepend(file.parent / "some")
    plain = importlib.import_module("kit.solver").PlainX
    assert type(backend_named(solver_of(plain)[0])) is plain
    for time_limit in (None, 60):
        result = dovetail.count("queens-6", plain, time_limit=time_limit)
        assert (result.nodes, result.reason) == (NODES, None)


def test_a_search_in_the_file(file: Path) -> None:
    """It would begin again in every process that loads the file."""
    file.write_text(f'{TEXT}\nimport dovetail\ndovetail.count("queens-6", PlainX)\n')
    with pytest.raises(DovetailError, match=r"py:60: .*expected it below if __name__"):
        solver_of("plain_x.py")


@pytest.mark.usefixtures("_here")
def test_suite(file: Path) -> None:
    """Its file is run only with permission, has the suite's name, and is in the capsule."""
    suite = '[[backend]]\nname = "mine"\nfile = "plain_x.py"\n[[run]]\npuzzles = ["queens-6"]\n'
    suite += 'backends = ["dlx", "mine"]\nconfig.mine = { fewest = [true, false] }\n'
    path = file.parent / "s" / "s.toml"
    path.parent.mkdir()
    path.write_text('name = "s"\n' + suite)
    file = file.rename(path.parent / "plain_x.py")
    assert "s.toml:4: file 'plain_x.py': it runs a program" in run("bench", path).stderr
    done = run("bench", path, "--allow-commands", "-o", "r.jsonl")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    name, _ = solver_of(str(file))
    mine = name.replace("plain-x", "mine")
    assert [record["nodes"] for record in records] == [110, 110, NODES]
    assert [record["backend"] for record in records] == ["dlx", mine, mine]
    assert run("capsule", "r.jsonl", "--suite", path, "-o", "c.zip").returncode == 0
    with zipfile.ZipFile("c.zip") as archive:
        assert archive.read("suites/plain_x.py").decode() == TEXT
        assert "s.toml -o again.jsonl --allow-commands" in archive.read("again.sh").decode()
    path.write_text('name = "s"\n' + suite.replace('"dlx"', '"s/plain_x.py"'))
    assert "unknown backend 's/plain_x.py'" in run("bench", path, "--allow-commands").stderr


@pytest.mark.usefixtures("_here")
def test_nodes_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that says what its nodes are counts them as solvers of that meaning do."""
    monkeypatch.setenv(VARIABLE, "1")
    program = {**LISTING, "node_meaning": PLACEMENT_MADE}
    (record,) = dovetail.bench(puzzles="queens-6", backends="command", config=program)
    assert (record.result.nodes, record.job.node_meaning) == (110, PLACEMENT_MADE)
    assert not record.result.counters.native
    silent = {**program, "solutions": "none", "count": '"nodes": ([0-9]+)'}
    asked = {"config": silent, "symmetry": "all"}
    (record,) = dovetail.bench(puzzles="queens-6", backends="command", **asked)  # type: ignore[arg-type]
    assert "printed no whole number of nodes" in (record.result.reason or "")
