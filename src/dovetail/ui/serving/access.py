"""Access control: requests need the server's token and must come from its own page.

Another page in the same browser can send requests to a loopback address, and the name of another
host can be made to resolve to a loopback address. Therefore a request must name this server as its
host and, if the browser sends the origin, come from this server. A request must also have the
token. Only the address printed by the command contains the token. The first response sets a cookie,
so that the token disappears from the address.

In the list of processes, all users of the machine can see the address with which a browser is
started. Therefore that address contains a code instead of the token, and the code is valid once.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dovetail.reports.elements import element
from dovetail.reports.rendering.html import document
from dovetail.ui.requests import HANG_UP

TOKEN_BYTES = 32
HOSTS = ("127.0.0.1", "localhost")
OWN_SITE = ("same-origin", "none")  # none: typed by the user, or opened by another program
NEEDS_TOKEN = (
    "this page needs the token of its server; open the address that `dovetail ui` has printed"
)
PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
# Policy of pages that are shown in a frame, in addition to the policy in the page itself. Such
# pages show the content of record files. Therefore they must not share the main page's origin.
FRAMED_POLICY = "frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
FRAMED = {"content-security-policy": FRAMED_POLICY, "x-frame-options": "SAMEORIGIN"}
HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Access:
    """Middleware that passes requests from the page of the server at `port` to `app`.

    Other requests get status 403 and a message. The `code`, if not empty, is accepted once. Every
    response gets the `HEADERS` that it has not set itself.
    """

    def __init__(self, app: ASGIApp, port: int, token: str, code: str = "") -> None:
        self._app, self._port, self._token, self._code = app, port, token, code
        # A browser leaves out port 80, the default.
        self._hosts = {*(f"{host}:{port}" for host in HOSTS), *(HOSTS if port == 80 else ())}
        self._cookie = f"dovetail-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not served; expected http")

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._answer(scope)
        await (self._app if answer is None else answer)(scope, receive, send_guarded)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the response to a request that is not passed on; None if it is passed on."""
        headers = Headers(scope=scope)
        problem = self._foreign(headers)
        if problem is not None:
            return _refused(scope, problem)
        query = QueryParams(scope["query_string"])
        if scope["path"] == "/" and scope["method"] == "GET" and {"token", "code"} & query.keys():
            if self._is_token(query.get("token", "")) or self._is_code(query.get("code", "")):
                return self._admitted()
            return _refused(scope, NEEDS_TOKEN)
        if not any(map(self._is_token, self._tokens(headers))):
            return _refused(scope, NEEDS_TOKEN)
        return None

    def _foreign(self, headers: Headers) -> str | None:
        """Return why a request does not come from the server's page; None if it does."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return f"the host of the request is not this server; expected {HOSTS[0]}:{self._port}"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{hosts[0].lower()}":
            return "the request comes from a page of another origin"
        if headers.get("sec-fetch-site", OWN_SITE[0]) not in OWN_SITE:
            return "the request comes from a page of another site"
        return None

    def _tokens(self, headers: Headers) -> list[str]:
        """Return the tokens that a request has."""
        found = []
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            found.append(given.strip())
        for line in headers.getlist("cookie"):
            cookie = cookie_parser(line).get(self._cookie)
            if cookie is not None:
                found.append(cookie)
        return found

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())

    def _is_code(self, given: str) -> bool:
        """Return whether `given` is the code; if so, invalidate the code."""
        is_code = bool(self._code) and secrets.compare_digest(given.encode(), self._code.encode())
        if is_code:
            self._code = ""
        return is_code

    def _admitted(self) -> Response:
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(self._cookie, self._token, path="/", httponly=True, samesite="strict")
        return response


def _refused(scope: Scope, problem: str) -> Response:
    """Return a response with status 403: a page if the request asked for a page, else JSON."""
    if scope["path"] == "/" and scope["method"] == "GET":
        page = document(
            "dovetail", element("h1", "dovetail"), element("p", f"Access is denied: {problem}.")
        )
        # The page itself contains the other rules.
        policy = {"content-security-policy": "frame-ancestors 'none'"}
        return Response(page, 403, policy | HANG_UP, media_type="text/html")
    return JSONResponse({"error": problem}, 403, HANG_UP)
