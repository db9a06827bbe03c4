"""Compiling the kernels of a list in two processes at once.

Where a kernel of the list is missing from the cache, a child process begins at the end of the list
that takes longest, while this process compiles what it comes to. A kernel that the child compiles
is waited for; meanwhile this process compiles others of the list. The child writes machine code to
the cache and nothing else, so that all goes well without it, too. Where everything is kept, the
list is not even read.

| environment variable | meaning |
|---|---|
| `DOVETAIL_COMPILE_PROCESSES` | `1`: no child process; default: 2 where there are two cores |
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.machine_code.start import examples_of
from dovetail.platform.resources import usable_cores
from dovetail.platform.system import APART, after_fork

if TYPE_CHECKING:
    from subprocess import Popen

PROGRAM = "dovetail.machine_code.two_processes"
LONGEST_WAIT_S = 60.0  # for a kernel; whoever waits longer compiles it
COMPILE_PROCESSES = "DOVETAIL_COMPILE_PROCESSES"


class ListedKernel(NamedTuple):
    """A kernel by its module and name, and the types of its arguments as text."""

    name: str
    types: str

    def load(self) -> None:
        """Compile it unless its machine code is kept already.

        Raises whatever a name or types that are out of date lead to.
        """
        module, _, function = self.name.rpartition(".")
        getattr(import_module(module), function).load(examples_of(self.types))

    def __str__(self) -> str:
        return f"{self.name} {self.types}"

    @classmethod
    def of_line(cls, line: str) -> ListedKernel:
        """Return what a line is about."""
        name, _, types = line.strip().partition(" ")
        return cls(name, types)


def read_kernel_list(path: Path) -> list[ListedKernel]:
    """Read a list; raises `OSError` where there is none."""
    return [ListedKernel.of_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


_current: SharedCompilation | None = None


@contextmanager
def compiling_in_two(path: Path | None) -> Iterator[None]:
    """Share what is compiled within the block with a child, by the list in a file.

    The child has ended when the block is left. Without a list, or within another such block,
    this process compiles alone.
    """
    global _current  # noqa: PLW0603 - kernels are called without a word of who compiles them
    if path is None or _current is not None or not _may_start_child():
        yield
        return
    _current = shared = SharedCompilation(path)
    try:
        yield
    finally:
        _current = None
        shared.end()


def wait_for_child(kernel: ListedKernel) -> None:
    """Return when this process is to compile a kernel that was not kept, or the child has kept it.

    From now on the child leaves the kernel to this process.
    """
    shared = _current
    if shared is not None:
        shared.take(kernel)


class SharedCompilation:
    """The kernels of a list that nobody has begun to compile, and the child that takes of them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left: list[ListedKernel] | None = None  # until a kernel is missing
        self._in_child: ListedKernel | None = None
        self._changed = threading.Condition()
        self._child: Popen[str] | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def take(self, kernel: ListedKernel) -> None:
        """Leave a kernel to this process, once the child does not compile it."""
        with self._changed:
            if self._left is None:
                self._left = self._read()
                self._withdraw(kernel)
                self._start_child()
            else:
                self._withdraw(kernel)
        give_up_s = time.monotonic() + LONGEST_WAIT_S
        while (other := self._spare(kernel, give_up_s)) is not None:
            with suppress(Exception):  # who needs it meets the error
                other.load()

    def end(self) -> None:
        """Kill the child if it is running."""
        with self._changed:
            self._left = []
        if self._child is None:
            return
        self._child.kill()
        self._child.wait()
        self._thread.join()
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            with suppress(OSError):  # what was written last may have met its end
                stream.close()

    def _read(self) -> list[ListedKernel]:
        try:
            return read_kernel_list(self._path)
        except OSError:
            return []

    def _withdraw(self, kernel: ListedKernel) -> None:
        if self._left and kernel in self._left:
            self._left.remove(kernel)

    def _start_child(self) -> None:
        """Start the child if kernels are left for it; otherwise this process compiles alone."""
        import subprocess

        if not self._left:
            return
        with suppress(OSError):
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                **APART,
            )
            self._thread.start()

    def _spare(self, kernel: ListedKernel, give_up_s: float) -> ListedKernel | None:
        """Wait for a kernel if the child compiles it; returns another to be compiled meanwhile."""
        with self._changed:
            while self._in_child == kernel:
                if self._left:
                    return self._left.pop()  # the shortest
                if not self._changed.wait(give_up_s - time.monotonic()):
                    break
        return None

    def _serve(self) -> None:
        """Give the child the kernels in turn."""
        assert self._child is not None
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        answer = "\n"
        while answer:
            with self._changed:
                self._in_child = self._left.pop(0) if self._left else None
                self._changed.notify_all()
                if self._in_child is None:
                    break
            answer = ""
            with suppress(OSError):
                self._child.stdin.write(f"{self._in_child}\n")
                self._child.stdin.flush()
                answer = self._child.stdout.readline()
        with self._changed:
            self._in_child = None
            self._changed.notify_all()
        with suppress(OSError):
            self._child.stdin.close()


def _may_start_child() -> bool:
    return os.environ.get(COMPILE_PROCESSES) != "1" and usable_cores() > 1


def _forget_in_fork() -> None:
    """Forget the child: it belongs to the parent of the fork, as does its thread."""
    global _current  # noqa: PLW0603
    _current = None


after_fork(_forget_in_fork)


def main() -> None:
    """Compile requested kernels until no more can come."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        with suppress(Exception):  # who needs the kernel compiles it then, and meets the error
            ListedKernel.of_line(asked.get()).load()
        answers.write("\n")
        answers.flush()


def _listen(asked: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
