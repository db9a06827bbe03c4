"""What a backend is and what can be set, as text for a terminal."""

from __future__ import annotations

import textwrap

from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import BackendDescription, backend_description

WIDTH = 80


def backend_page(name: str) -> str:
    """Return the page of the backend called `name`, which may be `auto`."""
    backend = backend_description(name)
    lines = [f"{name}: {backend.summary}", ""]
    if backend.settings:
        lines += [f"Settings, passed as -b {name} -c KEY=VALUE:", "", *settings_lines(backend)]
    else:
        lines.append("It has no settings.")
    if name == AUTO:
        lines.append("To configure the chosen backend, name it with -b.")
    meaning = backend.node_meaning
    lines += ["", "It counts no nodes." if meaning is None else f"A node is {meaning}."]
    if backend.missing is not None:
        lines.append(f"Not installed: {backend.missing}")
    return "\n".join(line for part in lines for line in _wrapped(part))


def settings_lines(backend: BackendDescription) -> list[str]:
    """Return the settings of a backend: the key with its values and default, then the meaning."""
    lines = []
    for one in backend.settings:
        lines.append(f"  {one.key}: {one.values} (default: {one.default})")
        lines += [f"      {line}" for line in textwrap.wrap(one.meaning, WIDTH - 6)]
    return lines


def _wrapped(line: str) -> list[str]:
    """Break a line that is too long between words."""
    return textwrap.wrap(line, WIDTH, subsequent_indent="  ") or [""]
