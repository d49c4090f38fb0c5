"""Operations of tosa, executed as they are, as mlir-opt lowers them to linalg, and by mlir-runner.

All three are one function of the same inputs. Where the lowering adds floats in another order than the
specification (a bias first, a window row by row), the results are close and not equal: `near`.
"""

from __future__ import annotations

import math
import re
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tests.shared.execution import executed, needs_runner
from tests.shared.running import Code
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import Tensor

pytestmark = pytest.mark.mlir

TO_LINALG = (
    "func.func(tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-arith{include-apply-rescale=true use-32-bit=true},tosa-to-tensor,tosa-to-scf)"
)
TO_LLVM = (
    f"builtin.module({TO_LINALG},func.func(linalg-generalize-named-ops),"
    "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops,lower-affine,convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,"
    "lower-affine),convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "convert-ub-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
NEAR = {"rtol": 1e-5, "atol": 1e-6}


class Case(NamedTuple):
    """BODY computes %r of the type RESULT from %a, %b, ... of TYPES; zeros are %z (f32) and %y (i8)."""

    body: str
    types: Sequence[str]
    result: str
    is_near: bool = False


_ROUND = "input_unsigned = false, output_unsigned = false"


def _constant(name: str, value: str, kind: str) -> str:
    return f'%{name} = "tosa.const"() <{{values = dense<{value}> : {kind}}}> : () -> {kind}\n'


def _shape(name: str, *sizes: int) -> str:
    return (
        f"%{name} = tosa.const_shape {{values = dense<{list(sizes)}> : tensor<{len(sizes)}xindex>}}"
        f" : () -> !tosa.shape<{len(sizes)}>\n"
    )


def _unary(name: str, kind: str = "2x3xf32", result: str = "") -> Case:
    result = result or kind
    body = f"%r = tosa.{name} %a : (tensor<{kind}>) -> tensor<{result}>"
    return Case(body, [f"tensor<{kind}>"], f"tensor<{result}>")


def _binary(name: str, kind: str = "2x3xf32", other: str = "1x3xf32") -> Case:
    body = f"%r = tosa.{name} %a, %b : (tensor<{kind}>, tensor<{other}>) -> tensor<{kind}>"
    return Case(body, [f"tensor<{kind}>", f"tensor<{other}>"], f"tensor<{kind}>")


def _comparison(name: str, element: str) -> Case:
    """Truths as i8: mlir-runner reads a vector of i1 from memory as packed bits, which are not there."""
    types = [f"tensor<2x3x{element}>", f"tensor<1x3x{element}>"]
    body = f"""%g = tosa.{name} %a, %b : ({", ".join(types)}) -> tensor<2x3xi1>
      %r = tosa.cast %g : (tensor<2x3xi1>) -> tensor<2x3xi8>"""
    return Case(body, types, "tensor<2x3xi8>")


def _reduced(name: str, kind: str) -> Case:
    shape, _, element = kind.rpartition("x")
    rows = shape.split("x")[0]
    body = f"%r = tosa.{name} %a {{axis = 1 : i32}} : (tensor<{kind}>) -> tensor<{rows}x1x{element}>"
    return Case(body, [f"tensor<{kind}>"], f"tensor<{rows}x1x{element}>")


def _rescaled(
    source: str, target: str, rounding: str, multiplier: Sequence[int], shift: Sequence[int], wide: bool
) -> Case:
    count, width = len(multiplier), "i32" if wide else "i16"
    zero_in = "5" if source == "i8" else "0"
    zero_out = "-3" if target == "i8" else "0"
    body = (
        _constant("m", str(list(multiplier)), f"tensor<{count}x{width}>")
        + _constant("s", str(list(shift)), f"tensor<{count}xi8>")
        + _constant("i", zero_in, f"tensor<1x{source}>")
        + _constant("o", zero_out, f"tensor<1x{target}>")
        + f"""%r = tosa.rescale %a, %m, %s, %i, %o {{scale32 = {str(wide).lower()}, rounding_mode = {rounding},
          per_channel = {str(count > 1).lower()}, {_ROUND}}} : (tensor<40x3x{source}>, tensor<{count}x{width}>,
          tensor<{count}xi8>, tensor<1x{source}>, tensor<1x{target}>) -> tensor<40x3x{target}>"""
    )
    return Case(body, [f"tensor<40x3x{source}>"], f"tensor<40x3x{target}>")


def _resized(kind: str, result: str, mode: str, near: bool = False, *, odd: bool = False) -> Case:
    """3 by 4 elements to 5 by 7: doubled from border to border, or by 3/2 and 5/3 beyond the borders (ODD)."""
    shapes = ((3, 2, 5, 3), (-1, -2), (1, 1)) if odd else ((4, 2, 4, 2), (0, 0), (0, 0))
    body = "".join(_shape(name, *sizes) for name, sizes in zip("sob", shapes, strict=True)) + (
        f"%r = tosa.resize %a, %s, %o, %b {{mode = {mode}}} : (tensor<1x3x4x2x{kind}>, !tosa.shape<4>, !tosa.shape<2>,"
        f" !tosa.shape<2>) -> tensor<1x5x7x2x{result}>"
    )  # fmt: skip
    return Case(body, [f"tensor<1x3x4x2x{kind}>"], f"tensor<1x5x7x2x{result}>", near)


ZEROS = _constant("z", "0.0", "tensor<1xf32>") + _constant("y", "3", "tensor<1xi8>")
WINDOW = "pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 2>"
POOL = "kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 2>"
CASES: dict[str, Case] = {
    **{name: _unary(name) for name in ("abs", "ceil", "floor", "exp", "tanh", "reciprocal", "erf", "sin", "cos")},
    "sigmoid": _unary("sigmoid")._replace(is_near=True),
    **{name: _binary(name) for name in ("add", "sub", "maximum", "minimum", "pow")},
    **{f"{name} of i32": _binary(name, "2x3xi32", "1x3xi32") for name in ("add", "sub", "bitwise_xor", "maximum")},
    "abs of i8": _unary("abs", "2x3xi8"),
    "clz": _unary("clz", "2x3xi32"),
    "greater": _comparison("greater", "f32"),
    "equal of i32": _comparison("equal", "i32"),
    "mul": Case(
        _constant("s", "0", "tensor<1xi8>")
        + "%r = tosa.mul %a, %b, %s : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>",
        ["tensor<2x3xf32>", "tensor<1x3xf32>"], "tensor<2x3xf32>"),
    "mul of i32 with a shift": Case(
        _constant("s", "7", "tensor<1xi8>")
        + "%r = tosa.mul %a, %b, %s : (tensor<2x3xi32>, tensor<1x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>",
        ["tensor<2x3xi32>", "tensor<1x3xi32>"], "tensor<2x3xi32>"),
    "cast to i8": _unary("cast", "2x3xf32", "2x3xi8"),
    "cast to f32": _unary("cast", "2x3xi32", "2x3xf32"),
    "clamp": Case("%r = tosa.clamp %a {min_val = -0.5 : f32, max_val = 0.25 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        ["tensor<2x3xf32>"], "tensor<2x3xf32>"),
    "negate of i8": Case(_constant("i", "5", "tensor<1xi8>")
        + "%r = tosa.negate %a, %i, %i : (tensor<2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>",
        ["tensor<2x3xi8>"], "tensor<2x3xi8>"),
    "select": Case("%g = tosa.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\n"
        "%r = tosa.select %g, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
        ["tensor<2x3xf32>", "tensor<2x3xf32>"], "tensor<2x3xf32>"),
    **{name: _reduced(name, "3x4xf32") for name in ("reduce_sum", "reduce_product", "reduce_max", "reduce_min")},
    "reduce_sum of i32": _reduced("reduce_sum", "3x4xi32"),
    "argmax": Case("%r = tosa.argmax %a {axis = 1 : i32} : (tensor<3x4xf32>) -> tensor<3xi32>", ["tensor<3x4xf32>"], "tensor<3xi32>"),
    "transpose": Case("%r = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>",
        ["tensor<2x3x4xf32>"], "tensor<4x2x3xf32>"),
    "reverse": Case("%r = tosa.reverse %a {axis = 0 : i32} : (tensor<3x2xf32>) -> tensor<3x2xf32>", ["tensor<3x2xf32>"], "tensor<3x2xf32>"),
    "tile": Case(_shape("m", 2, 3) + "%r = tosa.tile %a, %m : (tensor<2x1xf32>, !tosa.shape<2>) -> tensor<4x3xf32>",
        ["tensor<2x1xf32>"], "tensor<4x3xf32>"),
    "concat": Case("%r = tosa.concat %a, %b {axis = 1 : i32} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>",
        ["tensor<2x1xf32>", "tensor<2x3xf32>"], "tensor<2x4xf32>"),
    "slice": Case(_shape("s", 1, 0) + _shape("n", 2, 2)
        + "%r = tosa.slice %a, %s, %n : (tensor<4x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>",
        ["tensor<4x3xf32>"], "tensor<2x2xf32>"),
    "pad": Case(ZEROS + _shape("p", 1, 0, 0, 2)
        + "%r = tosa.pad %a, %p, %z : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>",
        ["tensor<2x3xf32>"], "tensor<3x5xf32>"),
    "matmul": Case(ZEROS + "%r = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>,"
        " tensor<1xf32>) -> tensor<2x3x5xf32>", ["tensor<2x3x4xf32>", "tensor<2x4x5xf32>"], "tensor<2x3x5xf32>"),
    "matmul of i8": Case(ZEROS + "%r = tosa.matmul %a, %b, %y, %y : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>,"
        " tensor<1xi8>) -> tensor<2x3x5xi32>", ["tensor<2x3x4xi8>", "tensor<2x4x5xi8>"], "tensor<2x3x5xi32>"),
    "conv2d": Case(ZEROS + f"%r = tosa.conv2d %a, %b, %c, %z, %z {{acc_type = f32, {WINDOW}}} : (tensor<1x5x6x2xf32>,"
        " tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5x3xf32>",
        ["tensor<1x5x6x2xf32>", "tensor<3x2x2x2xf32>", "tensor<3xf32>"], "tensor<1x3x5x3xf32>", True),
    "conv2d of i8": Case(ZEROS + f"%r = tosa.conv2d %a, %b, %c, %y, %y {{acc_type = i32, {WINDOW}}} : (tensor<1x5x6x2xi8>,"
        " tensor<3x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5x3xi32>",
        ["tensor<1x5x6x2xi8>", "tensor<3x2x2x2xi8>", "tensor<3xi32>"], "tensor<1x3x5x3xi32>"),
    "depthwise_conv2d of i8": Case(ZEROS + f"%r = tosa.depthwise_conv2d %a, %b, %c, %y, %y {{acc_type = i32, {WINDOW}}}"
        " : (tensor<1x5x6x2xi8>, tensor<2x2x2x3xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x5x6xi32>",
        ["tensor<1x5x6x2xi8>", "tensor<2x2x2x3xi8>", "tensor<6xi32>"], "tensor<1x3x5x6xi32>"),
    "transpose_conv2d": Case(ZEROS + "%r = tosa.transpose_conv2d %a, %b, %c, %z, %z {acc_type = f32,"
        " out_pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x3x4x2xf32>, tensor<3x2x2x2xf32>,"
        " tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x6x3xf32>",
        ["tensor<1x3x4x2xf32>", "tensor<3x2x2x2xf32>", "tensor<3xf32>"], "tensor<1x7x6x3xf32>", True),
    "max_pool2d": Case(f"%r = tosa.max_pool2d %a {{{POOL}}} : (tensor<1x4x6x2xf32>) -> tensor<1x5x3x2xf32>",
        ["tensor<1x4x6x2xf32>"], "tensor<1x5x3x2xf32>"),
    "avg_pool2d": Case(ZEROS + f"%r = tosa.avg_pool2d %a, %z, %z {{{POOL}, acc_type = f32}} : (tensor<1x4x6x2xf32>,"
        " tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x3x2xf32>", ["tensor<1x4x6x2xf32>"], "tensor<1x5x3x2xf32>", True),
    "avg_pool2d of i8": Case(ZEROS + _constant("x", "-7", "tensor<1xi8>")
        + f"%r = tosa.avg_pool2d %a, %y, %x {{{POOL}, acc_type = i32}} : (tensor<1x4x6x2xi8>,"
        " tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x3x2xi8>", ["tensor<1x4x6x2xi8>"], "tensor<1x5x3x2xi8>"),
    "table of i8": Case("%r = tosa.table %a, %b : (tensor<2x3xi8>, tensor<256xi8>) -> tensor<2x3xi8>",
        ["tensor<2x3xi8>", "tensor<256xi8>"], "tensor<2x3xi8>"),
    "table of i16": Case("%r = tosa.table %a, %b : (tensor<20x3xi16>, tensor<513xi16>) -> tensor<20x3xi32>",
        ["tensor<20x3xi16>", "tensor<513xi16>"], "tensor<20x3xi32>"),
    "rescale": _rescaled("i32", "i8", "SINGLE_ROUND", [1 << 30], [34], True),
    "rescale with two roundings": _rescaled("i32", "i8", "DOUBLE_ROUND", [1518500250], [50], True),
    "rescale of channels": _rescaled("i32", "i16", "DOUBLE_ROUND", [1 << 30, 1518500250, 1 << 20], [40, 45, 18], True),
    "rescale by 16 bits": _rescaled("i32", "i8", "SINGLE_ROUND", [19689], [37], False),
    "rescale to more bits": _rescaled("i8", "i32", "SINGLE_ROUND", [1 << 30], [20], True),
    "resize to the nearest": _resized("f32", "f32", "NEAREST_NEIGHBOR"),
    "resize to the nearest of i8": _resized("i8", "i8", "NEAREST_NEIGHBOR"),
    "resize between": _resized("f32", "f32", "BILINEAR", True),
    "resize between of i8": _resized("i8", "i32", "BILINEAR"),
    "resize beyond borders to the nearest": _resized("f32", "f32", "NEAREST_NEIGHBOR", odd=True),
    "resize beyond borders between": _resized("f32", "f32", "BILINEAR", True, odd=True),
}  # fmt: skip


def _inputs(case: Case, seed: int) -> list[Tensor]:
    chance = np.random.default_rng(seed)
    found: list[Tensor] = []
    for kind in case.types:
        *shape, element = kind.removeprefix("tensor<").removesuffix(">").split("x")
        sizes = [int(each) for each in shape]
        if element == "f32":
            found.append(Tensor(chance.standard_normal(sizes).astype(np.float32)))
        else:
            width = int(element[1:])
            half = 1 << (width - 1)
            found.append(Tensor(chance.integers(-half, half, sizes).astype(f"i{width // 8}")))
    return found


def text_of(case: Case) -> str:
    """A function @f that computes CASE."""
    names = ", ".join(f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(case.types))
    return f"func.func @f({names}) -> {case.result} {{\n{case.body}\nreturn %r : {case.result}\n}}"


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", CASES)
def test_the_lowering_computes_the_same(mlir_opt: str, name: str) -> None:
    case = CASES[name]
    lowered = _lowered(mlir_opt, case)
    assert f"tosa.{name.split()[0]} " not in lowered
    ours, theirs = Code(text_of(case)), Code(lowered)
    for seed in range(3):
        inputs = _inputs(case, seed)
        _same(case, ours(*inputs)[0].data, theirs(*inputs)[0].data)


def _position(o: int, size: int, unit: int, step: int, offset: int) -> tuple[int, int, int]:
    """Of an index of the result: the two elements, and the distance from the first one in units."""
    at = o * step + offset
    index = math.floor(at / unit)
    return max(index, 0), min(index + 1, size - 1), at - index * unit


def test_positions_in_front_of_the_beginning_are_rounded_down(mlir_opt: str) -> None:
    """As TOSA has it, and mlir-opt for floats; its lowering of integers rounds them toward zero."""
    case = _resized("i8", "i32", "BILINEAR", odd=True)
    (x,) = _inputs(case, 0)
    expected = np.zeros((1, 5, 7, 2), np.int32)
    for _, i, j, c in np.ndindex(*expected.shape):
        (y0, y1, dy), (x0, x1, dx) = _position(i, 3, 3, 2, -1), _position(j, 4, 5, 3, -2)
        for row, by_row in ((y0, 3 - dy), (y1, dy)):
            for column, by_column in ((x0, 5 - dx), (x1, dx)):
                expected[0, i, j, c] += int(x.data[0, row, column, c]) * by_row * by_column
    found = Code(text_of(case))(x)[0].data
    assert found.tolist() == expected.tolist()
    theirs = Code(_lowered(mlir_opt, case))(x)[0].data
    assert theirs[:, 1:, 1:].tolist() == expected[:, 1:, 1:].tolist()
    assert not np.array_equal(theirs, expected)


def _lowered(mlir_opt: str, case: Case) -> str:
    done = subprocess.run(
        [mlir_opt, f"--pass-pipeline=builtin.module({TO_LINALG})"],
        input=text_of(case), capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout


def _same(case: Case, found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    if case.is_near:
        np.testing.assert_allclose(found, expected, **NEAR)
    else:
        np.testing.assert_array_equal(found, expected)


def _program() -> str:
    """@main, which prints what each case computes from one set of inputs."""
    functions: list[str] = []
    lines = ["%i0 = arith.constant 0 : index"]
    pads = {"f32": "0.0", "i1": "false"}
    for element in ("f32", "i8", "i16", "i32", "i1"):
        lines.append(
            f"%pad_{element} = arith.constant {pads.get(element, '0')} : {element}".replace(
                "false : i1", "false"
            )
        )
    for k, case in enumerate(CASES.values()):
        functions.append(text_of(case).replace("@f(", f"@f{k}("))
        names = [f"%x{k}_{j}" for j in range(len(case.types))]
        for name, kind, value in zip(names, case.types, _inputs(case, 7), strict=True):
            lines.append(f"{name} = arith.constant dense<{_dense(value.data)}> : {kind}")
        shape, _, element = case.result.removeprefix("tensor<").removesuffix(">").rpartition("x")
        zeros = ", ".join(["%i0"] * len(shape.split("x")))
        vector = f"vector<{shape}x{element}>"
        lines.append(f"%r{k} = call @f{k}({', '.join(names)}) : ({', '.join(case.types)}) -> {case.result}")
        lines.append(f"%v{k} = vector.transfer_read %r{k}[{zeros}], %pad_{element} : {case.result}, {vector}")
        lines.append(f"vector.print %v{k} : {vector}")
    body = "\n  ".join(lines)
    return "\n".join([*functions, f"func.func @main() {{\n  {body}\n  return\n}}"])


def _dense(data: Any) -> str:
    if data.ndim:
        return f"[{', '.join(_dense(each) for each in data)}]"
    return f"{float(data):.9e}" if data.dtype.kind == "f" else str(int(data))


@needs_runner
@pytest.mark.slow
def test_mlir_runner_computes_the_same(mlir_opt: str) -> None:
    text = _program()
    code = Code(text)
    machine = Machine(code.module)
    (main,) = (op for op in code.module.walk() if isinstance(op, FuncOp) and op.sym_name.data == "main")
    with np.errstate(all="ignore"):
        call(machine, main, ())
    theirs = executed(mlir_opt, text, TO_LLVM).splitlines()
    for (name, case), ours, expected in zip(CASES.items(), machine.printed, theirs, strict=True):
        if case.result.endswith("f32>"):
            found, wanted = (np.array(_NUMBER.findall(each), np.float64) for each in (ours, expected))
            np.testing.assert_allclose(found, wanted, rtol=3e-5, atol=2e-6, err_msg=name)
        else:
            assert ours == expected, name


_NUMBER = re.compile(r"-?(?:nan|inf|\d[\d.e+-]*)")
