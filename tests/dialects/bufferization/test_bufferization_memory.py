"""What is read of a buffer that becomes a tensor: what the tensor is needed for, and nothing else."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import Loops

KIND = "memref<6xf32>"
HEAD = """%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<6xf32>"""
TENSOR = "%t = bufferization.to_tensor %m restrict writable : memref<6xf32> to tensor<6xf32>"
FILL_SOME = "memref.store %x, %m[%c0] : memref<6xf32>"
IDENTITY = "affine_map<(i) -> (i)>"
SUM = f"""%r = linalg.generic {{indexing_maps = [{IDENTITY}, affine_map<(i) -> ()>], iterator_types = ["reduction"]}}
    ins(%t : tensor<6xf32>) outs(%e : tensor<f32>) {{
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }} -> tensor<f32>"""
EVERY_SECOND = f"""%r = linalg.generic {{indexing_maps = [{IDENTITY}, affine_map<(i) -> (2 * i)>],
    iterator_types = ["parallel"]}} ins(%k : tensor<3xf32>) outs(%t : tensor<6xf32>) {{
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }} -> tensor<6xf32>"""

# What uses the tensor; and whether it is an uninitialised read where nothing, and where element 0 was written.
USES = {
    "overwritten": ("%r = linalg.fill ins(%x : f32) outs(%t : tensor<6xf32>) -> tensor<6xf32>", False, False),
    "its size": ("%d = tensor.dim %t, %c0 : tensor<6xf32>", False, False),
    "nothing": ("", False, False),
    "the first element": ("%v = tensor.extract %t[%c0] : tensor<6xf32>", True, False),
    "the second element": ("%v = tensor.extract %t[%c1] : tensor<6xf32>", True, True),
    "a sum": (SUM, True, True),
    "both": (
        "%v = tensor.extract %t[%c0] : tensor<6xf32>\n"
        "%r = linalg.fill ins(%x : f32) outs(%t : tensor<6xf32>) -> tensor<6xf32>", True, False
    ),
    "accumulated": (
        "%r = linalg.add ins(%t, %t : tensor<6xf32>, tensor<6xf32>) outs(%l : tensor<6xf32>) -> tensor<6xf32>",
        True, True,
    ),
    "some elements are kept": (EVERY_SECOND, False, False),
    "a slice": ("%s = tensor.extract_slice %t[0] [1] [1] : tensor<6xf32> to tensor<1xf32>", False, False),
    "in a branch": ("scf.if %p { %v = tensor.extract %t[%c1] : tensor<6xf32> }", False, False),
    "a call": ("func.call @g(%t) : (tensor<6xf32>) -> ()", False, False),
}  # fmt: skip
ARGUMENTS = "%x: f32, %p: i1, %e: tensor<f32>, %k: tensor<3xf32>, %l: tensor<6xf32>"


def text_of(use: str, before: str = "") -> str:
    body = "\n  ".join((HEAD, before, TENSOR, use))
    return f"func.func private @g(tensor<6xf32>)\nfunc.func @f({ARGUMENTS}) {{\n  {body}\n  return\n}}\n"


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", USES)
def test_what_is_read_uninitialised(name: str) -> None:
    use, alone, behind = USES[name]
    for before, expected in (("", alone), (FILL_SOME, behind)):
        found = [each.code for each in volcli.load(text_of(use, before)).run("memory-flow").diagnostics]
        assert ("V205" in found) is expected


def memory_of(body: str) -> Memory:
    text = f"func.func @f(%m: {KIND}, %x: f32, %y: f32) {{\n%c0 = arith.constant 0 : index\n{body}\nreturn }}"
    return volcli.load(text).units[0].models()[0].memory


def test_what_may_be_used_is_not_dead() -> None:
    made = memory_of(f"""memref.store %x, %m[%c0] : {KIND}
      {TENSOR}
      %s = tensor.extract_slice %t[0] [1] [1] : tensor<6xf32> to tensor<1xf32>
      memref.store %y, %m[%c0] : {KIND}""")
    (flow,) = MemoryFlow(made).all()
    assert flow.writes[0].dead is None or flow.writes[0].dead.is_empty()


def test_the_buffer_of_a_tensor_of_a_buffer_is_that_one() -> None:
    made = memory_of(f"""{TENSOR}
      %b = bufferization.to_buffer %t : tensor<6xf32> to {KIND}
      affine.for %i = 0 to 5 {{
        affine.store %x, %m[%i] : {KIND}
        %v = affine.load %b[%i + 1] : {KIND}
      }}""")
    (loop,) = Loops(made).all()
    assert [(d.kind.value, d.hull) for d in loop.carried] == [("WAR", ((1, 1),))]
    assert loop.assumptions == ()


def test_the_buffer_of_a_tensor_from_elsewhere_may_be_any() -> None:
    made = memory_of(f"""%t = "other.give"() : () -> tensor<6xf32>
      %b = bufferization.to_buffer %t : tensor<6xf32> to {KIND}
      affine.for %i = 0 to 6 {{
        affine.store %x, %b[%i] : {KIND}
        %v = affine.load %m[%i] : {KIND}
      }}""")
    (loop,) = Loops(made).all()
    assert loop.kind.value == "unknown"
