"""vector.transfer_write in a part of a buffer, from starts in front of it to starts behind it: executed."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.shared.execution import LOWERING, executed, needs_runner
from volcli.facts.access import AccessFact
from volcli.facts.flow import WriteFact

SIZE, OFFSET, PART, LANES = 12, 4, 5, 3
STARTS = range(-3, 7)
LOWERED = LOWERING.replace("func.func(convert-linalg", "func.func(convert-vector-to-scf,convert-linalg")


def written_by(start: int) -> set[int]:
    """The elements of the buffer that the lanes are written to of which none is behind the end of the part."""
    return {OFFSET + start + lane for lane in range(LANES) if start + lane < PART}


def function(start: str, argument: str = "") -> str:
    """A function that writes lanes from START on to a part of its buffer."""
    part = f"memref<{PART}xf32, strided<[1], offset: {OFFSET}>>"
    return f"""func.func @f(%m: memref<{SIZE}xf32>, %v: vector<{LANES}xf32>{argument}) {{
      {start}
      %p = memref.subview %m[{OFFSET}] [{PART}] [1] : memref<{SIZE}xf32> to {part}
      vector.transfer_write %v, %p[%i] : vector<{LANES}xf32>, {part}
      return
    }}
    """


@needs_runner
def test_what_is_written_when_it_runs(mlir_opt: str) -> None:
    lines = [f"%z = arith.constant dense<0.0> : vector<{SIZE}xf32>", "%c0 = arith.constant 0 : index"]
    lines += [f"%v = arith.constant dense<1.0> : vector<{LANES}xf32>"]
    for k, start in enumerate(STARTS):
        lines += [
            f"%m{k} = memref.alloc() : memref<{SIZE}xf32>",
            f"vector.store %z, %m{k}[%c0] : memref<{SIZE}xf32>, vector<{SIZE}xf32>",
            f"%i{k} = arith.constant {start} : index",
            f"func.call @f(%m{k}, %v, %i{k}) : (memref<{SIZE}xf32>, vector<{LANES}xf32>, index) -> ()",
            f"%r{k} = vector.load %m{k}[%c0] : memref<{SIZE}xf32>, vector<{SIZE}xf32>",
            f"vector.print %r{k} : vector<{SIZE}xf32>",
        ]
    body = "\n".join(lines)
    text = function("", ", %i: index") + f"func.func @main() {{\n{body}\nreturn\n}}"
    printed = executed(mlir_opt, text, LOWERED).splitlines()
    assert len(printed) == len(STARTS)
    for start, line in zip(STARTS, printed, strict=True):
        numbers = [float(each) for each in line.strip("( )").split(",")]
        assert {k for k, number in enumerate(numbers) if number} == written_by(start), start


@pytest.mark.parametrize("start", STARTS)
def test_what_is_said_to_be_written(start: int) -> None:
    program = volcli.loads(function(f"%i = arith.constant {start} : index")).run("check-accesses")
    (access,) = [each for each in program.facts if isinstance(each, AccessFact) and each.kind == "write"]
    assert access.verdict == ("out-of-bounds" if start < 0 else "in-bounds")
    memory = program.units[0].models()[0].memory
    (write,) = memory.sites
    relation = memory.instances.relation(write)
    elements = relation.elements().range()
    said = {k for k in range(-SIZE, SIZE) if not elements.intersect(isl.Set(f"{{ [{k}] }}")).is_empty()}
    assert (said, relation.exact) == (written_by(start), True)


def test_a_start_that_may_be_in_front_needs_a_condition() -> None:
    (diagnostic,) = volcli.loads(function("", ", %i: index")).run("check-accesses").diagnostics
    assert (diagnostic.code, diagnostic.message.split(",")[0]) == ("V204", "@f needs %i >= 0")


def test_lanes_in_front_of_a_row_may_be_anywhere() -> None:
    text = """func.func @f(%m: memref<4x4xf32>, %v: vector<2xf32>, %i: index) -> f32 {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %x = arith.constant 1.0 : f32
      memref.store %x, %m[%c1, %c3] : memref<4x4xf32>
      vector.transfer_write %v, %m[%c3, %i] : vector<2xf32>, memref<4x4xf32>
      %r = memref.load %m[%c1, %c3] : memref<4x4xf32>
      return %r : f32
    }"""
    facts = volcli.loads(text).run("memory-flow").facts
    assert not all(fact.exact for fact in facts if isinstance(fact, WriteFact))
