"""What a backend is and what can be set, as text for a terminal."""

from __future__ import annotations

import textwrap

from dovetail.backends.config import settings_of
from dovetail.backends.registry import backend_named, not_installed
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import SUMMARY, config_type_named

WIDTH = 80


def backend_page(name: str) -> str:
    """Return the page of the backend called `name`, which may be `auto`."""
    lines = [f"{name}: {backend_summary(name)}", ""]
    settings = settings_lines(name)
    if settings:
        lines += [f"Settings, passed as -b {name} -c KEY=VALUE:", "", *settings]
    elif name == AUTO:
        lines.append("It has no settings. To configure the chosen backend, name it with -b.")
    else:
        lines.append("It has no settings.")
    if name != AUTO:
        lines += ["", *_facts(name)]
    return "\n".join(line for part in lines for line in _wrapped(part))


def backend_summary(name: str) -> str:
    """Return what a backend is, in one line."""
    return SUMMARY if name == AUTO else backend_named(name).summary


def settings_lines(name: str) -> list[str]:
    """Return the settings of a backend: the key with its values and default, then the meaning."""
    lines = []
    for one in settings_of(config_type_named(name)):
        lines.append(f"  {one.key}: {one.values} (default: {one.default})")
        lines += [f"      {line}" for line in textwrap.wrap(one.meaning, WIDTH - 6)]
    return lines


def _facts(name: str) -> list[str]:
    backend = backend_named(name)
    meaning = backend.node_meaning
    counted = "It counts no nodes." if meaning is None else f"A node is {meaning}."
    missing = not_installed(backend)
    return [counted] if missing is None else [counted, f"Not installed: {missing}"]


def _wrapped(line: str) -> list[str]:
    """Break a line that is too long between words."""
    return textwrap.wrap(line, WIDTH, subsequent_indent="  ") or [""]
