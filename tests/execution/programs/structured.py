"""Steps of structured operations of linalg, on tensors and on memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from tests.execution.programs.draft import Draft, Step, Value
from tests.execution.programs.memory import allocated, shape
from tests.execution.programs.support import FLOATS, INTEGERS
from tests.execution.programs.tensors import generated, static
from volcli_dialects.linalg.named_ops import MAC_Q, NAMED_OPS, Row

ELEMENTWISE = {
    "add": 2, "sub": 2, "mul": 2, "div": 2, "max": 2, "min": 2, "negf": 1, "abs": 1, "ceil": 1, "floor": 1, "sqrt": 1,
    "square": 1, "round": 1, "reciprocal": 1, "select": 3, "copy": 1, "div_unsigned": 2,
}  # fmt: skip
FLOAT_ONLY = ("negf", "abs", "ceil", "floor", "sqrt", "round", "reciprocal", "div", "square")
INEXACT = ("exp", "log", "tanh", "erf", "rsqrt", "powf")
"""What the C library rounds."""


def operand(d: Draft, element: str, sizes: Sequence[int], *, tensor: bool) -> Value:
    """A tensor, or memory of its own; without elements it is not for other steps."""
    made = static(d, generated(d, element, sizes)) if tensor else allocated(d, element, sizes, static=True)
    if 0 in sizes:
        d.scopes[-1][:] = [each for each in d.scopes[-1] if 0 not in each.shape]
    return made


def apply(d: Draft, head: str, inputs: Sequence[Value], output: Value, tail: str = "") -> None:
    """`HEAD ins(...) outs(...) TAIL`, whose result on tensors is in scope."""
    ins = f"ins({', '.join(v.name for v in inputs)} : {', '.join(v.type for v in inputs)}) " if inputs else ""
    arrow = (
        f" -> {output.type}"
        if output.kind == "tensor" and "dimensions" not in tail and "permutation" not in tail
        else ""
    )
    text = f"{head} {ins}outs({output.name} : {output.type}){tail}{arrow}"
    if output.kind != "tensor":
        d.line(text)
    elif 0 in output.shape:
        d.defined(text)
    else:
        d.let(text, output.type, output.element, output.sizes)


def named(row: Row, d: Draft) -> None:
    """A row of the table of named operations: sizes for its loops, and operands that they index."""
    least = 0 if not row.windows and "+" not in row.maps and d.chance.random() < 0.2 else 1
    sizes = {name: d.chance.randint(least, 3) for name in row.iterator_names or ()}
    sizes |= {"m0": 2, "n0": 2, "k0": 1} if "m0" in sizes else {}
    stride, dilation = d.chance.randint(1, 2), d.chance.randint(1, 2)
    tensor = d.chance.random() < 0.6
    elements = ("i32", "i64") if "unsigned" in row.name else ("i32", "f32", "f64", "i8", "f16")
    e = "i32" if row.body == MAC_Q else d.chance.choice(elements)
    narrow = "i8" if row.body == MAC_Q else e
    operands: list[Value] = []
    for k, text in enumerate(row.operand_maps):
        last = k == row.input_count
        dims = [_extent(sizes, each, stride, dilation) for each in text.split()]
        is_point = row.body == MAC_Q and not text
        of = e if last or is_point else narrow
        operands.append(
            d.scalar("i32" if is_point else of)
            if not text and not last
            else operand(d, of, dims, tensor=tensor)
        )
    n = len(row.windows)
    numbers = (
        f"{{strides = dense<{stride}> : tensor<{n}xi64>, dilations = dense<{dilation}> : tensor<{n}xi64>}}"
    )
    apply(d, f"linalg.{row.name}{' ' + numbers if n else ''}", operands[:-1], operands[-1])


def _extent(sizes: dict[str, int], text: str, stride: int, dilation: int) -> int:
    if text in "DHW":
        low = text.lower()
        return (sizes[f"o{low}"] - 1) * stride + (sizes[f"k{low}"] - 1) * dilation + 1
    return sum(sizes[name] - 1 for name in text.split("+")) + 1


def elementwise(name: str, d: Draft) -> None:
    sizes, tensor = shape(d), d.chance.random() < 0.6
    e = d.chance.choice(("f32", "f64") if name in FLOAT_ONLY else ("i32", "i16", "f32"))
    if name == "div_unsigned":
        return _divided(d, sizes)
    inputs = [operand(d, e, sizes, tensor=tensor) for _ in range(ELEMENTWISE[name])]
    if name == "select":
        inputs[0] = operand(d, "i1", sizes, tensor=tensor)
    apply(d, f"linalg.{name}", inputs, operand(d, e, sizes, tensor=tensor))
    return None


def _divided(d: Draft, sizes: Sequence[int]) -> None:
    """A quotient by odd numbers."""
    a, out = (operand(d, "i32", sizes, tensor=True) for _ in range(2))
    three = d.defined(f"arith.constant dense<3> : {a.type}")
    apply(d, "linalg.div_unsigned", [a, Value(three, a.type, "i32", a.sizes)], out)


def of_kind(d: Draft) -> None:
    sizes = shape(d)
    kind, count, e = d.chance.choice(
        (
            ("add", 2, "i32"),
            ("mul", 2, "f32"),
            ("abs", 1, "f64"),
            ("negf", 1, "f32"),
            ("max_signed", 2, "i16"),
            ("sub", 2, "f64"),
        )
    )
    inputs = [operand(d, e, sizes, tensor=True) for _ in range(count)]
    apply(
        d,
        f"linalg.elementwise kind=#linalg.elementwise_kind<{kind}>",
        inputs,
        operand(d, e, sizes, tensor=True),
    )


def contract(d: Draft) -> None:
    e, tensor = d.chance.choice(("i32", "f32")), d.chance.random() < 0.5
    m, n, k = shape(d, 3)
    maps = "affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>"
    a, b, c = (operand(d, e, sizes, tensor=tensor) for sizes in ((k, m), (k, n), (n, m)))
    apply(d, f"linalg.contract indexing_maps = [{maps}]", [a, b], c)


def transpose(d: Draft) -> None:
    e, (a, b, c), tensor = d.element(), shape(d, 3), d.chance.random() < 0.5
    apply(
        d,
        "linalg.transpose",
        [operand(d, e, (a, b, c), tensor=tensor)],
        operand(d, e, (c, a, b), tensor=tensor),
        " permutation = [2, 0, 1]",
    )


def broadcast(d: Draft) -> None:
    e, (a, b), tensor = d.element(), shape(d, 2), d.chance.random() < 0.5
    apply(
        d,
        "linalg.broadcast",
        [operand(d, e, (b,), tensor=tensor)],
        operand(d, e, (a, b), tensor=tensor),
        " dimensions = [0]",
    )


def _body(d: Draft, arguments: Sequence[Value], ending: str) -> None:
    with d.region(*arguments):
        d.scalar_body()
        e = arguments[-1].type
        d.line(f"{ending} {d.scalar(e).name} : {e}")


def reduce(d: Draft) -> None:
    e, (a, b), tensor = d.element(), shape(d, 2), d.chance.random() < 0.5
    source, target = operand(d, e, (a, b), tensor=tensor), operand(d, e, (b,), tensor=tensor)
    name = d.fresh()
    x, y = Value(d.fresh(), e, e), Value(d.fresh(), e, e)
    start = f"{name} = " if tensor else ""
    d.line(
        f"{start}linalg.reduce ins({source.name} : {source.type}) outs({target.name} : {target.type}) dimensions = [0]"
    )
    d.line(f"({x.name}: {e}, {y.name}: {e}) {{")
    _body(d, [x, y], "linalg.yield")
    d.line("}")
    if tensor:
        d.add(Value(name, target.type, e, target.sizes))


def map_(d: Draft) -> None:
    """The element of the output is not used: mlir-opt-22 bufferizes a map as if that were never read."""
    e, sizes, tensor = d.element(), shape(d), d.chance.random() < 0.5
    source, target = operand(d, e, sizes, tensor=tensor), operand(d, e, sizes, tensor=tensor)
    name = d.fresh()
    x, y = Value(d.fresh(), e, e), Value(d.fresh(), e, e)
    start = f"{name} = " if tensor else ""
    d.line(f"{start}linalg.map ins({source.name} : {source.type}) outs({target.name} : {target.type})")
    d.line(f"({x.name}: {e}, {y.name}: {e}) {{")
    _body(d, [x], "linalg.yield")
    d.line("}")
    if tensor:
        d.add(Value(name, target.type, e, target.sizes))


ACCESSES = (
    ("(i, j)", "(j, i)", "(i, j)"), ("(i + j)", "(i, j)", "(i, j)"), ("(i * 2 + j)", "(j)", "(i)"), ("(j)", "(i)", "()"),
    ("(i, j)", "()", "(j)"), ("(j, i)", "(i, j)", "(j, i)"), ("(i, j floordiv 2)", "(i, j)", "(i)"),
    ("(i, 1)", "(j, i)", "(i, j)"),
)  # fmt: skip


def generic(d: Draft) -> None:
    """Any body at any linear subscripts, and the loops' indices."""
    tensor, (m, n) = d.chance.random() < 0.5, shape(d, 2)
    maps = d.chance.choice(ACCESSES)
    kinds = [d.element() for _ in maps]
    operands = [
        operand(d, e, _extents(text, m, n), tensor=tensor) for e, text in zip(kinds, maps, strict=True)
    ]
    output, name = operands[-1], d.fresh()
    iterators = [f'"{"parallel" if each in maps[-1] else "reduction"}"' for each in "ij"]
    texts = ", ".join(f"affine_map<(i, j) -> {text}>" for text in maps)
    ins = f"ins({operands[0].name}, {operands[1].name} : {operands[0].type}, {operands[1].type})"
    start = f"{name} = " if tensor else ""
    d.line(f"{start}linalg.generic {{indexing_maps = [{texts}], iterator_types = [{', '.join(iterators)}]}}")
    d.line(f"{ins} outs({output.name} : {output.type}) {{")
    arguments = [Value(d.fresh(), e, e) for e in kinds]
    d.line(f"^bb0({', '.join(f'{a.name}: {a.type}' for a in arguments)}):")
    with d.region(*arguments):
        d.let(f"linalg.index {d.chance.randint(0, 1)} : index", "index")
        _body(d, arguments, "linalg.yield")
    d.line(f"}} -> {output.type}" if tensor else "}")
    if tensor:
        d.add(Value(name, output.type, output.element, output.sizes))


def in_body(step: Step, d: Draft) -> None:
    """STEP at all points of a nest: its operands are elements of inputs of every type."""
    kinds = (*INTEGERS, *FLOATS)
    tensor, sizes = d.chance.random() < 0.5, (3, 4)
    inputs = [operand(d, e, sizes, tensor=tensor) for e in kinds]
    arguments = [Value(d.fresh(), e, e) for e in kinds]
    with d.apart() as lines, d.region(*arguments):
        before, d.is_scalar = d.is_scalar, True
        d.perform(step)
        d.is_scalar = before
        found = d.scopes[-1][-1]
    output, last = operand(d, found.type, sizes, tensor=tensor), Value(d.fresh(), found.type, found.type)
    maps = ", ".join("affine_map<(i, j) -> (i, j)>" for _ in (*inputs, output))
    name = d.fresh()
    d.line(f"{f'{name} = ' if tensor else ''}linalg.generic {{indexing_maps = [{maps}], ")
    d.line('iterator_types = ["parallel", "parallel"]}')
    ins = f"{', '.join(v.name for v in inputs)} : {', '.join(v.type for v in inputs)}"
    d.line(f"ins({ins}) outs({output.name} : {output.type}) {{")
    d.line(f"^bb0({', '.join(f'{a.name}: {a.type}' for a in (*arguments, last))}):")
    d.put([*lines, f"linalg.yield {found.name} : {found.type}"])
    d.line(f"}} -> {output.type}" if tensor else "}")
    if tensor:
        d.add(Value(name, output.type, output.element, output.sizes))


def _extents(text: str, m: int, n: int) -> list[int]:
    """How far subscripts reach for i below m and j below n."""
    inside = text.strip("()")
    values = {"i": m - 1, "j": n - 1}
    return (
        [eval(re.sub("floordiv", "//", each), {}, values) + 1 for each in inside.split(",")] if inside else []
    )


ROWS = [row for row in NAMED_OPS.values() if not row.any_rank and row.name != "fill_rng_2d"]
STEPS: list[Step] = [
    *(partial(named, row) for row in ROWS), *(partial(named, row) for row in ROWS),
    *(partial(elementwise, name) for name in ELEMENTWISE),
    *(step for step in (of_kind, contract, transpose, broadcast, reduce, map_) for _ in range(2)),
    *(generic for _ in range(8)),
]  # fmt: skip
