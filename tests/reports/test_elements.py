"""Scripts and data within a page: neither can end the element that it is in."""

from __future__ import annotations

import json

import pytest

from dovetail.reports.elements import data_block, element, html_text, policy, script


@pytest.mark.parametrize("text", ["'</SCRIPT>'", "'<!--'", "'<script>'", "a\rb", "\0"])
def test_a_script_that_is_refused(text: str) -> None:
    """What would end the element, or be read otherwise than it was hashed."""
    with pytest.raises(ValueError, match="may not hold </script"):
        script(text)


def test_a_script_stays_as_it_is() -> None:
    """Nothing in it is escaped or replaced."""
    text = "if (1 < 2 && '\t') {\n  'ä';\n}"
    assert f"<script>{text}</script>" in html_text(element("body", script(text)))


def test_data_come_out_as_they_went_in() -> None:
    """Whatever texts there are."""
    value = {"names": ["</script><!--", "\0\ud800\n\"'&", "ä"], "places": [1.5, None]}
    text = html_text(data_block(value))
    begin, end = '<!DOCTYPE html>\n<script type="application/json">', "</script>"
    assert text.startswith(begin)
    assert text.index("<", len(begin)) == len(text) - len(end)
    assert json.loads(text[len(begin) : -len(end)]) == value


def test_the_policy_of_a_page() -> None:
    """By the hash of each script; the first one was computed elsewhere."""
    content = policy(["alert('Hello, world.');"]).get("content")
    assert content == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "script-src 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; "
        "base-uri 'none'; form-action 'none'"
    )
