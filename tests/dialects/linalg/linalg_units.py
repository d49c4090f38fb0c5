"""Small functions with one structured operation each: every row of the table in several forms, and others."""

from __future__ import annotations

from collections.abc import Iterator

from tests.dialects.linalg.linalg_regions import REGIONS
from volcli_dialects.linalg.named_ops import MAC_Q, NAMED_OPS, POOL_UMAX, POOL_UMIN, Row

STRIDES, DILATIONS = (2, 1, 3), (1, 2, 1)


def elements(row: Row) -> list[str]:
    """An element type for each operand that the row's body admits."""
    special = {
        "select": ["i1", "f32", "f32", "f32"],
        "div_unsigned": ["i32", "i32", "i32"],
        "fill_rng_2d": ["f64", "f64", "i32", "f32"],
    }
    if row.body == MAC_Q:
        return ["i8", "i8", "i32", "i32", "i32"]
    if row.body in (POOL_UMAX, POOL_UMIN):
        return ["i8", "i8", "i32"]
    return special.get(row.name, ["f32"] * (row.input_count + 1))


def sizes(row: Row, subscripts: str, sizes_of_loops: dict[str, int]) -> list[int]:
    """The smallest operand that these subscripts stay in: the loops' ranges, the windows' extents."""
    if subscripts == "...":
        return [3, 4]

    def size(subscript: str) -> int:
        if subscript in row.windows:
            window, letter = row.windows.index(subscript), subscript.lower()
            outer, inner = sizes_of_loops[f"o{letter}"] - 1, sizes_of_loops[f"k{letter}"] - 1
            return outer * STRIDES[window] + inner * DILATIONS[window] + 1
        parts = subscript.split("+")
        return sum(sizes_of_loops[part] - 1 for part in parts) + 1

    return [size(subscript) for subscript in subscripts.split()]


def operand_types(row: Row, kind: str) -> list[str]:
    """The operands' types: of static sizes in a tensor or memref, or tensors of dynamic size."""
    loops = {name: 2 + index % 3 for index, name in enumerate(row.iterator_names or ())}
    types: list[str] = []
    for operand, (subscripts, element) in enumerate(zip(row.operand_maps, elements(row), strict=True)):
        dims = [str(size) for size in sizes(row, subscripts, loops)]
        if kind == "dynamic":
            dims = ["?"] * len(dims)
        is_scalar = not subscripts and operand < row.input_count
        shape = "".join(f"{dim}x" for dim in dims)
        types.append(
            element if is_scalar else f"{'memref' if kind == 'memref' else 'tensor'}<{shape}{element}>"
        )
    return types


def unit(row: Row, kind: str) -> str:
    """A function with this operation on tensors ("tensor", "dynamic") or on buffers ("memref")."""
    attributes = ["some.note = 3 : i32"] if kind == "memref" else []
    if count := len(row.windows):
        attributes.append(f"strides = dense<{list(STRIDES[:count])}> : tensor<{count}xi64>")
        attributes.append(f"dilations = dense<{list(DILATIONS[:count])}> : vector<{count}xi64>")
    text = f"{{{', '.join(attributes)}}}" if attributes else ""
    return function(f"linalg.{row.name}", text, operand_types(row, kind))


def function(op: str, attributes: str, types: list[str]) -> str:
    """A function whose arguments are the operands of one operation, of which the last is the output."""
    names = [f"%{index}" for index in range(len(types))]
    ins = f"ins({', '.join(names[:-1])} : {', '.join(types[:-1])}) " if len(types) > 1 else ""
    text = f"{op} {attributes} {ins}outs({names[-1]} : {types[-1]})"
    arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, types, strict=True))
    if types[-1].startswith("memref"):
        return f"func.func @f({arguments}) {{\n  {text}\n  return\n}}\n"
    return (
        f"func.func @f({arguments}) -> {types[-1]} {{\n  %r = {text} -> {types[-1]}\n"
        f"  return %r : {types[-1]}\n}}\n"
    )


def rows() -> Iterator[tuple[str, str]]:
    """Every row of the table."""
    for name, row in NAMED_OPS.items():
        for kind in ("tensor", "memref", "dynamic"):
            yield f"{name} {kind}", unit(row, kind)
        if row.windows:
            types = operand_types(row, "dynamic")
            yield f"{name} defaults", function(f"linalg.{name}", "", types)
            splat = f"{{strides = dense<2> : tensor<{len(row.windows)}xi64>}}"
            yield f"{name} splat", function(f"linalg.{name}", splat, types)


_UNSIGNED = "{cast = #linalg.type_fn<cast_unsigned>}"


def casts() -> Iterator[tuple[str, str]]:
    """Bodies that convert their elements, or whose function depends on them."""
    for left, right, out in (
        ("i8", "i8", "i32"),
        ("i8", "i16", "f32"),
        ("f16", "bf16", "f32"),
        ("f64", "i64", "f32"),
        ("i64", "i32", "i16"),
        ("index", "i32", "i32"),
        ("i1", "i1", "i1"),
        ("complex<f32>", "complex<f32>", "complex<f32>"),
        ("f32", "f32", "i32"),
    ):
        types = [f"tensor<2x3x{left}>", f"tensor<3x4x{right}>", f"tensor<2x4x{out}>"]
        yield f"matmul {left} {right} {out}", function("linalg.matmul", "", types)
        yield f"matmul unsigned {left} {right} {out}", function("linalg.matmul", _UNSIGNED, types)
    for source, out in (("i8", "f32"), ("f32", "i8"), ("index", "i32"), ("f64", "f16"), ("i32", "i8")):
        types = [f"tensor<2x{source}>", f"tensor<2x{out}>"]
        yield f"copy {source} {out}", function("linalg.copy", "", types)
        yield f"copy unsigned {source} {out}", function("linalg.copy", _UNSIGNED, types)
    for op in ("add", "mul", "sub", "div", "max", "min"):
        for element in ("i32", "i1", "complex<f32>"):
            if (element, op) in {
                ("i1", "sub"),
                ("i1", "div"),
                ("complex<f32>", "max"),
                ("complex<f32>", "min"),
            }:
                continue
            yield f"{op} {element}", function(f"linalg.{op}", "", [f"tensor<2x{element}>"] * 3)
    for pool in ("max", "min", "sum", "max_unsigned", "min_unsigned"):
        types = ["tensor<1x4x4x2xi8>", "tensor<3x3xi8>", "tensor<1x2x2x2xi16>"]
        yield f"pooling {pool} i8", function(f"linalg.pooling_nhwc_{pool}", "", types)


def maps(*results: str) -> str:
    """`indexing_maps = [...]` over three loops i, j, k with these results."""
    return f"indexing_maps = [{', '.join(f'affine_map<(i, j, k) -> ({result})>' for result in results)}]"


def given_maps() -> Iterator[tuple[str, str]]:
    """Operations with maps given, and other spellings."""
    square = ["tensor<4x4xf32>"] * 3
    yield "matmul transposed", function("linalg.matmul", maps("k, i", "k, j", "i, j") + " {note}", square)
    yield "matmul default maps", function("linalg.matmul", maps("i, k", "k, j", "i, j"), square)
    row = ["tensor<4xf32>", *square[1:]]
    yield "matmul broadcast", function("linalg.matmul", maps("k", "k, j", "i, j"), row)
    yield "contract", function("linalg.contract", maps("k, i", "k, j", "i, j"), square)
    narrow = ["memref<4x4xi8>", "memref<4x4xi8>", "memref<4x4xi32>"]
    cast = maps("i, k", "j, k", "i, j") + " {cast = #linalg.type_fn<cast_unsigned>, note}"
    yield "contract cast", function("linalg.contract", cast, narrow)
    yield "fill of rank 0", function("linalg.fill", "", ["f32", "tensor<f32>"])
    yield (
        "attributes behind",
        "func.func @f(%a: memref<4xf32>) {\n"
        "  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) {note = 1 : i8}\n  return\n}\n",
    )


def elementwise() -> Iterator[tuple[str, str]]:
    """linalg.elementwise of each kind."""
    kinds = {
        "exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf": ["tensor<4x4xf32>"] * 2,
        "add sub mul div max_signed min_signed powf": ["tensor<4x4xf32>"] * 3,
        "max_unsigned min_unsigned div_unsigned": ["memref<4xi8>"] * 3,
        "select": ["tensor<?xi1>", "tensor<?xf32>", "tensor<?xf32>", "tensor<?xf32>"],
    }
    for names, types in kinds.items():
        for name in names.split():
            op = f"linalg.elementwise kind=#linalg.elementwise_kind<{name}>"
            yield f"elementwise {name}", function(op, "{note}", types)
    maps_of_pairs = ", ".join(f"affine_map<(i, j) -> ({result})>" for result in ("j, i", "", "i, j"))
    given = f"indexing_maps = [{maps_of_pairs}]"
    types = ["tensor<4x3xf32>", "f32", "tensor<3x4xf32>"]
    op = "linalg.elementwise kind=#linalg.elementwise_kind<add>"
    yield "elementwise maps", function(op, given, types)


UNITS = {**dict(rows()), **dict(casts()), **dict(given_maps()), **dict(elementwise()), **REGIONS}
