"""Whether an operation has the parts that its definition asks for, whatever generic form makes of it.

`"scf.for"(%n) : (index) -> index` is well-formed text: any number of operands, results, regions, successors
and attributes can be written. The definition (xDSL's IRDL of the class) says how many of which kinds there
are. What differs is told in mlir-opt's words: "requires one region". Nothing here knows an operation.

What a definition of xDSL's own says of types may be narrower than MLIR: of those, only the classes count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, cast

from xdsl.dialects.builtin import DenseArrayBase, UnregisteredOp, i32
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSuccessorSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    SingleBlockRegionDef,
    VarConstraint,
    VariadicDef,
    VarSingleBlockRegionDef,
)
from xdsl.irdl.operations import AttributeDef, OptSingleBlockRegionDef
from xdsl.traits import SameOperandsAndResultType

from volcli.frontend.check.counts import Parts, count_problem, parts_of, segments_of, shared_out
from volcli.frontend.check.kinds import Binding, admits, bindings, element_constraint, what_is_wanted
from volcli.language.unregistered import operations_named

_SEGMENTS = (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    AttrSizedRegionSegments,
    AttrSizedSuccessorSegments,
)
_ONE_BLOCK = (SingleBlockRegionDef, VarSingleBlockRegionDef, OptSingleBlockRegionDef)


def malformed(op: Operation) -> UnregisteredOp:
    """The parts of OP, which are taken away from it, as an operation of which only the name is known.

    No code that knows the class of that name ever sees it, and it is printed in generic form.
    """
    regions = [op.detach_region(region) for region in tuple(op.regions)]
    unknown = operations_named(op.name).create(
        operands=op.operands,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        successors=op.successors,
        regions=regions,
        location=op.location,
    )
    for old, new in zip(op.results, unknown.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
    return cast("UnregisteredOp", unknown)


def is_of_xdsl(kind: type[Operation]) -> bool:
    """Whether a class of operations is xDSL's own. What its syntax makes may differ from its definition."""
    return kind.__module__.startswith("xdsl.")


class Particular(Protocol):
    """An operation that has to fit together in a way that its definition cannot say.

    `affine.dma_wait` has as many subscripts as its map has inputs, say.
    """

    def misfit(self) -> str | None:
        """What does not fit, in mlir-opt's words; attributes and regions are as defined."""
        ...


Fitting = dict[tuple[object, ...], tuple[Attribute, ...]]
"""Types that were found to fit, so that they are looked at once: a class, segments and identities."""


def misfit(op: Operation, fitting: Fitting) -> str | None:
    """The first thing in which OP differs from its definition; None if it is as defined.

    Types that FITTING has are not looked at again.
    """
    if not isinstance(op, IRDLOperation) or isinstance(op, UnregisteredOp):
        return None
    of = _definition(type(op))
    if (message := next(_differences(op, of), None)) is not None:
        return message
    if of.is_particular and (message := cast("Particular", op).misfit()) is not None:
        return message
    types = tuple(value.type for value in (*op.operands, *op.results))
    key = (type(op), len(op.results), *segments_of(op, of.operands), *map(id, types))
    if key not in fitting:
        if (message := next(_type_problems(op, of), None)) is not None:
            return message
        fitting[key] = types
    return None


def complete_segments(op: Operation) -> None:
    """Each list that has segments and is empty says so: segments that are not given have length 0.

    They may have the name that they once had: `operand_segment_sizes`.
    """
    if not isinstance(op, IRDLOperation) or isinstance(op, UnregisteredOp):
        return
    of = _definition(type(op))
    for each, found, old in (
        (of.operands, op.operands, "operand_segment_sizes"),
        (of.results, op.results, "result_segment_sizes"),
    ):
        name = each.segments
        if name is not None and old in op.attributes and name not in {**op.properties, **op.attributes}:
            op.properties[name] = op.attributes.pop(old)
        if name is not None and not found and name not in op.properties and name not in op.attributes:
            op.properties[name] = DenseArrayBase.from_list(i32, [0] * len(each.parts))


class _Definition(NamedTuple):
    """What is asked of the operations of a class."""

    irdl: OpDef
    regions: Parts
    results: Parts
    successors: Parts
    operands: Parts
    is_exact: bool
    is_particular: bool


@cache
def _definition(kind: type[IRDLOperation]) -> _Definition:
    irdl = kind.get_irdl_definition()
    segments = {type(each): each.attribute_name for each in irdl.options if isinstance(each, _SEGMENTS)}
    return _Definition(
        irdl,
        parts_of("region", irdl.regions, segments.get(AttrSizedRegionSegments)),
        parts_of("result", irdl.results, segments.get(AttrSizedResultSegments)),
        parts_of("successor", irdl.successors, segments.get(AttrSizedSuccessorSegments)),
        parts_of("operand", irdl.operands, segments.get(AttrSizedOperandSegments)),
        not is_of_xdsl(kind),
        hasattr(kind, "misfit"),
    )


def _differences(op: IRDLOperation, of: _Definition) -> Iterator[str]:
    """What OP differs in but for the types of its values, in the order in which mlir-opt looks."""
    for each, found in (
        (of.regions, op.regions),
        (of.results, op.results),
        (of.successors, op.successors),
        (of.operands, op.operands),
    ):
        if (message := count_problem(op, each, len(found))) is not None:
            yield message
    yield from _attribute_problems(op, of)
    if not op.regions:
        return
    for index, (name, definition, start, stop) in enumerate(shared_out(op, of.regions, len(op.regions))):
        for region in op.regions[start:stop]:
            blocks = _number_of_blocks(region) if isinstance(definition, _ONE_BLOCK) else 1
            if blocks > 1:
                yield f"expects region #{index} to have 0 or 1 blocks"
            elif not blocks:
                yield f"region #{index} ('{name}') failed to verify constraint: region with 1 blocks"


def _number_of_blocks(region: Region) -> int:
    first, last = region.first_block, region.last_block
    return 0 if first is None else 1 if first is last else 2


# Of which kinds


def _attribute_problems(op: IRDLOperation, of: _Definition) -> Iterator[str]:
    """What is missing of the attributes, and what is not such an attribute."""
    if of.is_exact and op.properties and not of.irdl.properties:
        yield "invalid properties: this operation does not support properties"
    for where, definitions in ((op.properties, of.irdl.properties), (op.attributes, of.irdl.attributes)):
        for name, definition in cast("dict[str, AttributeDef]", definitions).items():
            if name not in where and not isinstance(definition, OptionalDef):
                yield f"requires attribute '{name}'"
        for name, definition in cast("dict[str, AttributeDef]", definitions).items():
            if name in where and not admits(definition.constr, where[name]):
                wanted = what_is_wanted(definition.constr)
                behind = "" if wanted is None else f": {wanted} attribute"
                yield f"attribute '{name}' failed to satisfy constraint{behind}"


def _type_problems(op: IRDLOperation, of: _Definition) -> Iterator[str]:
    """Operands and results of a type that cannot be there, or that differs from the others'."""
    for each, name, part, start, types in _typed_parts(op, of):
        for index, kind in enumerate(types, start):
            if not admits(part.constr, kind, of.is_exact):
                wanted = what_is_wanted(part.constr)
                if wanted is None:
                    yield f"{each.noun} #{index} ('{name}') cannot be of type '{kind}'"
                else:
                    is_list = "variadic of " * isinstance(part, VariadicDef)
                    yield f"{each.noun} #{index} must be {is_list}{wanted}, but got '{kind}'"
    yield from _disagreements(op, of)


def _typed_parts(
    op: IRDLOperation, of: _Definition
) -> Iterator[tuple[Parts, str, Any, int, Sequence[Attribute]]]:
    """Per part of the operands and results: its list, name, definition, beginning, and types."""
    for each, all_types in ((of.operands, op.operand_types), (of.results, op.result_types)):
        for name, part, start, stop in shared_out(op, each, len(all_types)):
            yield each, name, part, start, all_types[start:stop]


def _disagreements(op: IRDLOperation, of: _Definition) -> Iterator[str]:
    """Variables of the definition that would be several types at once.

    `tensor.splat` has an operand of type T and a result of elements of type T: (f32) -> tensor<4xi32> makes T
    both f32 and i32.
    """
    bound: dict[str, list[_Bound]] = {}
    for each, name, part, _, types in _typed_parts(op, of):
        this = _Part(each.noun, name, isinstance(part, VariadicDef))
        for found in (found for kind in types for found in bindings(part.constr, kind)):
            bound.setdefault(found.variable, []).append((this, found))
    for variable, instances in bound.items():
        first = next((each for each in instances if not each[1].is_whole), instances[0])
        other = next((each for each in instances if each[1].value != first[1].value), None)
        if other is not None and _is_of_one_type(of) and (of.is_exact or _asks_for_one_type(op)):
            yield "requires the same type for all operands and results"
        if other is not None:
            yield f"failed to verify that {_agreement(of, variable, first, other)}"


def _asks_for_one_type(op: Operation) -> bool:
    return op.has_trait(SameOperandsAndResultType, value_if_unregistered=False)


class _Part(NamedTuple):
    """One of the operands or results, or a list of them."""

    noun: str
    name: str
    is_list: bool


_Bound = tuple[_Part, Binding]
_IN_LLVM = {"res": "result"}
"""Names of operands and results that are others in xDSL."""


def _agreement(of: _Definition, variable: str, left: _Bound, right: _Bound) -> str:
    """What VARIABLE, of which LEFT and RIGHT are instances, asks for; as mlir-opt says it."""
    if left[1].is_whole and right[1].is_whole:
        parts = (*of.operands.parts, *of.results.parts)
        names = (_IN_LLVM.get(name, name) for name, part in parts if _is_variable(part.constr, variable))
        return f"all of {{{', '.join(names)}}} have same type"
    if left[1].is_whole == right[1].is_whole:
        return f"{left[0].name} and {right[0].name} have same element type"
    (whole, _), (other, _) = (left, right) if left[1].is_whole else (right, left)
    if whole.is_list:
        return f"{whole.noun} types match {other.name} element type"
    name = "operand" if (whole.noun, other.noun) == ("operand", "result") else whole.name
    return f"{name} type matches element type of {other.name}"


def _is_variable(constraint: Any, variable: str) -> bool:
    constraint = element_constraint(constraint)
    return isinstance(constraint, VarConstraint) and constraint.name == variable


def _is_of_one_type(of: _Definition) -> bool:
    """Whether all operands and results are of the same type."""
    constraints = [
        element_constraint(part.constr) for each in (of.operands, of.results) for _, part in each.parts
    ]
    return all(isinstance(each, VarConstraint) and each == constraints[0] for each in constraints)
