"""No kernel uses an index out of bounds: small searches execute each one with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.test_parameters import kernels

PROGRAM = Path(__file__).with_name("bounds_checked.py")
# The functions of `bounds_searches` that a process runs, and the packages and modules whose kernels
# they execute. Nearly all of the time is that of compiling; solvers in one process share imports.
PROCESSES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("dlx", "reductions", "improvers", "bitset"): (
        "backends.dlx",
        "backends.shared",
        "models.reductions",
        "improvers",
        "backends.bitset",
    ),
    ("fila", "domains", "fletcher", "skyline", "disassembly"): (
        "backends.fila",
        "backends.skyline",
        "backends.domains",
        "backends.fletcher",
        "disassembly",
        "kernels",
    ),
    ("colorpair", "rows", "frontier", "zdd"): (
        "backends.colorpair",
        "backends.rows",
        "backends.frontier",
        "backends.zdd",
    ),
}


def run_checked(searches: tuple[str, ...], **environment: str) -> set[str]:
    """Run searches with bounds checks in a new process; return the kernels that they executed."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *searches],
        env={
            **os.environ,
            "DOVETAIL_BOUNDS_CHECK": "1",
            "DOVETAIL_MACHINE_CODE": "off",  # its kernels check the same places
            "NUMBA_OPT": "0",  # compiles a third faster
            **environment,
            "PYTHONPATH": os.pathsep.join(
                [str(PROGRAM.parents[1]), os.environ.get("PYTHONPATH", "")]
            ),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return {name.removeprefix("dovetail.") for name in done.stdout.splitlines()}


@pytest.mark.parametrize("searches", PROCESSES, ids=" ".join)
def test_indices_stay_in_bounds(searches: tuple[str, ...]) -> None:
    """The searches raise no `IndexError` and execute every kernel of their packages."""
    executed = run_checked(searches)
    packages = tuple(f"{package}." for package in PROCESSES[searches])
    missed = [name for name, _ in kernels() if name.startswith(packages) and name not in executed]
    assert not missed


@pytest.mark.slow
def test_indices_stay_in_bounds_on_any_processor() -> None:
    """In the code for one without instructions that compress vectors."""
    assert run_checked(("bitset",), DOVETAIL_MACHINE_CODE="lanes,lists", NUMBA_CPU_NAME="generic")


def test_every_kernel_is_in_a_package_that_is_checked() -> None:
    """A package with kernels that no search is for is found."""
    packages = tuple(f"{name}." for names in PROCESSES.values() for name in names)
    assert not {name for name, _ in kernels() if not name.startswith(packages)}
