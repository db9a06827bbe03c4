"""The process that compiles kernels beside another: `python -m dovetail.jit.compiling_child`.

It reads one listed kernel a line from standard input, and writes an empty line when its machine
code is in the cache, or cannot be. It ends as soon as its input does, whatever it does then.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from contextlib import suppress

from dovetail.jit.kernel_list import ListedKernel


def main() -> None:
    """Compile what is asked for until nothing more can come."""
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
