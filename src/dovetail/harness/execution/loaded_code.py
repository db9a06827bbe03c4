"""Whether the files of the modules that this process has loaded are still the same."""

from __future__ import annotations

import os
import sys
import sysconfig

Stamp = tuple[int, int] | None  # when a file was changed, in ns, and its size; None: it is gone
# What is installed here is not edited: an installer that changes it changes an entry of the folder.
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "purelib", "platlib")
)


class LoadedCode:
    """The folders that modules are looked for in, and the files of loaded ones elsewhere."""

    def __init__(self) -> None:
        self._seen: dict[str, Stamp] = {}
        self.add_new()

    def add_new(self) -> None:
        """Take in what was loaded since."""
        for path in _files() - self._seen.keys():
            self._seen[path] = _stamp(path)

    def is_current(self) -> bool:
        """Return whether a process that starts now would load the same code."""
        return all(_stamp(path) == stamp for path, stamp in self._seen.items())


def _files() -> set[str]:
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    named = (file for file in files if isinstance(file, str) and file)
    return {*sys.path, *(file for file in named if not file.startswith(INSTALLED))}


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
