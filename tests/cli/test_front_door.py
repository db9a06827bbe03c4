"""What a new user types first: help, versions, near misses, TAB, and what the start imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dovetail.backends.config import settings_of
from dovetail.backends.registry import backends
from dovetail.cli.main import run
from dovetail.models.request import REDUCTION_FORMS, TRIGGER_FORMS

SMALL = "pentominoes-5x6-FLNPUY"
COMMANDS = ("bench", "count", "help", "list", "report", "sample", "show", "solve", "verify")


@pytest.mark.parametrize("words", [["-h"], []])
def test_the_list_of_commands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each, none of them cut."""
    assert run(words) == 0
    printed = capsys.readouterr().out
    listed = printed[printed.index("\nCommands:\n") :].strip().splitlines()[1:]
    assert {line.split()[0] for line in listed} >= set(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


@pytest.mark.parametrize("words", [["count", "-h"], ["help", "count"]])
def test_the_help_of_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Has at most 60 lines of 80 columns."""
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") <= 60
    assert printed.startswith("Usage: dovetail count [OPTIONS]")
    for option in ("--labelled", "--seed", "--option-order", "--time-limit TIME"):
        assert option in printed


def test_the_help_of_reductions(capsys: pytest.CaptureFixture[str]) -> None:
    """Every form of a reduction and of a trigger is explained."""
    assert run(["help", "reductions"]) == 0
    printed = capsys.readouterr().out
    for form in (*REDUCTION_FORMS, *TRIGGER_FORMS):
        name, equals, _ = form.partition("=")
        assert name in printed
        assert not equals or f"{name}=" in printed or f"{name}[=" in printed


@pytest.mark.parametrize("name", sorted(backends()))
def test_help_and_list_options_have_values_and_default_of_every_setting(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["help", name]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name}: ")
    assert run(["list", "solvers", name, "--options"]) == 0
    listed = capsys.readouterr().out
    for setting in settings_of(backends()[name].config_type):
        shown = f"{setting.key}: {setting.values} (default: {setting.default})"
        assert shown in " ".join(printed.split())
        assert shown in " ".join(listed.split())
        assert setting.meaning.split()[0] in printed


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["cuont"], "unknown command 'cuont'; did you mean 'count'? valid: bench, c"),
        (["count", "soma-cub"], "no such file; did you mean 'soma-cube'? valid: "),
        (["count", SMALL, "-b", "dlx", "-c", "stage=s"], "key 'stage'; did you mean 'stages'?"),
        (["count", SMALL, "--limit", "0"], "--limit is 0; expected 1 or more (see dovetail count"),
    ],
)
def test_near_misses(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line with what was meant, or with whose help explains it; exit status 2."""
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("dovetail cou", ["count"]),
        ("dovetail count soma-cube -b fila -c ", ["stages=", "nof=", "kernel="]),
        ("dovetail bench qu", ["quick", "queens-8"]),
    ],
)
def test_suggestions_of_the_shell(
    typed: str,
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Words that begin so, as the script of a shell asks for them."""
    monkeypatch.setenv("_DOVETAIL_COMPLETE", "complete_bash")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", typed)
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert run([]) == 0
    printed = capsys.readouterr().out
    for word in offered:
        assert word in printed
    assert "xcover" not in printed


def printed(script: str) -> list[str]:
    """The lines that a script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_help_imports_neither_numba_nor_ortools() -> None:
    """Nor numpy: asking for help costs nothing."""
    *shown, imported = printed(
        "import sys\n"
        "from dovetail.cli.main import run\n"
        "assert run(['--help']) == 0\n"
        "print(sorted({'numba', 'ortools', 'numpy', 'constraint'} & set(sys.modules)))\n"
    )
    assert imported == "[]"
    for command in ("list", "show", "solve", "count", "bench", "verify"):
        assert any(command in line for line in shown)


def test_a_small_count_neither_collects_garbage_nor_imports_psutil() -> None:
    """Each would take a twentieth of its time or more."""
    *_, last = printed(
        "import gc, sys\n"
        "from dovetail.cli import main\n"
        "passes = []\n"
        "gc.callbacks.append(lambda *event: passes.append(event))\n"
        "def leave(status):\n"
        "    print(status, gc.isenabled(), passes, 'psutil' in sys.modules)\n"
        "main.leave = leave\n"
        "sys.argv[1:] = ['count', 'queens-8']\n"
        "main.main()\n"
    )
    assert last == "0 True [] False"


def test_little_is_imported_before_ctrl_c_is_handled() -> None:
    """Ctrl-C during these imports prints a traceback."""
    (imported,) = printed(
        "import sys\n"
        "import dovetail.cli.main\n"
        "print(*sorted(name for name in sys.modules if name.startswith('dovetail')))\n"
    )
    command = ("dovetail.cli", "dovetail.cli.main", "dovetail.cli.process")
    assert imported.split() == ["dovetail", *command, "dovetail.errors", "dovetail.printable"]
