"""vector: which elements lanes are computed from, against executions on terms."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.contents import truth
from volcli.facts.maps import MapFact

A, B, C, M, X = "vector<4xf32>", "vector<2x4xf32>", "vector<4x3xf32>", "vector<2x3xf32>", "f32"
MAPS = "[affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]"
CONTRACT = f"""vector.contract {{indexing_maps = {MAPS},
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}}
    %b, %c, %m : {B}, {C} into {M}"""

CASES = {
    "broadcast a scalar": (f"vector.broadcast %x : f32 to {B}", B),
    "broadcast": (f"vector.broadcast %a : {A} to vector<3x2x4xf32>", "vector<3x2x4xf32>"),
    "stretch": ("vector.broadcast %o : vector<2x1xf32> to vector<3x2x5xf32>", "vector<3x2x5xf32>"),
    "transpose": (f"vector.transpose %b, [1, 0] : {B} to vector<4x2xf32>", "vector<4x2xf32>"),
    "shape_cast": (f"vector.shape_cast %b : {B} to vector<8xf32>", "vector<8xf32>"),
    "extract a row": (f"vector.extract %b[1] : {A} from {B}", A),
    "extract": (f"vector.extract %b[1, 2] : f32 from {B}", X),
    "insert a row": (f"vector.insert %a, %b[1] : {A} into {B}", B),
    "insert": (f"vector.insert %x, %b[1, 2] : f32 into {B}", B),
    "slice": (
        "vector.extract_strided_slice %c {offsets = [1], sizes = [2], strides = [1]} : "
        f"{C} to vector<2x3xf32>",
        M,
    ),
    "insert a slice": (
        f"vector.insert_strided_slice %a, %d {{offsets = [1, 2], strides = [1]}} : {A} into vector<3x7xf32>",
        "vector<3x7xf32>",
    ),
    "interleave": (f"vector.interleave %b, %b2 : {B} -> vector<2x8xf32>", "vector<2x8xf32>"),
    "shuffle": (f"vector.shuffle %a, %a2 [7, 0, 3, 4, 4] : {A}, {A}", "vector<5xf32>"),
    "shuffle rows": (f"vector.shuffle %b, %b2 [3, 0, 1] : {B}, {B}", "vector<3x4xf32>"),
    "fma": (f"vector.fma %a, %a, %a2 : {A}", A),
    "reduction": (f"vector.reduction <add>, %a, %x : {A} into f32", X),
    "reduction alone": (f"vector.reduction <mul>, %a : {A} into f32", X),
    "multi_reduction": (f"vector.multi_reduction <add>, %b, %a [0] : {B} to {A}", A),
    "multi_reduction of all": (f"vector.multi_reduction <add>, %b, %x [0, 1] : {B} to f32", X),
    "outer product": (f"vector.outerproduct %a, %e, %c : {A}, vector<3xf32>", C),
    "product with a scalar": (f"vector.outerproduct %a, %x : {A}, f32", A),
    "contract": (CONTRACT, M),
    "read": (f"vector.transfer_read %t[%k, %k], %x : tensor<3x4xf32>, {B}", B),
    "read permuted": (
        "vector.transfer_read %t[%k, %k], %x {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : "
        f"tensor<3x4xf32>, {C}",
        C,
    ),
    "read broadcast": (
        "vector.transfer_read %t[%k, %k], %x {permutation_map = affine_map<(d0, d1) -> (0, d1)>, "
        f"in_bounds = [true, false]}} : tensor<3x4xf32>, {B}",
        B,
    ),
    "write": (f"vector.transfer_write %b, %t[%k, %k] : {B}, tensor<3x4xf32>", "tensor<3x4xf32>"),
}
ARGUMENTS = (
    f"%a: {A}, %a2: {A}, %b: {B}, %b2: {B}, %c: {C}, %m: {M}, %x: f32, %e: vector<3xf32>, "
    "%o: vector<2x1xf32>, %d: vector<3x7xf32>, %t: tensor<3x4xf32>"
)
SHAPES = {
    "%a": (4,), "%a2": (4,), "%b": (2, 4), "%b2": (2, 4), "%c": (4, 3), "%m": (2, 3), "%x": (), "%e": (3,),
    "%o": (2, 1), "%d": (3, 7), "%t": (3, 4),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_lanes(name: str) -> None:
    op, kind = CASES[name]
    body = f"%k = arith.constant 2 : index\n%r = {op}\nreturn %r : {kind}"
    program = volcli.loads(f"func.func @f({ARGUMENTS}) -> {kind} {{\n{body}\n}}").run("element-maps")
    (fact,) = [each for each in program.facts if isinstance(each, MapFact)]
    assert fact.exact
    (model,) = program.units[0].of_module()
    assert truth.stated(fact, SHAPES) == truth.elements(model)["%r"]


BITS = {
    "as many": ("vector<2x4xi32>", "r[i, j] -> b[i, j] : 0 <= i < 2 and 0 <= j < 4"),
    "parts": ("vector<2x8xi16>", "r[i, j] -> b[i, floor(j / 2)] : 0 <= i < 2 and 0 <= j < 8"),
    "together": (
        "vector<2x2xi64>",
        "r[i, j] -> b[i, k] : 0 <= i < 2 and 0 <= j < 2 and 2 * j <= k <= 2 * j + 1",
    ),
}


def _maps(text: str, result: str) -> dict[str, MapFact]:
    body = f"func.func @f(%b: {B}) -> {result} {{\n{text}\nreturn %r : {result}\n}}"
    facts = volcli.loads(body).run("element-maps").facts
    return {fact.value: fact for fact in facts if isinstance(fact, MapFact)}


@pytest.mark.parametrize("name", BITS)
def test_bits_of_lanes(name: str) -> None:
    kind, expected = BITS[name]
    fact = _maps(f"%r = vector.bitcast %b : {B} to {kind}", kind)["%r"]
    assert fact.exact
    assert fact.map is not None
    assert fact.map.is_equal(isl.UnionMap(f"{{ {expected} }}"))


@pytest.mark.parametrize("odd", [0, 1])
def test_every_other_lane(odd: int) -> None:
    names = ("%q, %r", "%r, %q")[1 - odd]
    fact = _maps(f"{names} = vector.deinterleave %b : {B} -> vector<2x2xf32>", "vector<2x2xf32>")["%r"]
    assert fact.exact
    assert fact.map is not None
    expected = f"{{ r[i, j] -> b[i, 2 * j + {odd}] : 0 <= i < 2 and 0 <= j < 2 }}"
    assert fact.map.is_equal(isl.UnionMap(expected))


@pytest.mark.parametrize(
    "op",
    [
        "%r = vector.broadcast %s : vector<[4]xf32> to vector<2x[4]xf32>",
        "%r = vector.transpose %v, [1, 0] : vector<2x[4]xf32> to vector<[4]x2xf32>",
    ],
)
def test_of_scalable_vectors_the_size_is_not_known(op: str) -> None:
    kind = op.rpartition(" ")[2]
    text = (
        f"func.func @f(%s: vector<[4]xf32>, %v: vector<2x[4]xf32>) -> {kind} {{\n{op}\nreturn %r : {kind}\n}}"
    )
    facts = volcli.loads(text).run("element-maps").facts
    assert [fact.exact for fact in facts if isinstance(fact, MapFact)] == [False]
