"""Start two children, let one go and kill this process: `python processes.py FILE`.

It prints the results, and the number of the second child, which still runs then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from dovetail.platform.processes import Child
from dovetail.platform.system import lock

CHILD = """
import time
from pathlib import Path
from dovetail.platform.processes import end_with_parent
end_with_parent()
print("is there", flush=True)
time.sleep(60)
"""


def main() -> None:
    """Lock a file twice, start two children, end the first, and kill this process."""
    with open(sys.argv[1], "ab") as file, open(sys.argv[1], "ab") as again:
        lock(file.fileno())
        try:
            lock(again.fileno())
        except BlockingIOError:
            locked = True
        else:
            locked = False
    children = [Child([sys.executable, "-c", CHILD], dict(os.environ)) for _ in range(2)]
    for child in children:
        assert child.process.stdout is not None
        child.process.stdout.readline()
    first, second = children
    folder = Path(first.folder)
    existed = folder.is_dir()
    first.kill()
    status = first.process.wait()
    kept = existed and not folder.exists()
    sys.stdout.write(json.dumps([locked, status, kept, second.process.pid]))
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
