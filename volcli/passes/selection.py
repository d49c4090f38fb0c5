"""Which values a pass speaks about, and where: shared by the analyses of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.facts.fact import Where
from volcli.language.reads import is_number, rank_of
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit

if TYPE_CHECKING:
    from volcli.presburger.sets.condition_words import ConditionName

ALL = "all"


def selected(
    unit: Unit, of: Sequence[str], *, memory: bool = False
) -> Iterator[tuple[FunctionModel, SSAValue]]:
    """The values that OF names, in its order: without names the functions' shaped results, of "all" all.

    Without names, with MEMORY, the memrefs that the functions are called with and write, too.
    """
    for model in unit.models():
        written = model.written_arguments() if memory and not of else []
        for value in dict.fromkeys((*_selected_of(unit, model, of), *written)):
            yield model, value


def _selected_of(unit: Unit, model: FunctionModel, of: Sequence[str]) -> list[SSAValue]:
    if not of:
        results = model.results()
        return [v for v in results if isinstance(v.type, ShapedType)] or results
    if ALL in of:
        return [v for v in model.values() if isinstance(v, OpResult)]
    return list(dict.fromkeys(v for each in of for v in unit.parsed.names.find_all(model.function, each)))


def names(unit: Unit, of: Sequence[str], value: SSAValue) -> bool:
    """Whether OF names VALUE: nothing and "all" do, as do `%x`, `%x#0` the first one of `%x:2`."""
    return not of or ALL in of or any(unit.parsed.names.is_called(value, each) for each in of)


def named_value(unit: Unit, model: FunctionModel, name: ConditionName) -> SSAValue | None:
    """The value of MODEL's function that NAME is, a number, or is a size of; None without one."""
    return next(iter(named_values(unit, model, name)), None)


def named_values(unit: Unit, model: FunctionModel, name: ConditionName) -> list[SSAValue]:
    """The values of MODEL's function that NAME is, numbers, or is a size of: one name may be used twice."""
    if name.function not in (None, model.name):
        return []
    called = unit.parsed.names.find_all(model.function, f"%{name.value}")
    if name.dim is None:
        return [value for value in called if is_number(value)]
    return [value for value in called if name.dim < rank_of(value)]


def where(unit: Unit, model: FunctionModel, value: SSAValue) -> Where:
    """The operation that defines VALUE (the function, for its arguments) and its place in the text."""
    return unit.where(model, defining_operation(model, value))


def defining_operation(model: FunctionModel, value: SSAValue) -> Operation:
    """The operation that VALUE is a result of; the function for its arguments."""
    if isinstance(value, OpResult):
        return value.op
    owner = value.block.parent_op() if isinstance(value, BlockArgument) else None
    return owner or model.function
