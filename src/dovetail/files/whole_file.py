"""Files that are written at one stroke: a kill leaves them as they were."""

from __future__ import annotations

import os
import secrets
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
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
        kept_mode = target.stat().st_mode if target.exists() else None
        # The system applies the umask to a new file. Reading the umask would mean setting it, for
        # every thread of the process.
        created_mode = 0o666 if kept_mode is None else 0o600
        try:
            with open(
                temporary, "xb", opener=lambda name, flags: os.open(name, flags, created_mode)
            ) as file:
                file.write(data)
            if kept_mode is not None:
                temporary.chmod(kept_mode)
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({reason_of(error)})") from None
