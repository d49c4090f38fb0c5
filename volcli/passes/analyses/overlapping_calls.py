"""Calls that pass overlapping memory for arguments that the called function takes to be different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.calls.overlaps import OverlappingArguments, overlaps
from volcli.model.memory.dependences.assumed import DIFFERENT
from volcli.model.symbols import called_by
from volcli.passes.base import Unit


def overlapping(unit: Unit, model: FunctionModel) -> Iterator[Diagnostic]:
    """The calls that pass overlapping memory for arguments that are taken to be different."""
    calls = [op for op in operations_in(model.memory.function) if sum(map(is_memref, op.operands)) > 1]
    for op in calls:
        called = called_by(op)
        other = None if called is None else unit.shared(_models).get(called)
        if other is not None:
            for each in overlaps(model.memory, op, other.memory):
                message = _overlap_text(model, other, each)
                related = ((unit.parsed.written_at(other.function), "the called function"),)
                yield Diagnostic("V219", message, unit.parsed.written_at(op), related=related)


def _overlap_text(model: FunctionModel, called: FunctionModel, found: OverlappingArguments) -> str:
    """What a call in MODEL's function passes to the CALLED one, and what is assumed of it there."""
    passed = " and ".join(map(model.name_of, found.passed))
    arguments = " and ".join(map(called.name_of, found.arguments))
    element = f"{model.memory.names.memref(found.base)}[{', '.join(map(str, found.element))}]"
    return (
        f"'{operation_name(found.op)}' op passes {passed}, which both have {element}; "
        f"answers about @{called.name} assume that {arguments} {DIFFERENT}"
    )


def _models(unit: Unit) -> Mapping[Operation, FunctionModel]:
    """The models of all functions of the module of UNIT, by their functions."""
    return {model.function: model for model in unit.of_module()}
