"""What is known of maps that divide by a variable, against all small numbers."""

from __future__ import annotations

from itertools import product

import pytest

from tests.shared.enumeration import Function
from volcli.model.values.terms.answers import Verdict

# a map of s0 and s1 (which divides, and so is at least 1), and what it computes
MAPS = {
    "s0 mod s1": lambda n, m: n % m,
    "7 mod s1": lambda n, m: 7 % m,
    "-7 mod s1": lambda n, m: -7 % m,
    "100 - (s0 mod s1) * 3": lambda n, m: 100 - n % m * 3,
    "s0 + 9 floordiv s1": lambda n, m: n + 9 // m,
    "(9 ceildiv s1) * 2 - s0": lambda n, m: -(-9 // m) * 2 - n,
    "(s0 mod s1) floordiv s1": lambda n, m: n % m // m,
}
RELATIONS = {
    "r >= 0": lambda r, n, m: r >= 0,
    "r < s1": lambda r, n, m: r < m,
    "r <= 9 + s0": lambda r, n, m: r <= 9 + n,
    "r <= 100": lambda r, n, m: r <= 100,
    "r > 100 - 3 * s1": lambda r, n, m: r > 100 - 3 * m,
    "r >= -s0": lambda r, n, m: r >= -n,
}
PROVED = {
    ("s0 mod s1", "r >= 0"), ("s0 mod s1", "r < s1"),
    ("7 mod s1", "r >= 0"), ("7 mod s1", "r < s1"), ("7 mod s1", "r <= 100"),
    ("-7 mod s1", "r >= 0"), ("-7 mod s1", "r < s1"),
    ("100 - (s0 mod s1) * 3", "r <= 100"), ("100 - (s0 mod s1) * 3", "r > 100 - 3 * s1"),
    ("s0 + 9 floordiv s1", "r <= 9 + s0"),
    ("(9 ceildiv s1) * 2 - s0", "r >= -s0"),
    ("(s0 mod s1) floordiv s1", "r >= 0"), ("(s0 mod s1) floordiv s1", "r < s1"),
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", MAPS)
def test_what_is_proved_is_true(text: str) -> None:
    function = Function(f"""func.func @f(%n: index, %m: index) -> index {{
      %r = affine.apply affine_map<()[s0, s1] -> ({text})>()[%n, %m]
      return %r : index
    }}""")
    r, n, m = (function.model.bounds.value(function.value(name)) for name in ("%r", "%n", "%m"))
    sides = {
        "r >= 0": r, "r < s1": m - r - 1, "r <= 9 + s0": 9 + n - r, "r <= 100": 100 - r,
        "r > 100 - 3 * s1": r - 101 + 3 * m, "r >= -s0": r + n,
    }  # fmt: skip
    compare = function.model.bounds.compare
    proved = {name for name, side in sides.items() if compare(side, ">=", 0).verdict is Verdict.PROVED}
    points = list(product(range(-12, 13), range(1, 10)))
    true = {name for name, holds in RELATIONS.items() if all(holds(MAPS[text](*p), *p) for p in points)}
    assert proved <= true
    assert {relation for known, relation in PROVED if known == text} <= proved
