"""volcli's answers about loops against runs of random ones in other orders; and the oracle itself."""

from __future__ import annotations

import subprocess

import pytest

from tests.oracles.interpreter.affine import Affine
from tests.oracles.nests.ask import judged
from tests.oracles.nests.draw import bindings, drawn
from tests.oracles.nests.inserts import drawn_forall, forall_judged
from tests.oracles.nests.programs import Access, Alloc, Buffer, Effect, Loop, Node, Program
from tests.oracles.nests.rewritings import bands, fused, in_lanes
from tests.oracles.nests.run import Machine

LINE = Buffer("%a", "f32", (16,))


def loop(iv: str, *body: Node, count: int = 3, dialect: str = "affine.for") -> Loop:
    return Loop((iv,), tuple((p,) for p in range(count)), body, dialect)


def same(program: Program, *others: Program) -> list[bool]:
    """Whether each of OTHERS shows what PROGRAM does, arguments apart."""
    (binding, *_) = bindings(program)
    shown = Machine(program, binding).outcome.shown()
    return [Machine(each, binding).outcome.shown() == shown for each in others]


@pytest.mark.slow
def test_no_answer_is_wrong() -> None:
    failing = {
        seed: found
        for seed in (f"31/{number}" for number in range(60))
        if (found := [each for each in judged(drawn(seed)) if each.is_failure])
    }
    assert failing == {}


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.campaigns.nests` has the statistics and takes any seed."""
    seeds = [f"32/{number}" for number in range(3000)]
    assert [seed for seed in seeds if any(each.is_failure for each in judged(drawn(seed)))] == []


@pytest.mark.slow
def test_what_forall_inserts_is_answered_exactly() -> None:
    loops = {f"35/{number}": drawn_forall(f"35/{number}") for number in range(60)}
    assert {forall.collides for forall in loops.values()} == {True, False}
    wrong = {
        seed: forall.text
        for seed, forall in loops.items()
        if any(j.is_failure for j in forall_judged(forall))
    }
    assert wrong == {}


def test_programs_depend_on_the_seed_alone_and_have_everything() -> None:
    assert drawn("5/5").text == drawn("5/5").text
    texts = "\n".join(drawn(f"33/{number}").text for number in range(200))
    for part in (
        "affine.for", "affine.parallel", "scf.for ", "scf.forall", "scf.parallel", "memref.alloc", "memref.dealloc", "vector.print",
        "func.call", "memref.view", "xi16>", "strided<[0, 1]>", "strided<[?, 1]>", "affine.store", "memref.load",
    ):  # fmt: skip
        assert part in texts, part


@pytest.mark.slow
def test_mlir_opt_reads_the_programs(mlir_opt: str) -> None:
    text = "// -----\n".join(drawn(f"34/{number}").text for number in range(25))
    command = [mlir_opt, "-split-input-file", "-", "-o", "/dev/null"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{ran.stderr}\n{text}"


# -- the oracle itself ---------------------------------------------------------------------------------


def test_an_allocation_between_two_loops_is_another_one_in_another_order() -> None:
    """Each store is read by an iteration of the same row: interchanged, by nobody."""
    own = Buffer("%own", "f32", (16,))
    store, load = Access(0, True, own, (Affine((0, 1)),)), Access(1, False, own, (Affine((0, -1), 2),))
    nest = loop("%i", Alloc(own), loop("%j", store, load))
    program = Program((), (), (nest,))
    assert not any(same(program, *(Program((), (), (each,)) for each in bands(nest))))


def test_prints_have_an_order_and_private_elements_have_none() -> None:
    private = Access(0, True, Buffer("%a", "f32", (9, 9)), (Affine((1, 0)), Affine((0, 1))))
    nest = loop("%i", loop("%j", private))
    program = Program((private.buffer,), (), (nest,))
    assert all(same(program, *(Program(program.arguments, (), (each,)) for each in bands(nest))))
    printing = loop("%i", loop("%j", private, Effect("print")))
    program = Program(program.arguments, (), (printing,))
    assert not any(same(program, *(Program(program.arguments, (), (each,)) for each in bands(printing))))


@pytest.mark.parametrize(
    ("offset", "in_sequence", "in_parallel"), [(0, True, True), (1, True, False), (-1, False, False)]
)
def test_fusing_into_a_parallel_loop_asks_for_more(
    offset: int, *, in_sequence: bool, in_parallel: bool
) -> None:
    """The second loop reads what iteration i - OFFSET of the first wrote."""
    store, load = (
        Access(0, True, LINE, (Affine((1,), 2),)),
        Access(1, False, LINE, (Affine((1,), 2 - offset),)),
    )
    for dialect, expected in (("affine.for", in_sequence), ("affine.parallel", in_parallel)):
        first, second = loop("%i", store, dialect=dialect), loop("%i", load, dialect=dialect)
        program = Program((LINE,), (), (first, second))
        others = [Program((LINE,), (), (each,)) for each in fused(first, second)]
        assert all(same(program, *others)) is expected


def test_lanes_up_to_the_distance() -> None:
    store, load = Access(0, True, LINE, (Affine((1,), 3),)), Access(1, False, LINE, (Affine((1,)),))
    sequential = loop("%i", load, store, count=7)
    program = Program((LINE,), (), (sequential,))
    others = [Program((LINE,), (), in_lanes(sequential, lanes)) for lanes in (1, 2, 3, 4)]
    assert same(program, *others) == [True, True, True, False]


def test_arguments_are_bound_apart_together_and_overlapping() -> None:
    """Two of four bytes each share memory at three distances; a stride that is not static may be 0."""
    strided = Buffer("%s", "f32", (4, 4), (None, 1))
    found = bindings(Program((LINE, strided), (), ()))
    assert len(found) == 1 + 3 + 3
    assert found[0].is_excluded(["%a and %s are different memory"]) is False
    assert found[1].is_excluded(["%s and %a are different memory"]) is True
    assert found[-1].is_excluded(["the layout of %s does not overlap itself"]) is True


def test_words_lie_in_the_bytes_of_their_buffer() -> None:
    base = Buffer("%b", "i8", (16,))
    words = Buffer("%w", "i32", (2,), base="%b", shift=4)
    program = Program(
        (base,),
        (words,),
        (Access(0, True, words, (Affine((), 1),)), Access(1, False, base, (Affine((), 11),))),
    )
    outcome = Machine(program, bindings(program)[0]).outcome
    assert outcome.reads == {(1, ()): (((0, ()), 3),)}
