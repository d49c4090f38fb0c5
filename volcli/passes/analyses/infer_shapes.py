"""infer-shapes: the size of every dimension, from the sizes of the operands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import OpResult, SSAValue

from volcli.diagnostics import Diagnostic
from volcli.facts.shapes import ShapeFact
from volcli.language.expressions import Dim
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.values.terms.form import Form
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import where

_SAID_BEFORE = ("V110", "V201")
"""What the operation's own dialect has found wrong with it needs no second word."""


@dataclass(frozen=True)
class InferShapes(Pass):
    """Infer the index domain of each result from the operands' domains (IMPACT 2023, section 5.3).

    Every `?` that is provable becomes a number or an expression over the function's parameters, which are
    named after the values that define them. Sizes that must agree and provably do not are findings (V201),
    and so is a declared type that disagrees with the operands (V202).
    """

    name = "infer-shapes"
    summary = "the size of every dimension, from the sizes of the operands"
    wants = "dynamic dimensions that are proved constant"
    by_function = True

    refine_types: bool = option(False, help="write the sizes that are proved constant into the types")

    @property
    def changes(self) -> bool:
        return self.refine_types

    def apply(self, unit: Unit) -> None:
        text_of = cache(str)  # a program has few types, and to print one takes longer than to infer a shape
        for model in unit.models():
            self._report_conflicts(unit, model)
            results = set(model.results())
            for value in model.values():
                if isinstance(value.type, ShapedType):
                    fact = shape_fact(unit, model, value, text_of(value.type), is_result=value in results)
                    unit.facts.append(fact)
        if self.refine_types:
            from volcli.passes.rewrites.refine_types import refine_types

            refine_types(unit, self.name)

    def _report_conflicts(self, unit: Unit, model: FunctionModel) -> None:
        for conflict in model.shapes.conflicts():
            code = "V202" if conflict.declared else "V201"
            place = unit.parsed.written_at(conflict.op)
            if any(said.place == place and said.code in _SAID_BEFORE for said in unit.diagnostics):
                continue
            unit.diagnostics.append(
                Diagnostic(code, f"'{operation_name(conflict.op)}' op: {conflict.message}", place)
            )


def shape_fact(
    unit: Unit, model: FunctionModel, value: SSAValue, written: str, *, is_result: bool
) -> ShapeFact:
    """The shape of VALUE, which is of a shaped type, WRITTEN so."""
    kind = value.type
    assert isinstance(kind, ShapedType)
    is_dynamic = DYNAMIC_INDEX in kind.get_shape()
    model = model.as_called if is_dynamic else model
    asked, copy = model.in_form(value) if is_dynamic else (model, value)
    forms = asked.shapes.forms(copy) if is_dynamic else ()
    return ShapeFact(
        where(unit, model, value),
        model.name_of(value),
        written,
        asked.shapes.sizes(copy),
        is_news=is_dynamic or is_result,
        assumptions=tuple(dict.fromkeys(name for form in forms for name in form.assumptions)),
        is_determined=not (isinstance(copy, OpResult) and any(_is_own(form, copy) for form in forms)),
    )


def _is_own(form: Form, value: SSAValue) -> bool:
    """Whether FORM says of a size of VALUE no more than that it is this size."""
    atom = form.expression.single_atom
    return isinstance(atom, Dim) and atom.value is value
