"""No kernel uses an index out of bounds: small searches execute each one with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from kernels.test_parameters import kernels

PROGRAM = Path(__file__).with_name("bounds_checked.py")
# The functions of `bounds_searches` that a process runs, and the packages and modules whose kernels
# they execute.
PROCESSES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("bitset",): ("backends.bitset",),
    ("colorpair",): ("backends.colorpair",),
    ("disassembly", "skyline"): ("disassembly", "backends.skyline"),
    ("dlx", "reductions"): ("backends.dlx", "backends.shared", "models.reductions"),
    ("fila",): ("backends.fila",),
    ("domains", "fletcher", "frontier", "zdd"): (
        "backends.domains",
        "backends.fletcher",
        "backends.frontier",
        "backends.zdd",
        "kernels",
    ),
    ("improvers", "rows"): ("improvers", "backends.rows"),
}
# Kernels count modulo 2**64, of which numpy warns.
PLAIN = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore::RuntimeWarning"}
COMPILED = {"DOVETAIL_BOUNDS_CHECK": "1", "NUMBA_OPT": "0"}


def run_checked(searches: tuple[str, ...], **environment: str) -> set[str]:
    """Run searches with bounds checks in a new process; return the kernels that they executed."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *searches],
        env={
            **os.environ,
            "DOVETAIL_MACHINE_CODE": "off",  # its kernels check the same places
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
    """Kernels in plain Python raise no `IndexError`, and all of their packages are executed."""
    executed = run_checked(searches, **PLAIN)
    packages = tuple(f"{package}." for package in PROCESSES[searches])
    missed = [name for name, _ in kernels() if name.startswith(packages) and name not in executed]
    assert not missed


def test_compiled_kernels_check_indices() -> None:
    """Where `DOVETAIL_BOUNDS_CHECK` is set."""
    assert run_checked((), **COMPILED)


@pytest.mark.slow
def test_indices_stay_in_bounds_in_compiled_kernels() -> None:
    """Compiled for this processor, and for one without instructions that compress vectors."""
    run_checked(tuple(chain.from_iterable(PROCESSES)), **COMPILED)
    generic = {"DOVETAIL_MACHINE_CODE": "lanes,lists", "NUMBA_CPU_NAME": "generic"}
    run_checked(("bitset",), **COMPILED, **generic)


def test_every_kernel_is_in_a_package_that_is_checked() -> None:
    """A package with kernels that no search is for is found."""
    packages = tuple(f"{name}." for names in PROCESSES.values() for name in names)
    assert not {name for name, _ in kernels() if not name.startswith(packages)}
