"""Machine code of kernels and boards: object files on disk, functions in memory, arguments.

llvmlite loads the code, and compiles the code of boards, without numba.

Arguments are passed as words. An array has two words for numba's reference counting, then the
number of entries, the bytes of an entry, the address of the entries, the shape and the strides. A
tuple has the words of its members, and None has one empty word. The function writes its result to
the address in its first argument.

Source: numba's calling convention for compiled functions, `numba.core.callconv`, and its data
model of arrays, `numba.core.datamodel.models`.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

# Type for which a kernel is compiled: (type, length) of a tuple, whose members follow; (dtype,
# dimensions, flags) of an array; the dtype of a number; or None.
ArgumentType = Any

# Flags of arrays for which numba compiles separate code; C order takes precedence over Fortran's.
_C, _FORTRAN, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400
_FLAGS_C = _C | _ALIGNED | _WRITEABLE
_FLAGS = _FLAGS_C | _FORTRAN
_MIN_UNSIGNED = 2**63
_WORD = ctypes.c_ssize_t
_NO_POINTER = 0
_ARRAYS = (np.ndarray, np.memmap)  # other subclasses may hide some of their entries
_NUMBERS = "biuf"  # kinds of dtypes: bool, signed, unsigned, float
# Offset of the pointer to an array's entries in the array object: the first field in numpy's ABI.
# Reading it is much faster than `array.ctypes.data`.
_DATA_OFFSET = object.__basicsize__


def flatten(value: Any, types: list[ArgumentType], words: list[Any]) -> None:
    """Append the types of a value to `types` and its words to `words`.

    A tuple has its own type, followed by the types of its members. Raises `TypeError` for a value
    other than an array, a number, None or a tuple, and `OverflowError` for an integer beyond 64
    bits. Dtypes are not checked.
    """
    if type(value) in _ARRAYS:
        flags = value.flags.num
        types.append((value.dtype, value.ndim, flags & (_FLAGS_C if flags & _C else _FLAGS)))
        data = ctypes.c_size_t.from_address(id(value) + _DATA_OFFSET).value
        words += (_NO_POINTER, _NO_POINTER, value.size, value.itemsize, data)
        words += value.shape
        words += value.strides
    elif isinstance(value, tuple):
        types.append((type(value), len(value)))
        for member in value:
            flatten(member, types, words)
    elif isinstance(value, np.generic):
        types.append(value.dtype)
        words.append(value.item())
    elif value is None:
        types.append(None)
        words.append(_NO_POINTER)
    elif isinstance(value, bool | int | float):
        types.append(np.dtype(_dtype_of(value)))
        words.append(value)
    else:
        raise TypeError(f"argument {value!r}; expected an array, number, None or tuple of these")


def _dtype_of(number: float) -> str:
    """Return the dtype of a Python number; raise `OverflowError` beyond 64 bits."""
    if isinstance(number, bool):
        return "bool"
    if isinstance(number, float):
        return "float64"
    if not -_MIN_UNSIGNED <= number < 2 * _MIN_UNSIGNED:
        raise OverflowError(f"argument {number}; expected an integer of at most 64 bits")
    return "int64" if number < _MIN_UNSIGNED else "uint64"


def text_of(types: Sequence[ArgumentType]) -> str:
    """Return the types of arguments as text that is the same in every process.

    Raises `TypeError` for a dtype that kernels do not take.
    """
    return " ".join(map(_text_of_type, types))


def _text_of_type(argument_type: ArgumentType) -> str:
    if isinstance(argument_type, tuple) and isinstance(argument_type[0], type):
        tuple_type, length = argument_type
        fields = ",".join(getattr(tuple_type, "_fields", ()))
        return f"{tuple_type.__module__}.{tuple_type.__qualname__}[{length}:{fields}]"
    if isinstance(argument_type, tuple):
        dtype, dimensions, flags = argument_type
        return f"{_text_of_dtype(dtype)}/{dimensions}/{flags}"
    return "none" if argument_type is None else _text_of_dtype(argument_type)


def _text_of_dtype(dtype: np.dtype[Any]) -> str:
    if dtype.kind not in _NUMBERS or dtype == np.float16:
        raise TypeError(f"argument of dtype {dtype}; expected numbers of at most 64 bits")
    return str(dtype.str)


def examples_of(text: str) -> tuple[Any, ...]:
    """Return example arguments for types given as text; arrays have 1 entry and are in C order.

    Raises `ValueError` for arrays that are unaligned or in another order, and `ImportError`,
    `AttributeError` or `TypeError` for a text that names no types.
    """
    words = iter(text.split())
    return tuple(_example(word, words) for word in words)


def _example(word: str, words: Iterator[str]) -> Any:
    """Return an example of the type `word`; the types of a tuple's members follow in `words`."""
    if word == "none":
        return None
    if word.endswith("]"):
        name, _, length = word.partition(":")[0].rpartition("[")
        module, _, qualified = name.rpartition(".")
        tuple_type = getattr(import_module(module), qualified)
        members = [_example(next(words), words) for _ in range(int(length))]
        return tuple(members) if tuple_type is tuple else tuple_type(*members)
    dtype, *array = word.split("/")
    if not array:
        return np.dtype(dtype).type(1)
    dimensions, flags = map(int, array)
    if flags | _WRITEABLE != _FLAGS_C:
        raise ValueError(f"expected an array in C's order, not {word}")
    example = np.zeros((1,) * dimensions, dtype)
    example.setflags(write=bool(flags & _WRITEABLE))
    return example


def c_types(types: Sequence[ArgumentType]) -> list[Any]:
    """Return the C types of the words that `flatten` appends for arguments of these `types`."""
    found: list[Any] = []
    for argument_type in types:
        if argument_type is None:
            found.append(_WORD)
        elif isinstance(argument_type, np.dtype):
            found.append(_c_type(argument_type))
        elif not isinstance(argument_type[0], type):
            found += [_WORD] * (5 + 2 * argument_type[1])
    return found


def _c_type(dtype: np.dtype[Any]) -> Any:
    return np.ctypeslib.as_ctypes_type(dtype)


class ReturnedValue:
    """Type of a kernel's result: nothing, a number, or a tuple, given by names of dtypes."""

    def __init__(self, returned: str | list[str] | None) -> None:
        self._is_tuple = isinstance(returned, list)
        names = [] if returned is None else [returned] if isinstance(returned, str) else returned
        fields: list[Any] = [("nothing", ctypes.c_void_p)] if returned is None else []
        fields += [(f"member{k}", _c_type(np.dtype(name))) for k, name in enumerate(names)]
        self.c_type: type[ctypes.Structure] = type(
            "Returned", (ctypes.Structure,), {"_fields_": fields}
        )
        self._names = [] if returned is None else [name for name, _ in fields]

    def value(self, written: ctypes.Structure) -> Any:
        """Return the result written: None, a Python number, or a tuple of Python numbers."""
        values = tuple(getattr(written, name) for name in self._names)
        if self._is_tuple:
            return values
        return values[0] if values else None


CODE_SUFFIX = ".kernel"


@dataclass(frozen=True)
class MachineCode:
    """Object file of a kernel. It calls no functions of other files, except of the C library."""

    symbol: str  # name of the function in the file
    # Dtype of the result, a list of dtypes for a tuple, or None for no result.
    returned: str | list[str] | None
    object_code: bytes

    def write(self, path: Path) -> None:
        """Write the code to a file atomically; do nothing if the file cannot be written."""
        head = asdict(self)
        del head["object_code"]
        content = json.dumps(head).encode() + b"\n" + self.object_code
        with suppress(OSError):
            temporary = path.with_name(os.urandom(8).hex())
            try:
                temporary.write_bytes(b"%d\n" % zlib.crc32(content) + content)
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

    @classmethod
    def read(cls, path: Path) -> MachineCode | None:
        """Return the code in a file; None if the file is missing or damaged."""
        try:
            checksum, _, content = path.read_bytes().partition(b"\n")
            if int(checksum) == zlib.crc32(content):
                head, _, object_code = content.partition(b"\n")
                return cls(**json.loads(head), object_code=object_code)
        except (OSError, ValueError):
            pass
        return None

    def function(self, name: str, types: Sequence[ArgumentType]) -> NativeFunction:
        """Load the kernel's function for arguments of these `types`; `name` is for messages."""
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
        self._name, self._result = name, ReturnedValue(returned)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, *c_types(types))
        self._function = prototype(address)

    def __call__(self, words: Sequence[Any]) -> Any:
        """Call the function with the words of its arguments; return its result.

        Raises `RuntimeError` if the kernel has raised an exception.
        """
        written, error = self._result.c_type(), ctypes.c_void_p()
        status = self._function(ctypes.addressof(written), ctypes.addressof(error), *words)
        if status:
            raise RuntimeError(
                f"kernel {self._name} raised an exception; DOVETAIL_BOUNDS_CHECK=1 shows it"
            )
        return self._result.value(written)


def code_path(directory: Path, name: str, source: str, types: str) -> Path:
    """Return the path of a kernel's code for arguments of some types on this processor.

    `source` is the digest of the kernel's source, and `types` the text that `text_of` returns.
    """
    what = f"{name} {source} {types} {_processor()}"
    return directory / (name + "-" + hashlib.sha256(what.encode()).hexdigest()[:16] + CODE_SUFFIX)


def load_function(object_code: bytes, symbol: str) -> int:
    """Load an object file, which is never unloaded; return the address of a function in it.

    Raises `RuntimeError` if the file has no function called `symbol`.
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
    """Return the loader of object files; it is never freed, because its functions stay in use."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


def compiled(text: str, symbol: str) -> int:
    """Compile a module in LLVM's language for this processor; return the address of `symbol`.

    The module must refer to functions of other modules by address. No optimisation passes run; only
    registers and instructions are chosen.
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
