"""Pairs of which AFTER refines BEFORE, or does not, by what is undefined, poison, uninitialised, or has no elements.

    == a_name | different
    func.func @a_name(...)
    --
    func.func @a_name(...)

The verdict is that of operations. At no level is a pair equal that is `different` or `unknown`; of `refines` it is
not shown, and at no level is it different.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import volcli

PAIRS = {
    name: (verdict, *bodies.split("\n--\n"))
    for text in (Path(__file__).parent / "refined.txt").read_text().split("== ")[1:]
    for head, _, bodies in [text.partition("\n")]
    for name, verdict in [head.split(" | ")]
}


@cache
def verdicts(level: str) -> dict[str, tuple[str, str]]:
    """The verdict of each pair, and the answer in words: all functions are compared at once."""
    before, after = (volcli.loads("\n".join(pair[k] for pair in PAIRS.values())) for k in (1, 2))
    found = before.diff(after, compare=level)
    return {each.function: (each.verdict, "\n".join(each.lines())) for each in found}


@pytest.mark.parametrize("level", ["operations", "arithmetic"])
def test_what_refines_a_program_is_never_different_and_nothing_else_is_equal(level: str) -> None:
    found = verdicts(level)
    assert found.keys() == PAIRS.keys()
    for name, (stated, *_) in PAIRS.items():
        verdict, text = found[name]
        if level == "operations" or stated != "refines":
            assert verdict == {"refines": "unknown"}.get(stated, stated), text
        assert verdict != "different" or stated == "different", text
