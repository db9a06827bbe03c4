"""Which move the script of the viewer shows, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

MOVES = Path(__file__).parents[3] / "viewer" / "src" / "moves.js"
# Clicks the buttons in ARGV, and writes the text of the move that the picture points at after each.
SCRIPT = """
const [address, ...clicks] = process.argv.slice(1);
globalThis.document = { createElement: () => ({ append() {} }) };
globalThis.matchMedia = () => ({ matches: false });
globalThis.requestAnimationFrame = () => {};
const elements = {};
const byName = (name) => (elements[name] ??= {
  value: 1,
  click: null,
  addEventListener(_, act) { this.click = act; },
  setAttribute() {},
  replaceChildren() {},
});
const { Moves } = await import(address);
const moves = new Moves(byName, () => {});
moves.take([0, 1, 2].map((text) => ({ text, offsets: [[text, 0, 0]] })));
console.log(JSON.stringify(clicks.map((name) => {
  byName(name).click();
  return moves.next().text;
})));
"""


def test_arrow_points_at_the_move_under_way() -> None:
    """On the way back it is the move that is undone, not the move before it."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    clicks = ["move-on", "move-on", "move-back", "move-back"]
    command = ["node", "--input-type=module", "-e", SCRIPT, MOVES.as_uri(), *clicks]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    assert json.loads(ended.stdout) == [1, 2, 2, 1]
