"""What loops run through and carry, what branches give, and when their regions run."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.ir import Operation, OpResult, SSAValue

from tests.dialects.bounds_cases import Values, at, holds, the
from volcli.language import questions
from volcli.language.expressions import constant, dim_of, value_of
from volcli.language.loops import Choice, Loop, While


def counted(op: Operation) -> Loop:
    found = questions.loop(op)
    assert isinstance(found, Loop)
    return found


def test_for() -> None:
    op = the(
        "scf.for", "%l: index, %u: index, %s: index, %t: tensor<?xf32>",
        """%r:2 = scf.for %i = %l to %u step %s iter_args(%n = %l, %x = %t) -> (index, tensor<?xf32>) {
             %m = arith.addi %n, %i : index
             scf.yield %m, %x : index, tensor<?xf32>
           }""",
        "%r#0 : index",
    )  # fmt: skip
    found = counted(op)
    (induction,) = found.inductions
    block = op.regions[0].block
    low, high, step, tensor = op.operands[0], op.operands[1], op.operands[2], op.operands[4]
    assert induction.variable is block.args[0]
    assert (induction.lower, induction.upper, induction.step, induction.sequential) == (
        (value_of(low),), (value_of(high),), value_of(step), True,
    )  # fmt: skip
    number, shaped = found.carried
    assert (number.initial, number.argument, number.result) == (low, block.args[1], op.results[0])
    assert isinstance(number.yielded, OpResult)
    assert number.yielded.op.name == "arith.addi"
    assert (shaped.initial, shaped.argument, shaped.yielded, shaped.result) == (
        tensor, block.args[2], block.args[2], op.results[1],
    )  # fmt: skip


@pytest.mark.parametrize(("upper", "is_known"), [("8", True), ("-8", False)])
def test_unsigned_for(upper: str, is_known: bool) -> None:
    """Below a bound without a sign bit the numbers are what they seem; a negative start is beyond it."""
    op = the(
        "scf.for", "%l: index",
        f"""%u = arith.constant {upper} : index
            %s = arith.constant 1 : index
            scf.for unsigned %i = %l to %u step %s {{
            }}""",
        "%l : index",
    )  # fmt: skip
    found = questions.loop(op)
    assert (found is not None) == is_known
    if is_known:
        (induction,) = counted(op).inductions
        lower, upper_ = (at(e, {op.operands[0]: -3}) for e in (*induction.lower, *induction.upper))
        assert lower > upper_ == 8


def test_unsigned_bounds_that_have_the_sign_bit_have_the_order_of_signed_ones() -> None:
    op = the(
        "scf.for", "",
        """%l = arith.constant -120 : i8
           %u = arith.constant -100 : i8
           %s = arith.constant 3 : i8
           scf.for unsigned %i = %l to %u step %s : i8 {
           }""",
        "",
    )  # fmt: skip
    (induction,) = counted(op).inductions
    assert (induction.lower, induction.upper) == ((constant(-120),), (constant(-100),))


def test_affine_for_has_a_map_of_bounds() -> None:
    op = the(
        "affine.for", "%n: index, %m: index",
        """affine.for %i = max affine_map<(d0)[s0] -> (d0, s0 - 1)>(%n)[%m] to min affine_map<(d0) -> (d0 * 2, 9)>(%m) step 3 {
           }""",
        "%n : index",
    )  # fmt: skip
    (induction,) = counted(op).inductions
    n, m = value_of(op.operands[0]), value_of(op.operands[1])
    assert (induction.lower, induction.upper, induction.step) == (
        (n, m - 1),
        (m * 2, constant(9)),
        constant(3),
    )


def test_parallel_loops() -> None:
    op = the(
        "affine.parallel", "%n: index, %m: index",
        "affine.parallel (%i, %j) = (0, max(%n, 1)) to (min(%n, %m, 7), 8) step (1, 2) {\n}", "%n : index",
    )  # fmt: skip
    first, second = counted(op).inductions
    n, m = value_of(op.operands[0]), value_of(op.operands[-1])
    assert (first.lower, second.lower) == ((constant(0),), (n, constant(1)))
    assert (first.upper, second.upper) == ((n, m, constant(7)), (constant(8),))
    assert ([i.step for i in (first, second)], first.sequential) == ([constant(1), constant(2)], False)


def test_scf_parallel() -> None:
    op = the(
        "scf.parallel", "%a: index, %b: index, %c: index",
        "scf.parallel (%i, %j) = (%a, %b) to (%b, %c) step (%c, %a) {\n}", "%a : index",
    )  # fmt: skip
    a, b, c = (value_of(op.operands[k]) for k in (0, 1, 3))
    found = [(i.lower, i.upper, i.step, i.sequential) for i in counted(op).inductions]
    assert found == [((a,), (b,), c, False), ((b,), (c,), a, False)]


def test_forall_keeps_the_sizes_of_shared_tensors() -> None:
    op = the(
        "scf.forall", "%n: index, %t: tensor<?x4xf32>",
        "%r = scf.forall (%i, %j) = (1, 0) to (%n, 8) step (2, %n) shared_outs(%o = %t) -> (tensor<?x4xf32>) {\n}",
        "%r : tensor<?x4xf32>",
    )  # fmt: skip
    found = counted(op)
    n, tensor, block = value_of(op.operands[0]), op.operands[2], op.regions[0].block
    assert [(i.variable, i.lower, i.upper, i.step, i.sequential) for i in found.inductions] == [
        (block.args[0], (constant(1),), (n,), constant(2), False),
        (block.args[1], (constant(0),), (constant(8),), n, False),
    ]
    (carried,) = found.carried
    assert (carried.initial, carried.argument, carried.yielded, carried.result) == (
        tensor, block.args[2], block.args[2], op.results[0],
    )  # fmt: skip
    assert questions.result_sizes(op) == [[dim_of(tensor, 0), dim_of(tensor, 1)]]


def test_while() -> None:
    op = the(
        "scf.while", "%x: index, %n: index",
        """%r = scf.while (%a = %x) : (index) -> i64 {
             %c = arith.cmpi slt, %a, %n : index
             %b = arith.index_cast %a : index to i64
             scf.condition(%c) %b : i64
           } do {
           ^bb0(%d: i64):
             %e = arith.index_cast %d : i64 to index
             scf.yield %e : index
           }""",
        "%r : i64",
    )  # fmt: skip
    found = questions.loop(op)
    assert isinstance(found, While)
    before, after = (region.block for region in op.regions)
    compared, cast, condition = before.ops
    (back, _) = after.ops
    assert (found.before, found.initial, found.condition) == (
        tuple(before.args), tuple(op.operands), compared.results[0],
    )  # fmt: skip
    assert condition.name == "scf.condition"
    assert (found.forwarded, found.after) == (tuple(cast.results), tuple(after.args))
    assert (found.yielded, found.results) == (tuple(back.results), tuple(op.results))


# -- branches ------------------------------------------------------------------------------------------


def the_choices(op: Operation) -> tuple[Choice, ...]:
    """The choices of OP's only result."""
    (found,) = questions.choices(op) or ()
    return tuple(found)


def chosen(op: Operation, values: Values) -> list[SSAValue]:
    """The values that are chosen: exactly one, always."""
    return [choice.value for choice in the_choices(op) if holds(choice.when, values)]


@pytest.mark.parametrize("kind", ["index", "f32", "tensor<?xf32>"])
def test_select(kind: str) -> None:
    op = the(
        "arith.select",
        f"%c: i1, %x: {kind}, %y: {kind}",
        f"%r = arith.select %c, %x, %y : {kind}",
        f"%r : {kind}",
    )
    condition, x, y = op.operands
    assert (chosen(op, {condition: 1}), chosen(op, {condition: 0})) == ([x], [y])


def test_a_select_of_tensors_has_the_sizes_of_the_one_that_is_chosen() -> None:
    """They may differ, so that neither's sizes are the result's, and nothing makes them equal."""
    kind = "tensor<?x4xf32>"
    op = the(
        "arith.select",
        f"%c: i1, %x: {kind}, %y: {kind}",
        f"%r = arith.select %c, %x, %y : {kind}",
        f"%r : {kind}",
    )
    assert (questions.result_sizes(op), questions.size_facts(op)) == ([[None, None]], [])


def test_a_select_by_element_has_no_choices() -> None:
    kind = "tensor<4xf32>"
    op = the(
        "arith.select", f"%c: tensor<4xi1>, %x: {kind}, %y: {kind}",
        f"%r = arith.select %c, %x, %y : tensor<4xi1>, {kind}", f"%r : {kind}",
    )  # fmt: skip
    (found,) = questions.choices(op) or ()
    assert found == ()


def test_if() -> None:
    op = the(
        "scf.if", "%c: i1, %x: index, %y: index",
        "%r = scf.if %c -> (index) {\nscf.yield %x : index\n} else {\nscf.yield %y : index\n}", "%r : index",
    )  # fmt: skip
    (condition,) = op.operands
    x, y = (region.block.last_op.operands[0] for region in op.regions if region.block.last_op)
    assert (chosen(op, {condition: 1}), chosen(op, {condition: 0})) == ([x], [y])
    guards = questions.guards(op) or ()
    assert [guard.region for guard in guards] == list(op.regions)
    assert [[holds(g.condition, {condition: c}) for g in guards] for c in (1, 0)] == [
        [True, False],
        [False, True],
    ]


def test_if_without_else_guards_one_region() -> None:
    op = the("scf.if", "%c: i1", "scf.if %c {\n}", "%c : i1")
    assert [guard.region for guard in questions.guards(op) or ()] == [op.regions[0]]


SET = "affine_set<(d0)[s0] : (d0 - s0 >= 0, -d0 + 9 >= 0, d0 mod 2 == 0)>"


def test_affine_if() -> None:
    op = the(
        "affine.if", "%i: index, %n: index",
        f"%r = affine.if {SET}(%i)[%n] -> index {{\naffine.yield %i : index\n}} else {{\naffine.yield %n : index\n}}",
        "%r : index",
    )  # fmt: skip
    i, n = op.operands
    guards = questions.guards(op) or ()
    for a, b in product(range(-3, 12), range(-3, 12)):
        inside = a >= b and a <= 9 and a % 2 == 0
        assert chosen(op, {i: a, n: b}) == [i if inside else n]
        assert [holds(guard.condition, {i: a, n: b}) for guard in guards] == [inside, not inside]


@pytest.mark.parametrize("cases", [(), (2,), (2, 3), (5, -1, 2, 3)])
def test_index_switch(cases: tuple[int, ...]) -> None:
    regions = "".join(
        f"case {c} {{\n%v{k} = arith.constant {c} : index\nscf.yield %v{k} : index\n}}\n"
        for k, c in enumerate(cases)
    )
    op = the(
        "scf.index_switch", "%i: index, %d: index",
        f"%r = scf.index_switch %i -> index\n{regions}default {{\nscf.yield %d : index\n}}", "%r : index",
    )  # fmt: skip
    default, *others = (region.block.last_op.operands[0] for region in op.regions if region.block.last_op)
    regions_of = [guard.region for guard in questions.guards(op) or ()]
    assert regions_of == [*op.regions[1:], op.regions[0]]
    for number in range(-4, 9):
        expected = others[cases.index(number)] if number in cases else default
        assert chosen(op, {op.operands[0]: number}) == [expected]


def test_a_region_that_runs_once() -> None:
    op = the(
        "scf.execute_region",
        "%x: index",
        "%r = scf.execute_region -> index {\nscf.yield %x : index\n}",
        "%r : index",
    )
    (choice,) = the_choices(op)
    assert (choice.when, choice.value) == (((),), op.regions[0].block.ops.first.operands[0])  # pyright: ignore
