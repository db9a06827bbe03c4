"""Help on backends and improvers and on their settings, as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from dovetail.backends.config import Setting, settings_of
from dovetail.backends.registry import solver_of
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import backend_description
from dovetail.improvers.registry import improver_named

WIDTH = 80


def backend_page(name: str) -> str:
    """Return the page of the backend called `name`, which may be `auto` or a file."""
    backend = backend_description(solver_of(name)[0])
    lines = _described(name, backend.summary, backend.settings)
    if name == AUTO:
        lines.append("To configure the chosen backend, name it with -b.")
    meaning = backend.node_meaning
    lines += ["", "It counts no nodes." if meaning is None else f"A node is {meaning}."]
    if backend.missing is not None:
        lines.append(f"Not installed: {backend.missing}")
    return _wrapped(lines)


def improver_page(name: str) -> str:
    """Return the page of the improver called `name`."""
    improver = improver_named(name)
    lines = _described(name, improver.summary, settings_of(improver.config_type))
    return _wrapped([*lines, "", f"It improves boards: dovetail improve BOARD -b {name}."])


def settings_lines(settings: Iterable[Setting]) -> list[str]:
    """Return for each setting a line with its key, values and default, then its meaning."""
    lines = []
    for setting in settings:
        lines.append(f"  {setting.key}: {setting.values} (default: {setting.default})")
        lines += [f"      {line}" for line in textwrap.wrap(setting.meaning, WIDTH - 6)]
    return lines


def _described(name: str, summary: str, settings: Sequence[Setting]) -> list[str]:
    lines = [f"{name}: {summary}", ""]
    if not settings:
        return [*lines, "It has no settings."]
    return [*lines, f"Settings, passed as -b {name} -c KEY=VALUE:", "", *settings_lines(settings)]


def _wrapped(lines: Iterable[str]) -> str:
    """Return lines as a text; a line that is too long is broken between words."""
    wrapper = textwrap.TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) for line in lines)
