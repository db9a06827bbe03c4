"""What a command does not do before its work: needless imports, collecting garbage."""

from __future__ import annotations

import subprocess
import sys


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
    assert imported == "dovetail dovetail.cli dovetail.cli.main dovetail.cli.process"
