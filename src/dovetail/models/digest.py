"""Content digests: two puzzles with the same content have the same digest."""

from __future__ import annotations

import hashlib
import json


def content_digest(content: object) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of `content` as canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
