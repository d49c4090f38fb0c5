"""dead-code: padding that nothing reads, and padding that something may read."""

from __future__ import annotations

import pytest

import volcli

YIELD = """{
  ^bb0(%at: index):
    tensor.yield %z : f32
  }"""
PAD = f"%p = tensor.pad %x low[1] high[1] {YIELD} : tensor<8xf32> to tensor<10xf32>\n"
RIGHT = f"%p = tensor.pad %x low[0] high[1] {YIELD} : tensor<8xf32> to tensor<9xf32>\n"
GENERIC = """%q = linalg.generic {{indexing_maps = [affine_map<(i) -> ({index})>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%p : tensor<{size}xf32>) outs(%y : tensor<4xf32>) {{
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }} -> tensor<4xf32>
  %r = tensor.extract_slice %q[0] [2] [1] : tensor<4xf32> to tensor<2xf32>"""


def found(body: str) -> list[str]:
    text = f"""func.func private @g(tensor<10xf32>)
func.func private @h(tensor<2xf32>)
func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>, %z: f32, %n: index, %k: i1) -> tensor<2xf32> {{
  %c0 = arith.constant 0 : index
  {body}
  return %r : tensor<2xf32>
}}"""
    said = volcli.loads(text).run("dead-code").diagnostics
    assert not any(each.code.startswith("V1") for each in said), said
    return [each.message for each in said if each.code == "V211"]


def cut(first: int, value: str = "%p", size: str = "10", stride: int = 1) -> str:
    """%r, two elements of VALUE."""
    return (
        f"%r = tensor.extract_slice {value}[{first}] [2] [{stride}] : tensor<{size}xf32> to tensor<2xf32>\n"
    )


@pytest.mark.parametrize(
    "body",
    [
        PAD + cut(1),
        PAD + cut(7),
        PAD + "%c = tensor.cast %p : tensor<10xf32> to tensor<?xf32>\n" + cut(4, "%c", "?", 2),
        # All three taps of stride 2 lie in what was there: 0, 2, 4, 6.
        RIGHT + GENERIC.format(index="2 * i", size=9),
        # What is cut is put somewhere else.
        PAD + cut(2, "%p").replace("%r", "%c") + "%i = tensor.insert_slice %c into %y[1] [2] [1] "
        ": tensor<2xf32> into tensor<4xf32>\n" + cut(1, "%i", "4"),
        # The parameters say so: what was put in front is cut off.
        f"%p = tensor.pad %x low[%n] high[3] {YIELD} : tensor<8xf32> to tensor<?xf32>\n"
        "%r = tensor.extract_slice %p[%n] [2] [1] : tensor<?xf32> to tensor<2xf32>",
    ],
)  # fmt: skip
def test_padding_that_nothing_reads(body: str) -> None:
    assert found(body) == ["'tensor.pad' op adds elements to %x, which are never read"]


def test_each_padding_is_looked_at() -> None:
    again = PAD.replace("%p =", "%q =").replace("%x", "%p").replace("10xf32", "12xf32").replace("<8x", "<10x")
    assert len(found(PAD + again + cut(2, "%q", "12"))) == 2
    assert found(PAD + again + cut(1, "%q", "12")) == [
        "'tensor.pad' op adds elements to %p, which are never read"
    ]


@pytest.mark.parametrize(
    "body",
    [
        PAD + cut(0),
        PAD + cut(8),
        PAD + cut(1) + "%u = tensor.extract %p[%n] : tensor<10xf32>",
        # One of two uses reads it; a function that is called may.
        PAD + cut(1) + cut(8).replace("%r", "%s") + "call @h(%s) : (tensor<2xf32>) -> ()",
        PAD + cut(1) + "call @g(%p) : (tensor<10xf32>) -> ()",
        # The last tap reads element 8: that the result is cut does not matter, a tile may be padded to be whole.
        RIGHT + GENERIC.format(index="2 * i + 2", size=9),
        # Its size is asked for; a body or a branch reads elsewhere; it is marked to be kept.
        PAD + cut(1) + "%u = tensor.dim %p, %c0 : tensor<10xf32>",
        PAD + "%r = tensor.generate { ^bb0(%i: index): %e = tensor.extract %p[%i] : tensor<10xf32> "
        "tensor.yield %e : f32 } : tensor<2xf32>",
        PAD + cut(1).replace("%r", "%s") + "%r = scf.if %k -> tensor<2xf32> { " + cut(0).replace("%r", "%t")
        + "scf.yield %t : tensor<2xf32> } else { scf.yield %s : tensor<2xf32> }",
        PAD.replace("low[1]", "nofold low[1]") + cut(1),
        # The first element may be one that was added, for some %n.
        PAD + "%r = tensor.extract_slice %p[%n] [2] [1] : tensor<10xf32> to tensor<2xf32>",
        # Nothing is asked of it at all.
        PAD + cut(1, "%x", "8"),
    ],
)  # fmt: skip
def test_padding_that_something_may_read(body: str) -> None:
    assert found(body) == []
