"""Maps of memory that loops pass in turn, and that bodies of structured operations read, against executions."""

from __future__ import annotations

import pytest

import volcli
from tests.oracles.contents.judge import judge
from volcli.facts.maps import MapFact

SHAPES = {"%a": (6,), "%b": (6,), "%m": (6,), "%t": (6,), "%x": ()}
KIND = "memref<6xf32>"
ARGUMENTS = f"%a: {KIND}, %b: {KIND}, %m: {KIND}, %x: f32, %t: tensor<6xf32>, %n: index"


def function(body: str) -> str:
    return f"""
    func.func private @shift(%p: {KIND}, %q: {KIND}) {{
      affine.for %i = 1 to 6 {{
        %v = affine.load %p[%i - 1] : {KIND}
        affine.store %v, %q[%i] : {KIND}
      }}
      return
    }}
    func.func @f({ARGUMENTS}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      {body}
      return
    }}"""


SWEEP = f"""
        affine.for %j = 1 to 6 {{
          %v = affine.load %p[%j - 1] : {KIND}
          affine.store %v, %q[%j] : {KIND}
        }}"""
BODIES = {
    "two buffers": f"""
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> ({KIND}, {KIND}) {{{SWEEP}
        scf.yield %q, %p : {KIND}, {KIND}
      }}
      memref.store %x, %r#1[%c0] : {KIND}""",
    "three buffers, each the next one's": f"""
      %r:3 = affine.for %i = 0 to 8 step 2 iter_args(%p = %a, %q = %b, %s = %m) -> ({KIND}, {KIND}, {KIND}) {{
        %v = affine.load %p[5 - %i floordiv 2] : {KIND}
        affine.store %v, %q[%i floordiv 2] : {KIND}
        affine.yield %q, %s, %p : {KIND}, {KIND}, {KIND}
      }}""",
    "a number beside them": f"""
      %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %s = %x) -> ({KIND}, {KIND}, f32) {{
        %v = memref.load %p[%i] : {KIND}
        %w = arith.addf %s, %v : f32
        memref.store %w, %q[%c0] : {KIND}
        scf.yield %q, %p, %w : {KIND}, {KIND}, f32
      }}
      memref.store %r#2, %m[%c0] : {KIND}""",
    "the same ones in each iteration": f"""
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> ({KIND}, {KIND}) {{{SWEEP}
        scf.yield %p, %q : {KIND}, {KIND}
      }}""",
    "a body that loads from memory and a tensor": f"""
      linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
          outs(%b : {KIND}) {{
      ^bb0(%o: f32):
        %i = linalg.index 0 : index
        %j = affine.apply affine_map<(d0) -> (5 - d0)>(%i)
        %v = memref.load %a[%j] : {KIND}
        %w = tensor.extract %t[%i] : tensor<6xf32>
        %s = arith.addf %v, %w : f32
        linalg.yield %s : f32
      }}""",
    "one buffer passed as both arguments": f"func.call @shift(%a, %a) : ({KIND}, {KIND}) -> ()",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_it_is_exact(body: str) -> None:
    text = function(body)
    judge(text, SHAPES)
    facts = [each for each in volcli.loads(text).run("element-maps").facts if isinstance(each, MapFact)]
    mine = [each for each in facts if each.where.function == "f"]
    assert mine
    assert all(each.exact for each in mine)


def test_a_body_that_reads_what_its_operation_writes_has_no_map() -> None:
    """Its points have no order."""
    body = f"""
      linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
          outs(%b : {KIND}) {{
      ^bb0(%o: f32):
        %i = linalg.index 0 : index
        %j = affine.apply affine_map<(d0) -> (5 - d0)>(%i)
        %v = memref.load %b[%j] : {KIND}
        linalg.yield %v : f32
      }}"""
    facts = volcli.loads(function(body)).run("element-maps").facts
    (fact,) = (each for each in facts if isinstance(each, MapFact) and each.value == "%b")
    assert fact.map is None
