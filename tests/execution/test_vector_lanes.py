"""Accesses of vectors to memory and tensors against loops over the lanes in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, held, memory, tensor
from volcli.execution.memory.machine import Options
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported

SOURCE = [[10.0 * i + j for j in range(5)] for i in range(4)]
CHANCE = np.random.default_rng(11)

MAPS = {
    "minor": ("(d0, d1) -> (d0, d1)", (2, 3), [0, 1]),
    "transposed": ("(d0, d1) -> (d1, d0)", (3, 2), [1, 0]),
    "row": ("(d0, d1) -> (d1)", (3,), [1]),
    "column": ("(d0, d1) -> (d0)", (3,), [0]),
    "broadcast": ("(d0, d1) -> (0, d1)", (2, 3), [None, 1]),
    "broadcast and transposed": ("(d0, d1) -> (d1, 0, d0)", (3, 2, 2), [1, None, 0]),
}


def _typed(shape: Sequence[int], kind: str = "f32") -> str:
    return f"{'x'.join(map(str, shape))}x{kind}"


def _mask_shape(shape: Sequence[int], moved: Sequence[int | None]) -> list[int]:
    """The sizes of the dimensions that move, in the order of the memory."""
    pairs = sorted((d, n) for d, n in zip(moved, shape, strict=True) if d is not None)
    return [n for _, n in pairs]


def _lane(
    lane: Sequence[int], start: Sequence[int], moved: Sequence[int | None], mask: Any
) -> tuple[list[int], bool]:
    """The element of a lane, and whether the mask sets it."""
    at = list(start)
    for k, d in enumerate(moved):
        if d is not None:
            at[d] += lane[k]
    key = [lane[k] for _, k in sorted((d, k) for k, d in enumerate(moved) if d is not None)]
    return at, bool(mask[tuple(key)])


def _drawn(shape: Any, moved: Any, *, masked: bool) -> tuple[str, str, Any]:
    """The types of a vector and of its mask, and a mask: of random lanes if it is MASKED, else of all."""
    lanes = _mask_shape(shape, moved)
    mask = CHANCE.random(lanes) < (0.6 if masked else 2)
    return f"vector<{_typed(shape)}>", f"vector<{_typed(lanes, 'i1')}>", mask


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("where", ["memref", "tensor"])
@pytest.mark.parametrize("masked", [False, True])
def test_transfer_read(name: str, where: str, masked: bool) -> None:
    text, shape, moved = MAPS[name]
    kind, mask_kind, mask = _drawn(shape, moved, masked=masked)
    code = Code(f"""
func.func @f(%s: {where}<4x5xf32>, %i: index, %j: index, %p: f32, %m: {mask_kind}) -> {kind} {{
  %r = vector.transfer_read %s[%i, %j], %p{", %m" if masked else ""}
    {{permutation_map = affine_map<{text}>}} : {where}<4x5xf32>, {kind}
  return %r : {kind}
}}""")
    for i, j in itertools.product(range(5), range(6)):
        source = memory(*SOURCE) if where == "memref" else tensor(SOURCE)
        expected = np.full(shape, -1.0, np.float32)
        is_defined = True
        for lane in np.ndindex(*shape):
            (y, x), active = _lane(lane, (i, j), moved, mask)
            is_padding = (0 in moved and y >= 4) or (1 in moved and x >= 5)
            if active and not is_padding:
                is_defined = is_defined and y < 4 and x < 5
                expected[lane] = SOURCE[y][x] if is_defined else 0
        if is_defined:
            (found,) = code(source, i, j, np.float32(-1), Tensor(mask))
            assert found.data.tolist() == expected.tolist()
        else:
            with pytest.raises(Undefined) as caught:
                code(source, i, j, np.float32(-1), Tensor(mask))
            assert caught.value.kind is Defect.BOUNDS


@pytest.mark.parametrize("name", ["minor", "transposed", "row", "column"])
@pytest.mark.parametrize("where", ["memref", "tensor"])
@pytest.mark.parametrize("masked", [False, True])
def test_transfer_write(name: str, where: str, masked: bool) -> None:
    text, shape, moved = MAPS[name]
    kind, mask_kind, mask = _drawn(shape, moved, masked=masked)
    value = CHANCE.integers(100, 200, shape).astype(np.float32)
    is_tensor = where == "tensor"
    result = "tensor<4x5xf32>" if is_tensor else "()"
    code = Code(f"""
func.func @f(%v: {kind}, %s: {where}<4x5xf32>, %i: index, %j: index, %m: {mask_kind}) -> {result} {{
  {"%r = " if is_tensor else ""}vector.transfer_write %v, %s[%i, %j]{", %m" if masked else ""}
    {{permutation_map = affine_map<{text}>}} : {kind}, {where}<4x5xf32>
  return {"%r : " + result if is_tensor else ""}
}}""")
    for i, j in itertools.product(range(4), range(5)):
        source = tensor(SOURCE) if is_tensor else memory(*SOURCE)
        expected = [list(row) for row in SOURCE]
        for lane in np.ndindex(*shape):
            (y, x), active = _lane(lane, (i, j), moved, mask)
            if active and y < 4 and x < 5:
                expected[y][x] = float(value[lane])
        found = code(Tensor(value), source, i, j, Tensor(mask))
        assert (found[0].data.tolist() if is_tensor else held(source)) == expected


PROMISED = """
func.func @f(%s: memref<8xf32>, %i: index, %p: f32) -> vector<4xf32> {
  %r = vector.transfer_read %s[%i], %p {in_bounds = [IN]} : memref<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}"""


def test_lanes_behind_the_end_are_padding_unless_promised_otherwise() -> None:
    source = memory(*range(8))
    padded, promised = (Code(PROMISED.replace("IN", each)) for each in ("false", "true"))
    assert padded(source, 6, np.float32(-1))[0].data.tolist() == [6, 7, -1, -1]
    assert promised(source, 4, np.float32(-1))[0].data.tolist() == [4, 5, 6, 7]
    for code, at in ((promised, 6), (padded, -1)):
        with pytest.raises(Undefined) as caught:
            code(source, at, np.float32(-1))
        assert caught.value.kind is Defect.BOUNDS


def test_a_scalar_is_read_as_a_vector_of_one_lane() -> None:
    code = Code("""
func.func @f(%s: memref<f32>, %p: f32) -> (vector<1xf32>, vector<f32>) {
  %r = vector.transfer_read %s[], %p {in_bounds = [true]} : memref<f32>, vector<1xf32>
  %t = vector.transfer_read %s[], %p : memref<f32>, vector<f32>
  return %r, %t : vector<1xf32>, vector<f32>
}""")
    one, none = code(memory(7.0).__class__(memory(7.0).allocation, 0, (), ()), np.float32(0))
    assert one.data.tolist() == [7.0]
    assert none.data.tolist() == 7.0


ROWS = """
func.func @f(%s: memref<3x6xf32>, %i: index, %j: index, %m: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  OPERATION
}"""
OPERATIONS = {
    "maskedload": "%r = vector.maskedload %s[%i, %j], %m, %v"
    " : memref<3x6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>\n  return %r : vector<4xf32>",
    "expandload": "%r = vector.expandload %s[%i, %j], %m, %v"
    " : memref<3x6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>\n  return %r : vector<4xf32>",
    "maskedstore": "vector.maskedstore %s[%i, %j], %m, %v"
    " : memref<3x6xf32>, vector<4xi1>, vector<4xf32>\n  return %v : vector<4xf32>",
    "compressstore": "vector.compressstore %s[%i, %j], %m, %v"
    " : memref<3x6xf32>, vector<4xi1>, vector<4xf32>\n  return %v : vector<4xf32>",
}


def _row_access(name: str, rows: list[list[float]], j: int, mask: Sequence[bool], value: list[float]) -> bool:
    """What the operation does to row 1, and to VALUE; whether it stays inside."""
    place = j
    for k, active in enumerate(mask):
        at = place if name in ("expandload", "compressstore") else j + k
        if not active:
            continue
        place += 1
        if not 0 <= at < 6:
            return False
        if name.endswith("load"):
            value[k] = rows[1][at]
        else:
            rows[1][at] = value[k]
    return True


@pytest.mark.parametrize("name", OPERATIONS)
def test_lanes_that_are_masked_off_touch_nothing(name: str) -> None:
    code = Code(ROWS.replace("OPERATION", OPERATIONS[name]))
    outside = 0
    for mask, j in itertools.product(itertools.product([False, True], repeat=4), range(-2, 7)):
        rows = [[float(6 * y + x) for x in range(6)] for y in range(3)]
        view, value = memory(*rows), [100.0, 101.0, 102.0, 103.0]
        arguments = (view, 1, j, Tensor(np.array(mask)), tensor(list(value)))
        if _row_access(name, rows, j, mask, value):
            (found,) = code(*arguments)
            assert (found.data.tolist(), held(view)) == (value, rows)
        else:
            outside += 1
            with pytest.raises(Undefined) as caught:
                code(*arguments)
            assert caught.value.kind is Defect.BOUNDS
    assert outside > 20


GATHER = """
func.func @g(%s: WHERE<3x6xf32>, %i: index, %j: index, %k: vector<2x2xi32>, %m: vector<2x2xi1>,
    %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %r = vector.gather %s[%i, %j] [%k], %m, %v
    : WHERE<3x6xf32>, vector<2x2xi32>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @s(%s: memref<3x6xf32>, %i: index, %j: index, %k: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) {
  vector.scatter %s[%i, %j] [%k], %m, %v : memref<3x6xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return
}"""


@pytest.mark.parametrize("where", ["memref", "tensor"])
def test_gather_reads_where_indices_say(where: str) -> None:
    code = Code(GATHER.replace("WHERE", where))
    rows = [[float(6 * y + x) for x in range(6)] for y in range(3)]
    source = memory(*rows) if where == "memref" else tensor(rows)
    mask = np.array([[True, False], [True, True]])
    other = np.array([[-1, -2], [-3, -4]], np.float32)
    steps = np.array([[3, 1000], [0, -2]], np.int32)
    (found,) = code(source, 1, 2, Tensor(steps), Tensor(mask), Tensor(other), function="g")
    assert found.data.tolist() == [[rows[1][5], -2.0], [rows[1][2], rows[1][0]]]
    with pytest.raises(Undefined, match="is not in dimension 1"):
        code(source, 1, 2, Tensor(steps), Tensor(np.ones((2, 2), bool)), Tensor(other), function="g")


def test_a_lane_that_leaves_its_row_only_is_not_executed() -> None:
    code = Code(GATHER.replace("WHERE", "memref"))
    steps, mask = np.array([[4, 0], [0, 0]], np.int32), np.ones((2, 2), bool)
    with pytest.raises(Unsupported, match="leaves its row"):
        code(memory(*SOURCE_6), 1, 2, Tensor(steps), Tensor(mask), tensor([[0.0] * 2] * 2), function="g")


SOURCE_6 = [[float(6 * y + x) for x in range(6)] for y in range(3)]


def test_scatter_writes_the_first_lane_first() -> None:
    code = Code(GATHER.replace("WHERE", "memref"))
    view = memory(*SOURCE_6)
    steps, mask = np.array([3, 0, 3, 99], np.int32), np.array([True, True, True, False])
    code(view, 2, 1, Tensor(steps), Tensor(mask), tensor([7.0, 8.0, 9.0, 10.0]), function="s")
    expected = [list(row) for row in SOURCE_6]
    expected[2][1], expected[2][4] = 8.0, 9.0
    assert held(view) == expected


RACE = """
func.func @f(%s: memref<8xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (STEP) {
    vector.transfer_write %v, %s[%i] : vector<4xf32>, memref<8xf32>
  }
  return
}"""


@pytest.mark.parametrize(("step", "races"), [("%c1", True), ("%c8", False)])
def test_lanes_of_two_iterations_race(step: str, races: bool) -> None:
    code = Code(RACE.replace("STEP", step))
    arguments = (memory(*range(8)), tensor([1.0, 2.0, 3.0, 4.0]))
    if not races:
        assert code(*arguments) == ()
        return
    with pytest.raises(Undefined) as caught:
        code(*arguments, options=Options())
    assert caught.value.kind is Defect.RACE


def test_a_mask_that_was_never_written_is_undefined() -> None:
    code = Code("""
func.func @f(%s: memref<4xf32>, %p: f32) -> vector<4xf32> {
  %a = memref.alloc() : memref<4xi1>
  %c0 = arith.constant 0 : index
  %m = vector.load %a[%c0] : memref<4xi1>, vector<4xi1>
  %r = vector.transfer_read %s[%c0], %p, %m : memref<4xf32>, vector<4xf32>
  return %r : vector<4xf32>
}""")
    with pytest.raises(Undefined) as caught:
        code(memory(*range(4)), np.float32(0))
    assert caught.value.kind is Defect.UNINITIALIZED


@pytest.mark.parametrize("name", [*OPERATIONS, "load", "gather"])
def test_a_vector_in_memory_of_rank_0_is_not_executed(name: str) -> None:
    others = {
        "load": "%r = vector.load %s[] : memref<f32>, vector<4xf32>",
        "gather": "%r = vector.gather %s[] [%k], %m, %v : memref<f32>, vector<4xi32>, vector<4xi1>, vector<4xf32>"
        " into vector<4xf32>",
    }
    line = others.get(name) or OPERATIONS[name].partition("\n")[0]
    line = line.replace("[%i, %j]", "[]").replace("memref<3x6xf32>", "memref<f32>")
    code = Code(f"""
func.func @f(%s: memref<f32>, %m: vector<4xi1>, %v: vector<4xf32>, %k: vector<4xi32>) {{
  {line}
  return
}}""")
    one = memory(7.0)
    view = one.__class__(one.allocation, 0, (), ())
    with pytest.raises(Unsupported, match="rank 0"):
        code(view, Tensor(np.ones(4, bool)), tensor([0.0] * 4), Tensor(np.zeros(4, np.int32)))


MASK = """
func.func @f(%s: memref<8xf32>, %i: index, %m: vector<4xi1>, %o: vector<4xf32>, %p: f32) -> (vector<4xf32>, vector<4xf32>) {
  %r = vector.mask %m, %o { vector.transfer_read %s[%i], %p : memref<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %t = vector.mask %m { vector.transfer_read %s[%i], %p : memref<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %m { vector.transfer_write %o, %s[%i] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
  return %r, %t : vector<4xf32>, vector<4xf32>
}"""


def test_an_operation_under_a_mask() -> None:
    """Lanes that are masked off are those of the other vector, or the padding; what lies behind the end is padding."""
    view, mask, other = (
        memory(*range(8)),
        Tensor(np.array([1, 0, 1, 0], bool)),
        tensor([20.0, 21.0, 22.0, 23.0]),
    )
    chosen, padded = Code(MASK)(view, 5, mask, other, np.float32(-1))
    assert chosen.data.tolist() == [5, 21, 7, 23]
    assert padded.data.tolist() == [5, -1, 7, -1]
    assert held(view) == [0, 1, 2, 3, 4, 20, 6, 22]
    chosen, padded = Code(MASK)(memory(*range(8)), 6, mask, other, np.float32(-1))
    assert chosen.data.tolist() == [6, 21, -1, 23]
    assert padded.data.tolist() == [6, -1, -1, -1]


def test_scatter_to_a_tensor_gives_a_new_one() -> None:
    code = Code("""
func.func @f(%s: tensor<6xf32>, %i: index, %k: vector<3xi32>, %m: vector<3xi1>, %v: vector<3xf32>) -> tensor<6xf32> {
  %r = vector.scatter %s[%i] [%k], %m, %v : tensor<6xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> -> tensor<6xf32>
  return %r : tensor<6xf32>
}""")
    source, mask = tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), Tensor(np.array([1, 0, 1], bool))
    (found,) = code(source, 1, Tensor(np.array([3, 0, -1], np.int32)), mask, tensor([7.0, 8.0, 9.0]))
    assert found.data.tolist() == [9, 1, 2, 3, 7, 5]
    assert source.data.tolist() == [0, 1, 2, 3, 4, 5]
