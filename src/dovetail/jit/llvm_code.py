"""Machine code that a program writes for one problem, in LLVM's language."""

from __future__ import annotations

from functools import cache
from typing import Any

from dovetail.jit.machine_code import load_function


def compiled(text: str, symbol: str) -> int:
    """Compile a module for this processor; returns the address of one of its functions.

    The module takes what it needs of others by address. It is not optimised: registers and
    instructions are chosen for the code as it was written.
    """
    import llvmlite.binding as llvm

    machine = _target_machine()
    module = llvm.parse_assembly(text)
    module.verify()
    return load_function(machine.emit_object(module), symbol)


@cache
def _target_machine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
    )
