"""Memory that may be written under the name of another memref: each argument is listed, as unknown."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact

KIND = "memref<8xf32>"
CONSTANTS = "\n".join(f"%c{k} = arith.constant {k} : index" for k in (0, 1, 4))

BODIES = {
    "a loop that may swap": (f"""
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> ({KIND}, {KIND}) {{
        memref.store %x, %p[%i] : {KIND}
        %s = arith.select %k, %p, %q : {KIND}
        scf.yield %s, %p : {KIND}, {KIND}
      }}""", "it is one of several buffers"),
    "memory in memory": (f"""
      %p = memref.load %m[%c0] : memref<2x{KIND}>
      memref.store %x, %p[%c0] : {KIND}""", "it is unknown what memory 'memref.load' gives"),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_what_may_be_written_under_another_name_is_unknown(name: str) -> None:
    body, reason = BODIES[name]
    arguments = f"%a: {KIND}, %b: {KIND}, %m: memref<2x{KIND}>, %k: i1, %x: f32"
    text = f"func.func @f({arguments}) {{\n{CONSTANTS}\n{body}\nreturn\n}}"
    program = volcli.loads(text).run("element-maps").run("sparsity-regions")
    for kind in (MapFact, RegionsFact):
        found = {fact.value: fact.certainty for fact in program.facts if isinstance(fact, kind)}
        for memref in ("%a", "%b"):
            assert found[memref].degree == "unknown"
            assert reason in str(found[memref].reason)
