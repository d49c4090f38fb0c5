"""The oracle on programs whose answers are known, and whether random programs are what they should be."""

from __future__ import annotations

import subprocess
from itertools import product
from math import prod

import pytest

from tests.oracles.memory import fixed, peer
from tests.oracles.memory.draw import drawn, programs
from tests.oracles.memory.expressions import value
from tests.oracles.memory.memrefs import Alloc, GetGlobal, Index, Memref, View, row_major
from tests.oracles.memory.nodes import Access, Loop, walk
from tests.oracles.memory.programs import Program
from tests.oracles.memory.reduce import has_meaning, reduced

STORE, LOAD = 0, 1


def all_distances(program: Program, vector: Index = ()) -> dict[tuple[int, int, int], set[Index]]:
    """The distances, where there are any."""
    truth = program.run(vector)
    asked = [(each.source, each.sink, each.depth) for each in program.questions()]
    return {key: found for key in asked if (found := truth.distances(*key))}


def test_a_shift_by_two_rows() -> None:
    assert all_distances(fixed.shifted_rows()) == {(STORE, LOAD, 1): {(2, 0)}}


def test_skewed_subscripts_have_a_set_of_distances_that_is_no_box() -> None:
    found = all_distances(fixed.skewed())
    assert found[STORE, LOAD, 1] == {(1, 1), (2, 2), (3, 3), (5, -1), (6, 0), (7, 1)}
    assert found[LOAD, STORE, 1] == {(2, -4)}
    assert (STORE, LOAD, 2) not in found


def test_a_store_to_one_element_waits_for_all_before() -> None:
    program = fixed.any_distance()
    assert all_distances(program, (4,)) == {
        (0, 1, 1): {
            (1,),
            (2,),
            (3,),
        },  # only m[0] is read and later written: by all iterations after the first
        (0, 1, 2): {(0,)},
        (1, 1, 1): {(1,), (2,), (3,)},
    }
    assert all_distances(program, (1,)) == {(0, 1, 2): {(0,)}}


def test_distances_are_in_units_of_the_induction_variable() -> None:
    assert all_distances(fixed.strided()) == {(STORE, LOAD, 1): {(4,)}}


def test_the_else_region_runs_where_the_condition_fails() -> None:
    assert all_distances(fixed.other_half()) == {(1, 0, 1): {(3,)}}


def test_a_triangle() -> None:
    assert all_distances(fixed.triangle()) == {
        (STORE, STORE, 2): {(0, 1), (0, 2)},
        (STORE, LOAD, 3): {(0, 0)},
        (LOAD, STORE, 1): {(1, 0), (1, 1), (2, 0)},
        (LOAD, STORE, 2): {(0, 1), (0, 2)},
    }


def test_siblings_depend_without_a_common_loop() -> None:
    assert all_distances(fixed.siblings()) == {(STORE, LOAD, 1): {()}}


def test_a_buffer_of_an_iteration_is_its_own() -> None:
    assert all_distances(fixed.private()) == {(STORE, LOAD, 2): {(0,)}}


def test_two_handles_of_a_global_are_one_buffer() -> None:
    assert all_distances(fixed.two_handles()) == {(STORE, LOAD, 1): {(1,)}}


def test_views_are_of_one_buffer() -> None:
    # v[0, 0] is m[0, 1], v[0, 1] is m[0, 3]; l[0] is m[0, 0], l[1] is m[0, 1].
    assert all_distances(fixed.through_views()) == {(STORE, LOAD, 1): {(1,)}}


def test_flow_and_dead_stores() -> None:
    truth = fixed.overwritten().run(())
    assert truth.flow == {(0, 2): {((2,), (2,))}}
    assert truth.unwritten == {(2, (0,)), (2, (1,))}
    assert truth.dead == {(0, (0,)), (0, (1,)), (1, (0,)), (1, (1,)), (1, (2,))}


def test_stores_to_what_outlives_the_function_are_not_dead() -> None:
    truth = fixed.shifted_rows().run(())
    assert truth.dead == set()
    assert truth.unwritten == {(1, (i, j)) for i in (0, 1) for j in range(10)}


def test_accesses_out_of_bounds() -> None:
    assert fixed.shifted_rows().run(()).out_of_bounds == {(1, (i, j)) for i in (0, 1) for j in range(10)}
    assert (0, (0, 2)) in fixed.skewed().run(()).out_of_bounds  # m[6, 10] of 10x7
    assert fixed.through_views().run(()).out_of_base == set()


def test_the_loops_that_carry() -> None:
    assert fixed.shifted_rows().run(()).carrying == {0}
    assert fixed.triangle().run(()).carrying == {0, 1}
    assert fixed.private().run(()).carrying == set()
    assert fixed.siblings().run(()).carrying == set()


def memrefs_made(program: Program) -> list[tuple[View, Memref, int]]:
    """The views at the top of the function, if offsets are 0 wherever they are values, and those offsets."""
    environment: dict[str, Memref] = {}
    for name, type in program.buffers:
        sizes = tuple(dim or 0 for dim in type.dims)
        environment[name] = Memref(name, sizes, sizes, lambda index: index)
    found: list[tuple[View, Memref, int]] = []
    for node in program.body:
        if isinstance(node, Alloc | GetGlobal | View) and not set(node.uses) & set(program.parameters):
            environment[node.result] = node.made(environment, "fresh")
            if isinstance(node, View):
                assert node.type.offset is not None, "an offset without values is known"
                found.append((node, environment[node.result], node.type.offset))
    return found


@pytest.mark.slow
def test_a_view_is_what_its_strides_say() -> None:
    checked = 0
    for program in programs(seed=5, count=400):
        try:
            views = memrefs_made(program)
        except KeyError:  # a view of a view that depends on a parameter
            continue
        for node, memref, offset in views:
            assert None not in node.type.steps
            steps = row_major(memref.extents)
            for index in product(*map(range, memref.sizes)):
                address = offset + sum(
                    i * (step or 0) for i, step in zip(index, node.type.steps, strict=True)
                )
                place = memref.place(index)
                assert address == sum(i * (step or 0) for i, step in zip(place, steps, strict=True)), (
                    node.text
                )
                assert address < prod(memref.extents), node.text
            checked += 1
    assert checked > 30


def test_programs_depend_on_the_seed_alone() -> None:
    assert [each.text for each in programs(3, 5)] == [each.text for each in programs(3, 5)]


@pytest.mark.slow
def test_programs_have_everything() -> None:
    texts = "\n".join(each.text for each in programs(seed=6, count=150))
    for part in (
        "affine.for", "affine.parallel", "scf.for", "scf.parallel", "affine.if", "scf.if", "} else {", "arith.cmpi",
        "affine.apply", "index_cast", "memref.load", "memref.store", "affine.load", "affine.store", " mod ",
        " floordiv ", "subview", "memref.cast", "collapse_shape", "expand_shape", "transpose", "get_global",
        "min affine_map", "max affine_map", "step 2", "memref.alloc(%n",
    ):  # fmt: skip
        assert part in texts, part


def test_a_reduced_program_still_has_what_it_was_reduced_for() -> None:
    def fails(program: Program) -> bool:
        return any(isinstance(node, Access) and node.write for node in walk(program.body)) and any(
            isinstance(node, Loop) and value(node.steps[0], {}) == 3 for node in walk(program.body)
        )

    big = next(each for each in programs(seed=7, count=100) if fails(each))
    small = reduced(big, fails)
    assert fails(small)
    assert has_meaning(small)
    assert len(list(walk(small.body))) <= 3, small.text  # the loop, the store, and where its memref is from


@pytest.mark.slow
def test_mlir_opt_reads_the_programs(mlir_opt: str) -> None:
    every = [*programs(seed=8, count=40), *(make() for make in fixed.FIXED)]
    text = "// -----\n".join(program.text for program in every)
    command = [mlir_opt, "-split-input-file", "-", "-o", "/dev/null"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{run.stderr}\n{text}"


@pytest.mark.slow
@pytest.mark.mlir
def test_mlir_opt_never_denies_a_dependence_of_a_plain_program() -> None:
    """Its answers contain the oracle's: it says boxes, and more than the truth, but nothing less."""
    for program in programs(seed=9, count=30, plain=True):
        assert [question for question, worth in peer.judged(program) if worth == "wrong"] == [], program.text


def test_a_drawn_program_is_small() -> None:
    assert sum(len(truth.trace) for truth in drawn("0/0").truths.values()) <= 4000
