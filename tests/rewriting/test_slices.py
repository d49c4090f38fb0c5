"""A set, the slice that it is, and the operation that is made of that: all have the same elements."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping

import islpy as isl
import pytest
from xdsl.ir import Operation

import volcli
from volcli.language.expressions import Expression, Value, renamed, value_of
from volcli.language.interface import operation_name
from volcli.loading.driver import Program
from volcli.presburger.expressions.match_slice import SliceParameters, match_slice
from volcli.presburger.sets.build import DIM, box
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.materialize import Materializer
from volcli.rewriting.code.slices import MixedSlice, Number, extract_slice, insert_slice

TEXT = """\
func.func @f(%q: index, %n: index, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  "test.here"() : () -> ()
  return %t : tensor<?x?xf32>
}
"""
SETS = {
    "a tile": "[q] -> { t[h, w] : 32q - 1 <= h <= 32q + 33 and 0 <= w < 8 }",
    "every third row": "[n] -> { t[h, w] : 0 <= h < 3n and h mod 3 = 2 and w = n }",
    "clamped": "[q, n] -> { t[h, w] : max(0, 4q - 1) <= h <= min(4q + 4, n) and 0 <= w < n }",
    "three rows": "[n] -> { t[0, w] : 0 <= w < 4; t[n, w] : 0 <= w < 4; t[2n, w] : 0 <= w < 4 }",
}
CONTEXT = isl.Set("[q, n] -> { : q >= 1 and n >= 4q }")


def materialized(
    found: SliceParameters, values: Mapping[str, Expression], materializer: Materializer
) -> MixedSlice:
    """The slice that was FOUND, whose parameters have these VALUES: operations for what is not constant."""

    def numbers(expressions: Iterable[Expression]) -> tuple[Number, ...]:
        known = (renamed(expression, values) for expression in expressions)
        return tuple(e.constant if e.is_constant else materializer.value(e) for e in known)

    return MixedSlice(numbers(found.offsets), numbers(found.sizes), numbers(found.strides))


def built(text: str) -> Program:
    """The function above, which returns %t with a slice of it put back where it was."""
    program = volcli.loads(TEXT)
    (unit,) = program.units
    (model,) = unit.models()
    found = match_slice(isl.Set(text), CONTEXT)
    assert isinstance(found, SliceParameters)
    q, n, t = model.function.regions[0].block.args
    here: Operation = next(op for op in model.function.walk() if operation_name(op) == "test.here")
    changes = Changes(unit, "test-slice")
    builder = changes.before(here)
    materializer = Materializer(builder, lambda v: (int(v == Value(n)), 0))
    part = materialized(found, {"q": value_of(q), "n": value_of(n)}, materializer)
    made = extract_slice(builder, t, part, called=builder.name(t, "slice"))
    last = here.next_op
    assert last is not None
    changes.use(last, 0, insert_slice(builder, made, t, part, called=builder.name(t, "new")))
    changes.erase(here)
    assert changes.finish()
    assert not [d for d in program.diagnostics if d.code == "V900"]
    return program


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SETS)
def test_the_elements_of_the_operation_are_those_of_the_set(name: str) -> None:
    text = built(SETS[name]).text(annotate="none")
    fact = volcli.loads(text).function("f").element_map("%t_slice", to="%t")
    (read,) = fact.pieces
    points = isl.Set(SETS[name]).reset_tuple_id().intersect_params(CONTEXT)
    found = match_slice(points, CONTEXT)
    assert isinstance(found, SliceParameters)
    elements = (
        read.map.reset_tuple_id(DIM.in_).reset_tuple_id(DIM.out).intersect_domain(box(found.sizes)).range()
    )
    elements = elements.intersect_params(CONTEXT)
    for size in ("t_d0", "t_d1"):  # of %t, which the slice is in
        position = elements.find_dim_by_name(DIM.param, size)
        if position >= 0:
            elements = elements.project_out(DIM.param, position, 1)
    assert points.is_subset(elements)
    assert fact.exact == elements.is_equal(points) == (name != "three rows")  # whose stride is no constant


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SETS)
def test_mlir_opt_accepts_what_is_printed(name: str, mlir_opt: str) -> None:
    text = built(SETS[name]).text(annotate="none")
    assert "tensor.extract_slice %t" in text
    assert "tensor.insert_slice %t_slice into %t" in text
    ran = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
