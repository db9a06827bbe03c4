"""Calls that differ between systems are in one package, whose refusals name the system."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from dovetail.platform.system import refusal

SOURCES = Path(__file__).parents[2] / "src" / "dovetail"
# Modules, options and files that some systems lack, and then attributes of modules.
WORDS = re.compile(
    r"\b(?:import (?:fcntl|resource|select|termios|pwd|grp|msvcrt|_winapi)\b"
    r"|(?:start_new_session|process_group|pass_fds|preexec_fn|creationflags)=)"
    r"|CDLL\(None\)|[\"'(]/(?:proc|sys|dev)\b"
)
ATTRIBUTES = re.compile(
    r"\b(?:sys\.platform|os\.(?:name|uname|fork|kill|killpg|set[sp]\w*id|get[eup]*[ug]id|sched_\w+"
    r"|posix_\w+|pidfd_open|wait\w*|W[A-Z]+|sysconf|nice|getloadavg|register_at_fork|set_blocking"
    r"|O_(?:DIRECTORY|CLOEXEC|NONBLOCK|NOFOLLOW))|time\.(?:clock_\w+|CLOCK_\w+|pthread_\w+)"
    r"|signal\.SIG(?!INT\b|TERM\b|_IGN\b|_DFL\b|nals\b)\w+)\b"
)


def test_only_the_platform_package_has_calls_of_systems() -> None:
    paths = [path for path in SOURCES.rglob("*.py") if path.parent.name != "platform"]
    found = [
        f"{path.relative_to(SOURCES)}: {match[0]}"
        for path in paths
        for pattern in (WORDS, ATTRIBUTES)
        for match in pattern.finditer(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(("system", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_a_refusal_names_the_system(
    monkeypatch: pytest.MonkeyPatch, system: str, name: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "platform", system)
        message = refusal("memory", "limit time instead")
    assert message == f"memory is not supported on {name}, only on Linux; limit time instead"
