"""A child process that ends when it is let go, or when this process ends.

On Linux its parent is a `supervisor`, which ends all that it has started, too. Elsewhere it is a
child of this process, ends by itself when it has lost that (see `parent`), and what it may have
started is left.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from tempfile import mkdtemp

from dovetail.platform.process_tree import descendants
from dovetail.platform.system import APART

PREFIX = "dovetail-"  # of the folder for temporary files


class Child:
    """A `command` with pipes for its standard streams, and a folder for its temporary files.

    `process` is what is waited for: it ends as the command ends. The folder goes with it. Raises
    `OSError` when it cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.folder = mkdtemp(prefix=PREFIX)
        self._lifeline = -1
        try:
            self.process = self._start(command, {**environment, "TMPDIR": self.folder})
        except OSError:
            os.rmdir(self.folder)
            raise

    @property
    def processes(self) -> list[int]:
        """The child and all that it has started, as far as the system knows."""
        if sys.platform == "linux":
            return descendants(self.process.pid)
        return [self.process.pid]

    @property
    def descriptors(self) -> list[int]:
        """What a process that is forked from this one must close, lest the child go on."""
        streams = (self.process.stdin, self.process.stdout, self.process.stderr)
        numbers = [stream.fileno() for stream in streams if stream]
        return numbers if self._lifeline < 0 else [self._lifeline, *numbers]

    def let_go(self) -> None:
        """Have the child ended, with all that it has started; it may take a moment."""
        if sys.platform != "linux":
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
        elif self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        if sys.platform != "linux":
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                **APART,
            )
        from dovetail.platform import supervisor

        inherited, self._lifeline = os.pipe()
        script = [sys.executable, "-I", "-S", supervisor.__file__]
        try:
            return subprocess.Popen(
                [*script, str(inherited), self.folder, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(inherited,),
                env=environment,
                **APART,
            )
        except OSError:
            os.close(self._lifeline)
            raise
        finally:
            os.close(inherited)
