"""Responses that several routes use."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response


def download(name: str, content: str | bytes) -> Response:
    """Return a response that a browser saves as a file; `name` must be plain ASCII."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(content, headers=headers)
