"""Messages between a process and its children: pickles with their length in front."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import IO, Any


@dataclass(frozen=True)
class Waiting:
    """The child can run another job."""


@dataclass(frozen=True)
class Accepted:
    """The child runs the job that it was sent: what comes next is of that."""


LENGTH = struct.Struct("<Q")
# Solutions come in batches far below this; a length beyond it is not one.
LONGEST = 2**30


def send(stream: IO[bytes], message: object) -> None:
    """Write one message and flush it."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message.

    Raises EOFError when the other side is gone, ValueError for what is no message.
    """
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(header)
    if length > LONGEST:
        raise ValueError("not a message: too long")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    try:
        return pickle.loads(data)
    except Exception as error:
        raise ValueError(f"not a message: {type(error).__name__}") from None
