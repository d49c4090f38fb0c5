"""Vectors combined, against loops in plain Python that round each step."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, tensor
from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import POISONED, Tensor
from volcli.execution.outcomes import Unsupported

CHANCE = np.random.default_rng(5)
BYTE = (1 << 8) - 1


def _byte(number: int) -> int:
    return (number + 128) % 256 - 128


def _maximum(a: float, b: float) -> float:
    return math.nan if a != a or b != b else max(a, b)


def _maxnum(a: float, b: float) -> float:
    return b if a != a else a if b != b else max(a, b)


INTEGERS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda a, b: _byte(a + b), "mul": lambda a, b: _byte(a * b), "minsi": min, "maxsi": max,
    "minui": lambda a, b: _byte(min(a & BYTE, b & BYTE)), "maxui": lambda a, b: _byte(max(a & BYTE, b & BYTE)),
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip
FLOATS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: np.float32(a + b), "mul": lambda a, b: np.float32(a * b),
    "maximumf": _maximum, "maxnumf": _maxnum,
    "minimumf": lambda a, b: -_maximum(-a, -b), "minnumf": lambda a, b: -_maxnum(-a, -b),
}  # fmt: skip


def _fold(combine: Callable[[Any, Any], Any], *numbers: Any) -> Any:
    state = numbers[0]
    for each in numbers[1:]:
        state = combine(state, each)
    return state


def _same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


@pytest.mark.parametrize("kind", [*INTEGERS])
def test_reduction_of_integers(kind: str) -> None:
    code = Code(f"""
func.func @f(%v: vector<5xi8>, %a: i8) -> (i8, i8) {{
  %r = vector.reduction <{kind}>, %v : vector<5xi8> into i8
  %s = vector.reduction <{kind}>, %v, %a : vector<5xi8> into i8
  return %r, %s : i8, i8
}}""")
    for _ in range(10):
        numbers = [int(n) for n in CHANCE.integers(-128, 128, 5)]
        start = int(CHANCE.integers(-128, 128))
        assert code(tensor(numbers, np.int8), start) == (
            _fold(INTEGERS[kind], *numbers),
            _fold(INTEGERS[kind], start, *numbers),
        )


@pytest.mark.parametrize("kind", [*FLOATS])
def test_reduction_of_floats_is_in_order(kind: str) -> None:
    code = Code(f"""
func.func @f(%v: vector<6xf32>, %a: f32) -> (f32, f32) {{
  %r = vector.reduction <{kind}>, %v : vector<6xf32> into f32
  %s = vector.reduction <{kind}>, %v, %a : vector<6xf32> into f32
  return %r, %s : f32, f32
}}""")
    for with_nan in (False, True):
        numbers = (CHANCE.standard_normal(6) * 10.0 ** CHANCE.integers(-6, 6, 6)).astype(np.float32)
        if with_nan:
            numbers[2] = np.nan
        start = np.float32(0.125)
        found = code(Tensor(numbers), start)
        _same(found, (_fold(FLOATS[kind], *numbers), _fold(FLOATS[kind], start, *numbers)))


@pytest.mark.parametrize("dims", [[0], [1], [2], [0, 2], [0, 1, 2], []])
@pytest.mark.parametrize("masked", [False, True])
def test_multi_reduction_is_in_row_major_order(dims: list[int], masked: bool) -> None:
    shape = (3, 2, 4)
    kept = [d for d in range(3) if d not in dims]
    sizes = [shape[d] for d in kept]
    kind = f"vector<{'x'.join(map(str, sizes))}xf32>" if sizes else "f32"
    operation = f"vector.multi_reduction <add>, %v, %a {dims} : vector<3x2x4xf32> to {kind}"
    masking = f"vector.mask %m {{ {operation} }} : vector<3x2x4xi1> -> {kind}"
    code = Code(f"""
func.func @f(%v: vector<3x2x4xf32>, %a: {kind}, %m: vector<3x2x4xi1>) -> {kind} {{
  %r = {masking if masked else operation}
  return %r : {kind}
}}""")
    numbers = (CHANCE.standard_normal(shape) * 10.0 ** CHANCE.integers(-6, 6, shape)).astype(np.float32)
    mask = CHANCE.random(shape) < 0.5
    start = CHANCE.standard_normal(sizes).astype(np.float32)
    expected = np.array(start)
    for at in np.ndindex(*shape):
        if not masked or mask[at]:
            expected[tuple(at[d] for d in kept)] += numbers[at]
    argument = Tensor(start) if sizes else start[()]
    (found,) = code(Tensor(numbers), argument, Tensor(mask))
    _same(found.data if sizes else found, expected)


CONTRACTIONS = {
    "matmul": (
        "(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d2, d1)", "(d0, d1, d2) -> (d0, d1)",
        "parallel parallel reduction", "ik,kj->ij",
    ),
    "transposed result": (
        "(d0, d1, d2) -> (d2, d0)", "(d0, d1, d2) -> (d1, d2)", "(d0, d1, d2) -> (d1, d0)",
        "parallel parallel reduction", "ki,jk->ji",
    ),
    "dot": ("(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> ()", "reduction", "k,k->"),
    "batch": (
        "(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0, d1)",
        "parallel parallel reduction", "bk,bjk->bj",
    ),
    "two reductions": (
        "(d0, d1, d2) -> (d1, d0, d2)", "(d0, d1, d2) -> (d2, d1)", "(d0, d1, d2) -> (d0)",
        "parallel reduction reduction", "kil,lk->i",
    ),
}  # fmt: skip
LOOPS = {"i": 2, "j": 3, "k": 4, "b": 2, "l": 3}


def _vector(letters: str, element: str) -> str:
    sizes = "x".join(str(LOOPS[each]) for each in letters)
    return f"vector<{sizes}x{element}>" if letters else element


def _contraction(name: str, element: str, kind: str = "add", narrow: str = "") -> tuple[Code, list[str]]:
    *maps, iterators, letters = CONTRACTIONS[name]
    parts = letters.replace("->", ",").split(",")
    kinds = [_vector(parts[0], narrow or element), _vector(parts[1], narrow or element)]
    kinds.append(_vector(parts[2], element))
    text = f"""
func.func @f(%a: {kinds[0]}, %b: {kinds[1]}, %c: {kinds[2]}) -> {kinds[2]} {{
  %r = vector.contract {{indexing_maps = [{", ".join(f"affine_map<{each}>" for each in maps)}],
    iterator_types = [{", ".join(f'"{each}"' for each in iterators.split())}], kind = #vector.kind<{kind}>}}
    %a, %b, %c : {kinds[0]}, {kinds[1]} into {kinds[2]}
  return %r : {kinds[2]}
}}"""
    return Code(text), parts


def _product_sums(parts: list[str], a: Any, b: Any, c: Any, combine: Any) -> Any:
    """C and the products, over all loops in the order of their letters' first loop map."""
    letters = sorted(set("".join(parts)), key="bijkl".index)
    found = np.array(c)
    for at in np.ndindex(*[LOOPS[each] for each in letters]):
        here = dict(zip(letters, at, strict=True))
        index = [tuple(here[each] for each in part) for part in parts]
        found[index[2]] = combine(found[index[2]], a[index[0]] * b[index[1]])
    return found


@pytest.mark.parametrize("name", CONTRACTIONS)
@pytest.mark.parametrize("kind", ["add", "maximumf"])
def test_contract(name: str, kind: str) -> None:
    code, parts = _contraction(name, "f32", kind)
    shapes = [[LOOPS[each] for each in part] for part in parts]
    a, b, c = (CHANCE.standard_normal(shape).astype(np.float32) for shape in shapes)
    expected = _product_sums(parts, a, b, c, FLOATS[kind])
    (found,) = code(Tensor(a), Tensor(b), Tensor(c) if parts[2] else np.float32(c))
    _same(found.data if parts[2] else found, expected)


def test_contract_extends_narrow_factors() -> None:
    code, parts = _contraction("matmul", "i32", narrow="i8")
    a = CHANCE.integers(-128, 128, (2, 4)).astype(np.int8)
    b = CHANCE.integers(-128, 128, (4, 3)).astype(np.int8)
    c = np.ones((2, 3), np.int32)
    (found,) = code(Tensor(a), Tensor(b), Tensor(c))
    assert parts == ["ik", "kj", "ij"]
    _same(found.data, a.astype(np.int32) @ b.astype(np.int32) + 1)


def test_a_contraction_under_a_mask() -> None:
    code = Code("""
func.func @f(%a: vector<2x4xi32>, %b: vector<4xi32>, %c: vector<2xi32>, %m: vector<2x4xi1>) -> vector<2xi32> {
  %r = vector.mask %m {
    vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
      affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
      : vector<2x4xi32>, vector<4xi32> into vector<2xi32>
  } : vector<2x4xi1> -> vector<2xi32>
  return %r : vector<2xi32>
}""")
    a, b = np.arange(8, dtype=np.int32).reshape(2, 4), np.array([1, 10, 100, 1000], np.int32)
    c, mask = np.array([5, 6], np.int32), np.array([[1, 0, 1, 0], [0, 0, 0, 0]], bool)
    (found,) = code(Tensor(a), Tensor(b), Tensor(c), Tensor(mask))
    assert found.data.tolist() == [5 + 0 + 200, 6]


def _fused(a: Any, b: Any, c: Any) -> np.float32:
    """`a b + c`, rounded once: f64 holds the exact value of these."""
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return np.float32(float(exact))


OUTER = """
func.func @f(%a: vector<3xf32>, %b: vector<2xf32>, %x: f32, %c: vector<3x2xf32>, %d: vector<3xf32>, %m: vector<3x2xi1>)
    -> (vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>) {
  %p = vector.outerproduct %a, %b : vector<3xf32>, vector<2xf32>
  %q = vector.outerproduct %a, %b, %c : vector<3xf32>, vector<2xf32>
  %r = vector.outerproduct %a, %x, %d : vector<3xf32>, f32
  %s = vector.outerproduct %a, %b, %c {kind = #vector.kind<maxnumf>} : vector<3xf32>, vector<2xf32>
  %t = vector.mask %m { vector.outerproduct %a, %b, %c : vector<3xf32>, vector<2xf32> } : vector<3x2xi1> -> vector<3x2xf32>
  %u = vector.fma %a, %a, %d : vector<3xf32>
  return %p, %q, %r, %s, %t, %u
    : vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>, vector<3x2xf32>, vector<3x2xf32>, vector<3xf32>
}"""


def test_outer_products_are_fused() -> None:
    a, b = np.array([1 + 2**-12, -3, 0.1], np.float32), np.array([1 + 2**-12, 7], np.float32)
    c = np.array([[-1, 2], [3, -100], [0.5, 0.25]], np.float32)
    d, x = np.array([-1, 1, 2], np.float32), np.float32(1 + 2**-12)
    mask = np.array([[1, 0], [0, 1], [1, 1]], bool)
    found = [each.data for each in Code(OUTER)(*map(Tensor, (a, b)), x, *map(Tensor, (c, d, mask)))]
    fused = np.array([[_fused(a[i], b[j], c[i, j]) for j in range(2)] for i in range(3)])
    _same(found[0], a[:, None] * b[None, :])
    _same(found[1], fused)
    assert fused[0, 0] != np.float32(a[0] * b[0]) + c[0, 0]
    _same(found[2], [_fused(each, x, z) for each, z in zip(a, d, strict=True)])
    _same(found[3], np.maximum(a[:, None] * b[None, :], c))
    _same(found[4], np.where(mask, fused, c))
    _same(found[5], [_fused(each, each, z) for each, z in zip(a, d, strict=True)])


@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("along", [0, 1])
def test_scan(inclusive: bool, along: int) -> None:
    start_kind = "vector<3xi32>" if along == 0 else "vector<2xi32>"
    code = Code(f"""
func.func @f(%v: vector<2x3xi32>, %a: {start_kind}) -> (vector<2x3xi32>, {start_kind}) {{
  %r:2 = vector.scan <add>, %v, %a {{inclusive = {str(inclusive).lower()}, reduction_dim = {along} : i64}}
    : vector<2x3xi32>, {start_kind}
  return %r#0, %r#1 : vector<2x3xi32>, {start_kind}
}}""")
    v = np.array([[1, 2, 3], [10, 20, 30]], np.int32)
    start = np.arange(100, 100 + (3 if along == 0 else 2), dtype=np.int32)
    whole, last = code(Tensor(v), Tensor(start))
    sums = np.cumsum(v, along)
    expected = sums if inclusive else np.expand_dims(start, along) + sums - v
    _same(whole.data, expected)
    _same(last.data, expected[-1] if along == 0 else expected[:, -1])


def test_poison_masked_off_does_not_reach_a_sum() -> None:
    code = Code("""
func.func @f(%v: vector<3xi8>, %m: vector<3xi1>, %a: i8) -> i8 {
  %r = vector.mask %m { vector.reduction <add>, %v, %a : vector<3xi8> into i8 } : vector<3xi1> -> i8
  return %r : i8
}""")
    value = Tensor(np.array([1, 2, 4], np.int8), np.array([0, POISONED, 0], np.uint8))
    assert code(value, Tensor(np.array([1, 0, 1], bool)), 8) == (13,)
    assert repr(code(value, Tensor(np.array([1, 1, 1], bool)), 8)) == "(poison,)"
    assert code(value, Tensor(np.array([0, 0, 0], bool)), 8) == (8,)


def test_terms_of_a_contraction() -> None:
    code, _ = _contraction("dot", "f32")
    terms = Terms()
    a, b = (Tensor(np.array([terms.element(name, (k,)) for k in range(4)], object)) for name in ("a", "b"))
    (found,) = code(a, b, np.float32(0), options=Options(symbolic=True))
    assert repr(found).startswith("addf(addf(addf(addf(0.0, mulf(a[0], b[0])), mulf(a[1], b[1]))")


def test_terms_of_a_scan() -> None:
    """An operation with two results, whose steps have one each."""
    code = Code("""
func.func @f(%v: vector<3xf32>, %a: vector<f32>) -> (vector<3xf32>, vector<f32>) {
  %r:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<3xf32>, vector<f32>
  return %r#0, %r#1 : vector<3xf32>, vector<f32>
}""")
    terms = Terms()
    v = Tensor(np.array([terms.element("v", (k,)) for k in range(3)], object))
    for symbolic in (True, False):
        start = Tensor(np.zeros((), np.float32))
        whole, last = code(v, start, options=Options(symbolic=symbolic))
        assert [repr(each) for each in whole.data] == [
            "v[0]",
            "addf(v[0], v[1])",
            "addf(addf(v[0], v[1]), v[2])",
        ]
        assert repr(last.data[()]) == repr(whole.data[2])


def test_what_is_masked_and_has_no_accumulator_is_not_executed() -> None:
    code = Code("""
func.func @f(%a: vector<2xf32>, %m: vector<2x2xi1>) -> vector<2x2xf32> {
  %t = vector.mask %m { vector.outerproduct %a, %a : vector<2xf32>, vector<2xf32> } : vector<2x2xi1> -> vector<2x2xf32>
  return %t : vector<2x2xf32>
}""")
    with pytest.raises(Unsupported, match="without an accumulator"):
        code(tensor([1.0, 2.0]), Tensor(np.ones((2, 2), bool)))
