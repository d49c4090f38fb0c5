"""dependences: what each loop carries, with the reason; and what must not be taken for parallel or for a reduction."""

from __future__ import annotations

import json
from itertools import product

import jsonschema
import pytest

import volcli
from tests.conftest import ROOT, Run
from tests.passes.mlir_opt.dependence_cases import function
from volcli.facts.dependences import DependenceFact
from volcli.facts.loops import LoopFact

ACCUMULATE = "%m: memref<64xf32>, %acc: memref<2xf32>, %x: f32, %n: index"
EACH = "%t = arith.index_cast %i : index to i64\n %v = arith.sitofp %t : i64 to f32\n"
"""A float %v of the iteration %i."""
FILES = sorted((ROOT / "testdata" / "memory").glob("*.mlir"))


def loops(text: str, options: str = "") -> list[LoopFact]:
    """The loops of a program, in the order of the text."""
    return [f for f in volcli.load(text).run(f"dependences{options}").facts if isinstance(f, LoopFact)]


def dependences(text: str) -> list[DependenceFact]:
    return [f for f in volcli.load(text).run("dependences").facts if isinstance(f, DependenceFact)]


def the_loop(body: str, arguments: str = ACCUMULATE, end: str = "64") -> LoopFact:
    """The only loop of a function: over %i, with this body."""
    indented = "\n".join(f"  {line}" for line in body.strip().splitlines())
    (found,) = loops(function(arguments, f"affine.for %i = 0 to {end} {{\n{indented}\n}}"))
    return found


# -- parallel, and not ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("store", "load"),
    [("%i", "%i"), ("%i", "%i + 64"), ("2 * %i", "2 * %i + 1"), ("63 - %i", "63 - %i"), ("%i", "0 * %i - 1")],
)
def test_a_loop_whose_iterations_share_no_element_is_parallel(store: str, load: str) -> None:
    found = the_loop(f"""affine.store %x, %m[{store}] : memref<64xf32>
        %y = affine.load %m[{load}] : memref<64xf32>""")
    assert (found.kind, found.assumptions, found.least_distance) == ("parallel", (), None)


@pytest.mark.parametrize(
    ("store", "load", "least"),
    [("%i", "%i - 1", 1), ("%i", "%i + 5", 5), ("%i", "0", 1), ("%i floordiv 2", "%i + 64", 1), ("%i mod 8", "%i + 64", 8)],
)  # fmt: skip
def test_the_least_distance_is_what_may_run_at_once(store: str, load: str, least: int) -> None:
    found = the_loop(f"""%y = affine.load %m[{load}] : memref<64xf32>
        affine.store %y, %m[{store}] : memref<64xf32>""")
    assert (found.kind, found.least_distance) == ("carried", least)


def test_a_distance_has_a_witness_that_is_true() -> None:
    (fact,) = dependences(
        function("%m: memref<?x?xf32>, %x: f32, %n: index", """
            affine.for %i = 0 to %n {
              affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
                affine.store %x, %m[%i, 2 * %j] : memref<?x?xf32>
                %y = affine.load %m[%i - 3, %j + 4] : memref<?x?xf32>
              }
            }""")
    )  # fmt: skip
    witness = fact.witness
    assert witness is not None
    (i, j), (k, q), n = witness.source, witness.sink, witness.parameters["%n"]
    assert (i, 2 * j) == (k - 3, q + 4) == witness.element
    assert 0 <= j < i < n
    assert 0 <= q < k < n
    nest = [(i, j) for i in range(20) for j in range(i)]
    distances = {(k - i, q - j) for (i, j), (k, q) in product(nest, nest) if (i, 2 * j) == (k - 3, q + 4)}
    assert fact.hull[0] == (3, 3) == (min(distances)[0], max(distances)[0])
    assert (fact.kind, fact.verdict, fact.depth) == ("RAW", "dependent", 1)


def test_example_2_of_the_paper_has_exactly_these_distances() -> None:
    """E004-1, of MemRef dependence checks in MLIR."""
    text = (ROOT / "testdata" / "memory" / "paper_004.mlir").read_text()
    found = [f for f in dependences(text) if f.where.function == "skewed"]
    carried = {(f.kind, f.depth): str(f.distances) for f in found}
    assert carried.keys() == {("RAW", 1), ("WAR", 1), ("RAW", 3)}
    assert carried["WAR", 1] == "{ [i = 2, j = -4] }"
    assert carried["RAW", 3] == "{ [i = 0, j = 0] }"
    listed = next(str(f.carried[0]) for f in loops(text) if f.where.function == "skewed")
    assert "distances (1, 1), (2, 2), (3, 3), (5, -1), (6, 0), (7, 1):" in listed


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("func.call @elsewhere(%m) : (memref<64xf32>) -> ()", "the memory effects of @elsewhere are unknown"),
        ("func.call @nothing() : () -> ()", "the effects of @nothing are unknown"),
        ("vector.print %x : f32", "'vector.print' prints in the order of the iterations"),
        ("memref.dealloc %m : memref<64xf32>", "'memref.dealloc' frees a buffer of all iterations"),
        ('"other.look"(%m) : (memref<64xf32>) -> ()', "the memory effects of 'other.look' are unknown"),
        ('"other.print"(%x) : (f32) -> ()', "the effects of 'other.print' are unknown"),
        ('%b = "other.make"() : () -> memref<64xf32>\naffine.store %x, %b[0] : memref<64xf32>',
         "the memory effects of 'other.make' are unknown"),
    ],
)  # fmt: skip
def test_unknown_effects_make_a_loop_unknown(body: str, reason: str) -> None:
    declared = "func.func private @elsewhere(memref<64xf32>)\nfunc.func private @nothing()\n"
    indented = f"affine.for %i = 0 to 64 {{\n{body}\n}}"
    (found,) = loops(declared + function(ACCUMULATE, indented))
    assert (found.kind, found.reason) == ("unknown", reason)


def test_a_buffer_freed_in_the_last_iteration_was_there_for_the_others() -> None:
    """The same loop with a buffer of its own is parallel."""
    freed = """affine.store %x, %b[%i] : memref<64xf32>
        affine.if affine_set<(d0) : (d0 - 63 == 0)>(%i) {
          memref.dealloc %b : memref<64xf32>
        }"""
    outside = function(
        "%x: f32", f"%b = memref.alloc() : memref<64xf32>\naffine.for %i = 0 to 64 {{\n{freed}\n}}"
    )
    inside = function(
        "%x: f32", f"affine.for %i = 0 to 64 {{\n%b = memref.alloc() : memref<64xf32>\n{freed}\n}}"
    )
    assert [f.kind for f in loops(outside)] == ["unknown"]
    assert [f.kind for f in loops(inside)] == ["parallel"]


def test_what_passes_on_a_value_is_first_and_what_is_left_out_is_counted_by_kind() -> None:
    """Of five offsets, two are read from earlier iterations: RAW; the others and the store itself: WAR."""
    loads = "\n".join(f"%y{k} = affine.load %m[%i + {k}] : memref<64xf32>" for k in (6, 5, 4, 2, 1))
    found = the_loop(
        f"""{loads}
        affine.store %x, %m[%i + 3] : memref<64xf32>""",
        end="50",
    )
    assert [(each.kind, each.source, each.sink) for each in found.carried] == [
        ("RAW", "%m[%i + 3]", "%m[%i + 2]"),
        ("RAW", "%m[%i + 3]", "%m[%i + 1]"),
        ("WAR", "%m[%i + 6]", "%m[%i + 3]"),
        ("WAR", "%m[%i + 5]", "%m[%i + 3]"),
    ]
    assert found.rows()[-1][2] == "1 more (1 WAR)"


def test_what_is_certainly_carried_is_more_than_what_may_be() -> None:
    found = the_loop(f"""{EACH} affine.store %v, %m[0] : memref<64xf32>
        "other.look"(%acc) : (memref<2xf32>) -> ()""")
    assert (found.kind, found.reason) == ("carried", None)
    assert str(found.carried[0]).startswith("WAW %m[0] -> %m[0]")


def test_a_while_carries_its_condition_and_the_dependences_of_its_iterations() -> None:
    (found,) = (f for f in loops(_text("strangers")) if f.function == "while" and f.loop == "%i")
    assert found.kind == "carried"
    assert [str(each).partition(",")[0] for each in found.carried] == [
        "WAW %m[%i] -> %m[%j]",
        "WAW %m[%j] -> %m[%i]",
        "WAW %m[%j] -> %m[%j]",
    ]


def _text(name: str) -> str:
    return (ROOT / "testdata" / "memory" / f"{name}.mlir").read_text()


STRIDED = f"""
func.func @f(%m: memref<?xf32>, %s: index) {{
  affine.for %i = 0 to @END {{
    %w = memref.subview %m[0] [@END] [%s] : memref<?xf32> to memref<@ENDxf32, strided<[?]>>
    {EACH}
    affine.store %v, %w[%i] : memref<@ENDxf32, strided<[?]>>
  }}
  return
}}
"""


def test_a_stride_that_nobody_knows_is_asked_for_each_of_few_iterations() -> None:
    """%i * %s is the same in two of them if %s is 0."""
    (found,) = loops(STRIDED.replace("@END", "8"))
    assert found.kind == "carried"
    assert "distances [s] -> { [i] : s = 0 and 0 < i <= 7 }" in str(found.carried[0])


def test_and_is_tried_for_small_numbers_in_many() -> None:
    (found,) = loops(STRIDED.replace("@END", "80"))
    assert (found.kind, found.reason) == ("carried", "%i * %s is a product of two unknowns")
    assert "distances at most { [i] : 0 < i <= 79 } (%i * %s is a product of two unknowns)" in str(
        found.carried[0]
    )
    assert not found.to_json()["exact"]


# -- reductions ----------------------------------------------------------------------------------------

UPDATE = """%a = affine.load %m[%i] : memref<64xf32>
%s = affine.load %acc[0] : memref<2xf32>
@UPDATE
affine.store %t, %acc[0] : memref<2xf32>"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("update", "name", "rounded"),
    [
        ("%t = arith.addf %s, %a : f32", "addf", ["addf"]),
        ("%t = arith.addf %a, %s fastmath<reassoc> : f32", "addf", []),
        ("%t = arith.mulf %s, %a : f32", "mulf", ["mulf"]),
        ("%t = arith.mulf %s, %a fastmath<fast> : f32", "mulf", []),
        ("%t = arith.mulf %s, %a fastmath<nnan,nsz> : f32", "mulf", ["mulf"]),
        ("%t = arith.maximumf %a, %s : f32", "maximumf", []),
        ("%t = arith.subf %s, %a : f32", "addf", ["subf"]),
        ("%u = arith.addf %s, %a : f32\n%t = arith.addf %x, %u fastmath<fast> : f32", "addf", ["addf"]),
        ("%u = arith.subf %s, %a : f32\n%t = arith.addf %x, %u : f32", "addf", ["subf", "addf"]),
        ("%u = arith.mulf %a, %x : f32\n%t = arith.addf %u, %s fastmath<fast> : f32", "addf", []),
    ],
)
def test_an_update_is_a_reduction_up_to_rounding(update: str, name: str, rounded: list[str]) -> None:
    """Another order of sums rounds to other numbers, unless the operations on the way allow it."""
    found = the_loop(UPDATE.replace("@UPDATE", update))
    assert (found.kind, found.reductions) == ("reduction", (f"%acc[0] ({name})",))
    reordered = tuple(f"reassoc of arith.{each}" for each in rounded)
    assert found.assumptions == ("%m and %acc are different memory", *reordered)


@pytest.mark.parametrize(
    "update",
    [
        "%t = arith.subf %a, %s : f32",
        "%t = arith.divf %a, %s : f32",
        "%t = arith.addf %s, %s : f32",
        "%u = arith.mulf %s, %a : f32\n%t = arith.addf %u, %a : f32",
        "%u = arith.addf %s, %a : f32\n%t = arith.subf %a, %u : f32",
        "%u = arith.mulf %s, %s : f32\n%t = arith.addf %s, %u : f32",
        "%t = arith.addf %s, %a : f32\naffine.store %s, %m[%i] : memref<64xf32>",
        "%t = arith.addf %s, %a : f32\naffine.store %t, %m[%i] : memref<64xf32>",
        "%t = arith.addf %s, %a : f32\naffine.store %x, %acc[0] : memref<2xf32>",
        "%t = arith.addf %s, %a : f32\n%u = affine.load %acc[0] : memref<2xf32>",
        "%t = arith.addf %a, %x : f32",
    ],
)
def test_what_only_looks_like_an_update_is_none(update: str) -> None:
    found = the_loop(UPDATE.replace("@UPDATE", update))
    assert found.kind == "carried"


def test_two_different_updates_of_one_element_are_none() -> None:
    """A sum and a product do not commute."""
    first = UPDATE.replace("@UPDATE", "%t = arith.addf %s, %a : f32")
    second = """%s2 = affine.load %acc[{k}] : memref<2xf32>
        %t2 = arith.{name} %s2, %a : f32
        affine.store %t2, %acc[{k}] : memref<2xf32>"""
    assert the_loop(f"{first}\n{second.format(k=0, name='mulf')}").kind == "carried"
    assert the_loop(f"{first}\n{second.format(k=0, name='addf')}").kind == "reduction"
    assert the_loop(f"{first}\n{second.format(k=1, name='mulf')}").kind == "reduction"


def test_the_element_that_is_updated_must_be_the_one_that_was_read() -> None:
    text = UPDATE.replace("@UPDATE", "%t = arith.addf %s, %a : f32").replace("%acc[0]", "%acc[1]", 1)
    assert the_loop(text).kind == "carried"


CARRIED = """
%r = affine.for %i = 0 to 64 iter_args(%s = %x) -> (f32) {
  %a = affine.load %m[%i] : memref<64xf32>
  @UPDATE
  affine.yield %t : f32
}
affine.store %r, %acc[0] : memref<2xf32>"""


@pytest.mark.parametrize(
    ("update", "kind", "reductions"),
    [
        ("%t = arith.addf %s, %a : f32", "reduction", ("%s (addf)",)),
        ("%t = arith.subf %s, %a : f32", "reduction", ("%s (addf)",)),
        ("%t = arith.subf %a, %s : f32", "carried", ()),
        ("%t = arith.addf %s, %a : f32\naffine.store %t, %acc[1] : memref<2xf32>", "carried", ()),
        ("%t = arith.addf %s, %a : f32\naffine.store %s, %acc[1] : memref<2xf32>", "carried", ()),
        ("%u = arith.mulf %s, %a : f32\n%t = arith.addf %u, %a : f32", "carried", ()),
        ("%t = arith.negf %s : f32", "carried", ()),
    ],
)
def test_a_value_that_goes_around(update: str, kind: str, reductions: tuple[str, ...]) -> None:
    (found,) = loops(function(ACCUMULATE, CARRIED.replace("@UPDATE", update)))
    assert (found.kind, found.reductions) == (kind, reductions)


# -- assumptions ---------------------------------------------------------------------------------------

COPY = function("%m: memref<64xf32>, %k: memref<64xf32>", """
    affine.for %i = 1 to 64 {
      %y = affine.load %m[%i - 1] : memref<64xf32>
      affine.store %y, %k[%i] : memref<64xf32>
    }""")  # fmt: skip


def test_that_arguments_are_different_memory_is_said() -> None:
    (found,) = loops(COPY)
    assert (found.kind, found.assumptions) == ("parallel", ("%m and %k are different memory",))


def test_and_need_not_be_said() -> None:
    (found,) = loops(COPY, "{assume-noalias-args}")
    assert (found.kind, found.assumptions) == ("parallel", ())


def test_what_a_function_allocates_is_no_assumption() -> None:
    text = COPY.replace("%m: memref<64xf32>, ", "").replace(
        "  affine.for", "  %m = memref.alloc() : memref<64xf32>\n  affine.for", 1
    )
    (found,) = loops(text)
    assert (found.kind, found.assumptions) == ("parallel", ())


# -- how it is printed ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_json_is_as_documented(volcli: Run) -> None:
    ran = volcli("analyze", *map(str, FILES), "--ask", "dependences,loops", "--format", "json")
    assert ran.returncode == 0
    said = json.loads(ran.stdout)
    jsonschema.validate(said, json.loads((ROOT / "docs" / "facts.schema.json").read_text()))
    assert len(said["files"]) == len(FILES)
    kinds = {fact["kind"] for file in said["files"] for fact in file["facts"]}
    assert kinds == {"parallel", "reduction", "carried", "unknown", "RAW", "WAR", "WAW"}


def test_a_table(volcli: Run) -> None:
    ran = volcli("analyze", "-", "--ask", "loops", input=COPY)
    assert ran.stdout == (
        "-\n"
        "\n"
        "loops: 1 parallel\n"
        "location  function  loop  iterations  because\n"
        "2:3       f         %i    parallel    if %m and %k are different memory\n"
    )


def test_a_table_of_pairs(volcli: Run) -> None:
    text = function("%m: memref<64xf32>, %x: f32", """
        affine.for %i = 1 to 64 {
          affine.store %x, %m[%i] : memref<64xf32>
          %y = affine.load %m[%i - 1] : memref<64xf32>
        }""")  # fmt: skip
    ran = volcli("analyze", "-", "--ask", "dependences", input=text)
    assert ran.stdout.splitlines()[3:] == [
        "location  function  kind  source           sink                 depth  distances    first",
        "3:5       f         RAW   %m[%i] (line 3)  %m[%i - 1] (line 4)      1  { [i = 1] }  (1) then (2) at [1]",
    ]


@pytest.mark.parametrize("width", [20, 79])
def test_a_narrow_terminal(width: int, volcli: Run) -> None:
    ran = volcli(
        "analyze", "-", "--ask", "dependences,loops", input=_text("paper_004"), env={"COLUMNS": str(width)}
    )
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert max(map(len, lines)) <= width
    assert "(7,1)" in "".join(ran.stdout.split())


def test_operations_without_accesses_inside_are_no_loops() -> None:
    """The body of a linalg operation computes on scalars; how often it runs is nobody's question."""
    assert {f.loop for f in loops(_text("structured"))} == {"%t", "%i", "%k"}


def test_accesses_of_one_text_are_named_once() -> None:
    (found,) = loops(
        function(
            "%m: memref<64xf32>",
            f"affine.for %i = 0 to 9 {{ {EACH}\n" + 3 * "affine.store %v, %m[0] : memref<64xf32>\n" + "}",
        )
    )
    assert tuple(map(str, found.carried)) == (
        "WAW %m[0] -> %m[0], distances (1), (2), (3), (4), (5), (6), (7), (8): (0) then (1) at [0]",
    )
