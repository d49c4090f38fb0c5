"""Accesses and slices inside and outside of their shapes (random programs: tests/oracles/memory)."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict

IN, OUT, UNKNOWN = AccessVerdict.IN_BOUNDS, AccessVerdict.OUT_OF_BOUNDS, AccessVerdict.UNKNOWN

NUMBERS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 4, 9))


def checked(body: str, arguments: str = "%m: memref<10x10xf32>, %x: f32") -> list[AccessAnswer]:
    text = f"func.func @f({arguments}) {{\n{NUMBERS}\n{body}\n return }}"
    return AccessChecks(volcli.load(text).units[0].models()[0].memory).all()


def one(body: str, arguments: str) -> AccessAnswer:
    """The last access or slice of a function."""
    return checked(body, arguments)[-1]


# -- E004-2 --------------------------------------------------------------------------------------------


def test_the_first_example_of_paper_004_reads_18_of_81_elements_before_the_buffer() -> None:
    store, load = checked("""
        affine.for %i = 0 to 9 { affine.for %j = 0 to 9 {
          affine.store %x, %m[%i, %j] : memref<10x10xf32>
          %v = affine.load %m[%i - 2, %j] : memref<10x10xf32>
        } }""")
    assert (store.verdict, store.failing, store.total) == (IN, 0, 81)
    assert (load.verdict, load.failing, load.total, load.always) == (OUT, 18, 81, True)
    assert load.witness is not None
    assert (load.witness.iteration, load.witness.index) == ((0, 0), (-2, 0))
    assert (load.witness.dimension, load.witness.size) == (0, 10)


def test_the_second_example_of_paper_004_is_mostly_outside_of_the_buffer() -> None:
    store, load = checked("""
        affine.for %i = 0 to 10 { affine.for %j = 0 to 7 {
          affine.store %x, %m[%i + 3 * %j, 4 * %i + 5 * %j] : memref<10x10xf32>
          %v = affine.load %m[%i + %j, %i + 2 * %j + 3] : memref<10x10xf32>
        } }""")
    assert (store.failing, store.total) == (65, 70)
    assert (load.failing, load.total) == (54, 70)
    for answer, index in (
        (store, lambda i, j: (i + 3 * j, 4 * i + 5 * j)),
        (load, lambda i, j: (i + j, i + 2 * j + 3)),
    ):
        assert answer.witness is not None
        assert answer.witness.index == index(*answer.witness.iteration)
        assert not 0 <= answer.witness.index[answer.witness.dimension] < 10


# -- dynamic sizes and values --------------------------------------------------------------------------

DYNAMIC = "%m: memref<?x10xf32>, %n: index, %k: memref<9xindex>, %x: f32, %c: i1"


def test_a_loop_up_to_the_size_is_in_bounds() -> None:
    body = """%d = memref.dim %m, %c0 : memref<?x10xf32>
        scf.for %i = %c1 to %d step %c4 { memref.store %x, %m[%i, %c9] : memref<?x10xf32> }"""
    assert one(body, DYNAMIC).verdict is IN


def test_a_loop_from_the_size_of_another_buffer_is_not() -> None:
    body = """%d = memref.dim %m, %c0 : memref<?x10xf32>
        scf.for %i = %c0 to %d step %c1 { memref.store %x, %o[%i] : memref<?xf32> }"""
    answer = one(body, f"{DYNAMIC}, %o: memref<?xf32>")
    assert (answer.verdict, answer.always) == (OUT, False)
    assert answer.condition == "dim(%o, 0) >= dim(%m, 0)"


def test_it_is_out_of_bounds_for_some_arguments_with_the_condition_and_an_example() -> None:
    answer = one("affine.for %i = 0 to %n { affine.store %x, %v[%i + 1] : memref<9xf32> }",
                 "%n: index, %v: memref<9xf32>, %x: f32")  # fmt: skip
    assert (answer.verdict, answer.always, answer.condition) == (OUT, False, "%n <= 8")
    assert answer.witness is not None
    (iteration,) = answer.witness.iteration
    assert answer.witness.index == (iteration + 1,)
    assert iteration < answer.witness.parameters["%n"]
    assert (answer.failing, answer.total) == (None, None)


def test_it_is_out_of_bounds_for_all_arguments_for_which_it_runs() -> None:
    answer = one("affine.for %i = 0 to %n { affine.store %x, %v[9 - %i] : memref<9xf32> }",
                 "%n: index, %v: memref<9xf32>, %x: f32")  # fmt: skip
    assert (answer.verdict, answer.always, answer.condition) == (OUT, True, None)


@pytest.mark.parametrize(
    "index",
    [
        "%i = memref.load %k[%c0] : memref<9xindex>",
        '%i = "other.number"() : () -> index',
        "%i = arith.muli %n, %n : index",
    ],
)
def test_an_index_that_nobody_knows_is_unknown_with_a_reason(index: str) -> None:
    answer = one(
        f"{index}\n memref.store %x, %v[%i] : memref<9xf32>",
        "%n: index, %k: memref<9xindex>, %v: memref<9xf32>, %x: f32",
    )
    assert (answer.verdict, answer.witness) == (UNKNOWN, None)
    assert answer.because


def test_a_loaded_index_is_unknown_and_names_what_loads_it() -> None:
    answer = one("%i = memref.load %k[%c0] : memref<9xindex>\n memref.store %x, %v[%i] : memref<9xf32>",
                 "%k: memref<9xindex>, %v: memref<9xf32>, %x: f32")  # fmt: skip
    assert (answer.verdict, answer.witness) == (UNKNOWN, None)
    assert "memref.load" in (answer.because or "")


def test_what_is_outside_whatever_the_loaded_value_is_is_out_of_bounds() -> None:
    body = """%i = memref.load %k[%c0] : memref<9xindex>
        %r = affine.apply affine_map<(d0) -> (d0 mod 4 + 9)>(%i)
        memref.store %x, %v[%r] : memref<9xf32>"""
    answer = one(body, "%k: memref<9xindex>, %v: memref<9xf32>, %x: f32")
    assert (answer.verdict, answer.always) == (OUT, True)


def test_how_far_a_loop_runs_to_an_unknown_bound_is_unknown() -> None:
    body = """%u = memref.load %k[%c0] : memref<9xindex>
        scf.for %i = %c0 to %u step %c1 { memref.store %x, %v[%i] : memref<9xf32> }"""
    assert one(body, "%k: memref<9xindex>, %v: memref<9xf32>, %x: f32").verdict is UNKNOWN


def test_what_is_outside_whenever_it_runs_is_out_of_bounds() -> None:
    body = """%u = memref.load %k[%c0] : memref<9xindex>
        scf.for %i = %c0 to %u step %c1 { memref.store %x, %v[%c9] : memref<9xf32> }"""
    answer = one(body, "%k: memref<9xindex>, %v: memref<9xf32>, %x: f32")
    assert (answer.verdict, answer.always) == (OUT, True)


def test_an_access_that_never_runs_is_in_bounds() -> None:
    assert one("affine.for %i = 5 to 3 { affine.store %x, %m[40, 40] : memref<10x10xf32> }",
               "%m: memref<10x10xf32>, %x: f32").verdict is IN  # fmt: skip


def test_a_branch_that_compares_with_the_size_is_believed() -> None:
    body = """%d = memref.dim %m, %c0 : memref<?x10xf32>
        %low = arith.cmpi sge, %n, %c0 : index
        %high = arith.cmpi slt, %n, %d : index
        %both = arith.andi %low, %high : i1
        scf.if %both { memref.store %x, %m[%n, %c0] : memref<?x10xf32> }"""
    assert one(body, DYNAMIC).verdict is IN


def test_a_mask_may_leave_out_the_lanes_that_are_outside() -> None:
    answer = one("vector.maskedstore %v[%c4], %b, %w : memref<9xf32>, vector<8xi1>, vector<8xf32>",
                 "%v: memref<9xf32>, %b: vector<8xi1>, %w: vector<8xf32>")  # fmt: skip
    assert (answer.verdict, answer.because) == (UNKNOWN, "a mask")


def test_the_lanes_of_a_vector_count() -> None:
    answer = one("vector.store %w, %v[%c4] : memref<9xf32>, vector<8xf32>",
                 "%v: memref<9xf32>, %w: vector<8xf32>")  # fmt: skip
    assert (answer.verdict, answer.failing, answer.total) == (OUT, 3, 8)


def test_a_call_names_no_element() -> None:
    assert checked('"other.touch"(%m) : (memref<10x10xf32>) -> ()') == []


# -- slices --------------------------------------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_slices_with_numbers_against_enumeration(seed: int) -> None:
    """In bounds if all elements are; an empty slice has none."""
    chance = random.Random(seed)
    size = chance.randint(1, 9)
    offset, count, stride = chance.randint(-1, 8), chance.randint(0, 5), chance.choice([-2, -1, 0, 1, 2, 3])
    text = f"""
        %o = affine.apply affine_map<() -> ({offset})>()
        %n = affine.apply affine_map<() -> ({count})>()
        %s = affine.apply affine_map<() -> ({stride})>()
        %r = tensor.extract_slice %t[%o] [%n] [%s] : tensor<{size}xf32> to tensor<?xf32>"""
    inside = all(0 <= offset + k * stride < size for k in range(count))
    assert one(text, f"%t: tensor<{size}xf32>").verdict is (IN if inside else OUT)


@pytest.mark.parametrize(
    "op",
    [
        "%r = tensor.extract_slice %t[%i, 0] [%h, 8] [1, 1] : tensor<100x8xf32> to tensor<?x8xf32>",
        "%r = memref.subview %b[%i, 0] [%h, 8] [1, 1] : memref<100x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>",
        "%r = tensor.insert_slice %p into %t[%i, 0] [%h, 8] [1, 1] : tensor<?x8xf32> into tensor<100x8xf32>",
    ],
)
@pytest.mark.parametrize(("height", "verdict"), [("(16, -d0 + 100)", IN), ("(16, -d0 + 101)", OUT)])
def test_the_last_tile_of_a_loop(op: str, height: str, verdict: AccessVerdict) -> None:
    text = f"""affine.for %i = 0 to 100 step 16 {{
        %h = affine.min affine_map<(d0) -> {height}>(%i)
        {op}
      }}"""
    assert one(text, "%t: tensor<100x8xf32>, %b: memref<100x8xf32>, %p: tensor<?x8xf32>").verdict is verdict


def test_a_slice_that_is_inserted_in_parallel() -> None:
    for tile, verdict in ((8, IN), (9, OUT)):
        answer = one(f"""%r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<64xf32>) {{
          %from = affine.apply affine_map<(d0) -> (8 * d0)>(%i)
          scf.forall.in_parallel {{
            tensor.parallel_insert_slice %p into %o[%from] [{tile}] [1] : tensor<{tile}xf32> into tensor<64xf32>
          }} }}""", f"%t: tensor<64xf32>, %p: tensor<{tile}xf32>")  # fmt: skip
        assert answer.verdict is verdict


def test_dynamic_sizes_of_a_whole_slice() -> None:
    body = """%d = tensor.dim %t, %c0 : tensor<?x?xf32>
        %e = tensor.dim %t, %c1 : tensor<?x?xf32>
        %r = tensor.extract_slice %t[0, 0] [%d, %e] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>"""
    assert one(body, "%t: tensor<?x?xf32>").verdict is IN


def test_a_window_of_a_convolution_by_enumeration() -> None:
    """The operation's own loops are those of its sizes; the input is one row too short."""
    answers = checked("linalg.conv_1d ins(%i, %k : memref<?xf32>, memref<3xf32>) outs(%o : memref<6xf32>)",
                      "%i: memref<?xf32>, %k: memref<3xf32>, %o: memref<6xf32>")  # fmt: skip
    read = next(a for a in answers if a.site.access.memref is a.site.op.operands[0])
    least = max(a + b for a, b in product(range(6), range(3))) + 1
    assert (read.verdict, read.condition) == (OUT, f"dim(%i, 0) >= {least}")


def test_the_example_is_of_the_dimension_that_fails_in_any_case() -> None:
    text = """func.func @f(%m: memref<?x40xf64>) {
      affine.for %i = 0 to 40 {
        %v = affine.load %m[%i, %i + 1] : memref<?x40xf64>
      }
      return
    }"""
    (fact,) = volcli.load(text).function("f").accesses()
    assert fact.always
    assert fact.witness is not None
    assert (fact.witness.iteration, fact.witness.dimension, fact.witness.size) == ((39,), 1, 40)


def test_a_size_that_is_allocated_before_says_nothing_of_iterations() -> None:
    """`dim` is not negative anyway: there are 9 iterations, whatever it is."""
    text = """func.func @f(%a: memref<?xf32>, %m: memref<9xf32>) {
      %c0 = arith.constant 0 : index
      %d = memref.dim %a, %c0 : memref<?xf32>
      %b = memref.alloc(%d) : memref<?xf32>
      affine.for %i = 0 to 9 {
        %x = affine.load %m[%i] : memref<9xf32>
      }
      return
    }"""
    (fact,) = volcli.load(text).function("f").accesses()
    assert fact.total == 9


# -- elements of tensors -------------------------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.parametrize("op", ["extract", "insert"])
@pytest.mark.parametrize("seed", range(12))
def test_elements_of_tensors_against_an_execution(op: str, seed: int) -> None:
    """Of a loop over elements `i * a + b` of a tensor: how many are outside, and which is the first one."""
    chance = random.Random(f"{op} {seed}")
    a, b, size, count = (chance.randint(low, high) for low, high in ((-2, 2), (-1, 3), (1, 8), (1, 6)))
    line = (
        f"%y = tensor.extract %t[%k] : tensor<{size}xf32>"
        if op == "extract"
        else f"%y = tensor.insert %x into %t[%k] : tensor<{size}xf32>"
    )
    body = f"""affine.for %i = 0 to {count} {{
        %k = affine.apply affine_map<(i) -> (i * {a} + {b})>(%i)
        {line}
      }}"""
    answer = one(body, f"%t: tensor<{size}xf32>, %x: f32")
    outside = [i for i in range(count) if not 0 <= i * a + b < size]
    assert answer.verdict is (OUT if outside else IN)
    assert (answer.failing, answer.total) == (len(outside), count)
    text = f"func.func @f(%t: tensor<{size}xf32>, %x: f32) {{\n{NUMBERS}\n{body}\n return }}"
    ran = volcli.loads(text).function("f").run()
    assert (ran.undefined is not None) is bool(outside)
    if outside:
        assert answer.witness is not None
        assert answer.witness.iteration == (outside[0],)


def test_an_element_of_a_tensor_is_a_need_of_the_function_where_arguments_decide_it() -> None:
    program = volcli.loads(
        "func.func @f(%t: tensor<?xf32>, %n: index) -> f32 {"
        " %x = tensor.extract %t[%n] : tensor<?xf32> return %x : f32 }"
    )
    (needed,) = (each for each in program.run("check-accesses").diagnostics if each.code == "V204")
    assert "@f needs 0 <= %n < dim(%t, 0)" in needed.message
