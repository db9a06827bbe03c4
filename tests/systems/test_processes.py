"""Process trees, standard descriptors, and the package that has the calls of systems."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dovetail.platform.processes import descendants, held_bytes, kill, marked, processor_s
from dovetail.platform.system import refusal

MIB = 2**20
# Forks a child that shares its memory, and waits.
SHARING = """
import os, time
memory = b"x" * (64 << 20)
if os.fork():
    print("is there", flush=True)
time.sleep(60)
"""


@pytest.fixture
def sharing() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process with a child that shares 64 MiB with it."""
    with subprocess.Popen(
        [sys.executable, "-c", SHARING],
        stdout=subprocess.PIPE,
        env={**os.environ, "TEST_MARK": "sharing"},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        kill([*descendants(process.pid), process.pid])


def test_a_process_tree_is_found_by_descent_and_mark_and_killed(
    sharing: subprocess.Popen[bytes],
) -> None:
    tree = [sharing.pid, *descendants(sharing.pid)]
    assert len(tree) == 2
    assert set(tree) <= set(descendants(os.getpid()))
    assert sorted(marked("TEST_MARK", "sharing")) == sorted(tree)
    assert marked("TEST_MARK", "other") == []
    assert 0 < processor_s(tree) < 60
    kill(tree)
    sharing.wait()
    assert descendants(sharing.pid) == []
    assert held_bytes([sharing.pid]) == processor_s([sharing.pid]) == 0
    kill([sharing.pid])


def test_shared_pages_count_once_above_the_limit(sharing: subprocess.Popen[bytes]) -> None:
    tree = [sharing.pid, *descendants(sharing.pid)]
    assert held_bytes(tree) > 128 * MIB
    assert held_bytes(tree, 1024 * MIB) > 128 * MIB
    assert 64 * MIB < held_bytes(tree, 100 * MIB) < 100 * MIB
    assert sharing.poll() is None


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


@pytest.mark.parametrize(("system", "name"), [("darwin", "macOS")])
def test_a_refusal_names_the_system(
    monkeypatch: pytest.MonkeyPatch, system: str, name: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "platform", system)
        message = refusal("memory", "limit time instead")
    assert message == f"memory is not supported on {name}, only on Linux; limit time instead"


OCCUPY = """
import os, sys
from dovetail.platform.system import occupy_standard_descriptors
occupy_standard_descriptors()
occupy_standard_descriptors()
opened = os.open(os.devnull, os.O_RDONLY)
works = []
for descriptor, use in enumerate((lambda: os.read(0, 1), lambda: os.write(1, b"x"),
                                  lambda: os.write(2, b"x"))):
    try:
        use()
        works.append(descriptor)
    except OSError as error:
        assert error.errno == 9, error
with open(sys.argv[1], "w") as file:
    file.write(f"{opened > 2} {works}")
"""
COUNT = """
import sys
import dovetail
found = dovetail.count("queens-6", "constraint", symmetry="all")
with open(sys.argv[1], "w") as file:
    file.write(f"{found.status} {found.count} {found.reason}")
"""


def written_by(script: str, folder: Path, closed: str) -> str:
    """Return the text that `script` writes when it is started with `closed` streams."""
    (folder / "script.py").write_text(script)
    words = f'exec "{sys.executable}" script.py answer.txt {closed}'
    subprocess.run(["bash", "-c", words], cwd=folder, check=True, timeout=120)
    return (folder / "answer.txt").read_text()


@pytest.mark.parametrize(
    ("closed", "works"),
    [
        ("<&- >/dev/null 2>/dev/null", "[1, 2]"),
        ("</dev/null >&- 2>/dev/null", "[0, 2]"),
        ("<&- >&- 2>&-", "[2]"),
    ],
)
def test_a_new_file_takes_no_descriptor_of_a_closed_stream(
    tmp_path: Path, closed: str, works: str
) -> None:
    """A closed input or output remains an error."""
    assert written_by(OCCUPY, tmp_path, closed) == f"True {works}"


def test_a_script_without_standard_streams_can_count(tmp_path: Path) -> None:
    assert written_by(COUNT, tmp_path, "<&- >&- 2>&-") == "exhausted 4 None"
