"""Only the page itself gets in, from this machine, with the token."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import httpx
import pytest
from starlette.responses import PlainTextResponse

from dovetail.ui.serving.access import HEADERS, Access

PORT, TOKEN, CODE = 4242, "the-token", "the-code"
HERE = f"127.0.0.1:{PORT}"
BEARER = {"authorization": f"Bearer {TOKEN}"}


def guarded() -> Access:
    """An application that lets everything through, guarded."""
    return Access(PlainTextResponse("inside"), PORT, TOKEN, CODE)


def response(
    path: str = "/api/puzzles",
    headers: Mapping[str, str] = BEARER,
    host: str = HERE,
    access: Access | None = None,
) -> httpx.Response:
    """The response to a request."""

    async def got() -> httpx.Response:
        transport = httpx.ASGITransport(access or guarded())
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            return await client.get(path, headers=headers)

    return asyncio.run(got())


@pytest.mark.parametrize("host", [HERE, f"localhost:{PORT}"])
def test_the_own_page_gets_in(host: str) -> None:
    """By both names of this machine, with the origin that a browser names."""
    own = {"origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    assert response(headers=BEARER | own, host=host).text == "inside"


def test_the_default_port_is_left_out_by_browsers() -> None:
    access = Access(PlainTextResponse("inside"), 80, TOKEN, CODE)
    own = BEARER | {"origin": "http://127.0.0.1"}
    assert response(headers=own, host="127.0.0.1", access=access).text == "inside"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": "null"},
        {"sec-fetch-site": "same-site"},  # another port of this machine
    ],
)
def test_other_pages_do_not(headers: dict[str, str]) -> None:
    """Even with the token: a browser would add the cookie by itself."""
    refused = response(headers=BEARER | headers)
    assert (refused.status_code, "another" in refused.text) == (403, True)


@pytest.mark.parametrize("host", ["evil.example", f"127.0.0.1:{PORT + 1}"])
def test_a_name_made_to_mean_this_machine_is_refused(host: str) -> None:
    """DNS rebinding: the page of another host that is suddenly this one."""
    assert response(host=host).status_code == 403


@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer wrong"}, {"cookie": f"dovetail-{PORT + 1}={TOKEN}"}]
)
def test_no_token_no_entry(headers: dict[str, str]) -> None:
    """Neither in a header nor in a cookie."""
    refused = response(headers=headers)
    assert (refused.status_code, "token" in refused.json()["error"]) == (403, True)


def test_the_address_admits_and_hides_the_token() -> None:
    """Its token becomes a cookie that scripts cannot read and other sites do not send."""
    admitted = response(f"/?token={TOKEN}", {})
    assert (admitted.status_code, admitted.headers["location"]) == (303, "/")
    cookie = admitted.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
    assert response(headers={"cookie": f"a=b; dovetail-{PORT}={TOKEN}"}).text == "inside"


def test_the_code_admits_once() -> None:
    """Whoever reads it in the list of processes comes too late; it is no token."""
    access = guarded()
    admitted = response(f"/?code={CODE}", {}, access=access)
    assert (admitted.status_code, TOKEN in admitted.headers["set-cookie"]) == (303, True)
    assert response(f"/?code={CODE}", {}, access=access).status_code == 403
    assert response("/?code=", {}, access=access).status_code == 403
    assert response(headers={"authorization": f"Bearer {CODE}"}).status_code == 403


def test_a_wrong_address_is_a_page_that_explains() -> None:
    """For whoever opens it in a browser."""
    for path in ("/", "/?token=wrong"):
        refused = response(path, {})
        assert (refused.status_code, refused.headers["content-type"]) == (
            403,
            "text/html; charset=utf-8",
        )
        assert "needs the token" in refused.text


def test_every_response_is_guarded() -> None:
    """Also one that is refused; nothing lets another origin read."""
    for one in (response(), response(headers={})):
        assert {name: one.headers[name] for name in HEADERS} == HEADERS
        assert not any(name.startswith("access-control") for name in one.headers)
