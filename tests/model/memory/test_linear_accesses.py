"""Accesses whose element is a product of unknowns, `%i * %b + %j`: what polynomials prove of them."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.access import AccessFact

LINEAR = """
func.func @linear(%m: memref<?xf32>, %n: index, %b: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %all = arith.muli %n, %b : index
  %enough = arith.cmpi {enough}, %size, %all : index
  cf.assert %enough, "as many elements as rows times columns"
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to {end} step %c1 {{
      %row = arith.muli %i, %b : index
      %element = arith.addi %row, %j : index
      memref.store %x, %m[%element] : memref<?xf32>
    }}
  }}
  return
}}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("enough", "end", "verdict"),
    [
        ("sge", "%b", "in-bounds"),
        ("eq", "%b", "in-bounds"),
        ("sge", "%n", "unknown"),  # for more rows than columns the last row goes beyond
        ("sgt", "%b", "in-bounds"),
    ],
)
def test_rows_behind_each_other(enough: str, end: str, verdict: str) -> None:
    program = volcli.loads(LINEAR.format(enough=enough, end=end))
    (fact,) = (each for each in program.run("check-accesses").facts if isinstance(each, AccessFact))
    assert fact.verdict == verdict
