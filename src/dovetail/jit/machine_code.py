"""Machine code of kernels: object files on disk, and functions in memory.

LLVM loads them, by llvmlite alone.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dovetail.jit.arguments import ArgumentType, Result, c_types

_STATUSES_OF_SUCCESS = (0, -2)  # -2: it has returned None
CODE_SUFFIX = ".kernel"


@dataclass(frozen=True)
class MachineCode:
    """An object file without anything undefined but functions of C.

    `symbol` is the function's name in it, and `returned` the dtype of what it returns, a list of
    them for a tuple, None for nothing.
    """

    symbol: str
    returned: str | list[str] | None
    object_code: bytes

    def write(self, path: Path) -> None:
        """Write it to a file at once; without a place for it nothing is written."""
        head = asdict(self)
        del head["object_code"]
        head["checksum"] = zlib.crc32(self.object_code)
        temporary = path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            temporary.write_bytes(json.dumps(head).encode() + b"\n" + self.object_code)
            temporary.replace(path)

    @classmethod
    def read(cls, path: Path) -> MachineCode | None:
        """Read a file; None if there is none, or it is damaged."""
        try:
            head, _, object_code = path.read_bytes().partition(b"\n")
            entries = json.loads(head)
            if entries["checksum"] == zlib.crc32(object_code):
                return cls(entries["symbol"], entries["returned"], object_code)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def function(self, name: str, types: Sequence[ArgumentType]) -> NativeFunction:
        """Load it; `types` are those of the arguments that it was compiled for."""
        import llvmlite.binding as llvm

        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(self.object_code))
        engine.finalize_object()
        return NativeFunction(name, engine.get_function_address(self.symbol), types, self.returned)


class NativeFunction:
    """A kernel's machine code for arguments of some types; it releases the GIL."""

    def __init__(
        self,
        name: str,
        address: int,
        types: Sequence[ArgumentType],
        returned: str | list[str] | None,
    ) -> None:
        pointer = ctypes.c_void_p
        self._name, self._result = name, Result(returned)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, *c_types(types))
        self._function = prototype(address)

    def __call__(self, words: Sequence[Any]) -> Any:
        """Call it with the words of its arguments; returns what it returns."""
        written, error = self._result.c_type(), ctypes.c_void_p()
        status = self._function(ctypes.addressof(written), ctypes.addressof(error), *words)
        if status not in _STATUSES_OF_SUCCESS:
            raise RuntimeError(f"kernel {self._name} ended with status {status}")
        return self._result.value(written)


def code_path(directory: Path, name: str, source: str, types: str) -> Path:
    """Return where the code of a kernel is kept, for arguments of some types and this processor."""
    what = f"{name} {source} {types} {_processor()}"
    return directory / (name + "-" + hashlib.sha256(what.encode()).hexdigest()[:16] + CODE_SUFFIX)


@cache
def _processor() -> str:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


@cache
def _engine() -> Any:
    """What loads object files; it lives as long as the process, since functions are never freed."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
