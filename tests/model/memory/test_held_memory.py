"""The buffers of tensors and of converted values: which memrefs may be the same memory."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.dependences.model import Memory

ARGUMENTS = "%t: tensor<8xf32>, %u: tensor<8xf32>, %a: memref<8xf32>, %s: !llvm.struct<(ptr, ptr)>, %x: f32"
STRUCT = "!llvm.struct<(ptr, ptr)>"


def to_buffer(name: str, tensor: str) -> str:
    return f"{name} = bufferization.to_buffer {tensor} : tensor<8xf32> to memref<8xf32>"


def cast(name: str, value: str, before: str, after: str) -> str:
    return f"{name} = builtin.unrealized_conversion_cast {value} : {before} to {after}"


LOCAL = "%l = memref.alloc() : memref<8xf32>"
EMPTY = "%e = tensor.empty() : tensor<8xf32>"
FILL = "%f = linalg.fill ins(%x : f32) outs({} : tensor<8xf32>) -> tensor<8xf32>"
P, Q = "%p", "%q"

# What is in the function, two of its memrefs, and whether they share memory.
CASES = {
    "one tensor": ([to_buffer(P, "%t"), to_buffer(Q, "%t")], P, Q, Alias.SAME),
    "two arguments": ([to_buffer(P, "%t"), to_buffer(Q, "%u")], P, Q, Alias.ASSUMED_DISTINCT),
    "an argument and a memref": ([to_buffer(P, "%t")], P, "%a", Alias.ASSUMED_DISTINCT),
    "an argument and an allocation": ([LOCAL, to_buffer(P, "%t")], P, "%l", Alias.DISTINCT),
    "an empty tensor": ([EMPTY, to_buffer(P, "%e")], P, "%a", Alias.DISTINCT),
    "an empty tensor that is used": (
        [EMPTY, to_buffer(P, "%e"), FILL.format("%e"), to_buffer(Q, "%f")], P, Q, Alias.UNKNOWN,
    ),
    "in place of an argument": (
        [to_buffer(P, "%t"), FILL.format("%t"), to_buffer(Q, "%f")], P, Q, Alias.UNKNOWN,
    ),
    "in place of another argument": (
        [to_buffer(P, "%u"), FILL.format("%t"), to_buffer(Q, "%f")], P, Q, Alias.ASSUMED_DISTINCT,
    ),
    "a result and an allocation": ([LOCAL, FILL.format("%t"), to_buffer(P, "%f")], P, "%l", Alias.DISTINCT),
    "a result of what is in an allocation": (
        [LOCAL, "%m = bufferization.to_tensor %l restrict writable : memref<8xf32> to tensor<8xf32>",
         FILL.format("%m"), to_buffer(P, "%f")], P, "%l", Alias.UNKNOWN,
    ),
    "inserted into": (
        [EMPTY, FILL.format("%e"), to_buffer(Q, "%t"),
         "%i = tensor.insert_slice %f into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>",
         to_buffer(P, "%f")], P, Q, Alias.UNKNOWN,
    ),
    "from a call": (
        [LOCAL, "%c = func.call @give() : () -> tensor<8xf32>", to_buffer(P, "%c")], P, "%a", Alias.UNKNOWN,
    ),
    "out of a branch": (
        [to_buffer(Q, "%u"), """%b = "test.flag"() : () -> i1
         %c = scf.if %b -> tensor<8xf32> { scf.yield %t : tensor<8xf32> } else { scf.yield %u : tensor<8xf32> }""",
         to_buffer(P, "%c")], P, Q, Alias.UNKNOWN,
    ),
    "there and back": (
        [cast("%c", "%a", "memref<8xf32>", STRUCT), cast(P, "%c", STRUCT, "memref<8xf32>")], P, "%a", Alias.SAME,
    ),
    "there and back in parts": (
        ["%c:2 = builtin.unrealized_conversion_cast %a : memref<8xf32> to !llvm.ptr, i64",
         "%p = builtin.unrealized_conversion_cast %c#0, %c#1 : !llvm.ptr, i64 to memref<8xf32>"],
        P, "%a", Alias.SAME,
    ),
    "in parts, the other way round": (
        ["%c:2 = builtin.unrealized_conversion_cast %a : memref<8xf32> to i64, i64",
         "%p = builtin.unrealized_conversion_cast %c#1, %c#0 : i64, i64 to memref<8xf32>"],
        P, "%a", Alias.UNKNOWN,
    ),
    "another element type": (
        [cast("%c", "%a", "memref<8xf32>", STRUCT), cast(P, "%c", STRUCT, "memref<8xi32>")],
        P, "%a", Alias.UNKNOWN,
    ),
    "one pointer": (
        [cast(P, "%s", STRUCT, "memref<8xf32>"), cast(Q, "%s", STRUCT, "memref<8xf32>")], P, Q, Alias.SAME,
    ),
    "a pointer and an allocation": (
        [LOCAL, cast(P, "%s", STRUCT, "memref<8xf32>")], P, "%l", Alias.DISTINCT,
    ),
    "a pointer from elsewhere": (
        [f'%z = "llvm.load"() : () -> {STRUCT}', cast(P, "%z", STRUCT, "memref<8xf32>")], P, "%a", Alias.UNKNOWN,
    ),
    "a tensor that was converted": (
        [cast(P, "%t", "tensor<8xf32>", "memref<8xf32>"), to_buffer(Q, "%t")], P, Q, Alias.SAME,
    ),
}  # fmt: skip


def memory_of(body: str) -> tuple[volcli.Program, Memory]:
    text = f"""func.func private @give() -> tensor<8xf32>
      func.func @f({ARGUMENTS}) {{ {body}
      return }}"""
    program = volcli.loads(text)
    assert program.diagnostics == []
    return program, program.function("f").unit.models()[-1].memory


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", CASES)
def test_which_memory_it_is(name: str) -> None:
    lines, first, second, expected = CASES[name]
    body = "\n".join(lines)
    _, memory = memory_of(body)
    named = {
        memory.bounds.name_of(value): value
        for op in memory.function.walk()
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
    }
    roots = memory.buffers.root(named[first]), memory.buffers.root(named[second])
    assert alias(*roots) is expected
    assert alias(*reversed(roots)) is expected


def test_one_buffer_in_each_iteration() -> None:
    """The tensor is outside of the loop, and so is its buffer: what an iteration writes, the next one reads."""
    body = f"""affine.for %i = 1 to 8 {{
      {to_buffer(P, "%t")}
      %v = affine.load %p[%i - 1] : memref<8xf32>
      affine.store %v, %p[%i] : memref<8xf32>
    }}"""
    program, _ = memory_of(body)
    (loop,) = program.function("f").loops()
    assert loop.kind == "carried"


def test_what_is_computed_in_place_writes_the_buffer() -> None:
    body = f"""{to_buffer(P, "%t")}
      affine.store %x, %p[0] : memref<8xf32>
      {FILL.format("%t")}
      %v = affine.load %p[0] : memref<8xf32>"""
    program, _ = memory_of(body)
    (read,) = [each for each in program.function("f").flow() if each.subject.startswith("read of %p")]
    assert read.certainty.degree != "exact"


def test_what_is_in_an_argument_is_not_written_by_naming_it() -> None:
    program, _ = memory_of(f"""{to_buffer(P, "%t")}
      %v = affine.load %p[0] : memref<8xf32>""")
    assert program.function("f").dependences() == ()
