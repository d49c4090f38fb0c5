"""What is wrong with volcli, or with a plug-in, costs one answer: it is said at its place, and all else is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import islpy as isl
import pytest
from xdsl.ir import Operation

import volcli
from tests.conftest import ROOT
from volcli.language import questions
from volcli.language.expressions import dim_of, loop
from volcli.language.interface import Interface
from volcli.language.reads import copy, one_alternative
from volcli.loading.driver import Program
from volcli.passes.analyses import value_bounds

TEXT = """\
func.func @f(%n: index) -> index {
  %c = arith.constant 2 : index
  %bad = arith.divui %n, %c : index
  %good = arith.addi %n, %c : index
  return %good : index
}
func.func @g(%m: index) -> index {
  %c = arith.constant 1 : index
  %next = arith.addi %m, %c : index
  return %next : index
}
"""


def said(program: Program) -> list[tuple[int, str]]:
    """The lines and the messages of internal errors."""
    errors = [each for each in program.diagnostics if each.code == "V900"]
    return [(each.place.line if each.place else 0, each.message) for each in errors]


def broken(monkeypatch: pytest.MonkeyPatch, table: Interface[Any], name: str, module: str) -> None:
    """Let the case of TABLE for the operation NAME raise, as one of MODULE's would."""
    look_up = table._lookup  # pyright: ignore[reportPrivateUsage]

    def case(op: Any) -> Any:
        raise LookupError("no such key")

    case.__module__ = module

    def found(kind: Any) -> Callable[[Any], Any] | None:
        return case if kind.name == name else look_up(kind)

    monkeypatch.setattr(table, "_lookup", found)


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("volcli_dialects.arith.bounds", "volcli_dialects.arith.bounds"),
        ("their_plugin.cases", "their_plugin"),
    ],
)
def test_a_case_that_raises_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    for table in (questions.index_value, questions.value_facts, questions.wrapped_value):
        broken(monkeypatch, table, "arith.divui", module)
    program = volcli.load(TEXT).run("value-bounds")
    errors = said(program)
    assert errors
    assert {line for line, _ in errors} == {3}
    assert all(message.startswith("unknown: internal error in '") for _, message in errors)
    assert all(f"of arith.divui, a case of {package} (LookupError" in message for _, message in errors)
    assert len(errors) == len(set(errors))
    assert {"%good", "%next"} <= {getattr(fact, "value", None) for fact in program.facts}
    assert program.exit_code == 2


def test_a_query_that_isl_refuses_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function is known then; the other one's answers come."""
    from volcli.presburger.measures import extremes

    def refuse(*_: Any) -> Any:
        isl.Set("{ [i] : i >= 0 }").dim_min_val(3)

    whole = volcli.load(TEXT).run("value-bounds")
    monkeypatch.setattr(extremes, "_extreme", refuse)
    program = volcli.load(TEXT).run("value-bounds")
    assert {line for line, _ in said(program)} <= {1, 7}
    assert len(program.facts) == len(whole.facts)


def test_a_pass_that_raises_loses_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = value_bounds.bounds_fact

    def failing(unit: Any, model: Any, value: Any, dim: Any) -> Any:
        if model.name == "f":
            raise ValueError("not this one")
        return fact(unit, model, value, dim)

    monkeypatch.setattr(value_bounds, "bounds_fact", failing)
    program = volcli.load(TEXT).run("value-bounds,infer-shapes")
    assert said(program) == [(1, "unknown: internal error in value-bounds (ValueError: not this one)")]
    assert {each.function for each in program.facts} == {"g"}


def test_numbers_beyond_64_bits_are_bounds() -> None:
    """n / 2 * 2, where n is at most 2^64 - 1 as an unsigned number: no internal error."""
    text = """\
func.func @f(%in: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %size = memref.dim %in, %zero : memref<?xi32>
  %half = arith.divui %size, %two : index
  %even = arith.muli %half, %two : index
  return
}
"""
    program = volcli.load(text).run("value-bounds,dependences,nests")
    assert program.diagnostics == []


def test_a_loop_outside_of_functions_may_find_what_its_buffer_had() -> None:
    """The first iteration reads what the buffer had; the others read what the one before wrote: not dead."""
    text = """\
module {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<2xindex>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %m[%c1] : memref<2xindex>
    memref.store %x, %m[%c1] : memref<2xindex>
  }
}
"""
    program = volcli.load(text).run("memory-flow")
    (found,) = program.diagnostics
    assert found.code == "V205"
    assert found.message.endswith("which is uninitialized at %i = 0: elements { [d0 = 1] }")


def _returns(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A case of another package that returns this ANSWER."""

    def case(op: Any) -> Any:
        return answer(op)

    case.__module__ = "their_plugin"
    return case


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        ("result_sizes", lambda op: dim_of(op.source, 0), "not a list with one Sequence for each result"),
        ("result_sizes", lambda op: [], "it returned 0 answers for 1 result"),
        ("result_sizes", lambda op: [[]], "it returned 0 sizes of a result with 1 dimension"),
        ("result_sizes", lambda op: [[4]], "it returned the size 4, not an Expression or None"),
        ("result_sizes", lambda op: [[dim_of(op.source, 1)]], "it returned dim(%t, 1), of a value with 1 dimension"),
        ("element_reads", lambda op: copy(op.source, [loop(0)]), "not a list with one ElementReads for each result"),
        (
            "element_reads",
            lambda op: [one_alternative(2, copy(op.source, [loop(0)]))],
            "it returned 2 indices of a value with 1 dimension",
        ),
        (
            "element_reads",
            lambda op: [one_alternative(1, copy(op.source, [loop(0), loop(0)]))],
            "it returned 2 indices of a value with 1 dimension",
        ),
    ],
)  # fmt: skip
def test_a_case_that_returns_what_is_no_answer_is_named_and_all_else_is_answered(
    monkeypatch: pytest.MonkeyPatch, question: str, answer: Callable[[Any], Any], message: str
) -> None:
    table: Interface[Any] = getattr(questions, question)
    kind = op_of(CAST).__class__
    table(op_of(CAST))  # its dialect is imported
    monkeypatch.setattr(
        table, "_cases", {each: case for each, case in table._cases.items() if each is not kind}
    )
    monkeypatch.setattr(table, "_found", {})
    table.case(kind)(_returns(answer))
    program = volcli.load(CAST).run("infer-shapes,element-maps")
    (told,) = {text for _, text in said(program)}
    assert told.startswith(
        f"unknown: internal error in '{question}' of tensor.cast, a case of their_plugin (TypeError: "
    )
    assert message in told
    assert [str(each) for each in program.function("g").shape("%e").sizes] == ["7"]


CAST = """\
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> {
  %r = tensor.cast %t : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @g() -> tensor<7xf32> {
  %e = tensor.empty() : tensor<7xf32>
  return %e : tensor<7xf32>
}
"""


def op_of(text: str) -> Operation:
    """The first operation of the first function of TEXT."""
    (unit,) = volcli.load(text).units
    op = unit.models()[0].function.regions[0].blocks[0].first_op
    assert op is not None
    return op


@pytest.mark.parametrize("path", ["linalg/conv_layer_dynamic", "slices/tiles", "rewrites/upsampling"])
def test_what_the_cases_of_volcli_answer_fits(path: str) -> None:
    """So that nothing is refused of a plug-in that volcli itself answers."""
    (unit,) = volcli.load(ROOT / "testdata" / f"{path}.mlir").units
    looked_at = 0
    for op in unit.parsed.module.walk():
        for question in (
            "result_sizes",
            "element_reads",
            "index_value",
            "loop",
            "accesses",
            "effects",
            "view",
        ):
            table: Interface[Any] = getattr(questions, question)
            answer = table(op)
            if answer is not None:
                assert table.fits is not None
                table.fits(op, answer)
                looked_at += 1
    assert looked_at > 10
