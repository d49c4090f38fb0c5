"""Bounds that are reified cost what is behind them, and not what the function has beside."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.definitions.linear_forms import LinearForms
from volcli.model.values.terms.numbering import Numbering
from volcli.model.values.terms.variables import Variable
from volcli.passes.base import Unit


def reified(count: int) -> str:
    """A chain of COUNT sums, each with a question for its bound in terms of what it is made of."""
    lines = [
        f"  %x{k + 1} = arith.addi %x{k}, %one : index\n"
        f'  %r{k} = "test.reify_bound"(%x{k + 1}) {{type = "UB"}} : (index) -> index\n'
        f'  "test.some_use"(%r{k}) : (index) -> ()\n'
        for k in range(count)
    ]
    one = "  %one = arith.constant 1 : index\n"
    return f"func.func @f(%x0: index) {{\n{one}{''.join(lines)}  return\n}}\n"


def asked(count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, Unit]:
    """How many linear forms are worked out for COUNT sums, how often the function is numbered; the result."""
    worked_out: list[Variable] = []
    numbered: list[object] = []
    form, number = LinearForms.form, Numbering.__init__

    def counted(self: LinearForms, variable: Variable) -> object:
        worked_out.append(variable)
        return form(self, variable)

    def numbering(self: Numbering, function: object) -> None:
        numbered.append(function)
        number(self, function)  # pyright: ignore[reportArgumentType]

    with monkeypatch.context() as patch:
        patch.setattr(LinearForms, "form", counted)
        patch.setattr(Numbering, "__init__", numbering)
        program = volcli.load(reified(count)).run("test-affine-reify-value-bounds")
    (unit,) = program.units
    return len(worked_out), len(numbered), unit


@pytest.mark.slow
def test_questions_cost_what_is_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    few, first, _ = asked(60, monkeypatch)
    many, second, unit = asked(240, monkeypatch)
    assert many <= 4.5 * few
    assert first == second
    assert not unit.failed
    names = [op.name for op in unit.parsed.module.walk()]
    assert "test.reify_bound" not in names
