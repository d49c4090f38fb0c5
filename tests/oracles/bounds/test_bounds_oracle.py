"""The oracle on programs whose answers are known, and whether random programs are what they should be."""

from __future__ import annotations

import subprocess

import pytest

from tests.oracles.bounds.draw import drawn, programs
from tests.oracles.bounds.nodes import Ask, Block, Branch, Compare, Compute, Formula, Loop, Node, Opaque, walk
from tests.oracles.bounds.programs import Program
from tests.oracles.bounds.reduce import WIDER, reduced
from tests.oracles.bounds.values import Value, tensor_type

N = Value("%n")
FLAG = Value("%c", "i1")
LINE = tensor_type((None,))


def constant(name: str, number: int) -> Compute:
    """%NAME = arith.constant NUMBER"""
    return Compute(Value(f"%{name}"), Formula(f"arith.constant {number} : index", str(number)))


def computed(name: str, python: str, *operands: Value, type: str = "index") -> Compute:
    """%NAME = PYTHON; these programs are only run."""
    return Compute(Value(f"%{name}", type), Formula("", python, operands))


def plain(value: Value) -> Formula:
    """The value itself."""
    return Formula("$0", "$0", (value,))


def ends(program: Program) -> list[tuple[int | None, int | None]]:
    """The least and the greatest value of each query."""
    return [(query.minimum, query.maximum) for query in program.queries]


def function(*nodes: Node, arguments: tuple[Value, ...] = ()) -> Program:
    """A program of these operations."""
    return Program(arguments, Block(nodes))


def counted(body: Block, carried: Value, start: int, trips: int, *after: Node) -> Program:
    """A loop of %i from 0 to TRIPS that carries a value, %r at the end, and something after it."""
    zero, upper, one, init = (
        constant("zero", 0),
        constant("ub", trips),
        constant("one", 1),
        constant("s", start),
    )
    loop = Loop(
        (Value("%r"),),
        Value("%i"),
        plain(zero.result),
        plain(upper.result),
        plain(one.result),
        (carried,),
        (init.result,),
        body,
    )
    return function(zero, upper, one, init, loop, *after)


def test_an_argument_that_is_clamped_has_the_clamps_bounds() -> None:
    clamped = computed("v", "max(0, min($0, 7))", N)
    assert ends(function(clamped, Ask(1, clamped.result), arguments=(N,))) == [(0, 7)]


def test_one_truth_chooses_alike_at_all_its_uses() -> None:
    two, five = constant("two", 2), constant("five", 5)
    first = computed("a", "$1 if $0 else $2", FLAG, two.result, five.result)
    second = computed("b", "$2 if $0 else $1", FLAG, two.result, five.result)
    total = computed("t", "$0 + $1", first.result, second.result)
    program = function(two, five, first, second, total, Ask(1, total.result), arguments=(FLAG,))
    assert ends(program) == [(7, 7)]


def test_two_opaque_truths_choose_independently() -> None:
    nodes: list[Node] = []
    for name in "ab":
        truth = Value(f"%o{name}", "i1")
        nodes += [Opaque(truth), computed(name, "5 if $0 else 2", truth)]
    nodes += [computed("t", "$0 + $1", Value("%a"), Value("%b")), Ask(1, Value("%t"))]
    program = function(*nodes)
    assert ends(program) == [(4, 10)]
    assert program.facts[1] == {4, 7, 10}


def test_a_condition_on_a_value_holds_inside_its_branch() -> None:
    clamped = computed("v", "max(0, min($0, 7))", N)
    small = computed("p", "int($0 < 3)", clamped.result, type="i1")
    then = Block((Ask(1, clamped.result, direct=False),))
    otherwise = Block((Ask(2, clamped.result, direct=False),))
    program = function(clamped, small, Branch((), small.result, then, otherwise), arguments=(N,))
    assert ends(program) == [(0, 2), (3, 7)]


def test_a_loop_that_counts_an_arbitrary_truth() -> None:
    carried, truth = Value("%a"), Value("%o", "i1")
    step = computed("next", "$1 + 1 if $0 else $1", truth, carried)
    body = Block((Ask(1, carried), Opaque(truth), step), (step.result,))
    assert ends(counted(body, carried, 3, 20, Ask(2, Value("%r")))) == [(3, 22), (3, 23)]


def test_a_loop_that_adds_its_induction_variable() -> None:
    carried = Value("%a")
    step = computed("next", "$0 + $1", carried, Value("%i"))
    program = counted(Block((step,), (step.result,)), carried, 0, 5, Ask(1, Value("%r")))
    assert ends(program) == [(10, 10)]


def test_a_loop_without_iterations_yields_its_start_and_reaches_nothing_inside() -> None:
    carried = Value("%a")
    nine = constant("nine", 9)
    body = Block((nine, Ask(1, nine.result)), (nine.result,))
    program = counted(body, carried, 4, 0, Ask(2, Value("%r")))
    found = {query.number: query for query in program.queries}
    assert found[1].never
    assert (found[2].minimum, found[2].maximum) == (4, 4)


def test_the_last_value_of_an_induction_variable_is_a_multiple_of_the_step() -> None:
    lower, upper, step = constant("lb", 1), constant("ub", 9), constant("st", 3)
    iv = Value("%i")
    loop = Loop(
        (), iv, plain(lower.result), plain(upper.result), plain(step.result), (), (), Block((Ask(1, iv),))
    )
    assert function(lower, upper, step, loop).facts[1] == {1, 4, 7}


def test_sizes_are_followed_through_a_padding() -> None:
    size = computed("v", "max(0, min($0, 4))", N)
    empty = computed("t", "(natural($0),)", size.result, type=LINE)
    pad = computed("p", "($0[0] + 1 + $1,)", empty.result, size.result, type=LINE)
    assert ends(function(size, empty, pad, Ask(1, pad.result, 0), arguments=(N,))) == [(1, 9)]


@pytest.mark.parametrize(
    ("cmp", "truth"),
    [("<=", "always"), ("<", "sometimes"), (">", "never"), ("==", "sometimes"), (">=", "sometimes")],
)
def test_comparisons_are_about_all_executions(cmp: str, truth: str) -> None:
    clamped = computed("v", "max(0, min($0, 7))", N)
    least = computed("w", "min($0, 3)", clamped.result)
    program = function(clamped, least, Compare(1, least.result, cmp, clamped.result), arguments=(N,))
    assert [comparison.truth for comparison in program.comparisons] == [truth]


def test_a_slice_outside_its_source_has_no_meaning() -> None:
    size = computed("v", "max(0, min($0, 4))", N)
    empty = computed("t", "(natural($0),)", size.result, type=LINE)
    part = computed("s", "(taken($0[0], 0, 3, 1),)", empty.result, type=LINE)
    with pytest.raises(ValueError, match="a slice of 3"):
        function(size, empty, part, Ask(1, part.result, 0), arguments=(N,)).queries  # noqa: B018


def test_random_programs_depend_on_their_seed_alone() -> None:
    assert drawn("7/3") == drawn("7/3") != drawn("7/4")


@pytest.mark.slow
def test_clamped_arguments_saturate_in_the_range() -> None:
    for program in programs(1, 60):
        assert program.seen(WIDER) == program.facts


@pytest.mark.slow
def test_random_programs_ask_what_is_in_and_behind_loops_and_branches() -> None:
    some = list(programs(2, 150))
    queries = [query for program in some for query in program.queries]
    truths = {comparison.truth for program in some for comparison in program.comparisons}
    kinds = {type(node) for program in some for node in walk(program.body)}
    assert truths == {"always", "never", "sometimes"}
    assert {Branch, Loop, Opaque} <= kinds
    assert {query.never for query in queries} == {query.direct for query in queries} == {True, False}
    assert any(query.dim is not None for query in queries)


@pytest.mark.slow
def test_reduction_keeps_the_failure_and_drops_the_rest() -> None:
    def grows(program: Program) -> bool:
        return any(query.maximum is not None and query.maximum > 10 for query in program.queries)

    program = next(each for each in programs(0, 100) if grows(each))
    small = reduced(program, grows)
    assert grows(small)
    assert len(small.queries) + len(small.comparisons) == 1
    assert sum(1 for _ in walk(small.body)) < sum(1 for _ in walk(program.body))


@pytest.mark.slow
@pytest.mark.parametrize("modelled", [False, True])
def test_mlir_opt_accepts_all_forms_of_random_programs(mlir_opt: str, modelled: bool) -> None:
    some = list(programs(3, 60, modelled))
    forms = [
        form for p in some for form in (p.text, p.with_reify_ops(), p.with_compare_ops(), p.with_places())
    ]
    done = subprocess.run(
        [mlir_opt, "-allow-unregistered-dialect", "-split-input-file"],
        input="// -----\n".join(forms), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
