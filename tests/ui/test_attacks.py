"""The server under attack: what comes from outside neither gets in nor stays."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import time
from contextlib import ExitStack, closing, suppress

import pytest

from dovetail.platform.processes import descendants
from dovetail.ui.requests import MAX_BODY_BYTES
from dovetail.ui.serving import routes
from dovetail.ui.serving import server as connections
from dovetail.ui.serving.server import MAX_CONNECTIONS, PageServer
from harness.workers.processes import is_gone
from ui.served import LONG, Visitor, until

HUGE = 100 * 2**20
CHUNK = 2**16


def connected(server: PageServer, *headers: str) -> socket.socket:
    """A connection that has sent the head of a request, with the token."""
    host = server.address.removeprefix("http://").partition("/")[0]
    name, _, port = host.partition(":")
    opened = socket.create_connection((name, int(port)), timeout=10)
    token = server.address.partition("token=")[2]
    lines = ["POST /api/puzzles HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {token}"]
    head = "\r\n".join([*lines, "Content-Type: application/json", *headers, "", ""])
    opened.sendall(head.encode())
    return opened


def silent(server: PageServer) -> socket.socket:
    """A connection that has sent nothing."""
    host, _, port = server.address.removeprefix("http://").partition("/")[0].partition(":")
    return socket.create_connection((host, int(port)), timeout=5)


@pytest.mark.parametrize("are_closed", [False])
def test_a_burst_of_silent_connections_keeps_nobody_out(
    server: PageServer, are_closed: bool
) -> None:
    """The owner comes in though more of them are opened than the server has places for."""
    limit = connections.MAX_WAITING + MAX_CONNECTIONS
    with ExitStack() as stack:
        for _ in range(limit + 10):
            opened = stack.enter_context(silent(server))
            if are_closed:
                opened.close()
        with closing(Visitor(server.address)) as visitor:
            assert visitor.get("/api/puzzles").is_success
        assert len(server.server_state.connections) <= connections.MAX_WAITING + 1
    until(lambda: not server.server_state.connections)


@pytest.mark.parametrize("resets", [False, True])
def test_a_client_that_leaves_during_an_upload(
    server: PageServer, caplog: pytest.LogCaptureFixture, resets: bool
) -> None:
    """Nothing is printed, and its connection is forgotten."""
    with connected(server, "Content-Length: 1000") as opened:
        opened.sendall(b'{"na')
        until(lambda: server.server_state.tasks)
        if resets:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    until(lambda: not server.server_state.tasks)
    until(lambda: not server.server_state.connections)
    assert not caplog.records


def test_an_upload_that_is_too_long_is_not_read(server: PageServer) -> None:
    """It is refused by its length before anything comes."""
    with connected(server, f"Content-Length: {HUGE}") as opened:
        assert b" 413 " in opened.recv(CHUNK)


def test_an_upload_without_a_length_is_cut(server: PageServer) -> None:
    """As soon as it is too long, the server reads no more and hangs up."""
    sent = 0
    with connected(server, "Transfer-Encoding: chunked") as opened:
        piece = f"{CHUNK:x}\r\n{' ' * CHUNK}\r\n".encode()
        with suppress(OSError):
            while sent < HUGE:
                opened.sendall(piece)
                sent += CHUNK
        answer = b""
        with suppress(OSError):  # it may be lost with the connection
            answer = opened.recv(CHUNK)
    assert answer == b"" or b" 413 " in answer
    assert MAX_BODY_BYTES <= sent < HUGE // 2


@pytest.mark.parametrize(
    "path",
    [
        "/static/../access.py",
        "/static/..%2faccess.py",
        "/static//etc/passwd",
        "/api/puzzles/p1/export?format=/../../x",
    ],
)
def test_nothing_outside_is_served(visitor: Visitor, path: str) -> None:
    """Not even what lies beside the page's own files."""
    response = visitor.get(path)
    assert response.status_code in (400, 404), response.text


@pytest.mark.parametrize("name", ["/etc/passwd", "-"])
def test_no_file_of_the_machine_is_read(visitor: Visitor, name: str) -> None:
    """A name is one of the catalogue; a file is what the request contains."""
    response = visitor.post("/api/puzzles", json={"name": name})
    assert (response.status_code, "no puzzle is called" in response.text) == (400, True)


def test_no_program_is_run(visitor: Visitor) -> None:
    """Backends that run one of the user's choice have no permission here."""
    lane = {"backend": "command", "config": {"command": "touch,{dlx}"}}
    race = visitor.asked("/api/races", puzzle="p1", lanes=[lane])["id"]
    *_, (_, last), _ = visitor.events(f"races/{race}")
    (lane,) = last["lanes"]
    assert (lane["status"], "permission" in lane["reason"] or "allow" in lane["reason"]) == (
        "skipped",
        True,
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b'{"file": {"name": "\\ud800.toml", "base64": ""}}', 400),
        (b'{"name": "\xff"}', 400),
        (b'{"drawing": {"lattice": "square-2", "region": [[1e999, 0]]}}', 400),
    ],
)
def test_content_that_is_none(visitor: Visitor, content: bytes, status: int) -> None:
    """It is refused in a sentence."""
    headers = {"content-type": "application/json"}
    response = visitor.post("/api/puzzles", content=content, headers=headers)
    assert (response.status_code, set(response.json()) >= {"error"}) == (status, True)


@pytest.mark.parametrize("number", ["9" * 5_000, "lanes"])
def test_a_number_of_nothing(visitor: Visitor, number: str) -> None:
    """However long it is, there is no such thing."""
    race = visitor.race("p1", "dlx")
    asked = [
        visitor.get(f"/api/races/{race}/lanes/{number}/solutions"),
        visitor.get(f"/api/followed/{number}/report"),
        visitor.post(f"/api/races/{race}/stop", json={"lane": number}),
    ]
    assert [response.status_code for response in asked] == [404] * 3


def test_a_form_of_another_page_is_none(visitor: Visitor) -> None:
    """What a page can send without asking is not JSON by its type."""
    response = visitor.post("/api/puzzles", content=b'{"name": "soma-cube"}')
    assert response.status_code == 415


def test_a_closed_tab_ends_its_race_alone(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it was asked to; one that another tab still watches goes on, one that is to go on too."""
    before = set(descendants(os.getpid()))  # of tests before
    monkeypatch.setattr(routes, "UNWATCHED_S", 0.3)
    ending = visitor.race("p2", "dlx", "fila", when_closed="end", order="one by one")
    going = visitor.race("p2", "dlx", when_closed="continue")
    first, second = (visitor.events(f"races/{ending}") for _ in range(2))
    next(first), next(second)
    first.close()
    time.sleep(0.6)
    _, fields = next(second)
    assert (fields["stopping"], fields["finished"]) == (False, False)
    second.close()
    until(lambda: visitor.get(f"/api/races/{ending}").json()["finished"])
    lanes = visitor.get(f"/api/races/{ending}").json()["lanes"]
    assert [lane["status"] for lane in lanes] == ["interrupted"] * 2
    assert lanes[1]["reason"] == "stopped before it began"
    assert visitor.get(f"/api/races/{going}").json()["finished"] is False
    visitor.asked(f"/api/races/{going}/stop", lane=0)
    until(lambda: set(descendants(os.getpid())) <= before)


def test_a_killed_server_leaves_nobody() -> None:
    """Its searches end with it, whatever ends it."""
    command = [sys.executable, "-m", "dovetail", "ui", "--no-browser", LONG]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with closing(Visitor(process.stdout.readline().strip())) as visitor:
                visitor.race("p1", "dlx", when_closed="continue")
                until(lambda: len(descendants(process.pid)) >= 2)
            found = descendants(process.pid)
        finally:
            process.kill()
    until(lambda: all(map(is_gone, found)))


def half_a_head(server: PageServer) -> socket.socket:
    """A connection that has sent the start of a request."""
    opened = silent(server)
    opened.sendall(b"GET / HTTP/1.1\r\n")
    return opened


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes a connection without an answer, perhaps before it has read all."""
    with suppress(ConnectionResetError):
        return connection.recv(1) == b""
    return True


def test_half_a_head_keeps_nobody_out(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many connections that ask for nothing the oldest one is closed, later every one."""
    monkeypatch.setattr(connections, "MAX_WAITING", 4)
    with ExitStack() as stack:
        opened = [stack.enter_context(half_a_head(server)) for _ in range(5)]
        assert is_closed(opened[0])
        with closing(Visitor(server.address)) as visitor:
            assert visitor.get("/api/puzzles").is_success
        monkeypatch.setattr(connections, "HEAD_S", 0.2)
        last = stack.enter_context(half_a_head(server))
        assert is_closed(last)
