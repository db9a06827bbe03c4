"""Process trees, child processes that end with this process, and programs.

On Linux the descendants of a process are known, and all descendants of a child end with it,
whatever happens to this process. On other systems a process seems to have no descendants and to
hold no memory.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from tempfile import mkdtemp
from typing import Any

from dovetail.platform.resources import lift_data_limit
from dovetail.platform.system import APART, IS_LINUX

if sys.platform == "linux":
    import resource

PREFIX = "dovetail-"  # prefix of the names of folders for temporary files
_PARENT_POLL_S = 0.5
_CHUNK_BYTES = 2**16
_POLL_S = 0.05


def descendants(root: int) -> list[int]:
    """Return the processes that descend from the process `root`, parents before children.

    Reads the kernel's lists of children, since psutil would read an entry of every process on the
    machine.
    """
    found: list[int] = []
    if sys.platform == "linux":
        from dovetail.platform.supervisor import children

        found = children(root)
        for process in found:  # grows during the loop
            found += children(process)
    return found


def marked(variable: str, value: str) -> list[int]:
    """Return the processes of this user that were started with `variable` set to `value`.

    Returns none on systems other than Linux.
    """
    if not IS_LINUX:
        return []
    import psutil

    return [
        process.pid
        for process in psutil.process_iter(["environ"])
        if (process.info["environ"] or {}).get(variable) == value
    ]


def kill(processes: list[int]) -> None:
    """Kill `processes`, skipping ended processes."""
    _of_each(processes, lambda process: process.kill())


def held_bytes(processes: list[int], limit: int | None = None) -> int:
    """Return the total memory of `processes`.

    The sum of resident sizes counts pages that several processes share more than once. If the sum
    for several processes exceeds `limit`, the sum of proportional sizes is returned instead. The
    processes are suspended while the proportional sizes are read.
    """
    if not IS_LINUX:
        return 0
    resident = int(sum(_of_each(processes, lambda process: process.memory_info().rss)))
    if limit is None or resident <= limit or len(processes) == 1:
        return resident
    _of_each(processes, lambda process: process.suspend())
    proportional = int(sum(_of_each(processes, lambda process: process.memory_full_info().pss)))
    _of_each(processes, lambda process: process.resume())
    return proportional


def processor_s(processes: list[int]) -> float:
    """Return the processor seconds of `processes`, skipping ended processes."""
    return float(sum(_of_each(processes, lambda process: sum(process.cpu_times()[:2]))))


def _of_each(processes: list[int], function: Callable[[Any], Any]) -> list[Any]:
    """Return the results of a function of `psutil.Process`, skipping ended processes."""
    import psutil

    results = []
    for process in processes:
        with suppress(psutil.Error):
            results.append(function(psutil.Process(process)))
    return results


class Child:
    """A `command` with pipes for its standard streams, and a folder for its temporary files.

    The command ends on `kill`, or when this process ends. On Linux its parent is a `supervisor`,
    which ends its descendants too. On other systems the command is a child of this process and has
    to call `end_with_parent`; its own children are not ended.

    Raises `OSError` if the supervisor, or on other systems the command, cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.folder = mkdtemp(prefix=PREFIX)  # deleted by the supervisor, or by `kill`
        # Writing end of the pipe that the supervisor watches; none on other systems than Linux.
        self._lifeline: list[int] = []
        try:
            # The command or its supervisor; both have the exit status of the command.
            self.process = self._start(command, {**environment, "TMPDIR": self.folder})
        except OSError:
            self._close_lifeline()
            os.rmdir(self.folder)
            raise

    @property
    def processes(self) -> list[int]:
        """The command and its descendants, as far as the system knows them."""
        return descendants(self.process.pid) if IS_LINUX else [self.process.pid]

    @property
    def descriptors(self) -> list[int]:
        """Descriptors that a fork of this process must close, since they keep the child alive."""
        streams = (self.process.stdin, self.process.stdout, self.process.stderr)
        return [*self._lifeline, *(stream.fileno() for stream in streams if stream)]

    def kill(self) -> None:
        """Kill the command; on Linux its supervisor kills it with all descendants, soon after.

        On other systems only the command is killed, and the call waits for its end.
        """
        if IS_LINUX:
            self._close_lifeline()
        else:
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        inherited: list[int] = []
        if sys.platform == "linux":
            from dovetail.platform import supervisor

            reading, writing = os.pipe()
            inherited.append(reading)
            self._lifeline.append(writing)
            script = [sys.executable, "-I", "-S", supervisor.__file__]
            command = [*script, str(reading), self.folder, *command]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=inherited,
                env=environment,
                **APART,
            )
        finally:
            for descriptor in inherited:
                os.close(descriptor)

    def _close_lifeline(self) -> None:
        while self._lifeline:
            os.close(self._lifeline.pop())


def end_with_parent() -> None:
    """Let this process end when its parent has ended: at once on Linux, else within a second."""
    if sys.platform == "linux":
        from dovetail.platform.supervisor import be_killed_with_parent

        be_killed_with_parent()
    else:
        threading.Thread(target=_end_after, args=(os.getppid(),), daemon=True).start()


def _end_after(parent: int) -> None:
    """End this process once its `parent` has ended."""
    if sys.platform == "win32":  # os.getppid() never changes on Windows
        import _winapi

        handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, parent)
        _winapi.WaitForSingleObject(handle, _winapi.INFINITE)
    else:
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_S)
    os._exit(1)


class ProcessGroup:
    """A program in its own process group, with its output as a stream.

    For Linux only: programs are refused on other systems. Raises `OSError` if the program cannot be
    started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._others_s = _children_s()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._streams = (self._process.stdout, self._process.stderr)
        # Under a limit on private memory, the program would report a failed allocation as its own
        # failure. The harness limits the resident size of the process tree instead.
        lift_data_limit(self._process.pid)
        self.timed_out = False

    @property
    def cpu_s(self) -> float:
        """Processor seconds of the program and of its children that have ended."""
        if self._process.returncode is not None:
            return _children_s() - self._others_s
        used = _of_each([self._process.pid], lambda process: sum(process.cpu_times()[:4]))
        return float(sum(used))

    def printed(self, is_over: Callable[[], bool]) -> Iterator[tuple[bool, bytes]]:
        """Yield pairs (is standard output, piece of the output) until the program has ended.

        Sets `timed_out` and stops as soon as `is_over` returns True.
        """
        ended = False
        with selectors.DefaultSelector() as selector:
            for stream in self._streams:
                selector.register(stream, selectors.EVENT_READ)
            while selector.get_map() or not ended:
                if is_over():
                    self.timed_out = True
                    return
                ready = selector.select(0 if ended else _POLL_S)
                if ended and not ready:
                    return  # all output is read, but another process keeps a stream open
                for key, _ in ready:
                    piece = os.read(key.fd, _CHUNK_BYTES)
                    if piece:
                        yield key.fileobj is self._process.stdout, piece
                    else:
                        selector.unregister(key.fileobj)
                if not ended and self._process.poll() is not None:
                    ended = True
                    self._kill()

    def wait(self) -> int:
        """Wait for the program to end and return its exit status as `subprocess` does."""
        return self._process.wait()

    def end(self) -> None:
        """Kill the program and the rest of its process group."""
        self._kill()
        self._process.wait()
        for stream in self._streams:
            stream.close()

    def _kill(self) -> None:
        if sys.platform == "linux":
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _children_s() -> float:
    """Return the processor seconds of children of this process that have ended."""
    if sys.platform == "linux":
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    return 0.0
