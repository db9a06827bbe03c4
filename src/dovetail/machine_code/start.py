"""Machine code of kernels and of boards: object files on disk, and functions in memory.

LLVM compiles and loads them, by llvmlite alone.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dovetail.machine_code.arguments import ArgumentType, Result, c_types

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
        content = json.dumps(head).encode() + b"\n" + self.object_code
        with suppress(OSError):
            descriptor, temporary = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(b"%d\n" % zlib.crc32(content) + content)
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise

    @classmethod
    def read(cls, path: Path) -> MachineCode | None:
        """Read a file; None if there is none, or it is damaged."""
        try:
            checksum, _, content = path.read_bytes().partition(b"\n")
            if int(checksum) == zlib.crc32(content):
                head, _, object_code = content.partition(b"\n")
                return cls(**json.loads(head), object_code=object_code)
        except (OSError, ValueError):
            pass
        return None

    def function(self, name: str, types: Sequence[ArgumentType]) -> NativeFunction:
        """Load the function; `types` are the types of its arguments."""
        address = load_function(self.object_code, self.symbol)
        return NativeFunction(name, address, types, self.returned)


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
        """Call the function with the words of its arguments; return its result."""
        written, error = self._result.c_type(), ctypes.c_void_p()
        status = self._function(ctypes.addressof(written), ctypes.addressof(error), *words)
        if status:
            raise RuntimeError(
                f"kernel {self._name} raised an exception; DOVETAIL_BOUNDS_CHECK=1 shows it"
            )
        return self._result.value(written)


def code_path(directory: Path, name: str, source: str, types: str) -> Path:
    """Return where the code of a kernel is kept, for arguments of some types and this processor."""
    what = f"{name} {source} {types} {_processor()}"
    return directory / (name + "-" + hashlib.sha256(what.encode()).hexdigest()[:16] + CODE_SUFFIX)


def load_function(object_code: bytes, symbol: str) -> int:
    """Load an object file for good; returns the address of a function in it.

    Raises `RuntimeError` where there is none of that name.
    """
    import llvmlite.binding as llvm

    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
    engine.finalize_object()
    address: int = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"the machine code has no function {symbol}")
    return address


@cache
def _processor() -> str:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


@cache
def _engine() -> Any:
    """Return the loader of object files; it is kept, since functions are never freed."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


def compiled(text: str, symbol: str) -> int:
    """Compile a module in LLVM's language for this processor; return the address of a function.

    The module takes what it needs of others by address. It is not optimised: registers and
    instructions are chosen for the code as it was written.
    """
    import llvmlite.binding as llvm

    machine = _optimising_machine()
    module = llvm.parse_assembly(text)
    module.verify()
    return load_function(machine.emit_object(module), symbol)


@cache
def _optimising_machine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
    )
