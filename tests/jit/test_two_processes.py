"""Kernels compiled in two processes: by whom, what if the child fails, and that it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jit.sample_kernels as sample
from dovetail.jit import compiling_in_two, decorator
from dovetail.jit.cache import cache_directory
from dovetail.jit.decorator import Kernel
from dovetail.machine_code import two_processes
from dovetail.machine_code.start import ArgumentType, examples_of, flatten, text_of
from dovetail.machine_code.two_processes import read_kernel_list
from jit.kernel_lists import backends_with_lists, warmed_up

TESTS = Path(__file__).parent.parent
PAIR = "jit.sample_kernels.Pair[2:numbers,other] <i8/1/1281 none"
LIST = f"jit.sample_kernels.tripled {PAIR}\njit.sample_kernels.doubled {PAIR}\n"
# It is killed while its child has something to compile.
KILLED = """
import os, signal, sys
from pathlib import Path
import jit.sample_kernels as sample
from dovetail.machine_code import two_processes
from dovetail.machine_code.start import examples_of
compiled = two_processes.SharedCompilation.take
def take(self, kernel):
    compiled(self, kernel)
    print(self._child.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
two_processes.SharedCompilation.take = take
with two_processes.compiling_in_two(Path(sys.argv[1])):
    sample.doubled(*examples_of(sys.argv[2]))
"""


@pytest.fixture
def kernel_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The list of two kernels that are compiled nowhere, in an empty cache."""
    own = cache_directory()
    assert own is not None
    kept = tmp_path / own.name
    kept.mkdir()
    monkeypatch.setattr(decorator, "cache_directory", lambda: kept)
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), *sys.path]))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.delenv(two_processes.COMPILE_PROCESSES)
    for made in (sample.doubled, sample.tripled):
        monkeypatch.setattr(made, "_native", {})
    path = tmp_path / "list.txt"
    path.write_text(LIST)
    return path


@pytest.fixture
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the kernels that this process compiles, in turn."""
    names: list[str] = []
    compiled = Kernel._compiled

    def recording(self: Any, arguments: tuple[Any, ...]) -> Any:
        names.append(self.__name__)
        return compiled(self, arguments)

    monkeypatch.setattr(Kernel, "_compiled", recording)
    return names


def six_times() -> list[int]:
    """What the two kernels make of some numbers."""
    pair = sample.Pair(np.arange(3), None)
    sample.doubled(pair)
    sample.tripled(pair)
    return [int(number) for number in pair.numbers]


def no_child(*_: object, **__: object) -> None:
    """In place of `Popen`."""
    raise AssertionError("a child was started")


def test_the_child_compiles_the_other(kernel_list: Path, compiled_here: list[str]) -> None:
    """It has ended when the block is left; what is kept needs no child."""
    with compiling_in_two(kernel_list):
        assert six_times() == [0, 6, 12]
        assert two_processes._current is not None
        child = two_processes._current._child
    assert compiled_here == ["doubled"]
    assert child is not None
    assert child.returncode is not None
    assert two_processes._current is None


def test_no_child_where_all_is_kept(kernel_list: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its list is not even read."""
    six_times()
    for made in (sample.doubled, sample.tripled):
        monkeypatch.setattr(made, "_native", {})
    monkeypatch.setattr(two_processes, "read_kernel_list", no_child)
    with compiling_in_two(kernel_list):
        assert six_times() == [0, 6, 12]


@pytest.mark.parametrize("program", ["dovetail.machine_code.there_is_none", "jit.silent_child"])
def test_a_child_that_fails(
    program: str, kernel_list: Path, compiled_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """This process compiles what it waited for."""
    monkeypatch.setattr(two_processes, "PROGRAM", program)
    monkeypatch.setattr(two_processes, "LONGEST_WAIT_S", 0.2)
    with compiling_in_two(kernel_list):
        assert six_times() == [0, 6, 12]
    assert compiled_here == ["doubled", "tripled"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda patch: patch.setattr(os, "sched_getaffinity", lambda _: {0}),
        lambda patch: patch.setenv(two_processes.COMPILE_PROCESSES, "1"),
        lambda patch: patch.setattr(decorator, "cache_directory", lambda: None),
    ],
    ids=["one core", "not wanted", "nowhere to keep code"],
)
def test_no_child(
    spoil: Callable[[pytest.MonkeyPatch], None], kernel_list: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it would be of no use."""
    spoil(monkeypatch)
    monkeypatch.setattr(subprocess, "Popen", no_child)
    with compiling_in_two(kernel_list):
        assert six_times() == [0, 6, 12]


def test_no_process_is_left(kernel_list: Path) -> None:
    """The child ends with its parent, however that ends."""
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(kernel_list), PAIR],
        capture_output=True,
        text=True,
        check=False,
    )
    child = Path("/proc", killed.stdout.strip())
    assert child.name.isdecimal(), killed.stderr
    give_up = time.monotonic() + 10
    while child.exists() and "Z" not in (child / "stat").read_text().split()[2]:
        assert time.monotonic() < give_up
        time.sleep(0.02)


@pytest.mark.parametrize("text", ["<i8", "|b1 <f8", PAIR, "builtins.tuple[1:] <u8/2/257 none", ""])
def test_examples_of_types(text: str) -> None:
    """They have the types that the text is of."""
    types: list[ArgumentType] = []
    for example in examples_of(text):
        flatten(example, types, [])
    assert text_of(types) == text


def test_other_arrays_are_not_listed() -> None:
    """Kernels are compiled for contiguous ones to warm up."""
    with pytest.raises(ValueError, match="expected an array in C's order, not <i8/1/1280"):
        examples_of("<i8/1/1280")


@pytest.mark.parametrize("name", sorted(backends_with_lists()))
def test_lists_are_up_to_date(name: str) -> None:
    """They have what backends warm up; `jit/kernel_lists.py` writes them."""
    backend = backends_with_lists()[name]
    assert backend.kernel_list is not None
    assert set(read_kernel_list(backend.kernel_list)) == set(warmed_up(backend))
