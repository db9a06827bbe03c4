"""Where a command writes: a file, which is whole or not touched, or standard output."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from dovetail.errors import ConfigError

STANDARD_OUTPUT = Path("-")


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path`, `-` being standard output; a name ending in .gz compresses it.

    A file gets its content at one stroke: a kill leaves it as it was. Raises `ConfigError`
    when it cannot be written.
    """
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    data = text.encode()
    if path.suffix.lower() == ".gz":
        data = gzip.compress(data, mtime=0)  # the same text is the same file
    try:
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(temporary).chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror})") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
