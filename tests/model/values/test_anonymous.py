"""Polynomial systems that differ in names alone are decided once, and each gets its own names back."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.products import polynomial_bounds

BEHIND_A_PRODUCT = """
func.func @f(%n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %area = arith.muli %n, %n : index
  %some = arith.cmpi sge, %area, %n : index
  scf.if %some {{
{loops}  }}
  return
}}
"""


def text(count: int) -> str:
    """A function with so many loops to %n, behind a condition on a product."""
    loops = (
        f"    scf.for %i{k} = %c0 to %n step %c1 {{\n"
        f'      %s{k} = arith.muli %i{k}, %n : index\n      "test.use"(%s{k}) : (index) -> ()\n    }}\n'
        for k in range(count)
    )
    return BEHIND_A_PRODUCT.format(loops="".join(loops))


def searches(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often numbers and polynomials are looked for where there are so many loops."""
    found = 0
    for name in ("_ends", "_side"):
        search = getattr(polynomial_bounds, name)

        def counted(*given: object, search: object = search, **options: object) -> object:
            nonlocal found
            found += 1
            assert callable(search)
            return search(*given, **options)

        monkeypatch.setattr(polynomial_bounds, name, counted)
    program = volcli.loads(text(count))
    program.run("value-bounds")
    monkeypatch.undo()
    return found


def test_loops_that_are_alike_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """More loops of the same kind need no more searches."""
    few = searches(1, monkeypatch)
    assert few > 0
    assert searches(6, monkeypatch) == few


def test_each_has_its_own_names() -> None:
    """The bounds of `i * n` in each of three loops are those in the first one."""
    (function,) = volcli.loads(text(3)).functions
    for k in range(3):
        found = function.bounds(f"%s{k}")
        assert str(found.lower.expression) == "0"
        assert str(found.upper.expression) == "-%n + %n * %n"
