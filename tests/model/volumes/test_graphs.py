"""Maps of functions of blocks: what decides in which order blocks run is followed by numbers, and not taken for data."""

from __future__ import annotations

import pytest

from tests.oracles.contents import graphs
from tests.oracles.contents.judge import judge
from tests.shared.seeds import seeds

HEAD = """func.func @f(%a: KIND, %n: index, %x: f32, %y: f32) RESULT {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
"""
MEMORY = HEAD.replace("KIND", "memref<3xf32>").replace("RESULT", "")
NUMBER = HEAD.replace("KIND", "memref<3xf32>").replace("RESULT", "-> f32")
PROGRAMS = {
    "a value after p && q": f"""{NUMBER}
  %p = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %p, ^both, ^other
^both:
  %q = arith.cmpi sgt, %n, %c2 : index
  cf.cond_br %q, ^end(%x : f32), ^other
^other:
  cf.br ^end(%y : f32)
^end(%r: f32):
  %s = arith.addf %r, %r : f32
  return %s : f32
}}""",
    "a search that ends early and stores": f"""{MEMORY}
  cf.br ^head(%c0 : index)
^head(%i: index):
  %p = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %p, ^body, ^end
^body:
  %e = arith.cmpi eq, %i, %n : index
  %k = arith.addi %i, %c1 : index
  cf.cond_br %e, ^found, ^head(%k : index)
^found:
  memref.store %x, %a[%c2] : memref<3xf32>
  cf.br ^end
^end:
  memref.store %y, %a[%c0] : memref<3xf32>
  return
}}""",
    "a flag that a loop carries": f"""{MEMORY}
  %no = arith.constant false
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%found = %no) -> (i1) {{
    %e = arith.cmpi eq, %i, %n : index
    %now = arith.ori %found, %e : i1
    scf.yield %now : i1
  }}
  scf.if %r {{
    memref.store %x, %a[%c2] : memref<3xf32>
  }}
  return
}}""",
    "cases that fall through": f"""{MEMORY}
  %s = arith.index_cast %n : index to i32
  cf.switch %s : i32, [default: ^end, 3: ^three, 4: ^four, 5: ^five]
^three:
  memref.store %x, %a[%c0] : memref<3xf32>
  cf.br ^four
^four:
  memref.store %x, %a[%c1] : memref<3xf32>
  cf.br ^five
^five:
  memref.store %y, %a[%c2] : memref<3xf32>
  cf.br ^end
^end:
  return
}}""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_decides_is_a_number(name: str) -> None:
    exact, inexact = judge(PROGRAMS[name], graphs.SHAPES)
    assert (exact > 0, inexact) == (True, 0)


@pytest.mark.parametrize("seed", seeds(12, of=2000))
def test_random_graphs(seed: int) -> None:
    judge(graphs.drawn(seed), graphs.SHAPES)
