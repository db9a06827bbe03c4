"""Compilation of the kernels of a list in two processes at once.

The kernels that take longest to compile come first in the list. When a kernel is missing from the
cache, a child process starts to compile the list from its beginning, while this process compiles
the kernels that it needs. If the child is compiling a needed kernel, this process waits for it, and
meanwhile compiles kernels from the end of the list. The child only writes machine code to the
cache, so that everything works without the child, too. If no kernel is missing, the list is not
read.

| environment variable | meaning |
|---|---|
| `DOVETAIL_COMPILE_PROCESSES` | `1`: no child process; default: 2 if there are 2 cores or more |
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
LONGEST_WAIT_S = 60.0  # wait for a kernel in the child; then this process compiles the kernel
COMPILE_PROCESSES = "DOVETAIL_COMPILE_PROCESSES"


class ListedKernel(NamedTuple):
    """A kernel to compile for arguments of some types."""

    name: str  # with the module
    types: str  # text that `text_of` returns for the arguments

    def load(self) -> None:
        """Compile the kernel unless its machine code is in the cache.

        May raise any exception if the name or the types are out of date.
        """
        module, _, function = self.name.rpartition(".")
        getattr(import_module(module), function).load(examples_of(self.types))

    def __str__(self) -> str:
        return f"{self.name} {self.types}"

    @classmethod
    def of_line(cls, line: str) -> ListedKernel:
        """Return the kernel that a line of a list names."""
        name, _, types = line.strip().partition(" ")
        return cls(name, types)


def read_kernel_list(path: Path) -> list[ListedKernel]:
    """Read a list of kernels; raise `OSError` if the file cannot be read."""
    return [ListedKernel.of_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


_current: SharedCompilation | None = None


@contextmanager
def compiling_in_two(path: Path | None) -> Iterator[None]:
    """Share compilation within the block with a child process; `path` is the file of the list.

    The child has ended when the block is left. The block has no effect without a list, within
    another such block, and where no child may be started.
    """
    global _current  # noqa: PLW0603 - callers of kernels do not pass it on
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
    """Keep the child from compiling a kernel that is missing; wait if the child is compiling it.

    Afterwards the kernel is in the cache, or this process has to compile it.
    """
    shared = _current
    if shared is not None:
        shared.take(kernel)


class SharedCompilation:
    """Kernels of a list that no process has begun to compile, and the child that compiles them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left: list[ListedKernel] | None = None  # None until a kernel is missing
        self._in_child: ListedKernel | None = None  # kernel that the child is compiling
        self._changed = threading.Condition()
        self._child: Popen[str] | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def take(self, kernel: ListedKernel) -> None:
        """Remove a kernel from the list, and return when the child is not compiling it.

        Meanwhile, compile other kernels of the list. If no other kernel is left, return at the
        latest `LONGEST_WAIT_S` seconds after the call.
        """
        with self._changed:
            if self._left is None:
                self._left = self._read()
                self._withdraw(kernel)
                self._start_child()
            else:
                self._withdraw(kernel)
        give_up_s = time.monotonic() + LONGEST_WAIT_S
        while (other := self._spare(kernel, give_up_s)) is not None:
            with suppress(Exception):  # raised again where the kernel is needed
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
            with suppress(OSError):  # the child may have ended before it read the last line
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
        """Return another kernel to compile while the child compiles `kernel`.

        Returns None when the child no longer compiles `kernel`. If no other kernel is left, waits
        for the child, but not beyond the time `give_up_s` of the monotonic clock.
        """
        with self._changed:
            while self._in_child == kernel:
                if self._left:
                    return self._left.pop()  # the kernel that compiles fastest
                if not self._changed.wait(give_up_s - time.monotonic()):
                    break
        return None

    def _serve(self) -> None:
        """Send the kernels to the child one by one, until none is left or the child has ended."""
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
    """Forget the child process and its thread, which belong to the parent of the fork."""
    global _current  # noqa: PLW0603
    _current = None


after_fork(_forget_in_fork)


def main() -> None:
    """Answer each kernel named on standard input with an empty line once it has been compiled."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        with suppress(Exception):  # raised again in the process that needs the kernel
            ListedKernel.of_line(asked.get()).load()
        answers.write("\n")
        answers.flush()


def _listen(asked: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
