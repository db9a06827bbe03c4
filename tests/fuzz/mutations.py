"""Random changes of files, the same for the same seed."""

from __future__ import annotations

import random

# What readers have stumbled over: numbers too large, marks of other formats, brackets, blanks.
WORDS = (
    "0 -1 1 99999999999999999999 1e9 1.5 nan 4294967296 2147483648 18446744073709551616 "
    ': :: = | || , . * ? # ~ ~L ~D L D: C: [ ] { } [[ ]] " \' """ < > </ /> <![CDATA[ &amp; '
    '&#0; \\ \\u0000 \\ud800 / - + x null true name=A x="9999" 0/4 A/9999999999 é\u2028'
)
TOKENS = [
    *(word.encode() for word in WORDS.split(" ")),
    *(b"\n", b"\r", b"\r\n", b"\t", b" " * 50, b"\0", b"\xff", b"\xc3"),
]


def mutated(content: bytes, draw: random.Random) -> bytes:
    """Return `content` with one to eight random changes."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        content = draw.choice(CHANGES)(content, draw)
    return content


def _cut(content: bytes, draw: random.Random) -> bytes:
    begin, end = _span(content, draw)
    return content[:begin] + content[end:]


def _end_early(content: bytes, draw: random.Random) -> bytes:
    return content[: _place(content, draw)]


def _repeat(content: bytes, draw: random.Random) -> bytes:
    begin, end = _span(content, draw)
    return content[:end] + content[begin:end] * draw.choice((1, 1, 2, 50)) + content[end:]


def _flip(content: bytes, draw: random.Random) -> bytes:
    place = _place(content, draw)
    return content[:place] + bytes([draw.randrange(256)]) + content[place + 1 :]


def _insert(content: bytes, draw: random.Random) -> bytes:
    place = _place(content, draw)
    token = draw.choice(TOKENS) * draw.choice((1, 1, 1, 2, 1000))
    return content[:place] + token + content[place:]


def _replace_word(content: bytes, draw: random.Random) -> bytes:
    words = content.split(b" ")
    words[draw.randrange(len(words))] = draw.choice(TOKENS)
    return b" ".join(words)


def _swap_lines(content: bytes, draw: random.Random) -> bytes:
    lines = content.split(b"\n")
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


CHANGES = (_cut, _end_early, _repeat, _flip, _flip, _insert, _insert, _replace_word, _swap_lines)


def _place(content: bytes, draw: random.Random) -> int:
    return draw.randrange(len(content) + 1)


def _span(content: bytes, draw: random.Random) -> tuple[int, int]:
    begin = _place(content, draw)
    return begin, min(len(content), begin + draw.choice((1, 2, 5, 20, 200)))
