"""Scripts within a page, and the policy that lets them and nothing else run."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from xml.etree.ElementTree import Element

# What ends a script element, or changes where it ends; markup is not escaped within scripts.
UNFIT = ("</script", "<script", "<!--")


def script(text: str) -> Element:
    """A script that runs, as it is. Raises `ValueError` when it could end its own element."""
    if any(markup in text.lower() for markup in UNFIT) or "\r" in text or "\0" in text:
        raise ValueError(f"a script within a page may not hold {', '.join(UNFIT)}, CR or NUL")
    made = Element("script")
    made.text = text
    return made


def data_block(value: object, identity: str | None = None) -> Element:
    """A value as JSON that a script reads and that no text in it can end."""
    made = Element("script", type="application/json")
    if identity is not None:
        made.set("id", identity)
    made.text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return made


def policy(scripts: Iterable[str]) -> Element:
    """The rule that a page runs these scripts alone and asks nothing of any host."""
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
    rules = (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        f"script-src {allowed}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return Element("meta", {"http-equiv": "Content-Security-Policy", "content": "; ".join(rules)})
