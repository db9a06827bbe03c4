"""Responses of more than one route."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response


def download(name: str, content: str | bytes) -> Response:
    """A file that a browser saves and does not show; its `name` is plain ASCII."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(content, headers=headers)
