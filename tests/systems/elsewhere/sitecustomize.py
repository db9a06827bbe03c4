"""Imitate another system than Linux for the modules of dovetail; Python imports this at its start.

The variable `PRETENDED_SYSTEM` is `darwin` or `win32`. The modules that dovetail imports lack the
functions that the system lacks, and modules of Windows are imitated. Other packages see Linux.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

SYSTEM = os.environ["PRETENDED_SYSTEM"]
LINUX_ONLY = {
    "os": "sched_getaffinity sched_setaffinity pidfd_open posix_fadvise memfd_create eventfd",
    "resource": "prlimit",
    "selectors": "EpollSelector",
    "time": "pthread_getcpuclockid CLOCK_BOOTTIME",
}
POSIX_ONLY = {
    "os": "fork forkpty killpg sysconf posix_spawn register_at_fork set_blocking get_blocking "
    "getuid geteuid getgid O_DIRECTORY O_CLOEXEC O_NONBLOCK O_NOFOLLOW WNOHANG mkfifo uname setsid "
    "getpgid getpgrp setpgid nice getloadavg pread pwrite fchmod wait wait3 wait4 waitid statvfs "
    "openpty chown sched_yield",
    "selectors": "PollSelector",
    "signal": "SIGKILL SIGHUP SIGBUS SIGTRAP SIGALRM SIGUSR1 SIGUSR2 SIGSTOP SIGCONT SIGCHLD "
    "SIGPIPE SIGQUIT pthread_kill pthread_sigmask setitimer alarm pause",
    "time": "clock_gettime CLOCK_PROCESS_CPUTIME_ID CLOCK_MONOTONIC CLOCK_THREAD_CPUTIME_ID",
}
POSIX_MODULES = {"fcntl", "resource", "termios", "pwd", "grp", "pty", "tty", "readline", "syslog"}
POSIX_OPTIONS = ("start_new_session", "pass_fds", "process_group", "preexec_fn")
CREATE_NEW_PROCESS_GROUP = 0x200
GIB = 2**30


class Pretended:
    """A module without its `missing` attributes, and with other attributes `instead`."""

    def __init__(self, module: Any, missing: set[str], **instead: Any) -> None:
        vars(self).update(instead, _module=module, _missing=missing)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self._module.__name__!r} has no attribute {name!r}")
        return getattr(self._module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


class WindowsProcess(subprocess.Popen[Any]):
    """A process as Windows starts it: without the options of POSIX, in a group of its own if asked.

    The group is imitated by a session.
    """

    def __init__(self, *args: Any, creationflags: int = 0, **options: Any) -> None:
        for name in POSIX_OPTIONS:
            if options.pop(name, None):
                raise ValueError(f"{name} is not supported on Windows platforms")
        apart = creationflags == CREATE_NEW_PROCESS_GROUP
        super().__init__(*args, start_new_session=apart, **options)


def lock_bytes(descriptor: int, mode: int, count: int) -> None:
    """Lock as `msvcrt.locking` does, behind the end of the file."""
    assert (mode, count) == (2, 1)
    assert os.lseek(descriptor, 0, os.SEEK_CUR) > os.fstat(descriptor).st_size
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


def wait_for_parent(handle: int, _milliseconds: int) -> None:
    """Wait as `WaitForSingleObject` does for a parent."""
    while os.getppid() == handle:
        time.sleep(0.05)


def virtual_memory() -> SimpleNamespace:
    """Return the memory of the machine as psutil does; psutil itself would read it from /proc."""
    return SimpleNamespace(total=8 * GIB, available=4 * GIB)


def hide_accounts(event: str, args: tuple[Any, ...]) -> None:
    """Refuse to open files in /proc."""
    if event in ("open", "os.listdir", "os.scandir") and str(args[0]).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", args[0])


def pretended_modules() -> dict[str, Any]:
    """Return the modules to import in place of others, by name."""
    modules = [os, resource, selectors, signal, subprocess, time]
    windows = SYSTEM == "win32"
    missing = [LINUX_ONLY, POSIX_ONLY] if windows else [LINUX_ONLY]
    seen: dict[str, Any] = {
        module.__name__: Pretended(
            module, {name for one in missing for name in one.get(module.__name__, "").split()}
        )
        for module in modules
    }
    seen["sys"] = Pretended(sys, set(), platform=SYSTEM)
    seen["psutil"] = SimpleNamespace(virtual_memory=virtual_memory)
    if windows:
        seen["subprocess"] = Pretended(subprocess, set(), Popen=WindowsProcess)
        seen["msvcrt"] = SimpleNamespace(LK_NBLCK=2, locking=lock_bytes)
        seen["_winapi"] = SimpleNamespace(
            SYNCHRONIZE=0x100000,
            INFINITE=0xFFFFFFFF,
            OpenProcess=lambda _access, _inherited, process: process,
            WaitForSingleObject=wait_for_parent,
        )
    return seen


PRETENDED = pretended_modules()
real_import = builtins.__import__


def pretending_import(
    name: str, importer: Any = None, names: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Import a module as it is on the other system, if a module of dovetail asks."""
    spec = (importer or {}).get("__spec__")
    if spec is None or level or not spec.name.startswith("dovetail"):
        return real_import(name, importer, names, fromlist, level)
    if SYSTEM == "win32" and name in POSIX_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if name in PRETENDED:
        return PRETENDED[name]
    return real_import(name, importer, names, fromlist, level)


vars(builtins)["__import__"] = pretending_import
sys.addaudithook(hide_accounts)
