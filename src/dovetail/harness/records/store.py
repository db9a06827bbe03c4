"""A file of run records that outlives whatever kills the bench that writes it.

One record is one line of JSON, appended and brought to the disk as soon as its run has ended.
A kill or a power loss in the middle of a write leaves a last line that is torn: it is cut off
when the file is next opened for writing, and its run is simply not there. One bench at a time
writes a file.
"""

from __future__ import annotations

import json
import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

from dovetail.errors import ConfigError, FormatError, reason_of
from dovetail.harness.records.reading import parse_records
from dovetail.harness.records.record import Record
from dovetail.platform.disk import lock, sync_folder


class RecordStore:
    """The records in the file at `path`, which is created if it is not there.

    `records` are those it held when it was opened, `torn_bytes` the length of a torn last
    line that was cut off, 0 if there was none. Raises `ConfigError` when the file cannot be
    written or another bench is writing it, `FormatError` when it holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.Lock()
        new = not path.exists()
        try:
            self._file = path.open("a+b", buffering=0)  # what failed to be written is gone
        except OSError as error:
            raise ConfigError(f"{path} cannot be written ({reason_of(error)})") from None
        try:
            self._lock()
            data = self._content()
            file = parse_records(data, path)
            self.records, self.torn_bytes = file.records, file.torn_bytes
            for line in file.skipped[: -1 if self.torn_bytes else None]:
                raise FormatError(
                    f"{line.problem}; expected a run record, or another file for -o",
                    path,
                    line.number,
                )
            whole = len(data) - self.torn_bytes
            if self.torn_bytes:
                self._file.truncate(whole)
            if whole and data[whole - 1 : whole] != b"\n":
                self._write(b"\n")
            if new:
                sync_folder(path.parent)
        except BaseException:
            self._file.close()
            raise

    def add(self, record: Record) -> None:
        """Append `record` and wait until it is on the disk. May be called by several threads."""
        line = json.dumps(record.json_fields(), allow_nan=False) + "\n"
        with self._writing:
            self._write(line.encode())

    def close(self) -> None:
        """Let others write the file."""
        self._file.close()

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            lock(self._file.fileno())
        except BlockingIOError:
            raise ConfigError(f"{self.path} is being written by another bench") from None
        except OSError:
            pass  # a file system without locks

    def _content(self) -> bytes:
        """What there is; a pipe or a device holds nothing to resume from."""
        if not self._is_regular():
            return b""
        self._file.seek(0)
        return self._file.read()

    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)

    def _write(self, data: bytes) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            rest = data
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._is_regular():  # else there is no disk to bring it to
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):  # a full disk: leave whole lines only
                os.ftruncate(self._file.fileno(), size)
            raise ConfigError(f"{self.path} cannot be written ({reason_of(error)})") from None
