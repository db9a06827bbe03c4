"""`disassemble`: what it lists, writes and refuses."""

from __future__ import annotations

import json
import re
import signal
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

import dovetail
from cli.command import dovetail as command
from dovetail.disassembly import search
from dovetail.models.lattices.protocol import Cells
from dovetail.puzzles.formats.registry import format_named

# A ring around a spool, side by side with a loose cell: nothing but the cell comes off.
RING = ((0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 1, 1), (2, 2, 1))
BAR = ((0, 1, 0), (0, 1, 2), (1, 1, 0), (1, 1, 1), (1, 1, 2), (2, 1, 0), (2, 1, 2))


# A closed shell, and four cells that move freely in it: millions of states, all locked.
SHELL = tuple(cell for cell in product(range(7), repeat=3) if {0, 6}.intersection(cell))
LOOSE = tuple((f"cell {x}", ((x, 3, 3),)) for x in range(1, 5))


def written(path: Path, *pieces: tuple[str, Cells]) -> Path:
    """Write a puzzle whose region the pieces fill in their places."""
    region = sorted(cell for _, cells in pieces for cell in cells)
    puzzle = dovetail.PackingPuzzle(
        path.stem,
        dovetail.SquareLattice(3),
        tuple(region),
        tuple(dovetail.Piece(name, cells) for name, cells in pieces),
    )
    path.write_text(format_named("toml").text(puzzle))
    return path


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """Return a file of a puzzle whose only assembly is locked."""
    loose_cell = ("cell", ((3, 1, 1),))
    return written(tmp_path / "locked.toml", ("ring", RING), ("spool", BAR), loose_cell)


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """Return a file of a puzzle whose assemblies take long to take apart."""
    return written(tmp_path / "long.toml", ("shell", SHELL), *LOOSE)


def test_a_line_for_each_assembly_and_the_tally(locked: Path) -> None:
    done = command("disassemble", locked)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "1: locked",
        "locked: 1 assembly, 0 solutions (taken apart), 1 locked",
        "  states: 2",
    ]
    assert command("disassemble", locked, "--solutions-only").stdout.startswith("locked: 1 ")


def test_the_best_assemblies_of_a_file_of_solutions(tmp_path: Path) -> None:
    solutions, plans = tmp_path / "soma.jsonl", tmp_path / "plans.json"
    assert command("solve", "soma-cube", "--limit", "5", "-o", solutions).returncode == 0
    done = command("disassemble", "soma-cube", solutions, "--best", "2", "--moves", "-o", plans)
    assert done.returncode == 0
    written = json.loads(plans.read_text())
    assert (written["assemblies"], written["solutions"]) == (5, 5)
    assert len(written["disassemblies"]) == 2
    first = written["disassemblies"][0]
    assert f"{first['number']}: level {first['level']}, {first['moves']} moves" in done.stdout
    assert [move["steps"] for move in first["plan"]["moves"]][-1] is None
    everything = command("disassemble", "soma-cube", solutions, "--json", "--jobs", "2")
    assert len(json.loads(everything.stdout)["disassemblies"]) == 5


def test_moves_are_drawn_and_played(tmp_path: Path) -> None:
    pictures, player = tmp_path / "moves.svg", tmp_path / "moves.html"
    done = command("disassemble", "pentominoes-3x20", "--best", "1", "--moves", "-o", pictures)
    assert done.returncode == 0
    captions = re.findall(r'class="caption"[^>]*>([^<]+)<', pictures.read_text())
    assert captions[0] == "1: level 1, 11 moves"
    assert captions[1:] == [
        f"{number}. {line.partition('. ')[2]}"
        for number, line in enumerate(re.findall(r"^    (.*)$", done.stdout, re.MULTILINE), 1)
    ]
    command("disassemble", "soma-cube", "--best", "2", "-o", player)
    assert player.read_text().count("level 1, 6 moves") == 2


def test_an_assembly_without_pieces_is_played(tmp_path: Path) -> None:
    puzzle, player = tmp_path / "empty.toml", tmp_path / "empty.html"
    puzzle.write_text('region = "??"\n[[piece]]\nname = "A"\nshape = "##"\ncount = [0, 1]\n')
    done = command("disassemble", puzzle, "-o", player)
    assert (done.returncode, done.stderr) == (0, f"wrote {player}\n")
    assert "level 0, 0 moves" in player.read_text()


def test_moves_are_drawn_beside_fixed_pieces(tmp_path: Path) -> None:
    puzzle, pictures = tmp_path / "wall.toml", tmp_path / "moves.svg"
    pieces = "".join(f'[[piece]]\nname = "{name}"\nshape = "#"\n' for name in "AB")
    puzzle.write_text(f'region = "W . ."\n{pieces}')
    done = command("disassemble", puzzle, "--best", "1", "-o", pictures)
    assert (done.returncode, done.stderr) == (0, f"wrote {pictures}\n")
    assert pictures.read_text().count('class="caption"') == 3
    assert re.findall('class="([^"]*)" d="[^"]*"><title>W<', pictures.read_text()) == ["fixed"] * 3


def test_copies_keep_their_colours_when_others_leave(tmp_path: Path) -> None:
    puzzle, pictures = tmp_path / "bent.toml", tmp_path / "moves.svg"
    region = "\n".join([". . . ."] * 3)
    puzzle.write_text(
        f'region = """\n{region}\n"""\n[[piece]]\nname = "L"\nshape = "##\\n#."\ncount = 4\n'
    )
    done = command("disassemble", puzzle, "--best", "1", "-o", pictures)
    assert (done.returncode, done.stderr) == (0, f"wrote {pictures}\n")
    *figures, _ = pictures.read_text().split('class="caption"')
    colours = [set(re.findall("piece piece-([0-9]+)", figure)) for figure in figures]
    assert colours == [{*"0123"}, {*"0123"}, {*"013"}, {*"03"}]


def test_an_assembly_is_a_solution_without_its_fixed_pieces(tmp_path: Path) -> None:
    path = tmp_path / "wall.toml"
    path.write_text('region = "W . ."\n[[piece]]\nname = "A"\nshape = "##"\n')
    puzzle = dovetail.load(path)
    (taken,) = dovetail.disassemble(puzzle)
    assert taken.assembly.names == ("A", "W")
    assert [taken.solution] == list(dovetail.solve(puzzle))
    assert dovetail.disassemble(puzzle, taken.solution) == taken


def test_a_limit_leaves_assemblies_undecided(locked: Path) -> None:
    done = command("disassemble", locked, "--state-limit", "1")
    assert done.returncode == 3
    assert done.stderr == "dovetail: left 1 assembly undecided: the limit on states\n"
    assert "0 locked, 1 undecided" in done.stdout


def test_an_unfinished_search_is_one_line(locked: Path) -> None:
    done = command("disassemble", locked, "-b", "dlx", "--time-limit", "0s")
    assert done.returncode == 3
    assert re.fullmatch("dovetail: there may be more assemblies: .*time-limit.*\n", done.stderr)
    assert "�" not in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["queens-6"], "queens-6 has no pieces to take apart; expected a packing puzzle"),
        (
            ["soma-cube", "-c", "method=best"],
            "disassemble: method is 'best'; valid: breadth-first, unit-steps, a-star",
        ),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(words: list[str], message: str) -> None:
    done = command("disassemble", *words)
    assert (done.returncode, done.stderr) == (2, f"dovetail: {message}\n")


def test_separations_are_written_and_checked(tmp_path: Path) -> None:
    burr, wrong = tmp_path / "soma.xmpuzzle", tmp_path / "wrong.xmpuzzle"
    assert command("disassemble", "soma-cube", "--best", "2", "-o", burr).returncode == 0
    done = command("disassemble", burr, "--stored", "--moves")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-4] == "soma: 2 assemblies, 2 solutions (taken apart), 0 locked"
    again = command("disassemble", burr, "--stored", "--moves", "-o", burr)
    assert again.stdout == done.stdout
    assert command("disassemble", burr, "--stored", "--moves").stdout == done.stdout
    # The first piece leaves the opposite way.
    text = burr.read_text()
    at = text.index("300")
    wrong.write_text(f"{text[:at]}-{text[at:]}")
    refused = command("disassemble", wrong, "--stored")
    assert refused.returncode == 2
    assert "the separation of solution 1: move 1 of 1: " in refused.stderr


def test_a_single_piece_has_no_separation_to_store(tmp_path: Path) -> None:
    puzzle, burr = tmp_path / "one.toml", tmp_path / "one.xmpuzzle"
    puzzle.write_text('box = [2, 1, 1]\n[[piece]]\nname = "A"\nshape = "##"\n')
    done = command("disassemble", puzzle, "-o", burr)
    again = command("disassemble", burr, "--stored")
    assert (again.returncode, again.stdout) == (0, done.stdout)


@pytest.mark.parametrize("suffix", [".json", ".xmpuzzle"])
def test_solutions_are_not_overwritten(tmp_path: Path, locked: Path, suffix: str) -> None:
    path = tmp_path / f"solutions{suffix}"
    assert command("solve", locked, "-o", path).returncode == 0
    before = path.read_bytes()
    done = command("disassemble", locked, path, "-o", path)
    assert (done.returncode, path.read_bytes()) == (2, before)
    assert "is the file of the solutions; expected another file" in done.stderr


@pytest.mark.parametrize("jobs", ["2"])
def test_a_count_takes_its_assemblies_apart(locked: Path, jobs: str) -> None:
    done = command("count", "soma-cube", locked, "--disassemble", "--jobs", jobs, "--json")
    assert done.returncode == 0
    soma, other = (json.loads(line)["disassembled"] for line in done.stdout.splitlines())
    assert [soma[key] for key in ("assemblies", "solutions", "level", "moves", "holes")] == [
        *(480, 480, "1", 6, 0)
    ]
    assert soma["first_numbers"] == {"1": 480}
    assert soma["removed"] == [1] * 6
    assert (other["locked"], other["undecided"], other["states"], other["level"]) == (1, 0, 2, "")


def test_facts_of_a_puzzle(locked: Path) -> None:
    facts = command("explain", "soma-cube", "--disassemble")
    assert facts.returncode == 0
    assert re.findall("^(?:assemblies|  (?:holes|best|first)).*", facts.stdout, re.MULTILINE) == [
        "assemblies        480 assemblies, 480 solutions (taken apart), 0 locked",
        "  holes           0",
        "  first numbers   1 (480)",
        "  best            level 1, 6 moves, pieces off: 1, 1, 1, 1, 1, 1",
    ]
    assert "assemblies" not in command("explain", locked).stdout


@pytest.mark.parametrize("words", [("count", "--disassemble"), ("disassemble", "--solutions-only")])
def test_ctrl_c_prints_what_is_known(
    long: Path, words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    over, calls = search._over, count(1)

    def interrupting(*arguments: Any) -> str:
        if next(calls) == 5:
            signal.raise_signal(signal.SIGINT)
        return over(*arguments)

    monkeypatch.setattr(search, "_over", interrupting)
    done = command(words[0], long, words[1])
    assert done.returncode == 130
    assert "0 locked, 1 undecided: it was stopped\n" in done.stdout
    assert "states: 0" not in done.stdout
