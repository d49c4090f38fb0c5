"""What all calls of a private function pass to it, against runs of the programs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import volcli
from tests.shared.recorded import Recorded
from tests.shared.seeds import seeds
from volcli.execution.runs.inputs import Inputs
from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.fact import Fact
from volcli.facts.loops import LoopFact
from volcli.facts.shapes import ShapeFact
from volcli.model.values.trust.arithmetic import OVERFLOW

MAIN = """
func.func @main(%p: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %d = memref.dim %p, %c0 : memref<?xf32>
  affine.for %i = 1 to 6 {
    func.call @f(%p, %i, %d) : (memref<?xf32>, index, index) -> ()
  }
  func.call @f(%p, %c8, %d) : (memref<?xf32>, index, index) -> ()
  return
}"""
BODY = """
func.func private @f(%m: memref<?xf32>, %i: index, %n: index) {
  @BODY
  return
}"""
F = BODY.replace("@BODY", "")
PUBLIC = F.replace("private ", "")
CALLS = "for the calls of @f in this file"


def facts(text: str, kind: type[Any], question: str, function: str = "f") -> list[Any]:
    found: Sequence[Fact] = volcli.loads(text).run(question).facts
    return [fact for fact in found if isinstance(fact, kind) and fact.function == function]


def bounds(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """The bound of a value of @f, and what it assumes."""
    found = [each for each in facts(text, BoundsFact, "value-bounds") if each.value == name]
    return found[0].rows()[0][1], found[0].assumptions


def test_a_number_lies_between_all_that_is_passed() -> None:
    assert bounds(F + MAIN, "%i") == ("[1, 8]", (f"1 <= %i <= 8 {CALLS}",))


def test_equal_sizes_have_one_name() -> None:
    text = BODY.replace("@BODY", "%t = tensor.empty(%n) : tensor<?xf32>") + MAIN
    (found,) = [each for each in facts(text, ShapeFact, "infer-shapes") if each.value == "%t"]
    assert found.assumptions == (f"%n = dim(%m, 0) {CALLS}",)
    assert facts(text, ShapeFact, "infer-shapes")[0].rows()[0][-1] == "[m_d0]"
    assert found.rows()[0][-1].startswith("[m_d0]")


ACCESS = BODY.replace("@BODY", "affine.for %j = 0 to %n { %v = affine.load %m[%j] : memref<?xf32> }")


def test_an_access_is_in_bounds_for_what_is_passed() -> None:
    (found,) = facts(ACCESS + MAIN, AccessFact, "check-accesses")
    assert (found.verdict, found.assumptions) == (
        "in-bounds",
        ("its arguments are as in the calls of @f in this file",),
    )
    (other,) = facts(ACCESS.replace("private ", "") + MAIN, AccessFact, "check-accesses")
    assert (other.verdict, other.assumptions) == ("out-of-bounds", ())


def test_what_holds_for_any_arguments_assumes_nothing() -> None:
    text = BODY.replace("@BODY", "affine.for %j = 2 to 5 { }\n%k = arith.subi %i, %i : index")
    assert bounds(text + MAIN, "%j") == ("[2, 4]", ())
    assert bounds(text + MAIN, "%k") == ("[0, 0]", ())


SHIFT = """affine.for %j = 0 to 3 {
  %v = affine.load %m[%j + symbol(%i)] : memref<?xf32>
  affine.store %v, %m[%j] : memref<?xf32>
}"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("least", "kind", "assumes"), [("3", "parallel", True), ("2", "carried", True), ("-2", "carried", False)]
)
def test_a_loop_for_what_is_passed(least: str, kind: str, assumes: bool) -> None:
    main = MAIN.replace("%c3 = arith.constant 3", f"%c3 = arith.constant {least}")
    main = main.replace("(%p, %i, %d)", "(%p, %c3, %d)")
    (found,) = facts(BODY.replace("@BODY", SHIFT) + main, LoopFact, "dependences{loops-only}")
    assert (found.kind, bool(found.assumptions)) == (kind, assumes)


PAIRS = """
func.func @main(%p: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %p, %c0 : memref<?xf32>
  affine.for %to = 0 to %d {
    affine.for %from = 0 to affine_map<(d0) -> (d0)>(%to) {
      func.call @f(%p, %from, %to) : (memref<?xf32>, index, index) -> ()
    }
  }
  @MORE
  return
}"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("more", "bound", "assumptions"),
    [
        ("", "[1, +inf]", (f"%i + 1 <= %n {CALLS}", f"0 <= %i {CALLS}", f"1 <= %n {CALLS}")),
        (
            "func.call @f(%p, %n, %n) : (memref<?xf32>, index, index) -> ()",
            "[0, +inf]",
            (f"%i <= %n {CALLS}", OVERFLOW),
        ),
        ("func.call @f(%p, %n, %d) : (memref<?xf32>, index, index) -> ()", "[-inf, +inf]", ()),
    ],
)
def test_how_far_two_arguments_are_from_each_other(
    more: str, bound: str, assumptions: tuple[str, ...]
) -> None:
    text = BODY.replace("@BODY", "%k = arith.subi %n, %i : index") + PAIRS.replace("@MORE", more)
    assert bounds(text, "%k") == (bound, assumptions)


def test_an_index_that_all_callers_keep_inside_is_in_bounds() -> None:
    text = BODY.replace("@BODY", "%v = memref.load %m[%i] : memref<?xf32>")
    (found,) = facts(text + PAIRS.replace("@MORE", ""), AccessFact, "check-accesses")
    assert (found.verdict, len(found.assumptions)) == ("in-bounds", 1)
    more = "func.call @f(%p, %d, %d) : (memref<?xf32>, index, index) -> ()"
    (found,) = facts(text + PAIRS.replace("@MORE", more), AccessFact, "check-accesses")
    assert (found.verdict, found.assumptions) == ("out-of-bounds", ())


def test_branches_between_blocks() -> None:
    body = """cf.br ^head(%i : index)
    ^head(%j: index):
      %c9 = arith.constant 9 : index
      %c1 = arith.constant 1 : index
      %is = arith.cmpi slt, %j, %c9 : index
      cf.cond_br %is, ^body, ^end
    ^body:
      %m9 = memref.alloc() : memref<9xf32>
      %v = memref.load %m9[%j] : memref<9xf32>
      memref.store %v, %m9[%j] : memref<9xf32>
      %k = arith.addi %j, %c1 : index
      cf.br ^head(%k : index)
    ^end:"""
    found = facts(BODY.replace("@BODY", body) + MAIN, AccessFact, "check-accesses")
    assert [each.verdict for each in found] == ["in-bounds", "in-bounds"]
    assert all(each.assumptions for each in found)
    found = facts(BODY.replace("@BODY", body).replace("private ", "") + MAIN, AccessFact, "check-accesses")
    assert {each.verdict for each in found} == {"out-of-bounds"}


NOT_ALL_CALLS = {
    "it is not private": (PUBLIC, MAIN),
    "nobody calls it": (F, MAIN.replace("func.call @f(", "func.call @g(") + F.replace("@f", "@g")),
    "a pointer": (F, MAIN + "\nfunc.func @g() { %f = func.constant @f : (memref<?xf32>, index, index) -> ()\nreturn }"),
    "an unknown operation": (F, MAIN + '\nfunc.func @g() { "some.call"() {callee = @f} : () -> ()\nreturn }'),
    "unknown syntax": (F, MAIN + "\nfunc.func @g(%x: index) { some.call @f(%x) : index\nreturn }"),
    "an unknown attribute": (F, MAIN + '\nfunc.func @g() { "a.b"() {c = #some.call<@f>} : () -> ()\nreturn }'),
    "what could not be read": (F, MAIN + "\nfunc.func @g(%x: index) { func.call @f(%x, ???) }"),
    "a call that refers to it again": (
        F, MAIN.replace("(%p, %c8, %d) :", "(%p, %c8, %d) {then = @f} :")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_ALL_CALLS)
def test_nothing_is_assumed_where_not_all_calls_are_known(name: str) -> None:
    function, others = NOT_ALL_CALLS[name]
    assert bounds(f"{function}{others}", "%n") == ("[-inf, +inf]", ())


def recursive(passed: str) -> str:
    body = f"""%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %is = arith.cmpi sgt, %i, %c0 : index
      scf.if %is {{
        %less = arith.subi %i, %c1 : index
        func.call @f({passed}) : (memref<?xf32>, index, index) -> ()
      }}"""
    return BODY.replace("@BODY", body) + MAIN


def test_recursion() -> None:
    assert bounds(recursive("%m, %i, %n"), "%i")[0] == "[1, 8]"
    assert bounds(recursive("%m, %less, %n"), "%i")[0] == "[0, 8]"
    assert bounds(recursive("%m, %less, %n"), "%n") == ("[0, +inf]", (f"0 <= %n {CALLS}",))
    assert bounds(recursive("%m, %less, %less"), "%n") == ("[0, +inf]", (f"0 <= %n {CALLS}",))


UP = """
func.func private @f(%n: index, %k: index) {
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %p = arith.cmpi slt, %n, %c12 : index
  scf.if %p {
    %next = arith.addi %n, %c1 : index
    func.call @f(%next, %n) : (index, index) -> ()
  }
  return
}
func.func @g() {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  func.call @f(%c3, %c7) : (index, index) -> ()
  return
}
"""


def test_a_recursion_keeps_to_the_ends_that_it_does_not_pass() -> None:
    """What counts up from 3 to 12 is at least 3; %k is 7 at first, and then 3, 4, ..., 11."""
    assert bounds(UP, "%n")[0] == "[3, 12]"
    assert bounds(UP, "%k")[0] == "[2, 11]"


def test_two_functions_that_call_each_other() -> None:
    text = recursive("%m, %i, %n").replace("func.call @f(%m", "func.call @g(%m")
    other = BODY.replace("@f", "@g").replace(
        "@BODY", "func.call @f(%m, %i, %n) : (memref<?xf32>, index, index) -> ()"
    )
    assert bounds(text + other, "%i") == ("[-inf, +inf]", ())


def test_a_chain_of_private_functions() -> None:
    middle = """func.func private @g(%m: memref<?xf32>, %i: index, %n: index) {
      %c2 = arith.constant 2 : index
      %k = arith.muli %i, %c2 : index
      func.call @f(%m, %k, %n) : (memref<?xf32>, index, index) -> ()
      return }"""
    text = F + middle + MAIN.replace("call @f", "call @g")
    assert bounds(text, "%i")[0] == "[2, 16]"
    assert bounds(text.replace("private @g", "@g"), "%i")[0] == "[-inf, +inf]"


def test_what_is_asserted_of_a_caller_is_not_known_of_what_it_calls() -> None:
    main = """func.func @main(%p: memref<?xf32>, %n: index) {
      %c5 = arith.constant 5 : index
      %is = arith.cmpi ult, %n, %c5 : index
      cf.assert %is, "small"
      func.call @f(%p, %n, %n) : (memref<?xf32>, index, index) -> ()
      return }"""
    assert bounds(F + main, "%i") == ("[-inf, +inf]", ())


def test_what_is_assumed_of_a_caller_is_not_known_of_what_it_calls() -> None:
    main = MAIN.replace("(%p, %i, %d)", "(%p, %n, %d)")
    main = main.replace("%n: index)", "%n: index {volcli.assume = affine_set<(d0) : (d0 >= 0)>})")
    assert bounds(F + main, "%i") == ("[-inf, +inf]", ())


def test_a_call_under_a_condition_passes_what_that_lets_through() -> None:
    main = """func.func @main(%p: memref<?xf32>, %n: index) {
      %c5 = arith.constant 5 : index
      %is = arith.cmpi ult, %n, %c5 : index
      scf.if %is { func.call @f(%p, %n, %n) : (memref<?xf32>, index, index) -> () }
      return }"""
    assert bounds(F + main, "%i")[0] == "[0, 4]"


# -- random programs ---------------------------------------------------------------------------------------


KINDS = "(memref<?xf32>, memref<?xf32>, index, index) -> ()"


def _random(seed: int) -> str:
    draw, count = random.Random(seed), 0

    def new() -> str:
        nonlocal count
        count += 1
        return f"%v{count}"

    def body(numbers: list[str], memrefs: list[str], own: int, depth: int) -> list[str]:
        lines: list[str] = []
        numbers, memrefs = list(numbers), list(memrefs)
        for _ in range(draw.randint(2, 5)):
            name, (one, other) = new(), draw.choices(numbers, k=2)
            match draw.choice(["op", "op", "call", "call", "if", "for", "dim", "alloc", "again"]):
                case "op":
                    lines.append(
                        f"{name} = arith.{draw.choice(['addi', 'subi', 'minsi'])} {one}, {other} : index"
                    )
                    numbers.append(name)
                case "dim":
                    lines.append(f"{name} = memref.dim {draw.choice(memrefs)}, %c0 : memref<?xf32>")
                    numbers.append(name)
                case "alloc":
                    size = new()
                    lines.append(f"{size} = arith.muli {one}, {one} : index")
                    lines.append(f"{name} = memref.alloc({size}) : memref<?xf32>")
                    memrefs.append(name)
                case "call" if own > 0:
                    first, second = draw.choices(memrefs, k=2)
                    callee = f"@h{draw.randrange(own)}"
                    lines.append(f"func.call {callee}({first}, {second}, {one}, {other}) : {KINDS}")
                case "again" if depth == 0 and own < 3:
                    inner = (
                        f"%less = arith.subi %n, %c1 : index\nfunc.call @h{own}(%a, {draw.choice(memrefs)}, "
                    )
                    inner += f"%less, {draw.choice(['%k', one])}) : {KINDS}"
                    lines.append(f"%is = arith.cmpi sgt, %n, %c0 : index\nscf.if %is {{\n{inner}\n}}")
                    return lines
                case "if" if depth < 2:
                    inner = body(numbers, memrefs, own, depth + 1)
                    lines.append(f"{name} = arith.cmpi slt, {one}, {other} : index\nscf.if {name} {{")
                    lines += [*inner, "}"]
                case "for" if depth < 2:
                    inner = body([*numbers, name], memrefs, own, depth + 1)
                    lines += [
                        f"affine.for {name} = {draw.randint(0, 2)} to {draw.randint(2, 4)} {{",
                        *inner,
                        "}",
                    ]
                case _:
                    pass
        return lines

    constants = "".join(f"%c{k} = arith.constant {k} : index\n" for k in range(4))
    texts: list[str] = []
    for own in range(4):
        head = f"private @h{own}(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %k: index)"
        head = "@main(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %k: index)" if own == 3 else head
        lines = body(["%n", "%k", "%c0", "%c1", "%c2", "%c3"], ["%a", "%b"], own, 0)
        texts.append("\n".join([f"func.func {head} {{", constants, *lines, "return", "}"]))
    return "\n".join(texts)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(20, of=40))
def test_bounds_and_shapes_against_runs(seed: int) -> None:
    program = volcli.loads(_random(seed))
    unit, recorded = program.units[0], Recorded(program)
    found = [fact for fact in program.run("value-bounds").facts if isinstance(fact, BoundsFact)]
    stated = {(fact.function, fact.value, fact.dim): fact for fact in found}
    for numbers, sizes in (((2, 1), (3, 3)), ((-1, 4), (0, 5)), ((3, 3), (2, 1))):
        given = {("a", 0): sizes[0], ("b", 0): sizes[1]}
        run = recorded.run(Inputs(given, {"n": numbers[0], "k": numbers[1]}), "main")
        assert run.stopped is None
        for model in unit.models():
            for value, dim in model.bounds.variables():
                seen = {each if dim is None else each.sizes[dim] for each in run.seen.get(value, ())}
                name = model.name_of(value) if dim is None else f"dim({model.name_of(value)}, {dim})"
                fact = stated.get((model.name, name, dim)) or stated.get(
                    (model.name, model.name_of(value), dim)
                )
                for number in seen:
                    assert fact is not None
                    assert not fact.never
                    assert fact.lower.constant is None or fact.lower.constant <= number
                    assert fact.upper.constant is None or number <= fact.upper.constant
