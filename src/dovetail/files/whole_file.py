"""Files that are written at one stroke: a kill leaves them as they were."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dovetail.errors import ConfigError, reason_of


def write_whole(path: Path, data: bytes) -> None:
    """Give the file at `path` the content `data`; its permissions stay, a link goes on to point.

    A device or a pipe is written to. Raises `ConfigError` when it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(temporary).chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
            Path(temporary).replace(target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({reason_of(error)})") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
