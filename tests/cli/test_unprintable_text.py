"""No control character reaches the terminal, wherever it comes from and whatever is printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from dovetail.cli.main import run
from dovetail.cli.output import complain, print_lines
from harness.suite.bench_here import bench_here

# A title for the terminal's window, a C1 control, a change of direction, half a character.
NAMES = ("\x1b]0;owned\x07x", "tab\ta\x9b31m\u202eb")

BURR = """\
<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="1" z="1" type="0" name="{}">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems><problem name="{}"><shapes><shape id="0" count="2"/></shapes><result id="1"/></problem>
</problems></puzzle>
"""
# A file for every place that a name can have in every format; `{}` is the name.
FILES = {
    "piece.toml": "box = [2, 1]\n[[piece]]\nname = {json}\ncells = [[0, 0], [1, 0]]\n",
    "label.toml": 'sets = ["dominoes"]\nregion = """\n{} . .\n"""\n',
    "set.toml": "box = [2, 1]\nsets = [{json}]\n",
    "key.toml": "{json} = 1\n",
    "piece.def": "D:xDim=2:yDim=1:zDim=1\nC:name={}:layout=0 0 0, 1 0 0\n~D\n",
    "label.def": "D:xDim=2:yDim=1:zDim=1\nL\n{} {}\n~L\n~D\n",
    "name.json": '{{"name": {json}, "width": 1, "height": 1, "tiles": [[0, 0, 0, 0]]}}\n',
    "key.json": "{{{json}: 1}}\n",
    "name.url": "https://e2.bucas.name/#puzzle={url}&board_w=1&board_h=1&board_edges=aaaa\n",
    "item.dlx": "a {} | s\na {} s:1\n",
    "named.dlx": "| name a: {json}\na b\na b\n",
    "piece.xmpuzzle": BURR,
    "edges.txt": "1 1\n0 0 0 {}\n",
    "unknown.txt": "{}\n",
}
SHOWING = (
    "show {}",
    "count {} -b dlx --json",
    "explain {}",
    "solve {} -b dlx",
    "convert {} - --to knuth",
    "convert {} - --to toml",
    "convert {} - --to burrtools",
)
SUITE = 'name = "s"\n[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n'

RunCommand = Callable[..., tuple[int, str, str]]


def filled(template: str, name: str) -> str:
    """Return `template` with `name` in it, as its format writes it."""
    text = template.replace("{{", "{").replace("}}", "}").replace("{json}", json.dumps(name))
    return text.replace("{url}", quote(name)).replace("{}", name)


@pytest.fixture
def run_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> RunCommand:
    """Runs a command; gives its exit status, and what it printed without control characters."""
    monkeypatch.chdir(tmp_path)
    bench_here(monkeypatch)

    def command(*words: str) -> tuple[int, str, str]:
        status = run([*words])
        printed = capsys.readouterr()
        for text in printed:
            assert text.replace("\n", "").isprintable(), (words, text)
        return status, printed.out, printed.err

    return command


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", NAMES)
def test_names_in_puzzle_files(run_command: RunCommand, file: str, name: str) -> None:
    """Every format refuses them and names the place, or reads them without such characters."""
    Path(file).write_text(filled(FILES[file], name))
    status, _, complaint = run_command("show", file)
    if status:
        assert status == 2
        line = "" if file.endswith(".json") else ":[0-9]+"
        assert re.match(rf"dovetail: {re.escape(file)}{line}: ", complaint)
        assert complaint.count("\n") == 1
        return
    for words in SHOWING:
        run_command(*words.format(file).split())


@pytest.mark.parametrize("name", NAMES)
def test_names_of_good_bad_and_missing_files(run_command: RunCommand, name: str) -> None:
    suffixes = (".toml", ".def", ".txt", ".dlx", ".xmpuzzle", ".jsonl")
    for suffix in suffixes if name == NAMES[0] else suffixes[:1]:
        file = name.replace("/", "") + suffix
        Path(file).write_text("::\n")
        for words in (
            *(("show", file), ("verify", "queens-6", file), ("report", file, "-o", "-")),
            *(("compare", file, file), ("bench", file), ("count", f"missing{file}")),
            *(("convert", "queens-6", f"{name}/x.dlx"), ("show", f"{file}#7")),
        ):
            assert run_command(*words)[0] == 2
    several = f"{name}.def"
    Path(several).write_text("D:xDim=2:yDim=1:zDim=1\nC:name=A:layout=0 0 0, 1 0 0\n~D\n" * 2)
    for template in SHOWING:
        run_command(*(word.replace("{}", f"{several}#1") for word in template.split()))
    assert "#3 does not exist" in run_command("count", f"{several}#3")[2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words",
    [
        ("count", "{}"),
        ("{}",),
        ("count", "queens-6", "-b", "{}"),
        ("count", "queens-6", "-c", "{}=1"),
        ("count", "pentominoes-3x20", "-b", "fila", "-c", "stages={}"),
        ("count", "queens-6", "--symmetry", "{}"),
        ("solve", "queens-6", "-o", "x.{}"),
        ("generate", "edges", "--inner-colours", "2", "--size", "{}"),
        ("bench", "suite.toml", "--only", "{}"),
    ],
)
def test_words_of_a_command(run_command: RunCommand, words: tuple[str, ...], name: str) -> None:
    """Are refused in one line."""
    Path("suite.toml").write_text(SUITE)
    status, out, complaint = run_command(*(word.format(name) for word in words))
    assert status == 2
    assert (out + complaint).count("\n") == 1


@pytest.mark.parametrize("name", NAMES)
def test_records(run_command: RunCommand, name: str) -> None:
    """Whatever a file of records holds: a bench that resumes, reports, comparisons."""
    Path("suite.toml").write_text(SUITE)
    assert run_command("bench", "suite.toml", "-o", "runs.jsonl")[0] == 0
    (record,) = map(json.loads, Path("runs.jsonl").read_text().splitlines())
    record |= {"puzzle": name, "backend": name, "reason": f"{name}\n{name}", "node_meaning": name}
    record |= {"reductions": [name], "triggers": [name], "commit": name, "suite": name}
    record["config"][name] = name
    hostile = "".join(
        json.dumps({**record, "repeat": repeat, "status": status}) + "\n"
        for repeat, status in enumerate(("failed", "skipped", "exhausted"))
    )
    Path("hostile.jsonl").write_text(hostile + f"no record {name}\n")
    assert run_command("report", "hostile.jsonl", "-o", "-", "--format", "md")[0] == 0
    assert run_command("report", "hostile.jsonl", "-o", "-", "--format", "csv")[0] == 0
    for words in (("hostile.jsonl", "runs.jsonl"), ("hostile.jsonl", "hostile.jsonl")):
        for more in ((), ("--format", "md"), ("--json",)):
            run_command("compare", *words, *more)
    Path("hostile.jsonl").write_text(json.dumps({**record, "status": "wrong"}) + "\n")
    assert run_command("bench", "suite.toml", "-o", "hostile.jsonl")[0] == 1
    assert run_command("bench", "suite.toml", "-o", "hostile.jsonl", "--json")[0] == 1


@pytest.mark.parametrize("name", NAMES)
def test_solutions(run_command: RunCommand, name: str) -> None:
    """Names of pieces that the puzzle does not have, in every format of solutions."""
    Path("row.toml").write_text('box = [2, 1]\nsets = ["dominoes"]\n')
    for suffix, text in (
        (".txt", f"{name} {name}\n"),
        (".jsonl", json.dumps({"placed": [[name, [[0, 0], [1, 0]]]]}) + "\n"),
        (".json", json.dumps({"solutions": [{"placed": [[name, [[0, 0], [1, 0]]]]}]}) + "\n"),
        (".csv", f"solution,piece,copy,x,y\n1,{name},1,0,0\n1,{name},1,1,0\n"),
    ):
        Path(f"solutions{suffix}").write_text(text)
        for more in ((), ("--json",), ("--by-shape",)):
            assert run_command("verify", "row.toml", f"solutions{suffix}", *more)[0] in (0, 1, 2)
        for target in (".txt", ".json", ".csv", ".xmpuzzle"):
            run_command("convert", f"solutions{suffix}", f"x{target}", "--solutions-of", "row.toml")


def test_whatever_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Reasons of backends, paths of the system, messages: lines stay lines, messages one line."""
    print_lines("a\x1b[31m\nb\x9b\r")
    complain("a\x1b[31m\nb\udc80")
    run_command = capsys.readouterr()
    assert run_command == ("a�[31m\nb��\n", "dovetail: a�[31m�b�\n")
