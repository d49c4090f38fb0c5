"""What buffers hold between loops, against walks from each step to the beginning of the function."""

from __future__ import annotations

import pytest

import volcli
from volcli.equivalence.backward.backward import Backward

NEST = """  affine.for %i = 1 to 7 {{
    %x = affine.load {0}[%i - 1] : memref<8xf32>
    %s = {2} %x : f32
    affine.store %s, {1}[%i] : memref<8xf32>
  }}
"""
TWO_AT_A_TIME = """  affine.for %i = 1 to 7 step 2 {{
    %x = affine.load {0}[%i - 1] : memref<8xf32>
    %y = affine.load {0}[%i] : memref<8xf32>
    %s = {2} %x : f32
    %t = {2} %y : f32
    affine.store %s, {1}[%i] : memref<8xf32>
    affine.store %t, {1}[%i + 1] : memref<8xf32>
  }}
"""
COPY = "  memref.copy {0}, {1} : memref<8xf32> to memref<8xf32>\n"
ORDER = ("%a", "%b"), ("%b", "%c"), ("%c", "%a")


def program(parts: dict[int, str], operations: dict[int, str]) -> str:
    """A chain of 9 loops, those at some positions other PARTS, with other OPERATIONS."""
    body = "".join(
        parts.get(k, NEST).format(*ORDER[k % 3], operations.get(k, "arith.negf")) for k in range(9)
    )  # fmt: skip
    head = "func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {\n  %c = memref.alloc() : memref<8xf32>\n"
    return f"{head}  memref.copy %a, %c : memref<8xf32> to memref<8xf32>\n{body}  return\n}}\n"


AFTER = {
    "two at a time": program(dict.fromkeys(range(0, 9, 2), TWO_AT_A_TIME), {}),
    "another operation in the middle": program({}, {5: "math.exp"}),
    "a copy in both": program({4: COPY}, {}),
    "another operation, two at a time": program({7: TWO_AT_A_TIME}, {7: "math.sin"}),
}


def answer(before: str, after: str) -> list[str]:
    (found,) = volcli.loads(before).diff(volcli.loads(after), executed=False)
    return list(found.lines())


def unprepared(_: Backward) -> None:
    """Nothing is known of contents."""


@pytest.mark.parametrize("name", AFTER)
def test_contents_say_what_walks_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = program({4: COPY} if name == "a copy in both" else {}, {})
    found = answer(before, AFTER[name])
    assert ("equal" in found[0]) is (name in ("two at a time", "a copy in both"))
    monkeypatch.setattr(Backward, "prepare", unprepared)
    assert answer(before, AFTER[name]) == found
