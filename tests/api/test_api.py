"""The API: programs, functions, values and places, and what is refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from volcli.diagnostics import UsageError
from volcli.facts.fact import Fact

LAYER = ROOT / "testdata" / "linalg" / "conv_layer.mlir"
ROWS = ROOT / "testdata" / "memory" / "shifted_rows.mlir"

CHAIN = """
func.func @f(%a: tensor<8xf32>, %b: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = arith.negf %s : tensor<4xf32>
  %r = arith.addf %t, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @g(%m: memref<64xf32>, %k: index) {
  affine.for %i = 2 to 64 {
    %x = affine.load %m[%i - 2] : memref<64xf32>
    affine.store %x, %m[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 9 {
    %y = affine.load %m[%i] : memref<64xf32>
  }
  return
}
"""


@pytest.fixture
def program() -> volcli.Program:
    return volcli.loads(CHAIN)


# -- reading -------------------------------------------------------------------------------------------


def test_a_path_is_a_text_or_a_path(tmp_path: Path) -> None:
    """Braces in a name are no program."""
    path = tmp_path / "{layer}.mlir"
    path.write_text(CHAIN)
    for each in (path, str(path)):
        assert [f.name for f in volcli.load(each).functions] == ["f", "g"]


@pytest.mark.parametrize("text", ["module {}", "func.func @f() { return }"])
def test_a_text_is_not_guessed_from_a_line(text: str) -> None:
    with pytest.raises(volcli.UsageError) as caught:
        volcli.load(text)
    assert caught.value.diagnostic.code == "V100"
    assert "volcli.loads" in caught.value.diagnostic.next_step
    assert volcli.loads(text).exit_code in (0, 2)


def test_lines_are_a_text_as_ever() -> None:
    assert [f.name for f in volcli.load(CHAIN).functions] == ["f", "g"]


def test_a_text_has_the_name_that_it_is_given() -> None:
    (error,) = volcli.loads("func.func @f(", name="cell 4").diagnostics
    assert error.place is not None
    assert error.place.file == "cell 4"


@pytest.mark.slow
def test_the_package_exports_what_its_users_name(environment: Mapping[str, str]) -> None:
    """And imports none of it before it is used."""
    script = (
        "import sys, volcli; print('xdsl' in sys.modules, 'islpy' in sys.modules, dir(volcli));"
        "from volcli import *; print(Program.__module__, UsageError.__name__, 'islpy' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    names = ["Function", "Program", "UsageError", "__version__", "check", "load", "loads", "validate"]
    first, second = ran.stdout.splitlines()
    assert first == f"False False {names}"
    assert second == "volcli.api.program UsageError True"


# -- functions and values ------------------------------------------------------------------------------


def test_functions_in_the_order_of_the_text(program: volcli.Program) -> None:
    assert [repr(f) for f in program.functions] == [
        "<Function @f: %a, %b, %n -> %r>",
        "<Function @g: %m, %k -> ()>",
    ]
    assert program.function("g").name == program.function("@g").name == "g"
    assert [v.name for v in program.function("f").values] == ["%a", "%b", "%n", "%s", "%t", "%r"]


def test_chunks_are_searched_in_order() -> None:
    split = volcli.loads(f"{CHAIN}// -----\n{CHAIN.replace('@g', '@h')}", split=True)
    assert [f.name for f in split.functions] == ["f", "g", "f", "h"]
    assert split.function("h").bounds("%k").key.function == "h"


Call = Callable[[volcli.Program], object]


@pytest.mark.parametrize(
    ("call", "message", "step"),
    [
        (lambda p: p.function("h"), "no function @h", "there are @f, @g"),
        (lambda p: p.function("f").bounds("%nn"), "no value %nn in @f", "did you mean '%n'?"),
        (lambda p: p.function("f").element_map("%r", to="%c"), "no value %c in @f", "there are %a"),
        (lambda p: p.function("g").slices("%z"), "no value %z in @g", "there are %m"),
        (lambda p: p.run("sparsity-regions{of=%rr}"), "no value %rr in -", "did you mean '%r'?"),
        (lambda p: p.function("f").bounds("%a"), "%a is of type tensor<8xf32>: it is neither an index value", "bounds("),
        (lambda p: p.function("f").bounds("%a", 1), "%a is of type tensor<8xf32>: it has no dimension 1", "1 dim"),
        (lambda p: p.function("f").shape("%n"), "%n is of type index: it has no dimensions", "`bounds`"),
        (lambda p: p.picture(10, 11, q=3), "no loop around both accesses and no parameter", "name a value"),
    ],
)  # fmt: skip
def test_unknown_names_say_what_there_is(
    call: Call, message: str, step: str, program: volcli.Program
) -> None:
    with pytest.raises(volcli.UsageError) as caught:
        call(program)
    assert caught.value.diagnostic.code == "V005"
    assert message in str(caught.value)
    assert step in caught.value.diagnostic.next_step


def test_what_is_asked_is_no_fact_of_the_program(program: volcli.Program) -> None:
    f, g = program.functions
    f.bounds("%n"), f.shape("%r"), f.element_map("%r"), f.regions("%r"), g.loops(), g.compare("%k >= 0")
    assert (program.facts, program.diagnostics) == ([], [])
    assert program.run("dependences").function("g").loops() == tuple(
        fact for fact in program.facts if fact.question == "loops"
    )


def test_each_answer_is_that_of_its_pass(program: volcli.Program) -> None:
    f, g = program.functions
    asked: dict[str, list[Fact]] = {
        "element-maps": [f.element_map("%r"), g.element_map("%m")],
        "sparsity-regions": [f.regions("%r"), g.regions("%m")],
        "dependences": [*g.loops(), *g.dependences()],
        "check-accesses": [*f.accesses(), *g.accesses()],
        "memory-flow": [*g.flow()],
        "nests": [*g.nests()],
        "check-races": [*g.races()],
        "index-costs": [*f.costs(), *g.costs()],
        "volumes": [*f.volumes(), *g.volumes()],
    }
    for pipeline, answers in asked.items():
        assert volcli.loads(CHAIN).run(pipeline).facts == answers, pipeline
    bounds = {fact.key: fact for fact in volcli.loads(CHAIN).run("value-bounds").facts}
    shapes = {fact.key: fact for fact in volcli.loads(CHAIN).run("infer-shapes").facts}
    for fact, known in ((f.bounds("%n"), bounds), (g.bounds("%i"), bounds), (f.shape("%t"), shapes)):
        assert known[fact.key] == fact


def test_bounds_of_a_size_that_is_a_number(program: volcli.Program) -> None:
    found = program.function("f").bounds("%a", 0)
    assert (found.lower.constant, found.upper.constant, found.key.subject) == (8, 8, "dim(%a, 0)")


@pytest.mark.parametrize(
    ("name", "to", "expected"),
    [
        ("%r", "%a", "{ r[i] -> a[i + 2] : 0 <= i < 4 }"),
        ("%r", "%t", "{ r[i] -> t[i] : 0 <= i < 4 }"),
        ("%r", "%s", "{ r[i] -> s[i] : 0 <= i < 4 }"),
        ("%r", "%r", "{ r[i] -> r[i] : 0 <= i < 4 }"),
        ("%t", "%b", "{ }"),
        ("%t", "%r", "{ }"),
        ("%r", "operands", "{ r[i] -> t[i] : 0 <= i < 4; r[i] -> b[i] : 0 <= i < 4 }"),
    ],
)
def test_element_maps_to_any_value(name: str, to: str, expected: str, program: volcli.Program) -> None:
    found = program.function("f").element_map(name, to=to)
    assert found.exact
    assert found.map is not None
    assert found.map.is_equal(isl.UnionMap(expected))


def test_what_is_read_back_from_memory_depends_on_what_was_stored() -> None:
    """%t is stored, and comes back; what a buffer of the function's own contains is no volume."""
    text = """func.func @f(%a: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
      %b = memref.alloc() : memref<4xf32>
      %t = arith.negf %a : tensor<4xf32>
      bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
      %r = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
      return %r : tensor<4xf32>
    }"""
    function = volcli.loads(text).function("f")
    found = function.element_map("%r", to="%t")
    assert found.map is not None
    assert found.exact
    assert found.map.is_equal(isl.UnionMap("{ r[i] -> t[i] : 0 <= i < 4 }"))
    assert function.element_map("%r", to="%b").map is None


SELECTED = """
func.func @f(%a: tensor<16xf32>, %i: tensor<4xindex>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %s = arith.addi %i, %i : tensor<4xindex>
  %j = tensor.extract %s[%c0] : tensor<4xindex>
  %t = arith.muli %i, %i : tensor<4xindex>
  %k = tensor.extract %t[%j] : tensor<4xindex>
  %k2 = arith.addi %k, %n : index
  %r = tensor.extract_slice %a[%k2] [2] [1] : tensor<16xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %t = arith.negf %a : tensor<4xf32>
  cf.br ^bb1(%t : tensor<4xf32>)
^bb1(%u: tensor<4xf32>):
  %r = arith.negf %u : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize("to", ["%t", "%u"])
def test_maps_to_values_of_other_blocks(to: str) -> None:
    found = volcli.loads(SELECTED).function("g").element_map("%r", to=to)
    assert found.exact
    assert found.map is not None


@pytest.mark.parametrize("to", ["%s", "%t", "%i"])
def test_maps_to_what_selects_elements(to: str) -> None:
    """%k is %t[%j], and %j is %s[0]: the selected elements depend on both."""
    found = volcli.loads(SELECTED).function("f").element_map("%r", to=to)
    assert found.map is not None
    assert not found.exact
    assert not found.map.is_empty()


@pytest.mark.parametrize(
    ("function", "name", "to", "reason"),
    [
        ("f", "%r", "%k2", "%k2 is a number: it may select elements, and is a parameter of maps"),
        ("f", "%r", "%n", "%n is a number: it may select elements, and is a parameter of maps"),
    ],
)
def test_a_map_that_would_say_too_little_is_unknown(function: str, name: str, to: str, reason: str) -> None:
    found = volcli.loads(SELECTED).function(function).element_map(name, to=to)
    assert (found.map, found.exact, found.reason) == (None, False, reason)


def test_a_map_to_a_value_of_a_region_is_unknown(program: volcli.Program) -> None:
    found = program.function("g").element_map("%m", to="%x")
    assert (found.map, found.reason) == (None, "%x is inside a region that %m is not in")


def test_an_internal_error_is_raised_and_not_answered(
    program: volcli.Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> Fact:
        raise ValueError("broken")

    monkeypatch.setattr("volcli.api.values.bounds_fact", failing)
    with pytest.raises(volcli.UsageError, match="internal error in question") as caught:
        program.function("f").bounds("%n")
    assert caught.value.diagnostic.code == "V900"
    assert program.function("f").shape("%a").sizes


def test_claims_of_one_function(program: volcli.Program) -> None:
    """%i is a value of only one of them, and %k of the other function."""
    claim = program.function("g").compare("%i >= 0 and %i < 64")
    assert claim.found.verdict.value == "proved"
    second = program.function("g").compare("%i >= 2")  # it is the first one that is
    assert (second.found.witness, second.found.precondition, second.place.line) == ({"%i": 0}, None, 13)
    with pytest.raises(volcli.UsageError):
        program.function("f").compare("%k >= 0")


def test_a_refusal_travels(program: volcli.Program) -> None:
    with pytest.raises(volcli.UsageError) as caught:
        program.function("h")
    there = pickle.loads(pickle.dumps(caught.value))
    assert (there.diagnostic, str(there)) == (caught.value.diagnostic, str(caught.value))


# -- places --------------------------------------------------------------------------------------------


def test_at_a_line(program: volcli.Program) -> None:
    spot = program.at(3)
    assert (spot.op, [v.name for v in spot.values]) == ("tensor.extract_slice", ["%s"])
    assert program.at(2).op == "func.func"
    assert [v.name for v in program.at(2).values] == ["%a", "%b", "%n"]


def test_at_a_loop_its_variable_is_asked_for_bounds(program: volcli.Program) -> None:
    """Of two loops of one name, each is at its own line."""
    ends = [program.at(line).values[0].bounds().upper.constant for line in (9, 13)]
    assert ends == [63, 8]


def test_at_a_column() -> None:
    one_line = volcli.loads("func.func @f(%a: i32) -> i32 { %b = arith.addi %a, %a : i32 return %b : i32 }")
    assert [one_line.at(1, column).op for column in (1, 40, 70)] == ["func.func", "arith.addi", "func.return"]


def test_at_a_loop_is_the_loop_and_not_its_yield(program: volcli.Program) -> None:
    assert [program.at(9, column).op for column in (1, 3, 60)] == ["affine.for"] * 3


def test_at_a_place_are_the_facts_that_were_found(program: volcli.Program) -> None:
    assert program.at(9).facts == ()
    assert {fact.question for fact in program.run("dependences,value-bounds").at(9).facts} == {
        "loops",
        "bounds",
    }


def test_at_no_operation(program: volcli.Program) -> None:
    with pytest.raises(volcli.UsageError) as caught:
        program.at(100)
    assert caught.value.diagnostic.code == "V010"
    assert caught.value.diagnostic.next_step.startswith("operations begin in lines ")


# -- notebooks -----------------------------------------------------------------------------------------


def test_short_texts(program: volcli.Program) -> None:
    assert repr(program) == "<Program -: 2 functions, 0 facts>"
    assert repr(program.function("f").value("n")) == "<Value %n: index>"
    assert repr(program.at(9)) == "<Spot 9:3 affine.for: %i>"
    for fact in volcli.load(LAYER).run("infer-shapes,element-maps,sparsity-regions,value-bounds").facts:
        assert len(repr(fact)) < 110
        assert "\n" not in repr(fact)


def test_tables_for_notebooks(program: volcli.Program) -> None:
    page = program.run("dependences,check-accesses")._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert page.count("<table>") == page.count("</table>") == len({f.question for f in program.facts})
    assert "<td>RAW</td>" in page
    loop = program.function("g").loops()[0]._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "%m[%i - 2], distance (2): (2) then (4)" in loop
    assert "&gt;" in loop  # `->` is escaped


def test_pictures_for_notebooks() -> None:
    program = volcli.load(ROWS)
    g = program.functions[0]
    (dependence,) = g.dependences("RAW")
    picture = g.picture(dependence)
    assert picture.diagram == program.picture(8, 9).diagram
    assert {arrow.distance for arrow in picture.diagram.arrows} == {(2, 0)}
    drawn = picture._repr_svg_()  # pyright: ignore[reportPrivateUsage]
    assert drawn.startswith("<svg ")
    assert "@ both" in str(picture)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "path", sorted((ROOT / "testdata" / "linalg").glob("conv*.mlir")), ids=lambda path: path.name
)
def test_maps_through_a_value_are_part_of_the_map_to_the_inputs(path: Path) -> None:
    """From the result to %t, and from there to the inputs: what goes around %t is the rest."""
    through = 0
    for function in volcli.load(path, split=True).functions:
        for result in function.results:
            whole = function.element_map(result.name)
            for value in function.values:
                if not value.type.startswith("tensor<"):
                    continue
                first, second = (
                    function.element_map(result.name, to=value.name),
                    function.element_map(value.name),
                )
                if not (whole.exact and first.exact and second.exact):
                    continue
                assert whole.map is not None
                assert first.map is not None
                assert second.map is not None
                composed = first.map.apply_range(second.map)
                assert composed.is_subset(whole.map), (value, composed)
                through += not composed.is_empty()
    assert through > 1


def test_programs_and_facts_can_be_pickled_and_parts_of_programs_say_why_not() -> None:
    program = volcli.loads(
        "func.func @f(%n: index) -> index {\n  %c = arith.constant 1 : index\n"
        "  %m = arith.addi %n, %c : index\n  return %m : index\n}\n",
        name="a.mlir",
        assume=["%n >= 2"],
    ).run("value-bounds")
    program.compare("%m >= 3")
    again = pickle.loads(pickle.dumps(program))
    assert again.facts == program.facts
    assert [each.question for each in again.facts].count("comparisons") == 1
    assert (again.source, again.assume) == (program.source, program.assume)
    assert pickle.loads(pickle.dumps(program.facts)) == program.facts
    function = again.function("f")
    for part in (function, function.value("%m")):
        with pytest.raises(TypeError, match="send its Program"):
            pickle.dumps(part)
    rewritten = volcli.load("testdata/linalg/conv_layer.mlir").run("infer-shapes{refine-types}")
    rewritten.units[0].rewritten = True
    with pytest.raises(TypeError, match=r"send program\.mlir\(\)"):
        pickle.dumps(rewritten)


@pytest.mark.parametrize("text", ["", "// nothing\n", "testdata/linalg/conv_layer.mlir", "no_such_file.mlir"])
def test_a_text_without_operations_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        volcli.loads(text)
    assert refused.value.diagnostic.code == "V107"
    assert ("volcli.load(" in refused.value.diagnostic.next_step) == text.endswith(".mlir")


def test_one_condition_needs_no_list() -> None:
    text = "func.func @f(%n: index) -> index {\n  return %n : index\n}\n"
    one, listed = (volcli.loads(text, assume=given) for given in ("%n >= 3", ["%n >= 3"]))
    assert str(one.function("f").bounds("%n")) == str(listed.function("f").bounds("%n"))
    assert one.function("f").bounds("%n").lower.constant == 3


def test_a_report_shows_what_there_is() -> None:
    report = volcli.check(ROOT / "testdata" / "memory" / "shifted_rows.mlir")
    assert repr(report) == "<Report of 1 file: 1 finding>"
