"""Resident memory, read from the system's own accounts (Linux)."""

from __future__ import annotations

from pathlib import Path


def peak_bytes() -> int | None:
    """The largest resident size this process has had.

    Read as VmHWM; `ru_maxrss` would start from the size of the process that started this one.
    """
    return _status_bytes("self", "VmHWM")


def resident_bytes(process: int) -> int | None:
    """The resident size of a process now, None if it is gone."""
    return _status_bytes(str(process), "VmRSS")


def _status_bytes(process: str, key: str) -> int | None:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return None
