"""Bounds in terms of chosen values, against the enumeration of all executions."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

import volcli
from volcli.diagnostics import UsageError

Row = dict[str, int]

LINES = (
    ("%{x} = affine.apply affine_map<(d0, d1) -> (d0 * {p} + d1 * {q} + {c})>(%{l}, %{r})", "{l}*{p} + {r}*{q} + {c}"),
    ("%{x} = affine.apply affine_map<(d0, d1) -> (d0 floordiv {d} - d1)>(%{l}, %{r})", "{l}//{d} - {r}"),
    ("%{x} = affine.apply affine_map<(d0, d1) -> (d0 mod {d} + d1)>(%{l}, %{r})", "{l}%{d} + {r}"),
    ("%{x} = affine.min affine_map<(d0, d1) -> (d0, d1 + {p}, {c})>(%{l}, %{r})", "min({l}, {r} + {p}, {c})"),
    ("%{x} = affine.max affine_map<(d0, d1) -> (d0 - {p}, d1, {c})>(%{l}, %{r})", "max({l} - {p}, {r}, {c})"),
)  # fmt: skip


def drawn(seed: int) -> tuple[str, list[Row], list[str]]:
    """A program over two arguments in [0, 4], its rows (all values of each execution), and its values."""
    chance = random.Random(seed)
    text = [
        "  %n = affine.max affine_map<(d0) -> (d0 mod 5)>(%left)",
        "  %m = affine.max affine_map<(d0) -> (d0 mod 5)>(%right)",
    ]
    rows: list[Row] = [{"n": n, "m": m} for n, m in product(range(5), repeat=2)]
    names = ["n", "m"]
    for number in range(4):
        mlir, python = chance.choice(LINES)
        parts = {
            "x": f"v{number}",
            "l": chance.choice(names),
            "r": chance.choice(names),
            "p": chance.choice((1, 2, -1, 3)),
            "q": chance.choice((0, 1, -2)),
            "c": chance.randint(-2, 4),
            "d": chance.choice((2, 3)),
        }
        text.append("  " + mlir.format(**parts))
        for row in rows:
            row[f"v{number}"] = eval(python.format(**parts), {"min": min, "max": max}, row)
        names.append(f"v{number}")
    body = "\n".join(text)
    return f"func.func @f(%left: index, %right: index) {{\n{body}\n  return\n}}", rows, names


def number(text: str, row: Row) -> int:
    """The bound TEXT, if values are those of ROW."""
    python = re.sub(r"%(\w+)", lambda name: f"({row[name[1]]})", text)
    python = re.sub(r"(\([^()]*(?:\([^()]*\))*[^()]*\)) ceildiv (\d+)", r"(-(-\1 // \2))", python)
    return eval(python.replace("floordiv", "//").replace("mod", "%"), {"min": min, "max": max}, {})


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_the_tightest_bounds_over_chosen_values(seed: int) -> None:
    text, rows, names = drawn(seed)
    chance = random.Random(seed)
    subject = names[-1] if chance.random() < 0.5 else chance.choice(names)
    chosen = chance.sample([name for name in names if name != subject], chance.choice((1, 2)))
    function = volcli.loads(text).function("f")
    fact = function.bounds(f"%{subject}", in_terms_of=[f"%{name}" for name in chosen])
    assert fact.in_terms_of == tuple(f"%{name}" for name in chosen)
    for row in rows:
        alike = [other[subject] for other in rows if all(other[name] == row[name] for name in chosen)]
        for side, end in ((fact.lower, min(alike)), (fact.upper, max(alike))):
            assert side.text is not None, text
            assert set(re.findall(r"%(\w+)", side.text)) <= set(chosen)
            bound = number(side.text, row)
            assert (
                bound == end
                if side.expression_exact
                else (bound <= end if side is fact.lower else bound >= end)
            )


LOOP = """
func.func @f(%n: index, %m: index, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = arith.addi %n, %c1 : index
  %x = arith.muli %n, %c8 : index
  %b = arith.muli %n, %m : index
  %y = arith.addi %b, %c1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %n step %c8 {
    %size = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    "test.use"(%size) : (index) -> ()
  }
  return
}
"""


@pytest.mark.parametrize(
    ("subject", "chosen", "line"),
    [
        ("%x", "%a", "%x = 8 * %a - 8"),
        ("%size", "%i", "%size in [1, 8]"),
        ("%size", "%i,%n", "%size = min(-%i + %n, 8)"),
        ("%d", "'dim(%t, 0)'", "%d = dim(%t, 0)"),
        ("%x", "%m", "%x is not expressible in terms of %m: it depends on %n"),
    ],
)
def test_what_is_said(subject: str, chosen: str, line: str) -> None:
    program = volcli.loads(LOOP)
    program.run(f"value-bounds{{of={subject} in-terms-of={chosen}}}")
    (fact,) = program.facts
    assert fact.annotation() == [line]


def test_a_product_of_two_values_is_one_number() -> None:
    fact = volcli.loads(LOOP).function("f").bounds("%y", in_terms_of=["%b"])
    assert str(fact.equal) == "%b + 1"


def test_names_that_are_no_values() -> None:
    function = volcli.loads(LOOP).function("f")
    with pytest.raises(UsageError, match="expected a value or a size, not '%n \\+ 1'"):
        function.bounds("%x", in_terms_of=["%n + 1"])
    with pytest.raises(UsageError, match="no index or integer value"):
        function.bounds("%x", in_terms_of=["%q"])
