"""Adapt what mkdocstrings shows of the package."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

from griffe import Extension, Function, Module, Object, Parameter, ParameterKind, Parameters

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Docstrings(Extension):
    """Show examples as code, and all parameters of functions that take many by one name."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Fence what stands behind a prompt, which Markdown would take for quotes."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Take the signature that `spelled_out` gives a function, as `help` does."""
        spelled_out = any("spelled_out" in str(one.value) for one in func.decorators)
        if spelled_out and isinstance(func.parent, Module):
            signature = inspect.signature(getattr(import_module(func.parent.path), func.name))
            func.parameters = Parameters(*map(shown, signature.parameters.values()))


def shown(one: inspect.Parameter) -> Parameter:
    """Return a parameter as griffe has it."""
    default = None if one.default is one.empty else repr(one.default)
    annotation = None if one.annotation is one.empty else str(one.annotation)
    kind = ParameterKind(one.kind.description)
    return Parameter(one.name, annotation=annotation, kind=kind, default=default)
