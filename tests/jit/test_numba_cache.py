"""Numba's cache of the kernels that other kernels call: its files cost a compilation at most."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from dovetail.jit.compilation import _dispatcher
from jit import sample_kernels as sample


def is_kept(directory: Path, number: object) -> bool:
    """Whether the code for a number comes from the cache; compiled now if not."""
    made = _dispatcher(sample.passed, directory)
    signature = (numba.typeof(number),)
    made.compile(signature)
    assert list(made.overloads) == [signature]
    return bool(made.stats.cache_hits)


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "spoil",
    [lambda code: b"", lambda code: code[: len(code) // 2], lambda code: b"\xff" * len(code)],
    ids=["empty", "half", "other"],
)
def test_damaged_files(suffix: str, spoil: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """They are written again."""
    assert not is_kept(tmp_path, 1)
    (path,) = tmp_path.rglob(f"*.{suffix}")
    path.write_bytes(spoil(path.read_bytes()))
    assert [is_kept(tmp_path, 1) for _ in range(2)] == [False, True]


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    """The kernel is compiled without them."""
    assert not is_kept(tmp_path, 1)
    (path,) = tmp_path.rglob("*.nbi")
    path.unlink()
    path.mkdir()
    assert [is_kept(tmp_path, 1) for _ in range(2)] == [False, False]


def test_code_of_other_types(tmp_path: Path) -> None:
    """As two processes leave it that have chosen the same file at the same time."""
    indices, codes = (tmp_path / name for name in ("one", "other"))
    arguments: dict[Path, Any] = {indices: 1, codes: 0.5}
    for directory, number in arguments.items():
        assert not is_kept(directory, number)
    (code,) = codes.rglob("*.nbc")
    (kept,) = indices.rglob("*.nbc")
    kept.write_bytes(code.read_bytes())
    assert [is_kept(indices, 1) for _ in range(2)] == [False, True]
