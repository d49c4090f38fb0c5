"""What is written into a program is executed: the bounds are bounds, and sizes and results stay what they are."""

from __future__ import annotations

import re

import pytest

from tests.shared.enumeration import run
from tests.shared.execution import calls, executed, needs_runner

pytestmark = pytest.mark.usefixtures("checked_at_once")

NOTE = "func.func private @note(index, index, index)"
PRINTED = """func.func @note(%lower: index, %value: index, %above: index) {
  vector.print %lower : index
  vector.print %value : index
  vector.print %above : index
  return
}"""


def ask(kinds: str, value: str, operand: str = "", dim: int | None = None, kind: str = "index") -> str:
    """Note VALUE between its bounds: KINDS is some of L and U together, and E.

    What is asked for is the bound of OPERAND (or of its size DIM), which is VALUE.
    """
    operand = operand or value
    tag = re.sub(r"\W", "", value)
    attribute = "" if dim is None else f", dim = {dim} : i64"
    lines: list[str] = []
    for letter, name in (("L", "LB"), ("U", "UB"), ("E", "EQ")):
        if letter in kinds:
            asked = f'"test.reify_bound"({operand}) {{type = "{name}"{attribute}}} : ({kind}) -> index'
            lines.append(f"%{letter}_{tag} = {asked}")
    if "L" in kinds:
        lines.append(f"call @note(%L_{tag}, {value}, %U_{tag}) : (index, index, index) -> ()")
    if "E" in kinds:
        lines += [f"%one_{tag} = arith.constant 1 : index",
                  f"%A_{tag} = arith.addi %E_{tag}, %one_{tag} : index",
                  f"call @note(%E_{tag}, {value}, %A_{tag}) : (index, index, index) -> ()"]  # fmt: skip
    return "\n".join(lines)


# name: arguments, and the body, which asks for what can be answered in terms of the arguments, too
ASKED = {
    "affine_sum": (
        "%a: index, %b: index",
        "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 3 - s0 + 2)>(%a)[%b]\n" + ask("LUE", "%r"),
    ),
    "affine_quotients": (
        "%a: index, %b: index",
        "%q = affine.apply affine_map<()[s0] -> (s0 floordiv 4 + 1)>()[%a]\n"
        "%r = affine.apply affine_map<()[s0, s1] -> ((s0 - s1) ceildiv 3)>()[%q, %b]\n"
        "%m = affine.apply affine_map<()[s0] -> ((s0 mod 7) * 2)>()[%b]\n"
        + ask("LUE", "%q") + "\n" + ask("LUE", "%r") + "\n" + ask("LUE", "%m"),
    ),
    "affine_product": (
        "%a: index, %b: index",
        "%r = affine.apply affine_map<()[s0, s1] -> (s0 * s1 + s0)>()[%a, %b]\n" + ask("LUE", "%r"),
    ),
    "affine_extrema": (
        "%a: index, %b: index",
        "%l = affine.min affine_map<()[s0, s1] -> (s0 + 1, s1 * 2, 16)>()[%a, %b]\n"
        "%h = affine.max affine_map<()[s0, s1] -> (s0 - 1, s1 floordiv 2)>()[%l, %b]\n"
        + ask("LUE", "%l") + "\n" + ask("LUE", "%h"),
    ),
    "digits": (
        "%a: index",
        "%p:3 = affine.delinearize_index %a into (5, 6) : index, index, index\n"
        "%x = arith.addi %p#0, %p#1 : index\n%y = arith.addi %x, %p#2 : index\n"
        "%r = affine.linearize_index [%p#1, %p#2] by (5, 6) : index\n"
        + ask("LUE", "%y") + "\n" + ask("LUE", "%r"),
    ),
    "arith_divisions": (
        "%a: index",
        "%c = arith.constant 4 : index\n%f = arith.floordivsi %a, %c : index\n"
        "%g = arith.ceildivsi %a, %c : index\n%d = arith.divsi %a, %c : index\n%e = arith.remsi %a, %c : index\n"
        + "\n".join(ask("LUE", value) for value in ("%f", "%g", "%d", "%e")),
    ),
    "arith_unsigned": (
        "%a: index",
        "%c = arith.constant 5 : index\n%u = arith.remui %a, %c : index\n"
        "%o = arith.constant 2 : index\n%v = arith.divui %u, %o : index\n"
        + ask("LU", "%u") + "\n" + ask("LU", "%v"),
    ),
    "arith_extrema": (
        "%a: index, %b: index",
        "%c = arith.constant 4 : index\n%l = arith.minsi %a, %c : index\n%h = arith.maxsi %l, %b : index\n"
        "%p = arith.muli %h, %c : index\n%r = arith.subi %p, %a : index\n"
        + "\n".join(ask("LUE", value) for value in ("%l", "%h", "%r")),
    ),
    "selected": (
        "%k: i1, %a: index, %b: index",
        "%r = arith.select %k, %a, %b : index\n%c = arith.constant 3 : index\n%d = arith.addi %a, %c : index\n"
        "%s = arith.select %k, %a, %d : index\n" + ask("LU", "%r") + "\n" + ask("LU", "%s"),
    ),
    "compared": (
        "%a: index, %b: index",
        "%k = arith.cmpi slt, %a, %b : index\n%r = arith.select %k, %a, %b : index\n" + ask("LU", "%r"),
    ),
    "branches": (
        "%k: i1, %a: index, %b: index",
        "%r = scf.if %k -> index {\n%c = arith.constant 7 : index\n%d = arith.addi %a, %c : index\n"
        "scf.yield %d : index\n} else {\nscf.yield %b : index\n}\n" + ask("LU", "%r"),
    ),
    "loop": (
        "%a: index, %b: index",
        "%s = arith.constant 3 : index\nscf.for %i = %a to %b step %s {\n" + ask("LU", "%i") + "\n}",
    ),
    "tiles": (
        "%n: index",
        "%z = arith.constant 0 : index\n%s = arith.constant 8 : index\nscf.for %i = %z to %n step %s {\n"
        "%r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]\n" + ask("LU", "%r") + "\n}",
    ),
    "affine_loop": (
        "%a: index, %n: index",
        "affine.for %i = affine_map<(d0) -> (d0 + 1)>(%a) to min affine_map<(d0) -> (d0, 12)>(%n) step 2 {\n"
        "%r = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)\n"
        + ask("LU", "%i") + "\n" + ask("LU", "%r") + "\n}",
    ),
    "product_of_loops": (
        "%n: index",
        "affine.for %i = 0 to 5 {\naffine.for %j = 0 to 4 {\n%r = arith.muli %i, %j : index\n"
        + ask("LU", "%r") + "\n}\n}",
    ),
    "row_major": (
        "%t: tensor<?x?xf32>",
        "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n"
        "%n = tensor.dim %t, %z : tensor<?x?xf32>\n%b = tensor.dim %t, %o : tensor<?x?xf32>\n"
        "scf.for %i = %z to %n step %o {\nscf.for %j = %z to %b step %o {\n"
        "%p = arith.muli %i, %b : index\n%r = arith.addi %p, %j : index\n" + ask("LU", "%r") + "\n}\n}",
    ),
    "tiles_of_any_size": (
        "%n: index, %b: index",
        "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n%s = arith.maxsi %b, %o : index\n"
        "%c = arith.ceildivsi %n, %s : index\nscf.for %i = %z to %c step %o {\n"
        "%p = arith.muli %i, %s : index\n%l = arith.subi %n, %p : index\n%r = arith.minsi %s, %l : index\n"
        + ask("LU", "%r") + "\n}",
    ),
    "counted": (
        "%n: index",
        "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n%t = arith.constant 2 : index\n"
        "%r = scf.for %i = %z to %n step %o iter_args(%x = %z) -> index {\n"
        "%y = arith.addi %x, %t : index\nscf.yield %y : index\n}\n" + ask("LUE", "%r"),
    ),
    "padded": (
        "%t: tensor<?xf32>",
        "%z = arith.constant 0 : index\n%v = arith.constant 0.0 : f32\n"
        "%p = tensor.pad %t low[1] high[2] {\n^bb0(%i: index):\ntensor.yield %v : f32\n"
        "} : tensor<?xf32> to tensor<?xf32>\n%d = tensor.dim %p, %z : tensor<?xf32>\n"
        + ask("LUE", "%d", "%p", 0, "tensor<?xf32>"),
    ),
    "sliced": (
        "%t: tensor<?x6xf32>",
        "%z = arith.constant 0 : index\n%n = tensor.dim %t, %z : tensor<?x6xf32>\n"
        "%h = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]\n"
        "%s = tensor.extract_slice %t[%h, 2] [%h, 4] [1, 1] : tensor<?x6xf32> to tensor<?x4xf32>\n"
        "%d = tensor.dim %s, %z : tensor<?x4xf32>\n" + ask("LUE", "%d", "%s", 0, "tensor<?x4xf32>"),
    ),
    "chosen_tensor": (
        "%k: i1, %t: tensor<?xf32>, %u: tensor<?xf32>",
        "%z = arith.constant 0 : index\n%s = arith.select %k, %t, %u : tensor<?xf32>\n"
        "%d = tensor.dim %s, %z : tensor<?xf32>\n" + ask("LU", "%d", "%s", 0, "tensor<?xf32>"),
    ),
    "subview": (
        "%m: memref<?x8xf32>",
        "%z = arith.constant 0 : index\n%n = memref.dim %m, %z : memref<?x8xf32>\n"
        "%s = memref.subview %m[0, 0] [%n, 4] [1, 2] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 2]>>\n"
        "%d = memref.dim %s, %z : memref<?x4xf32, strided<[8, 2]>>\n"
        + ask("LUE", "%d", "%s", 0, "memref<?x4xf32, strided<[8, 2]>>"),
    ),
}  # fmt: skip


def types(arguments: str) -> list[str]:
    """The types of `%a: index, %t: tensor<?xf32>`."""
    return re.findall(r"%\w+: (\w+(?:<.*?>)?)", arguments)


def module() -> str:
    functions = [
        f"func.func @{name}({arguments}) {{\n{body}\nreturn\n}}" for name, (arguments, body) in ASKED.items()
    ]
    return "\n".join([NOTE, *functions])


def signed(printed: str) -> int:
    """An index as vector.print writes it: without a sign."""
    return (int(printed) + 2**63) % 2**64 - 2**63


VARIANTS = [
    "{reify-to-func-args use-arith-ops}",
    pytest.param("", marks=pytest.mark.fuzz),  # none or one of the two: test_reify_value_bounds, too
    pytest.param("{use-arith-ops}", marks=pytest.mark.fuzz),
    pytest.param("{reify-to-func-args}", marks=pytest.mark.fuzz),
]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: options.strip("{}") or "plain")
def test_bounds_are_bounds_when_they_are_executed(options: str, mlir_opt: str) -> None:
    """lower <= value < above, for random inputs of every program."""
    text = module()
    program = run(text, f"test-affine-reify-value-bounds{options}")
    assert [text.splitlines()[d.place.line - 1] for d in program.diagnostics if d.place is not None] == []
    main = calls([(name, types(arguments)) for name, (arguments, _) in ASKED.items()], 12, seed=1)
    text = program.text(annotate="none").replace(NOTE, PRINTED)
    numbers = [signed(line) for line in executed(mlir_opt, text + main).split()]
    triples = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    assert len(triples) > 12 * len(ASKED)
    assert [triple for triple in triples if not triple[0] <= triple[1] < triple[2]] == []
