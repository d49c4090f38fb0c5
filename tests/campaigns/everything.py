"""Random texts of the parts of `mixtures` and of more: numbers of 1 to 128 bits, loops with steps that are values,
affine code, views of views, tensors that are cut and joined, structured operations, nested calls, unrolled code.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.campaigns import mixtures
from tests.campaigns.mixtures import Mixture
from tests.campaigns.shapes import EXTREMA, KINDS, PARTS, WRAPPING, access
from tests.oracles.arith.execute import BINARY

WIDE = ("i1", "i4", "i64", "i64", "i128", "i128")
DIVIDING = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui", "shrsi", "shrui")
VECTOR, UNKNOWN, STATIC = "tensor<?xf32>", "memref<?xi32>", "memref<16xi8>"

CALLEES = """
func.func private @outer(%m: memref<16xi8>, %i: index) -> index {
  %c2 = arith.constant 2 : index
  %h = arith.divui %i, %c2 : index
  %r = func.call @known(%m, %h) : (memref<16xi8>, index) -> index
  %s = func.call @step(%r) : (index) -> index
  %t = func.call @step(%s) : (index) -> index
  return %t : index
}
func.func private @step(%i: index) -> index {
  %c3 = arith.constant 3 : index
  %j = arith.muli %i, %c3 : index
  return %j : index
}
"""


def wide(text: Mixture) -> None:
    """Operations on numbers of few or many bits, and what is left of them."""
    kind = text.chance.choice(WIDE)
    for _ in range(text.chance.randint(1, 4)):
        text.binary(kind, text.chance.choice((WRAPPING, DIVIDING, EXTREMA)))
    if kind != "i1":
        text.cast(text.some(kind), text.chance.choice(KINDS))


def divided(text: Mixture) -> None:
    """Quotients and remainders by values, of each other."""
    kind = text.chance.choice(KINDS)
    for _ in range(text.chance.randint(1, 4)):
        text.binary(kind, text.chance.choice((DIVIDING, DIVIDING, tuple(BINARY))))


def extended(text: Mixture) -> None:
    """Both halves of a product, or a sum with its carry."""
    kind = text.chance.choice(("i8", "i32", "i64"))
    low, high = text.fresh(), text.fresh()
    name = text.chance.choice(("mulsi_extended", "mului_extended", "addui_extended"))
    second = "i1" if name == "addui_extended" else kind
    types = f"{kind}, i1" if second == "i1" else kind
    text.write(f"{low}, {high} = arith.{name} {text.some(kind)}, {text.some(kind)} : {types}")
    text.kinds |= {low: kind, high: second}


def unrolled(text: Mixture) -> None:
    """One load, sum and store for each of a few neighbours."""
    start = text.some("index")
    for k in range(text.chance.randint(2, 3)):
        number = text.add(f"arith.constant {k + 1} : index", "index")
        at = text.add(f"arith.addi {start}, {number} : index", "index")
        loaded = text.add(f"memref.load %m[{at}] : {STATIC}", "i8")
        text.write(f"memref.store {loaded}, %m[{text.some('index')}] : {STATIC}")


def valued_loop(text: Mixture) -> None:
    """scf.for or scf.parallel with a step that is a value."""
    low, high, step, counter = text.some("index"), text.some("index"), text.some("index"), text.fresh()
    if text.chance.random() < 0.6:
        text.write(f"scf.for {counter} = {low} to {high} step {step} {{")
    else:
        text.write(f"scf.parallel ({counter}) = ({low}) to ({high}) step ({step}) {{")
    _inner(text, {counter: "index"})


def affine_loop(text: Mixture) -> None:
    """affine.for between maps of values, in which elements are read and written by affine maps."""
    outer, inner = text.fresh(), text.fresh()
    high, step = _symbol(text), text.chance.choice((1, 2, 3))
    bound = text.chance.choice((high, "9", f"min affine_map<(d0) -> (d0, 40)>({high})"))
    text.write(f"affine.for {outer} = 0 to {bound} step {step} {{")
    is_nested = text.chance.random() < 0.5
    if is_nested:
        text.write(f"affine.for {inner} = affine_map<(d0) -> (d0 * 2)>({outer}) to 20 {{")
    at = inner if is_nested else outer
    text.inside(lambda: [_affine_access(text, outer, at) for _ in range(text.chance.randint(1, 3))])
    text.lines += ["}"] * (1 + is_nested)


def _symbol(text: Mixture) -> str:
    """An index that affine operations may use anywhere."""
    arguments = [name for name, kind in text.arguments.items() if kind == "index"]
    return text.chance.choice(arguments) if arguments else text.constant("index")


def _affine_access(text: Mixture, outer: str, at: str) -> None:
    shift, divisor = text.chance.randint(-2, 5), text.chance.choice((2, 3, 16))
    subscript = text.chance.choice(
        (f"{at} + {shift}", f"{outer} * 3 - {at}", f"({at} + {shift}) mod {divisor}")
    )
    if text.chance.random() < 0.5:
        text.write(f"{text.fresh()} = affine.load %d[{subscript}] : {UNKNOWN}")
    else:
        text.write(f"affine.store {text.some('i32')}, %d[{subscript}] : {UNKNOWN}")


def affine_condition(text: Mixture) -> None:
    """affine.if of an integer set with a remainder."""
    first, divisor, bound = _symbol(text), text.chance.choice((2, 3, 8)), text.chance.choice((0, 1, 5))
    test = text.chance.choice(
        (
            f"d0 mod {divisor} == 0",
            f"d0 - {bound} >= 0, 40 - d0 >= 0",
            f"d0 floordiv {divisor} - {bound} >= 0",
        )
    )
    text.write(f"affine.if affine_set<(d0) : ({test})>({first}) {{")
    _inner(text, {})


def _inner(text: Mixture, inside: dict[str, str]) -> None:
    """A region of a few parts, without results."""

    def write() -> None:
        text.kinds |= inside
        access(text)
        if text.left > 6 and text.chance.random() < 0.6:
            text.chance.choice((access, divided, wide, unrolled, *PARTS))(text)

    text.inside(write)
    text.lines.append("}")


def views(text: Mixture) -> None:
    """A view of a view, that is written and read."""
    first, second = text.fresh(), text.fresh()
    kind, again = (f"memref<?xi32, strided<[{s}], offset: ?>>" for s in ("2", "6"))
    offset, size = text.some("index"), text.some("index")
    text.write(f"{first} = memref.subview %d[{offset}] [{size}] [2] : {UNKNOWN} to {kind}")
    inner = text.some("index")
    text.write(f"{second} = memref.subview {first}[{inner}] [{text.some('index')}] [3] : {kind} to {again}")
    text.write(f"memref.store {text.some('i32')}, {second}[{text.some('index')}] : {again}")
    text.add(f"memref.load %d[{text.some('index')}] : {UNKNOWN}", "i32")


def rows(text: Mixture) -> None:
    """Rows of memory of two dimensions: collapsed, or recast with sizes that are values."""
    name = text.fresh()
    if text.chance.random() < 0.5:
        text.write(f"{name} = memref.collapse_shape %t [[0, 1]] : memref<?x8xi32> into {UNKNOWN}")
        text.memory[name] = UNKNOWN
    else:
        size, stride = text.some("index"), text.some("index")
        kind = "memref<?x4xi32, strided<[?, 1], offset: 3>>"
        text.write(
            f"{name} = memref.reinterpret_cast %d to offset: [3], sizes: [{size}, 4], strides: [{stride}, 1] : "
            f"{UNKNOWN} to {kind}"
        )
        text.write(
            f"memref.store {text.some('i32')}, {name}[{text.some('index')}, {text.some('index')}] : {kind}"
        )
    access(text)


def joined(text: Mixture) -> None:
    """Tensors behind each other, or one within another."""
    (left, kind), (right, other) = (text.chance.choice([*text.tensors.items()]) for _ in range(2))
    name = text.fresh()
    if text.chance.random() < 0.5:
        whole = "tensor<32xf32>" if "?" not in kind + other else VECTOR
        text.write(f"{name} = tensor.concat dim(0) {left}, {right} : ({kind}, {other}) -> {whole}")
        text.tensors[name] = whole
    else:
        part, size = text.fresh(), text.some("index")
        text.write(
            f"{part} = tensor.extract_slice {left}[{text.some('index')}] [{size}] [1] : {kind} to {VECTOR}"
        )
        text.write(
            f"{name} = tensor.insert_slice {part} into {right}[{text.some('index')}] [{size}] "
            f"[{text.chance.choice((1, 3))}] : {VECTOR} into {other}"
        )
        text.tensors[name] = other
    if text.chance.random() < 0.5:
        zero = text.add("arith.constant 0 : index", "index")
        text.add(f"tensor.dim {name}, {zero} : {text.tensors[name]}", "index")


def structured(text: Mixture) -> None:
    """A sum over windows of a tensor, or a matrix product."""
    kind = text.tensors[source := text.chance.choice([*text.tensors])]
    fill, empty, result = text.fresh(), text.fresh(), text.fresh()
    text.write(f"{fill} = arith.constant dense<0.0> : tensor<3xf32>")
    size, step = text.chance.choice((1, 4)), text.chance.choice((1, 2))
    text.write(f"{empty} = tensor.empty() : tensor<{size}xf32>")
    maps = f"[affine_map<(i, k) -> (i * {step} + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>]"
    text.write(
        f'{result} = linalg.generic {{indexing_maps = {maps}, iterator_types = ["parallel", "reduction"]}} '
        f"ins({source}, {fill} : {kind}, tensor<3xf32>) outs({empty} : tensor<{size}xf32>) {{"
    )
    text.lines += [
        "^bb0(%e: f32, %w: f32, %o: f32):", "%p = arith.mulf %e, %w : f32", "%q = arith.addf %p, %o : f32",
        "linalg.yield %q : f32", f"}} -> tensor<{size}xf32>",
    ]  # fmt: skip
    text.left -= 4


def nested_call(text: Mixture) -> None:
    """A call of a function that calls others."""
    text.add(f"func.call @outer(%m, {text.some('index')}) : ({STATIC}, index) -> index", "index")


def digits(text: Mixture) -> None:
    """A position as digits, and back."""
    one, two = text.fresh(), text.fresh()
    text.write(
        f"{one}, {two} = affine.delinearize_index {text.some('index')} into ({text.chance.choice((3, 8))}, 5) : index, index"
    )
    text.kinds |= {one: "index", two: "index"}
    text.add(
        f"affine.linearize_index [{two}, {text.some('index')}] by (7, {text.chance.choice((2, 9))}) : index",
        "index",
    )


MORE: Sequence[Callable[[Mixture], None]] = (
    wide, divided, extended, unrolled, valued_loop, affine_loop, affine_condition, views, rows, joined, structured,
    nested_call, digits,
)  # fmt: skip


def everything(seed: str, most: int = 30) -> str:
    """The text of a function of at most MOST lines."""
    return (
        mixtures.written(random.Random(f"everything {seed}"), most, (*MORE, *MORE, *mixtures.ALL)) + CALLEES
    )
