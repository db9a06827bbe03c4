"""`dovetail doctor`: is this installation in order?"""

from __future__ import annotations

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.options import AllowCommands, permit_commands
from dovetail.cli.output import print_lines
from dovetail.errors import how_many


def doctor(allow_commands: AllowCommands = False) -> None:
    """Check this installation: versions, backends, a self-test.

    Also shows where compiled kernels are cached.
    """
    permit_commands(allowed=allow_commands)
    from dovetail.harness.contract.subject import Judgement
    from dovetail.harness.diagnosis import backend_states, broken_plugins, kernel_cache, self_test
    from dovetail.harness.records.environment import versions
    from dovetail.harness.sizes import show_size
    from dovetail.printable import printable
    from dovetail.reports.numbers import show_seconds

    _heading("versions")
    for package, version in versions().items():
        _row(package, version or "not installed")
    _heading("backends")
    for name, needs in backend_states().items():
        _row(name, needs or "ready")
    broken = broken_plugins()
    if broken:
        _heading("plugins")
        for name, why in broken.items():
            _row(name, printable(why))
    _heading("compiled kernels")
    cache = kernel_cache()
    if cache.directory is None:
        _row("kept", "nowhere, because no folder is writable; every process compiles again")
    else:
        _row("kept in", str(cache.directory))
        state = f"{cache.kernels}, {show_size(cache.size_bytes)}"
        _row("kernels", state if cache.kernels else "none yet: the first search compiles them")
        if cache.stale:
            _row(
                "stale",
                f"{how_many(cache.stale, 'folder')} of other versions in the same "
                "place; safe to delete",
            )
    _heading("self-test")
    ill = bool(broken)
    for verdict in self_test():
        ill = ill or verdict.is_wrong
        text = verdict.reason or f"ok, {show_seconds(verdict.total_s)}"
        if verdict.judgement == Judgement.REFUSED:
            text = f"refuses all puzzles of the self-test: {verdict.reason}"
        _row(verdict.backend, f"{verdict.check}: {text}")
    raise typer.Exit(EXIT_WRONG if ill else 0)


def _heading(title: str) -> None:
    print_lines(f"{title}:")


def _row(name: str, text: str) -> None:
    print_lines(f"  {name:20} {text}")
