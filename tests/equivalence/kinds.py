"""Pairs of programs by kind (integers, floats, linalg, memref, tensor, tosa), each with its level: see `levels`.

    == a sum commutes | operations | (%a: i32, %b: i32) -> i32
    %r = arith.addi %a, %b : i32
    --
    %r = arith.addi %b, %a : i32

Both functions take and return the same, and return %r. `different` is the level of a pair that differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.equivalence.levels import Pair

_HEAD = re.compile(r"(?P<name>.*?) \| (?P<level>.*?) \| (?P<signature>\(.*\)(?: -> (?P<result>.*))?)")


def _function(head: re.Match[str], body: str) -> str:
    result = head["result"]
    returned = f"return %r : {result}" if result else "return"
    lines = (f"  {line}\n" for line in (*body.strip().splitlines(), returned))
    return f"func.func @f{head['signature']} {{\n{''.join(lines)}}}\n"


def _pairs(path: Path) -> Iterator[tuple[str, Pair]]:
    for text in path.read_text().split("== ")[1:]:
        first, _, bodies = text.partition("\n")
        head = _HEAD.fullmatch(first)
        assert head is not None, first
        before, after = bodies.split("\n--\n")
        level = None if head["level"] == "different" else head["level"]
        yield f"{path.stem}: {head['name']}", (_function(head, before), _function(head, after), level)


KINDS = {
    name: pair
    for path in sorted((Path(__file__).parent / "pairs").glob("*.txt"))
    for name, pair in _pairs(path)
}
