"""partition: what becomes of programs with structural zeros; each is executed before and after."""

from __future__ import annotations

import re
from functools import cache

import pytest

import volcli
from tests.campaigns.rewrites import Rewrite, campaign, failures
from tests.conftest import ROOT
from tests.rewriting.rewritten import Pair, differences, functions
from tests.rewriting.texts import Program
from tests.shared.checks import checked_if
from tests.shared.execution import needs_runner
from volcli.presburger.profiles.partition import partitioned
from volcli.rewriting.tensors import partition

FOLDER = ROOT / "testdata" / "partition"
FINITE = "partition{assume-finite part-cost=512}"
SPLIT = "partition{assume-finite part-cost=0}"
"""Even small operations are split."""
PLAIN = "partition{part-cost=512}"
SIZES = {"images": (2,), "any_length": (5,), "padded_image": (6, 5), "every_second": (9,)}


EVERY = {name: text for path in sorted(FOLDER.glob("*.mlir")) for name, text in functions(path).items()}
CHECKED = {*list(EVERY)[::5], "triangular_dense", "kernel_4_stride_2", "integers", "flags"}
"""Those that are not proved by their execution alone."""


@cache
def after(name: str, pipeline: str = FINITE) -> tuple[str, tuple[str, ...]]:
    """The function NAME behind PIPELINE, and the codes of what was said."""
    program = volcli.loads(EVERY[name], timeout=None)
    with checked_if(name in CHECKED):
        program.run(pipeline)
    return program.text(annotate="none"), tuple(d.code for d in program.diagnostics)


def parts(name: str, operation: str, pipeline: str = FINITE) -> int:
    return after(name, pipeline)[0].count(f"{operation} ")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("pipeline", "every"),
    [(FINITE, 2), (PLAIN, 3), *(pytest.param(each, 1, marks=pytest.mark.fuzz) for each in (FINITE, PLAIN))],
)
def test_what_is_computed_stays(pipeline: str, every: int, mlir_opt: str) -> None:
    """To the last bit; one in two, and one in three without assume-finite, also from infinities, NaN and zeros of either sign."""
    special = 0 if pipeline == FINITE else 10
    pairs = [
        Pair(
            EVERY[name],
            after(name, pipeline)[0],
            SIZES.get(name, ()),
            special,
            signless=not special,
            name=name,
        )
        for name in list(EVERY)[::every]
        if special == 0 or name != "flags"  # whose operations say that there are none
    ]
    assert dict(
        zip([pair.name for pair in pairs], differences(mlir_opt, pairs), strict=True)
    ) == dict.fromkeys([pair.name for pair in pairs], 0)


@pytest.mark.slow
@needs_runner
def test_few_elements_and_none(mlir_opt: str) -> None:
    cases = [("any_length", (n,)) for n in range(9)] + [("images", (n,)) for n in range(2)]
    cases += [("every_second", (n,)) for n in range(1, 10)]
    cases += [("padded_image", (h, w)) for h in range(5) for w in (1, 2, 3, 4)]
    pairs = [Pair(EVERY[name], after(name, SPLIT)[0], n, signless=True, name=name) for name, n in cases]
    assert differences(mlir_opt, pairs) == [0] * len(cases)


@pytest.mark.slow
def test_an_image_of_unknown_size_has_edges_where_it_has_room_for_them() -> None:
    text = after("padded_image", SPLIT)[0]
    assert text.count("linalg.conv_2d ") == 9 + 1
    interior = r"linalg.conv_2d ins\(%x, %w : .*outs\(%\d+ : tensor<\?x\?xf32>\)"
    assert len(re.findall(interior, text)) == 1
    assert text.index("} else {") < text.index("tensor.pad")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("programs", [5, pytest.param(24, marks=pytest.mark.fuzz)])
def test_random_programs(mlir_opt: str, capsys: pytest.CaptureFixture[str], programs: int) -> None:
    changed, failed = campaign(mlir_opt, programs, 1)
    assert failed == 0, capsys.readouterr().out
    assert changed >= programs // 3


@pytest.mark.slow
@needs_runner
def test_a_wrong_rewrite_is_found(mlir_opt: str) -> None:
    right = after("layer")[0]
    name = "func.func @layer"
    wrong = right.replace("[0, 0, 1, 1] [1, 8, 14, 14]", "[0, 0, 1, 2] [1, 8, 14, 14]")
    wrong = wrong.replace("[1, 3, 31, 31]", "[1, 3, 31, 31]").replace(name, "func.func @f")
    program = Program(EVERY["layer"].replace(name, "func.func @f"))
    assert wrong.replace("@f", "@layer") != right
    found = failures(mlir_opt, [Rewrite(program, FINITE, wrong)])
    assert [why.endswith("elements differ") for _, why in found] == [True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "operation", "count"),
    [
        ("layer", "linalg.conv_2d_nchw_fchw", 9),
        ("kernel_2_stride_2", "linalg.conv_2d_nchw_fchw", 4),
        ("kernel_3_stride_3", "linalg.conv_2d_nchw_fchw", 9),
        ("triangular_triangular", "linalg.matmul", 6),
        ("blocks", "linalg.matmul", 2),
        ("joined", "linalg.matmul", 1),
    ],
)
def test_how_many_parts(name: str, operation: str, count: int) -> None:
    assert parts(name, operation) == count


@pytest.mark.slow
def test_the_interior_of_a_layer_reads_the_input_without_padding() -> None:
    for pipeline in (FINITE, PLAIN):
        text = after("layer", pipeline)[0]
        assert "tensor.extract_slice %ifm[0, 0, 1, 1] [1, 3, 31, 31] [1, 1, 1, 1]" in text
        assert "tensor<1x3x35x35xf32>" not in text
    assert "tensor.pad" not in after("layer")[0]
    assert after("layer", PLAIN)[0].count("tensor.pad") == 8


@pytest.mark.slow
def test_taps_that_meet_zeros_are_left_out() -> None:
    text, _ = after("kernel_4_stride_2")
    assert "tensor<4x3x4x4xf32> to tensor<4x3x2x2xf32>" in text
    assert not re.search(r"linalg.conv.*tensor<4x3x4x4xf32>", text)


@pytest.mark.slow
def test_no_more_parts_than_are_allowed() -> None:
    for most in (1, 3):
        pipeline = f"partition{{assume-finite max-parts={most} part-cost=0}}"
        assert parts("triangular_triangular", "linalg.matmul", pipeline) <= most
        assert parts("kernel_4_stride_2", "linalg.conv_2d_nchw_fchw", pipeline) <= most


@pytest.mark.slow
def test_without_assume_finite_a_remark_says_what_could_be_left_out() -> None:
    for name in ("triangular_dense", "kernel_4_stride_2"):
        text, codes = after(name, PLAIN)
        assert codes == ("V311",)
        assert text == volcli.loads(EVERY[name]).text(annotate="none")
        assert after(name)[1] == ()


@pytest.mark.slow
def test_integers_and_flags_need_no_option() -> None:
    for name in ("integers", "flags", "counts"):
        assert after(name, PLAIN) == after(name)
        assert "insert_slice" in after(name)[0]
    assert after("integers")[1] == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["layer", "kernel_4_stride_2", "lower_upper"])
def test_a_part_that_is_missing_is_an_internal_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element must be computed from all that contributes to it; else the old program is printed."""
    monkeypatch.setattr(
        partition, "partitioned", lambda *given, **options: partitioned(*given, **options)[1:]
    )
    program = volcli.loads(EVERY[name])
    program.run(FINITE)
    assert [d.code for d in program.diagnostics] == ["V900"]
    assert program.text(annotate="none") == volcli.loads(EVERY[name]).text(annotate="none")


@pytest.mark.slow
def test_a_small_operation_is_not_split() -> None:
    text, _ = after("triangular_triangular", "partition{assume-finite}")
    assert text.count("linalg.matmul") == 3
    assert after("triangular_triangular", "partition{assume-finite part-cost=100000}")[0].count("matmul") == 1


def test_nothing_is_done_where_nothing_is_zero() -> None:
    text = """\
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
"""
    program = volcli.loads(text)
    program.run(FINITE)
    assert program.text(annotate="none") == text
    assert [each.code for each in program.diagnostics] == ["V310"]


BLOCKS = """\
func.func @f(%x: tensor<8xi32>, %w: tensor<3xi32>, %c: i1) -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  cf.cond_br %c, ^yes, ^no
^yes:
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%j: index):
    tensor.yield %zero : i32
  } : tensor<8xi32> to tensor<10xi32>
  %e = tensor.empty() : tensor<8xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %y = linalg.conv_1d ins(%p, %w : tensor<10xi32>, tensor<3xi32>) outs(%i : tensor<8xi32>) -> tensor<8xi32>
  return %y : tensor<8xi32>
^no:
  return %x : tensor<8xi32>
}
"""


def test_what_is_not_split_is_said() -> None:
    program = volcli.loads(BLOCKS)
    program.run(FINITE)
    assert [(d.code, d.message) for d in program.diagnostics] == [
        ("V310", "linalg.conv_1d is not split: the function has several blocks")
    ]
    assert "linalg.conv_1d" in program.text(annotate="none")


IN_REGIONS = """\
func.func @f(%x: tensor<4x8xi32>, %w: tensor<3xi32>, %t: i1) -> tensor<4x8xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %o = tensor.empty() : tensor<4x8xi32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %o) -> (tensor<4x8xi32>) {
    %row = tensor.extract_slice %x[%k, 0] [1, 8] [1, 1] : tensor<4x8xi32> to tensor<8xi32>
    %z = scf.if %t -> (tensor<8xi32>) {
      %p = tensor.pad %row low[1] high[1] {
      ^bb0(%j: index):
        tensor.yield %zero : i32
      } : tensor<8xi32> to tensor<10xi32>
      %y = linalg.conv_1d ins(%p, %w : tensor<10xi32>, tensor<3xi32>) outs(%i : tensor<8xi32>) -> tensor<8xi32>
      scf.yield %y : tensor<8xi32>
    } else {
      scf.yield %row : tensor<8xi32>
    }
    %n = tensor.insert_slice %z into %acc[%k, 0] [1, 8] [1, 1] : tensor<8xi32> into tensor<4x8xi32>
    scf.yield %n : tensor<4x8xi32>
  }
  return %r : tensor<4x8xi32>
}
"""


@pytest.mark.slow
@needs_runner
def test_operations_in_loops_and_branches(mlir_opt: str) -> None:
    program = volcli.loads(IN_REGIONS).run(SPLIT)
    assert [d.message for d in program.diagnostics] == []  # it is checked, too
    after_ = program.text(annotate="none")
    assert after_.count("linalg.conv_1d") == 3
    assert "tensor.pad" not in after_
    assert differences(mlir_opt, [Pair(IN_REGIONS, after_)] * 2) == [0, 0]


def test_what_a_loop_carries_is_no_zero() -> None:
    """%a is zero in the first iteration only."""
    text = """\
func.func @f(%x: tensor<8x8xi32>, %n: index) -> tensor<8x8xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z, %b = %x) -> (tensor<8x8xi32>, tensor<8x8xi32>) {
    %m = linalg.matmul ins(%a, %x : tensor<8x8xi32>, tensor<8x8xi32>) outs(%x : tensor<8x8xi32>) -> tensor<8x8xi32>
    scf.yield %b, %m : tensor<8x8xi32>, tensor<8x8xi32>
  }
  return %r#0 : tensor<8x8xi32>
}
"""
    assert volcli.loads(text).run(SPLIT).text(annotate="none") == text


def test_memory_is_left_alone() -> None:
    text = """\
func.func @f(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
"""
    program = volcli.loads(text)
    program.run(FINITE)
    assert program.text(annotate="none") == text
    assert [each.code for each in program.diagnostics] == ["V310"]


def test_a_fill_is_no_product() -> None:
    """A fill with -0 is one with 0 if signs do not matter, of which nobody has anything."""
    program = volcli.loads("""
func.func @f() -> tensor<6x6xf32> {
  %c = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<6x6xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %f : tensor<6x6xf32>
}
""").run("partition{part-cost=1}")
    assert [each.code for each in program.diagnostics] == ["V310"]
