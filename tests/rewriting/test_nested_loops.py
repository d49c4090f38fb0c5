"""Loops over flat positions: `diff` proves them equal to nests, and nothing else.

Each pair is compared in one function, f, over an array %a of n x m elements.
"""

from __future__ import annotations

import pytest

import volcli
from tests.rewriting.test_untiling import verdict
from volcli.facts.differences import EQUAL
from volcli.model.values.trust.arithmetic import OVERFLOW
from volcli.rewriting.changes.as_nests import nested
from volcli.rewriting.ground.bound_uses import loops_in

SIZES = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = memref.dim %a, %c0 : memref<?x?xf32>
%m = memref.dim %a, %c1 : memref<?x?xf32>
%p = arith.muli %n, %m : index
"""
UPDATE = """
%x = memref.load %a[%i, %j] : memref<?x?xf32>
%y = arith.addf %x, %x : f32
memref.store %y, %a[%i, %j] : memref<?x?xf32>
"""
NEST = f"scf.for %i = %c0 to %n step %c1 {{ scf.for %j = %c0 to %m step %c1 {{ {UPDATE} }} }}"
POSITIONS = "scf.for %k = %c0 to %p step %c1"
VIEW = "%v = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>"
UPDATE_OF_VIEW = """
%x = memref.load %v[%k] : memref<?xf32>
%y = arith.addf %x, %x : f32
memref.store %y, %v[%k] : memref<?xf32>
"""


def flat(digits: str, loop: str = POSITIONS) -> str:
    """A loop over positions, of which DIGITS are %i and %j."""
    return f"{loop} {{ {digits} {UPDATE} }}"


def function(body: str) -> str:
    return f"func.func @f(%a: memref<?x?xf32>) {{ {SIZES} {body}\nreturn }}"


SIGNED = flat("%i = arith.divsi %k, %m : index\n%j = arith.remsi %k, %m : index\n")
MAPS = flat(
    "%i = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%k)[%m]\n"
    "%j = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%k)[%m]\n",
    "affine.for %k = 0 to affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m]",
)
BASIS = flat("%i, %j = affine.delinearize_index %k into (%n, %m) : index, index\n")
COLLAPSED = f"{VIEW}\n{POSITIONS} {{ {UPDATE_OF_VIEW} }}"
CHOSEN = flat("""
%i = arith.floordivsi %k, %m : index
%r = arith.remsi %k, %m : index
%is_negative = arith.cmpi slt, %r, %c0 : index
%up = arith.addi %r, %m : index
%j = arith.select %is_negative, %up, %r : index
""")
STEPPED = f"""{VIEW}
%some = arith.cmpi sgt, %m, %c0 : index
scf.if %some {{
  scf.for %o = %c0 to %p step %m {{
    scf.for %j = %c0 to %m step %c1 {{
      %k = arith.addi %o, %j : index
      {UPDATE_OF_VIEW}
    }}
  }}
}}"""
FLAT = {
    "quotients": SIGNED,
    "unsigned": SIGNED.replace("divsi", "divui").replace("remsi", "remui"),
    "maps": MAPS,
    "basis": BASIS,
    "view": COLLAPSED,
    "choice": CHOSEN,
    "steps": STEPPED,
    "parallel": SIGNED.replace(
        "scf.for %k = %c0 to %p step %c1", "scf.parallel (%k) = (%c0) to (%p) step (%c1)"
    ),
}


@pytest.mark.parametrize("name", FLAT)
def test_a_loop_over_positions_is_equal_to_a_nest(name: str) -> None:
    """The product of the sizes has to fit."""
    found, assumptions = verdict(function(NEST), function(FLAT[name]))
    assert found == EQUAL
    assert OVERFLOW in assumptions


def test_a_nest_is_equal_to_a_loop_over_positions() -> None:
    assert verdict(function(BASIS), function(NEST))[0] == EQUAL
    assert verdict(function(STEPPED), function(MAPS))[0] == EQUAL


WRONG = {
    "divides by the other size": SIGNED.replace("remsi %k, %m", "remsi %k, %n").replace(
        "divsi %k, %m", "divsi %k, %n"
    ),
    "digits in the other order": SIGNED.replace("[%i, %j]", "[%j, %i]"),
    "whole rows less": SIGNED.replace("scf.for", "%q = arith.subi %p, %m : index\nscf.for").replace(
        "to %p", "to %q"
    ),
    "the next position": COLLAPSED.replace("store %y, %v[%k]", "store %y, %v[%l]").replace(
        "%y = arith", "%l = arith.minsi %k, %c1 : index\n%y = arith"
    ),
    "no guard of steps": STEPPED.replace("scf.if %some", "%all = arith.constant true\nscf.if %all"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_loop_over_positions_is_not_equal_to_a_nest(name: str) -> None:
    assert WRONG[name] not in FLAT.values()
    assert proved(function(NEST), function(WRONG[name])) != EQUAL


def proved(before: str, after: str) -> str:
    """The verdict without executions."""
    (found,) = volcli.load(before).diff(volcli.load(after), executed=False)
    return found.verdict


def nested_loops(body: str, arguments: str = "%a: memref<?x?xf32>") -> int | None:
    """How many loops the function of BODY has with nests; None if it has no loop over positions."""
    (unit,) = volcli.loads(f"func.func @f({arguments}) {{ {SIZES} {body}\nreturn }}").units
    found = nested(unit.parsed, unit.models()[0])
    return None if found is None else len(list(loops_in(found.function)))


def test_a_size_that_may_be_negative_makes_no_nest() -> None:
    """-2 * -3 positions are six, and the nest has no iteration."""
    argument = "%a: memref<?x?xf32>, %s: index"
    product = "%q = arith.muli %n, %s : index\n"
    by_argument = product + SIGNED.replace("%p", "%q").replace("%k, %m", "%k, %s")
    assert nested_loops(by_argument, argument) is None
    positive = "%some = arith.cmpi sge, %s, %c0 : index\nscf.if %some {"
    assert nested_loops(f"{positive} {by_argument} }}", argument) == 2


def test_flags_that_make_other_numbers_poison_make_no_nest() -> None:
    """A quotient that is exact is poison in most positions."""
    assert nested_loops(SIGNED) == 2
    assert nested_loops(SIGNED.replace("divsi %k, %m", "divsi %k, %m exact")) is None
    assert nested_loops(SIGNED + "\n%u = arith.muli %n, %n overflow<nuw> : index") is None


def test_a_division_that_may_be_by_0_stays_in_the_program_after() -> None:
    """(k * s) floordiv s is k, but where s = 0, for which the program before is defined."""
    before = "func.func @f(%a: memref<?xf32>, %s: index, %z: f32) {{ {0} return }}"
    loop = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %a, %c0 : memref<?xf32>
    %d = arith.maxsi %s, %c0 : index
    scf.for %k = %c0 to %n step %c1 {
      memref.store %z, %a[%k] : memref<?xf32>
    }
    """
    divided = loop.replace("%a[%k]", "%a[%i]").replace(
        "memref.store", "%t = arith.muli %k, %d : index\n%i = arith.floordivsi %t, %d : index\nmemref.store"
    )
    assert proved(before.format(loop), before.format(divided)) != EQUAL
    one = (before.format(each.replace("maxsi %s, %c0", "maxsi %s, %c1")) for each in (loop, divided))
    assert verdict(*one)[0] == EQUAL


def test_a_sum_over_positions_is_the_sum_over_rows() -> None:
    """What the loop over positions carries, the nest carries from row to row."""
    text = "func.func @f(%a: memref<?x?xf32>, %z: f32) -> f32 {{ {0} return %s : f32 }}"
    add = "%x = memref.load %a[%i, %j] : memref<?x?xf32>\n%y = arith.addf %t, %x : f32\nscf.yield %y : f32"
    carried = "iter_args(%t = {0}) -> f32"
    rows = f"""
    %s = scf.for %i = %c0 to %n step %c1 {carried.format("%z").replace("%t", "%u")} {{
      %r = scf.for %j = %c0 to %m step %c1 {carried.format("%u")} {{ {add} }}
      scf.yield %r : f32
    }}"""
    basis = "%i, %j = affine.delinearize_index %k into (%n, %m) : index, index"
    positions = f"%s = {POSITIONS} {carried.format('%z')} {{ {basis}\n{add} }}"
    before, after = (text.format(SIZES + each) for each in (rows, positions))
    assert verdict(before, after)[0] == EQUAL
    assert proved(before, after.replace("addf %t, %x", "subf %t, %x")) != EQUAL


def test_a_parallel_loop_over_positions_and_others_is_equal_to_one_over_all() -> None:
    """Collapsing two of three variables."""
    three = "memref<?x?x?xf32>"
    head = f"func.func @f(%a: {three}) {{ %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    sizes = "".join(
        f"%k{d} = arith.constant {d} : index\n%n{d} = memref.dim %a, %k{d} : {three}\n" for d in range(3)
    )
    body = f"%x = memref.load %a[%i, %j, %l] : {three}\n%y = arith.addf %x, %x : f32\nmemref.store %y, %a[%i, %j, %l] : {three}"
    plain = (
        f"scf.parallel (%i, %j, %l) = (%c0, %c0, %c0) to (%n0, %n1, %n2) step (%c1, %c1, %c1) {{ {body} }}"
    )
    digits = "%i = arith.divsi %k, %n1 : index\n%j = arith.remsi %k, %n1 : index"
    both = "%p = arith.muli %n0, %n1 : index\nscf.parallel (%k, %l) = (%c0, %c0) to (%p, %n2) step (%c1, %c1)"
    texts = [f"{head}{sizes}{each} return }}" for each in (plain, f"{both} {{ {digits}\n{body} }}")]
    assert verdict(*texts)[0] == EQUAL
    assert proved(texts[0], texts[1].replace("divsi %k, %n1", "divsi %k, %n0")) != EQUAL


def test_a_loop_over_flat_memory_is_a_nest_in_the_same_order() -> None:
    """%b[%k] is %b[%i * %m + %j], which sets of integers do not know. The first size may be negative."""
    text = """func.func @f(%b: memref<?xf32>, %n: index, %m: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ok = arith.cmpi sge, %m, %c0 : index
      cf.assert %ok, "a size"
      %p = arith.muli %n, %m : index
      {0} return }}"""
    update = UPDATE_OF_VIEW.replace("%v", "%b")
    row = "%r = arith.muli %i, %m : index\n%k = arith.addi %r, %j : index"
    rows = f"scf.for %i = %c0 to %n step %c1 {{ scf.for %j = %c0 to %m step %c1 {{ {row} {update} }} }}"
    before, after = (text.format(each) for each in (rows, f"{POSITIONS} {{ {update} }}"))
    assert verdict(before, after)[0] == EQUAL
    assert proved(before.replace("cmpi sge, %m", "cmpi sge, %n"), after) != EQUAL
    assert proved(before.replace("muli %i, %m", "muli %i, %n"), after) != EQUAL


def test_an_access_that_leaves_its_array_as_before_is_not_new() -> None:
    """What may be out of bounds, at quotients by a value, is in both programs; one load is in one alone."""
    text = """func.func @f(%a: memref<?x?xf32>, %m: index, %n: index, %z: f32) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ok = arith.cmpi sge, %m, %c1 : index
      cf.assert %ok, "a size"
      scf.for %k = %c0 to %n step %c1 {{
        %i = arith.floordivsi %k, %m : index
        %j = arith.remsi %k, %m : index
        memref.store %z, %a[%i, %j] : memref<?x?xf32>
        {0}
      }}
      return }}"""
    next_one = """%l = arith.addi %k, %c1 : index
    %p, %q = affine.delinearize_index %l into (%m) : index, index
    %x = memref.load %a[%p, %q] : memref<?x?xf32>"""
    more, less = text.format(next_one), text.format("")
    assert verdict(more, less)[0] == EQUAL
    assert proved(less, more) != EQUAL
