"""Kernels called through their machine code: what they are given and return, and where it is kept.

The functions themselves, in plain Python, are the twins.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dovetail.jit import CODE_SUFFIX, kernel
from dovetail.machine_code.start import MachineCode
from jit import sample_kernels as sample

TABLE = np.arange(24, dtype=np.int64).reshape(4, 6)
FROZEN = TABLE.copy()
FROZEN.setflags(write=False)

# Commands leave without a way back.
COUNT = """
import os, sys
from dovetail.cli.main import main
leave = os._exit
def say_and_leave(status):
    print("numba" in sys.modules, flush=True)
    leave(status)
os._exit = say_and_leave
sys.argv = ["dovetail", "count", "edges-4-b3i3-1", "-b", "rows"]
main()
"""
# by the kernel that takes least to compile
COUNTED = "edges-4-b3i3-1: 1 solution up to rotation; 4 in all"


@pytest.mark.parametrize(
    "rows",
    [
        TABLE,
        FROZEN,
        TABLE.T,
        TABLE[::-1],
        TABLE[:, :0],
        TABLE.astype(np.int32, order="F"),
        TABLE.view(np.uint64),
    ],
)
def test_arrays_arrive_as_they_are(rows: np.ndarray[Any, Any]) -> None:
    """Whatever their order, strides and entries."""
    assert sample.rows_digest(rows) == sample.digest_rows(rows)


def test_tuples_within_tuples() -> None:
    """What is written into their arrays is there; None is no array."""
    numbers = np.arange(5, dtype=np.int64)
    twin = numbers.copy()
    assert sample.pair_added(sample.Pair(numbers, None), -3) == sample.add_pair(
        sample.Pair(twin, None), -3
    )
    assert numbers.tolist() == twin.tolist() == [0, 1, 3, 6, 10]
    assert sample.pair_has_other(sample.Pair(numbers, None)) is False
    assert sample.pair_has_other(sample.Pair(numbers, (numbers, None))) is True


@pytest.mark.parametrize(
    "number",
    [*(-1, 2**63 - 1, 2**64 - 1, True, 0.5), *(np.uint64(2**63), np.float64(0.25), np.bool_(1))],
)
def test_numbers_come_back(number: Any) -> None:
    """Those from 2^63 on as well; those of numpy as Python's."""
    expected = number.item() if isinstance(number, np.generic) else number
    back = sample.returned(number)
    assert (back, type(back)) == (expected, type(expected))
    if number is expected:
        assert sample.halved(number) == sample.half(number)


@pytest.mark.parametrize(
    "value",
    ["text", object(), np.zeros(2, dtype=object), np.complex128(1)],
    ids=lambda value: type(value).__name__ + str(getattr(value, "dtype", "")),
)
def test_what_a_kernel_cannot_take(value: object) -> None:
    """It is said, not read as something else."""
    with pytest.raises(TypeError, match=r"argument .*; expected "):
        sample.returned(value)


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1])
def test_integers_beyond_64_bits(number: int) -> None:
    """Are refused, also when there is code for integers."""
    assert sample.returned(1) == 1
    with pytest.raises(OverflowError, match="expected an integer of at most 64 bits"):
        sample.returned(number)


def test_what_cannot_be_a_kernel() -> None:
    """Two functions of one name would be taken for one another, and numba is not at hand later."""
    with pytest.raises(TypeError, match="expected a module-level function"):
        kernel(lambda number: number)
    with pytest.raises(TypeError, match="calls numba_ldexp; expected only functions of C"):
        sample.scale(1.5)


def test_an_exception_in_a_kernel() -> None:
    """Ends it, and how to see it is said."""
    assert sample.reciprocals(1) == 1
    with pytest.raises(RuntimeError, match=r"kernel .*reciprocal raised an exception"):
        sample.reciprocals(0)


def run(cache: Path) -> list[str]:
    """The lines that a count in a fresh process prints, and whether it has imported numba."""
    environment = {**os.environ, "DOVETAIL_CACHE_DIR": str(cache)}
    environment.pop("DOVETAIL_BOUNDS_CHECK", None)
    done = subprocess.run(
        [sys.executable, "-c", COUNT], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout.splitlines()


def test_compiled_once(tmp_path: Path) -> None:
    """A second process imports no numba, and what is damaged is compiled again."""
    *first, imported = run(tmp_path)
    assert (first[0], imported) == (COUNTED, "True")
    kept = list(tmp_path.rglob(f"*{CODE_SUFFIX}"))
    assert kept
    *second, imported = run(tmp_path)
    assert (second[0], imported) == (COUNTED, "False")
    for one in kept:
        one.write_bytes(one.read_bytes()[:-1])
    *again, imported = run(tmp_path)
    assert (again[0], imported) == (COUNTED, "True")
    assert all(map(MachineCode.read, kept))


@pytest.mark.parametrize(
    "damaged",
    [lambda code: code[: len(code) // 2], lambda code: code.replace(b"symbol", b"symbal", 1)],
)
def test_damaged_files(damaged: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """They are as good as none."""
    path = tmp_path / f"search{CODE_SUFFIX}"
    code = MachineCode("search", "int64", bytes(range(256)))
    code.write(path)
    assert MachineCode.read(path) == code
    path.write_bytes(damaged(path.read_bytes()))
    assert MachineCode.read(path) is None


def test_users_who_share_a_cache(tmp_path: Path) -> None:
    """They read each other's files as far as the user's mask of permissions allows."""
    path = tmp_path / f"search{CODE_SUFFIX}"
    before = os.umask(0o027)
    try:
        MachineCode("search", "int64", b"code").write(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]
