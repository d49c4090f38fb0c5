"""tile: loops over tiles, whose programs are executed beside the old ones."""

from __future__ import annotations

import re
from functools import cache

import islpy as isl
import pytest

import volcli
from tests.passes.rewrites.tile_programs import DYNAMIC, LAYER, NESTED, PROGRAMS, TWO_RESULTS
from tests.rewriting.rewritten import Pair, differences
from tests.shared.checks import checked_if, one_of_three
from tests.shared.execution import needs_runner
from tests.shared.recorded import Recorded
from volcli.execution.runs.inputs import Inputs

UNCHECKED = [text for number, (text, _) in enumerate(PROGRAMS.values()) if number % 3]
"""Those that are proved by their execution alone; of others, one of three with their options is compared by sets."""


@cache
def tiled(text: str, options: str) -> str:
    """TEXT after `tile{OPTIONS}`, in which nothing went wrong."""
    with checked_if(text not in UNCHECKED and one_of_three(text, options)):
        program = volcli.loads(text, timeout=None).run(f"tile{{{options}}}")
    assert [d.message for d in program.diagnostics if d.code not in ("V311", "V313")] == []
    return program.text(annotate="none")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("loops", "every"),
    [
        ("scf.for", 2),
        ("scf.forall", 3),
        *(pytest.param(f"scf.{k}", 1, marks=pytest.mark.fuzz) for k in ("for", "forall")),
    ],
)
def test_tiled_programs_compute_the_same(mlir_opt: str, loops: str, every: int) -> None:
    """Bit for bit, of any numbers: the order of sums stays, and nothing is taken to be finite."""
    pairs: list[Pair] = []
    for number, (text, sizes) in enumerate(PROGRAMS.values()):
        # Those that test_volcli_reads_the_loops_that_it_writes reads; of the others one in four.
        if number % every:
            continue
        fused = ["all"] if loops == "scf.for" else ["elementwise"]
        if loops == "scf.for" and number % (2 * every) == 0:
            fused.append("none")
        for fuse in fused:
            after = tiled(text, f"sizes={sizes} fuse={fuse} loops={loops}")
            assert "insert_slice %" in after
            special = 0 if "i32" in text else 10
            pairs.append(Pair(text, after, special=special))
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.slow
@needs_runner
def test_sizes_that_are_known_at_run_time(mlir_opt: str) -> None:
    pairs = [
        Pair(DYNAMIC, tiled(DYNAMIC, f"sizes={tile} loops={loops} max-boxes={boxes}"), sizes, special=5)
        for sizes in ((9, 11), (1, 2), (3, 17))
        for tile, loops, boxes in (
            ("4,4", "scf.for", 64),
            ("3,0", "scf.forall", 64),
            ("4,4", "scf.forall", 1),
        )
    ]
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.slow
@needs_runner
def test_a_value_in_a_loop(mlir_opt: str) -> None:
    pairs = [
        Pair(NESTED, tiled(NESTED, f"sizes=4,4 of=%m fuse={fuse}"), sizes=(7, 3)) for fuse in ("all", "none")
    ]
    assert all(re.search(r"\n      %\d+ = scf\.for %q", each.after) for each in pairs)
    assert differences(mlir_opt, pairs) == [0, 0]


@pytest.mark.slow
@needs_runner
def test_an_operation_with_two_results(mlir_opt: str) -> None:
    """The greatest element of each row and its index; each result may be tiled, and what uses it."""
    pairs = [
        Pair(TWO_RESULTS, tiled(TWO_RESULTS, options), special=10)
        for options in ("sizes=4 of=%r#0", "sizes=4 of=%r#1 loops=scf.forall", "sizes=4,5 of=%y")
    ]
    assert differences(mlir_opt, pairs) == [0, 0, 0]


# Those that are executed above, too, are made once; of the others three, and all of them in a campaign.
READ = [(name, "scf.for", "all") for name in list(PROGRAMS)[::2]]
READ += [(name, "scf.forall", "elementwise") for name in list(PROGRAMS)[::3]]
READ += [(name, "scf.forall", "all") for name in list(PROGRAMS)[1::5]]
UNREAD = [
    case
    for name in PROGRAMS
    for loops, fuse in (("scf.for", "all"), ("scf.forall", "elementwise"), ("scf.forall", "all"))
    if (case := (name, loops, fuse)) not in READ
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "loops", "fuse"), [*READ, *(pytest.param(*case, marks=pytest.mark.fuzz) for case in UNREAD)]
)
def test_volcli_reads_the_loops_that_it_writes(name: str, loops: str, fuse: str) -> None:
    """The element maps from results to arguments are exact, and what they were."""
    text, sizes = PROGRAMS[name]
    after = _to_arguments(tiled(text, f"sizes={sizes} fuse={fuse} loops={loops}"))
    before = _to_arguments(text)
    assert before.keys() == after.keys()
    for pair, found in after.items():
        assert found.is_equal(before[pair]), (pair, found, before[pair])


@cache
def _to_arguments(text: str) -> dict[tuple[int, str], isl.UnionMap]:
    """The element maps from each result of the function of TEXT to each of its arguments, without names."""
    (function,) = volcli.loads(text).functions
    found: dict[tuple[int, str], isl.UnionMap] = {}
    for number, result in enumerate(function.results):
        for argument in function.arguments:
            fact = result.element_map(argument)
            assert fact.exact, fact
            assert fact.map is not None
            found[number, argument.name] = isl.UnionMap(re.sub(r"\w+(?=\[)", "", str(fact.map)))
    return found


SQUARES = """\
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
{operands}
  %init = linalg.fill ins(%one : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.generic {{
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%pa, %pb : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {{
  ^bb0(%x: f32, %y: f32, %s: f32):
    %0 = arith.mulf %x, %y {flags} : f32
    %1 = arith.addf %s, %0 {flags} : f32
    linalg.yield %1 : f32
  }} -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}}
"""
MASK = """\
  %p{which} = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%{which} : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = arith.subi %i, %j : index
    %low = arith.constant {low} : index
    %high = arith.constant {high} : index
    %above = arith.cmpi sge, %d, %low : index
    %below = arith.cmpi sle, %d, %high : index
    %both = arith.andi %above, %below : i1
    %s = arith.select %both, %x, %zero : f32
    linalg.yield %s : f32
  }} -> tensor<64x64xf32>
"""
LOWER, UPPER, BAND, FULL = (0, 64), (-64, 0), (-3, 2), (-64, 64)
FAST = "fastmath<nnan,ninf,nsz>"


def product(left: tuple[int, int], right: tuple[int, int], flags: str) -> str:
    """A product of two matrices that are zero but where low <= i - j <= high."""
    operands = [
        MASK.format(which=which, low=low, high=high) for which, (low, high) in (("a", left), ("b", right))
    ]
    return SQUARES.format(operands="".join(operands), flags=flags)


PRODUCTS = [
    (LOWER, FULL),
    (LOWER, LOWER),
    (UPPER, UPPER),
    (LOWER, UPPER),
    (UPPER, LOWER),
    (BAND, FULL),
    (BAND, BAND),
]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("places", [1, pytest.param(3, marks=pytest.mark.fuzz)])
def test_blocks_of_zeros_are_skipped(mlir_opt: str, places: int) -> None:
    """Equal, bit for bit, for finite numbers: no sum that begins with 1 is -0."""
    pairs: list[Pair] = []
    for number, (left, right) in enumerate(PRODUCTS):
        text = product(left, right, FAST if number % 2 else "")
        option = "" if number % 2 else "assume-finite"
        # Each product with one of the sizes, which the campaign has with each.
        for place in range(number, number + places):
            sizes = ("16,16", "24,10", "0,32")[place % 3]
            loops = ("scf.for", "scf.forall")[(number // 2 + place % 3) % 2]
            pairs.append(Pair(text, tiled(text, f"sizes={sizes} fuse=none loops={loops} {option}")))
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.slow
@needs_runner
def test_without_flags_zeros_are_multiplied(mlir_opt: str) -> None:
    text = product(LOWER, LOWER, "")
    program = volcli.loads(text).run("tile{sizes=16,16 fuse=none}")
    assert [(d.code, d.place.line) for d in program.diagnostics if d.place] == [("V311", 37)]
    after = program.text(annotate="none")
    assert "[16, 64]" in after
    assert differences(mlir_opt, [Pair(text, after, special=5)]) == [0]


@pytest.mark.slow
def test_loops_leave_out_blocks_of_zeros() -> None:
    """Lower times lower: columns up to the row's block, sums between the two; nothing beyond."""
    after = tiled(product(LOWER, LOWER, FAST), "sizes=16,16 fuse=none")
    assert re.search(
        r"scf\.for %q0 = %c0 to %c4 .*\n +(%\d+) = affine\.apply .*\[%q0\]\n.* scf\.for %q1 = %c0 to \1 ",
        after,
    )
    assert "affine_map<()[s0, s1] -> (s0 * 16 - s1 * 16 + 16)>" in after


@pytest.mark.slow
def test_a_value_of_its_own(mlir_opt: str) -> None:
    """The convolution is tiled, and the activation uses the result; padding without other uses goes."""
    after = tiled(LAYER, "sizes=0,0,8,0 of=%y")
    assert "%r = linalg.generic" in after
    assert "tensor<1x3x35x35xf32>" not in after


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("sizes=4", "it has 4 dimensions, and sizes are given for 1"),
        ("sizes=0,0,0,0", "no dimension is to be tiled"),
        ("sizes=0,0,8,8 of=%x", "it is not a tensor that is the result of an operation"),
        ("sizes=1 of=%0", "it is inside a region that belongs to neither a loop nor a branch"),
    ],
)
def test_what_is_not_tiled(options: str, reason: str) -> None:
    program = volcli.loads(LAYER).run(f"tile{{{options}}}")
    assert [(d.code, d.message.partition(": ")[2]) for d in program.diagnostics] == [("V310", reason)]
    assert not program.units[0].rewritten


# Of none of these is a part known without the rest.
WHOLES = """
func.func @f(%a: tensor<9xf32>, %c: i1, %n: index) -> (tensor<9xf32>, tensor<?xf32>, tensor<9xf32>) {
  %called = func.call @g(%a) : (tensor<9xf32>) -> tensor<9xf32>
  %made = func.call @h(%n) : (index) -> tensor<?xf32>
  %chosen = scf.if %c -> tensor<9xf32> {
    scf.yield %a : tensor<9xf32>
  } else {
    scf.yield %called : tensor<9xf32>
  }
  return %called, %made, %chosen : tensor<9xf32>, tensor<?xf32>, tensor<9xf32>
}
func.func private @g(tensor<9xf32>) -> tensor<9xf32>
func.func private @h(index) -> tensor<?xf32>
"""


def test_values_whose_parts_are_not_known() -> None:
    """Code that takes tiles of what it makes itself would be no code: they stay, and so does the file."""
    program = volcli.loads(WHOLES).run("tile{sizes=2}")
    assert [(d.code, d.message.partition(": ")[2]) for d in program.diagnostics] == [
        ("V310", f"no part of what {name} makes is computed alone")
        for name in ("func.call", "func.call", "scf.if")
    ]
    assert program.text().split() == volcli.loads(WHOLES).text().split()


JOINED = """
func.func @f(%x: tensor<4x5xi32>, %y: tensor<3x5xi32>, %z: tensor<7x2xi32>) -> tensor<7x7xi32> {
  %rows = tensor.concat dim(0) %x, %y : (tensor<4x5xi32>, tensor<3x5xi32>) -> tensor<7x5xi32>
  %all = tensor.concat dim(1) %rows, %z : (tensor<7x5xi32>, tensor<7x2xi32>) -> tensor<7x7xi32>
  return %all : tensor<7x7xi32>
}
"""
THREE = """
func.func @f(%x: tensor<?x3xi32>, %y: tensor<?x3xi32>, %z: tensor<?x3xi32>) -> tensor<?x3xi32> {
  %all = tensor.concat dim(0) %x, %y, %z : (tensor<?x3xi32>, tensor<?x3xi32>, tensor<?x3xi32>) -> tensor<?x3xi32>
  %sum = arith.addi %all, %all : tensor<?x3xi32>
  return %sum : tensor<?x3xi32>
}
"""
CAST = """
func.func @f(%x: tensor<9xi32>) -> tensor<?xi32> {
  %dynamic = tensor.cast %x : tensor<9xi32> to tensor<?xi32>
  return %dynamic : tensor<?xi32>
}
"""


@pytest.mark.slow
@needs_runner
def test_tiles_across_and_around_what_is_moved(mlir_opt: str) -> None:
    """Across the lines between tensors, and of a type that does not say its size."""
    asked = [(JOINED, "2,2"), (JOINED, "0,4"), (CAST, "4"), (CAST, "3")]
    asked += [(THREE, "3,0"), (THREE, "2,2")]
    pairs: list[Pair] = []
    for text, sizes in asked:
        with checked_if(one_of_three(text, sizes)):
            program = volcli.loads(text).run(f"tile{{sizes={sizes}}}")
        assert {each.code for each in program.diagnostics} <= {"V313"}
        shapes = [(2, 7, 1), (0, 1, 4), (3, 0, 0)] if text is THREE else [()]
        pairs += [Pair(text, program.text(), each) for each in shapes]
    assert not any(differences(mlir_opt, pairs))


@pytest.mark.slow
def test_a_tile_beyond_a_tensor_takes_an_empty_slice_inside_of_it() -> None:
    """Of 3 rows, no part begins at row 8, where the third tensor is: an empty slice has a place, too."""
    with checked_if(chosen=False):
        program = volcli.loads(THREE).run("tile{sizes=2,2}")
    assert program.diagnostics == []
    tiled = Recorded(program.text())
    for rows in [(3, 5, 4), (0, 1, 4), (2, 7, 1), (3, 0, 0)]:
        run = tiled.run(Inputs({(name, 0): size for name, size in zip("xyz", rows, strict=True)}))
        assert run.stopped is None, (rows, run.stopped)


@pytest.mark.parametrize(
    "options", ["fuse=all", "sizes=a,b", "sizes=1,-1", "sizes=4,4 fuse=some", "sizes=4 loops=for"]
)
def test_options_that_cannot_be(options: str) -> None:
    with pytest.raises(volcli.UsageError, match=r"tile: option '(sizes|fuse|loops)' is"):
        volcli.loads(LAYER).run(f"tile{{{options}}}")


WHOLE = """\
func.func @f(%x: tensor<8x4xf32>, %y: tensor<?xf32>) -> (tensor<8x4xf32>, tensor<?xf32>) {
  %a = "other.sort"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = tensor.cast %y : tensor<?xf32> to tensor<5xf32>
  %c = tensor.cast %b : tensor<5xf32> to tensor<?xf32>
  return %a, %c : tensor<8x4xf32>, tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("sizes=3,3 of=%a", "no part of what other.sort makes is computed alone"),
        ("sizes=8,9 of=%a", "all of it is one tile"),
    ],
)
def test_what_is_computed_as_a_whole(options: str, reason: str) -> None:
    program = volcli.loads(WHOLE).run(f"tile{{{options}}}")
    found = [d.message.partition(": ")[2] for d in program.diagnostics if d.code == "V310"]
    assert (found, program.units[0].rewritten) == ([reason], False)


def test_a_dynamic_type_of_a_known_size() -> None:
    """The tiles go into a tensor of the type that the value has."""
    after = tiled(WHOLE, "sizes=2 of=%c")
    assert re.search(r"tensor\.empty\(%c5\w*\) : tensor<\?xf32>", after)
