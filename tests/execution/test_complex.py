"""Operations of complex against Python's own complex numbers and cmath."""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.shared.execution import executed, needs_runner
from tests.shared.running import Code
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import POISON

NUMBERS = [complex(1.5, -2.25), complex(-0.75, 0.5), complex(3, 4), complex(-2, -1e-3), complex(0.1, 0.2)]
UNARY: dict[str, Callable[[complex], complex]] = {
    "conj": lambda z: z.conjugate(), "neg": operator.neg, "exp": cmath.exp, "log": cmath.log, "sin": cmath.sin,
    "cos": cmath.cos, "sqrt": cmath.sqrt, "tan": cmath.tan, "tanh": cmath.tanh, "rsqrt": lambda z: 1 / cmath.sqrt(z),
    "sign": lambda z: z / abs(z), "expm1": lambda z: cmath.exp(z) - 1, "log1p": lambda z: cmath.log(1 + z),
}  # fmt: skip
REAL: dict[str, Callable[[complex], float]] = {
    "abs": abs, "angle": cmath.phase, "re": lambda z: z.real, "im": lambda z: z.imag,
}  # fmt: skip
BINARY: dict[str, Callable[[complex, complex], complex]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow,
    "atan2": lambda y, x: -1j * cmath.log((x + 1j * y) / cmath.sqrt(x * x + y * y)),
}  # fmt: skip


def _code(line: str, arguments: str, result: str) -> Code:
    return Code(f"func.func @f({arguments}) -> {result} {{\n  %r = {line}\n  return %r : {result}\n}}")


@pytest.mark.parametrize(("part", "of"), [("f32", np.complex64), ("f64", np.complex128)])
def test_functions(part: str, of: Any) -> None:
    kind, near = f"complex<{part}>", {"rel": 2e-7 if part == "f32" else 1e-13, "abs": 1e-15}
    for name, one in UNARY.items():
        code = _code(f"complex.{name} %a : {kind}", f"%a: {kind}", kind)
        for z in map(of, NUMBERS):
            (found,) = code(z)
            assert isinstance(found, of)
            assert complex(found) == pytest.approx(one(complex(z)), **near), name
    for name, real in REAL.items():
        code = _code(f"complex.{name} %a : {kind}", f"%a: {kind}", part)
        for z in map(of, NUMBERS):
            assert float(code(z)[0]) == pytest.approx(real(complex(z)), **near), name
    for name, two in BINARY.items():
        code = _code(f"complex.{name} %a, %b : {kind}", f"%a: {kind}, %b: {kind}", kind)
        for x, y in zip(map(of, NUMBERS), map(of, NUMBERS[1:]), strict=False):
            assert complex(code(x, y)[0]) == pytest.approx(two(complex(x), complex(y)), **near), name


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 5])
def test_powers_of_integers(n: int) -> None:
    code = _code("complex.powi %a, %n : complex<f64>, i32", "%a: complex<f64>, %n: i32", "complex<f64>")
    for z in NUMBERS:
        assert complex(code(np.complex128(z), n)[0]) == pytest.approx(z**n, rel=1e-12)


def test_a_product_is_rounded_part_by_part() -> None:
    code = _code("complex.mul %a, %b : complex<f32>", "%a: complex<f32>, %b: complex<f32>", "complex<f32>")
    a, b, c, d = (np.float32(each) for each in (1 + 2**-12, 1, 1 + 2**-12, 1 + 2**-20))
    (found,) = code(np.complex64(complex(a, b)), np.complex64(complex(c, d)))
    assert (found.real, found.imag) == (
        np.float32(a * c) - np.float32(b * d),
        np.float32(a * d) + np.float32(b * c),
    )
    assert found.real != np.float32(float(a) * float(c) - float(b) * float(d))


def test_numbers_are_made_compared_and_read_as_bits() -> None:
    code = Code("""
func.func @f(%a: f32, %b: f32) -> (complex<f32>, i1, i1, i64, complex<f32>) {
  %c = complex.constant [1.5 : f32, -2.0 : f32] : complex<f32>
  %z = complex.create %a, %b : complex<f32>
  %e = complex.eq %z, %c : complex<f32>
  %n = complex.neq %z, %c : complex<f32>
  %i = complex.bitcast %z : complex<f32> to i64
  %y = complex.bitcast %i : i64 to complex<f32>
  return %z, %e, %n, %i, %y : complex<f32>, i1, i1, i64, complex<f32>
}""")
    z, equal, unequal, bits, back = code(np.float32(1.5), np.float32(-2))
    assert (complex(z), equal, unequal, complex(back)) == (complex(1.5, -2), 1, 0, complex(1.5, -2))
    assert bits.to_bytes(8, "little", signed=True) == np.array([1.5, -2], np.float32).tobytes()
    assert code(np.float32(math.nan), np.float32(0))[1:3] == (0, 1)
    assert math.copysign(1, code(np.float32(-0.0), np.float32(-0.0))[0].imag) == -1


def test_terms_and_poison() -> None:
    code = Code("""
func.func @f(%a: f32, %b: f32) -> f32 {
  %z = complex.create %a, %b : complex<f32>
  %s = complex.mul %z, %z : complex<f32>
  %r = complex.im %s : complex<f32>
  return %r : f32
}""")
    a, b = (Terms().element(name, ()) for name in "ab")
    assert code(a, POISON) == (POISON,)
    (found,) = code(a, b, options=Options(symbolic=True))
    assert repr(found).replace(" ", "") == "im.f32(mul(create.complex<f32>(a,b),create.complex<f32>(a,b)))"


LOWERING = (
    "builtin.module(convert-complex-to-standard,func.func(convert-vector-to-scf,convert-scf-to-cf),convert-vector-to-llvm,"
    "convert-complex-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts)"
)


@pytest.mark.mlir
@needs_runner
def test_the_same_is_printed(mlir_opt: str) -> None:
    lines: list[str] = []
    for name, parts in {"x": (1.5, -2.25), "y": (-0.75, 0.5)}.items():
        lines.append(f"%{name} = complex.constant [{parts[0]} : f64, {parts[1]} : f64] : complex<f64>")
    operations = [f"complex.{name} %x, %y" for name in ("add", "sub", "mul", "div", "pow", "atan2")]
    operations += [f"complex.{name} %x" for name in UNARY]
    for k, operation in enumerate(operations):
        lines += [f"%r{k} = {operation} : complex<f64>"]
        for part in ("re", "im"):
            lines += [f"%{part}{k} = complex.{part} %r{k} : complex<f64>", f"vector.print %{part}{k} : f64"]
    text = "func.func @main() {\n  " + "\n  ".join(lines) + "\n  return\n}"
    code = Code(text)
    (function,) = code.module.body.block.ops
    machine = Machine(code.module)
    call(machine, function, ())
    expected = [float(each) for each in executed(mlir_opt, text, LOWERING).split()]
    assert [float(each) for each in machine.printed] == pytest.approx(expected, rel=2e-5, abs=1e-12)
