"""The weakest precondition of a function: against enumeration, in words, and at the calls of the function."""

from __future__ import annotations

import random
from itertools import product

import islpy as isl
import pytest

import volcli
from volcli.facts.preconditions import PreconditionFact
from volcli.report.files import FileReport


def run(text: str, options: str = "") -> FileReport:
    return volcli.loads(text).run(f"check-accesses{options}")


def said(text: str, options: str = "") -> list[str]:
    return [f"{each.code}: {each.message}" for each in run(text, options).diagnostics]


# -- against enumeration -------------------------------------------------------------------------------

Linear = tuple[int, int, int, int]
"""c_i * %i + c_j * %j + c_n * %n + c."""


def _text(form: Linear) -> str:
    i, j, n, c = form
    return f"{i} * %i + {j} * %j + {n} * symbol(%n) + {c}"


def _program(seed: int) -> tuple[str, list[tuple[int, Linear]], tuple[int, int]]:
    """A nest up to %n and up to a number or %k, with accesses of two buffers; and the accesses."""
    draw = random.Random(seed)
    starts = draw.randint(0, 2), draw.randint(0, 2)
    accesses = [
        (
            draw.randint(0, 1),
            (draw.randint(-1, 2), draw.randint(-1, 2), draw.randint(0, 1), draw.randint(-1, 3)),
        )
        for _ in range(draw.randint(1, 3))
    ]
    body = "\n".join(
        f"%x{k} = affine.load %m{buffer}[{_text(form)}] : memref<?xf32>"
        for k, (buffer, form) in enumerate(accesses)
    )
    text = f"""func.func @f(%m0: memref<?xf32>, %m1: memref<?xf32>, %n: index, %k: index) {{
      affine.for %i = {starts[0]} to %n {{ affine.for %j = {starts[1]} to %k {{ {body} }} }}
      return
    }}"""
    return text, accesses, starts


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_it_holds_for_exactly_the_arguments_with_which_nothing_is_out_of_bounds(seed: int) -> None:
    text, accesses, starts = _program(seed)
    facts = [each for each in run(text).facts if isinstance(each, PreconditionFact)]
    needed = facts[0].precondition if facts else None
    assert not facts or facts[0].never or (needed is not None and facts[0].weakest)
    for sizes0, sizes1, n, k in product((0, 1, 2, 5, 9), (0, 3, 7), (-1, 0, 1, 2, 4), (-1, 0, 1, 3)):
        sizes = sizes0, sizes1
        is_inside = all(
            0 <= a * i + b * j + c * n + d < sizes[buffer]
            for i in range(starts[0], n)
            for j in range(starts[1], k)
            for buffer, (a, b, c, d) in accesses
        )
        values = {"dim(%m0, 0)": sizes0, "dim(%m1, 0)": sizes1, "%n": n, "%k": k}
        holds = True
        if needed is not None:
            points = needed.points
            for position, name in enumerate(needed.names):
                points = points.fix_val(isl.dim_type.param, position, values[str(name)])
            holds = not points.is_empty()
        elif facts:
            holds = False
        assert holds is is_inside, (values, facts and facts[0].condition)


# -- in words ------------------------------------------------------------------------------------------


def test_one_line_names_what_all_accesses_need() -> None:
    text = """func.func @f(%m: memref<?xf32>, %b: memref<?x?xf32>, %n: index) {
      affine.for %i = 0 to 10 {
        %x = affine.load %m[%i] : memref<?xf32>
        %y = affine.load %m[%i + 2] : memref<?xf32>
        %z = affine.load %b[%i, symbol(%n)] : memref<?x?xf32>
      }
      return
    }"""
    assert said(text) == [
        "V204: @f needs dim(%m, 0) >= 12 and dim(%b, 0) >= 10 and 0 <= %n < dim(%b, 1), "
        "for 3 accesses, the first at 3:14"
    ]
    (fact,) = (each for each in run(text).facts if isinstance(each, PreconditionFact))
    assert [(need.element, need.condition) for need in fact.needs] == [
        ("affine.load %m[%i]", "dim(%m, 0) >= 10"),
        ("affine.load %m[%i + 2]", "dim(%m, 0) >= 12"),
        ("affine.load %b[%i, %n]", "dim(%b, 0) >= 10 and 0 <= %n < dim(%b, 1)"),
    ]
    assert len(said(text, "{each=true}")) == 4


def test_what_the_operation_itself_demands_is_needed() -> None:
    """A convolution demands what keeps its window inside: of arguments that it allows, nothing is needed."""
    (found,) = said("""func.func @f(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
      linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
      return
    }""")
    assert found.startswith("V204: @f needs dim(%y, 0) <= 1 + dim(%x, 0) - dim(%w, 0), if "), found


def test_what_only_matters_where_loops_run_is_said_once() -> None:
    text = """func.func @f(%m: memref<?x?xf32>, %n: index, %k: index) {
      affine.for %i = 0 to %n { affine.for %j = 0 to %k {
        %x = affine.load %m[%i, %j] : memref<?x?xf32>
      } }
      return
    }"""
    (message,) = said(text)
    assert "@f needs %n <= dim(%m, 0) and %k <= dim(%m, 1), if %n > 0 and %k > 0" in message


def test_arguments_that_no_call_can_have_are_a_warning() -> None:
    text = """func.func @f(%m: memref<9xf32>, %n: index) {
      %c20 = arith.constant 20 : index
      %x = memref.load %m[%n] : memref<9xf32>
      %before = arith.subi %n, %c20 : index
      %y = memref.load %m[%before] : memref<9xf32>
      return
    }"""
    (message,) = said(text)
    assert message.startswith(
        "V209: @f goes out of bounds whatever its arguments are: it needs 0 <= %n <= 8 and 20 <= %n <= 28"
    )


def test_what_is_out_of_bounds_wherever_it_runs_must_not_run() -> None:
    text = """func.func private @g(%m: memref<8xf32>, %n: index) {
      %c3 = arith.constant 3 : index
      %c9 = arith.constant 9 : index
      %more = arith.cmpi sgt, %n, %c3 : index
      scf.if %more {
        %x = memref.load %m[%c9] : memref<8xf32>
      }
      return
    }
    func.func @f(%m: memref<8xf32>) {
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      func.call @g(%m, %c3) : (memref<8xf32>, index) -> ()
      func.call @g(%m, %c4) : (memref<8xf32>, index) -> ()
      return
    }"""
    outside, call = said(text)
    assert outside.startswith("V203: 'memref.load' op reads %m[%c9] out of bounds")
    assert call == "V208: 'func.call' op passes %n = 4, but @g needs %n <= 3"


def test_what_never_stays_inside_is_no_need() -> None:
    text = """func.func @f(%m: memref<8xf32>, %n: index) {
      %c9 = arith.constant 9 : index
      %x = memref.load %m[%c9] : memref<8xf32>
      %y = memref.load %m[%n] : memref<8xf32>
      return
    }"""
    assert [each[:12] for each in said(text)] == ["V203: 'memre", "V204: @f nee"]


_LOADED = "%zero = arith.constant 0 : index\n%x = memref.load %p[%zero] : memref<1xindex>"


def test_what_a_loaded_value_may_break_needs_more() -> None:
    text = f"""func.func @f(%m: memref<?xf32>, %p: memref<1xindex>, %n: index) {{
      {_LOADED}
      %y = arith.addi %x, %n : index
      %z = memref.load %m[%y] : memref<?xf32>
      return
    }}"""
    (message,) = said(text)
    assert "@f needs dim(%m, 0) > 0 (necessary, perhaps not sufficient)" in message


def test_a_guard_by_a_loaded_value_may_avoid_what_is_always_outside() -> None:
    text = f"""func.func @f(%m: memref<8xf32>, %p: memref<1xindex>, %n: index) {{
      {_LOADED}
      %c9 = arith.constant 9 : index
      %is = arith.cmpi slt, %x, %n : index
      scf.if %is {{
        %y = memref.load %m[%c9] : memref<8xf32>
      }}
      return
    }}"""
    (fact,) = (each for each in run(text).facts if isinstance(each, PreconditionFact))
    assert not fact.never
    assert not fact.sufficient


@pytest.mark.parametrize("unknown", ["%q = memref.load %m[%x] : memref<8xf32>", "func.call @g(%m, %x)"])
def test_nothing_is_sufficient_where_an_access_is_unknown(unknown: str) -> None:
    called = " : (memref<8xf32>, index) -> ()" if "call" in unknown else ""
    text = f"""func.func private @g(%m: memref<8xf32>, %n: index) {{
      %x = memref.load %m[%n] : memref<8xf32>
      return
    }}
    func.func @f(%m: memref<8xf32>, %p: memref<1xindex>, %n: index) {{
      {_LOADED}
      %y = memref.load %m[%n] : memref<8xf32>
      {unknown}{called}
      return
    }}"""
    facts = [each for each in run(text).facts if isinstance(each, PreconditionFact)]
    fact = facts[-1]
    assert fact.function == "f"
    assert fact.text == "needs 0 <= %n <= 7 (necessary, perhaps not sufficient)"
    assert fact.to_json()["weakest"] is False


def test_what_is_assumed_is_not_needed_again() -> None:
    text = """func.func @f(%m: memref<?xf32>, %n: index) {
      %zero = arith.constant 0 : index
      %is = arith.cmpi sge, %n, %zero : index
      cf.assert %is, "positive"
      %x = memref.load %m[%n] : memref<?xf32>
      return
    }"""
    (message,) = said(text)
    assert message.startswith("V204: @f needs %n < dim(%m, 0)")
    assert volcli.loads(text, assume=["dim(%m, 0) > %n"]).run("check-accesses").diagnostics == []


def test_a_witness_has_no_empty_buffer_where_another_one_fails_too() -> None:
    text = """func.func @f(%m: memref<?xf32>) {
      affine.for %i = 0 to 10 { %x = affine.load %m[%i] : memref<?xf32> }
      return
    }"""
    access = volcli.loads(text).function("f").accesses()[0]
    assert access.witness is not None
    assert (access.witness.iteration, access.witness.parameters) == ((1,), {"dim(%m, 0)": 1})


def test_what_loaded_values_decide_is_not_said_to_be_the_weakest() -> None:
    text = """func.func @f(%m: memref<?xf32>, %k: memref<4xindex>, %n: index) {
      %c0 = arith.constant 0 : index
      %v = memref.load %k[%c0] : memref<4xindex>
      %c9 = arith.constant 9 : index
      %least = arith.maxsi %v, %c0 : index
      %at = arith.addi %least, %n : index
      %x = memref.load %m[%at] : memref<?xf32>
      return
    }"""
    for message in said(text):
        assert "perhaps not sufficient" in message or "V204" not in message


# -- callers -------------------------------------------------------------------------------------------

HELPER = """func.func {0} @at(%m: memref<?xf32>, %n: index) {{
  %x = memref.load %m[%n] : memref<?xf32>
  return
}}
"""
NEEDS = "needs 0 <= %n < dim(%m, 0)"


def _caller(body: str, arguments: str = "%b: memref<5xf32>, %k: index", visibility: str = "private") -> str:
    return HELPER.format(visibility) + f"func.func @caller({arguments}) {{\n{body}\n return }}"


CAST = "%c = memref.cast %b : memref<5xf32> to memref<?xf32>\n"
CALL = "func.call @at(%c, %i) : (memref<?xf32>, index) -> ()"


def test_nothing_is_said_of_a_private_function_whose_callers_fulfil_it() -> None:
    text = _caller(f"{CAST} affine.for %i = 0 to 5 {{ {CALL} }}")
    report = run(text)
    assert report.diagnostics == []
    assert [each.fulfilled for each in report.facts if isinstance(each, PreconditionFact)] == [True]
    assert [
        each[:4] for each in said(_caller(f"{CAST} affine.for %i = 0 to 5 {{ {CALL} }}", visibility=""))
    ] == ["V204"]


def test_a_call_that_violates_it_is_a_warning_at_the_call() -> None:
    (message,) = said(_caller(f"{CAST} affine.for %i = 0 to 9 {{ {CALL} }}"))
    assert message == f"V208: 'func.call' op passes dim(%m, 0) = 5, %n = 5 at %i = 5, but @at {NEEDS}"


def test_a_call_that_may_violate_it_adds_to_what_the_caller_needs() -> None:
    (message,) = said(_caller(f"{CAST} affine.for %i = 0 to %k {{ {CALL} }}"))
    assert message.startswith("V204: @caller needs %k <= 5, for the access at ")


def test_callers_of_callers_need_it_too() -> None:
    text = (
        _caller(f"{CAST} affine.for %i = 0 to %k {{ {CALL} }}")
        + """
      func.func @outer(%b: memref<5xf32>) {
        %c6 = arith.constant 6 : index
        func.call @caller(%b, %c6) : (memref<5xf32>, index) -> ()
        return
      }"""
    )
    assert [each[:4] for each in said(text)] == ["V204", "V208"]


def test_a_recursion_proves_nothing_of_itself() -> None:
    text = """func.func private @down(%m: memref<9xf32>, %n: index) {
      %x = memref.load %m[%n] : memref<9xf32>
      %c1 = arith.constant 1 : index
      %next = arith.subi %n, %c1 : index
      func.call @down(%m, %next) : (memref<9xf32>, index) -> ()
      return
    }
    func.func @start(%m: memref<9xf32>) {
      %c8 = arith.constant 8 : index
      func.call @down(%m, %c8) : (memref<9xf32>, index) -> ()
      return
    }"""
    assert [each[:4] for each in said(text)] == ["V204"]


def test_a_function_that_is_referred_to_otherwise_may_have_other_callers() -> None:
    text = (
        _caller(f"{CAST} affine.for %i = 0 to 5 {{ {CALL} }}")
        + """
      func.func @give() -> ((memref<?xf32>, index) -> ()) {
        %f = func.constant @at : (memref<?xf32>, index) -> ()
        return %f : (memref<?xf32>, index) -> ()
      }"""
    )
    assert [each[:4] for each in said(text)] == ["V204"]


def test_calls_in_loops_of_blocks_are_seen() -> None:
    loop = f"""{CAST}
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %end = arith.constant UNTIL : index
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %more = arith.cmpi slt, %i, %end : index
      cf.cond_br %more, ^body, ^exit
    ^body:
      {CALL}
      %next = arith.addi %i, %c1 : index
      cf.br ^head(%next : index)
    ^exit:"""
    assert said(_caller(loop.replace("UNTIL", "5"))) == []
    (message,) = said(_caller(loop.replace("UNTIL", "9")))
    assert message.startswith("V208: 'func.call' op passes dim(%m, 0) = 5, %n = 5")


DEMANDING = """
func.func private @needs_eight(%m: memref<?xf32>, %i: index, %c: i1, %d: index) -> f32 {{
{body}
}}
func.func @calls(%a: memref<4xf32>, %c: i1) -> f32 {{
  %i = arith.constant 2 : index
  %zero = arith.constant 0 : index
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %r = func.call @needs_eight(%b, %i, %c, %zero) : (memref<?xf32>, index, i1, index) -> f32
  return %r : f32
}}
"""
TO_EIGHT = "%e = memref.cast %m : memref<?xf32> to memref<8xf32>"
READ = "%x = memref.load %m[%i] : memref<?xf32>"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((READ, TO_EIGHT), "passes dim(%m, 0) = 4, but @needs_eight needs dim(%m, 0) = 8"),
        ((TO_EIGHT,), "passes dim(%m, 0) = 4, but @needs_eight needs dim(%m, 0) = 8"),
        (("%q = arith.divsi %i, %d : index", READ), "passes %d = 0, but @needs_eight needs %d < 0 or %d > 0"),
        (("scf.if %c {", TO_EIGHT, "}", READ), None),
        (('cf.assert %c, "x"', TO_EIGHT, READ), None),
        (("func.call @unknown() : () -> ()", TO_EIGHT, READ), None),
        (("scf.for %k = %d to %i step %i {", TO_EIGHT, "}", READ), None),
    ],
)
def test_what_each_call_of_a_function_demands_is_told_to_callers(
    lines: tuple[str, ...], said: str | None
) -> None:
    zero = "" if READ in lines else "%x = arith.constant 0.0 : f32"
    text = DEMANDING.format(body="\n".join((*lines, zero, "return %x : f32")))
    program = volcli.loads(f"{text}\nfunc.func private @unknown()\n").run("check-accesses")
    told = [one.message for one in program.diagnostics if one.code == "V208"]
    assert told == ([] if said is None else [f"'func.call' op {said}"]), program.diagnostics


def test_what_a_function_demands_of_some_callers_is_its_contract_and_no_finding() -> None:
    text = DEMANDING.format(body=f"{READ}\n{TO_EIGHT}\nreturn %x : f32").replace(
        "memref<4xf32>", "memref<?xf32>"
    )
    text = text.replace("%b = memref.cast %a : memref<?xf32> to memref<?xf32>", "").replace("(%b,", "(%a,")
    assert [one for one in volcli.loads(text).run("check-accesses").diagnostics if one.code == "V208"] == []


def test_arguments_that_do_not_matter_are_not_in_a_condition() -> None:
    program = volcli.loads(
        "func.func @f(%n: index, %d: index, %m: memref<10xf32>) -> f32 {\n"
        "  %q = arith.divsi %n, %d : index\n"
        "  %x = memref.load %m[%n] : memref<10xf32>\n"
        "  return %x : f32\n}\n"
    ).run("check-accesses")
    (fact,) = (fact for fact in program.facts if isinstance(fact, PreconditionFact))
    assert fact.condition == "0 <= %n <= 9"


ASSUMES = """func.func @f(%n: index {volcli.assume = affine_set<(d) : (d >= 0, 5 - d >= 0)>}, %m: memref<8xf32>, %x: f32) {
  memref.store %x, %m[%n] : memref<8xf32>
  return
}
func.func @always(%m: memref<8xf32>, %x: f32) {
  %c6 = arith.constant 6 : index
  call @f(%c6, %m, %x) : (index, memref<8xf32>, f32) -> ()
  return
}
func.func @sometimes(%m: memref<8xf32>, %x: f32, %n: index) {
  call @f(%n, %m, %x) : (index, memref<8xf32>, f32) -> ()
  return
}
"""


def test_what_a_function_assumes_its_callers_have_to_pass() -> None:
    """%m[6] is in bounds, and yet @f is not to be called so: what is proved of it need not hold."""
    (said,) = volcli.loads(ASSUMES).run("check-accesses").diagnostics
    assert (said.code, said.place.line) == ("V208", 7)
    assert said.message == "'func.call' op passes %n = 6, but @f needs 0 <= %n <= 5"
