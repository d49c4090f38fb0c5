"""The bufferization dialect: between tensors, whose values never change, and buffers, whose elements do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

from xdsl.dialects import bufferization
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, UnitAttr, UnrankedTensorType, i1
from xdsl.ir import BlockArgument, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from volcli.language.expressions import NotAffine, loops
from volcli.language.memory import Allocation, Effects, MemoryAccess, View, is_memref
from volcli.language.questions import (
    Problem,
    Sizes,
    accesses,
    allocation,
    effects,
    in_place,
    memory_of,
    problems,
    result_sizes,
    tensor_reads,
    view,
)
from volcli.language.reads import rank_of
from volcli_dialects.cases.memory import (
    READ,
    WRITE,
    Accesses,
    copied,
    touch_nothing,
    whole,
    with_stated_effects,
)
from volcli_dialects.cases.memory import sizes_of as sizes_of_value
from volcli_dialects.cases.sizes import dims, like, shape
from volcli_dialects.syntax.op_types import ANY_MEMREF, ANY_TENSOR
from volcli_dialects.syntax.redeclared import Redeclared
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, print_attributes, segment_sizes
from volcli_dialects.verification.problems import (
    are_compatible,
    dynamic_size_problem,
    element_of,
    listed,
    sizes_of,
    structure,
)


@irdl_op_definition
class ToTensorOp(Redeclared, bufferization.ToTensorOp):
    """`bufferization.to_tensor %m restrict writable : memref<4xf32, 3> to tensor<4xf32>`."""

    memref = operand_def(ANY_MEMREF)
    tensor = result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict "
        "`:` type($memref) `to` type($tensor)"
    )


@irdl_op_definition
class ToBufferOp(Redeclared, bufferization.ToBufferOp):
    """`bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?]>>`."""

    tensor = operand_def(ANY_TENSOR)
    memref = result_def(ANY_MEMREF)
    read_only = opt_prop_def(UnitAttr)

    assembly_format = "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)"


@irdl_op_definition
class CloneOp(Redeclared, bufferization.CloneOp):
    """A buffer with the same elements: `bufferization.clone %m : memref<4xf32> to memref<?xf32>`."""

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"


@irdl_op_definition
class AllocTensorOp(Redeclared, bufferization.AllocTensorOp):
    """A tensor to be written: `bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?xf32>`."""

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    dynamic_sizes = var_operand_def(IndexType)
    copy = opt_operand_def(T)
    size_hint = opt_operand_def(IndexType)
    memory_space = opt_prop_def()
    tensor = result_def(T)

    # Beside those of xDSL's class.
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "`` `(` $dynamic_sizes `)` (`copy` `` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? "
        "attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """`bufferization.dealloc_tensor %t : tensor<4xf32>`."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"


@irdl_op_definition
class MaterializeInDestinationOp(Redeclared, bufferization.MaterializeInDestinationOp):
    """The source's elements are written to the destination, a tensor or a buffer.

    `bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>)
    -> ()`.
    """

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = opt_result_def()

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict "
        "`:` functional-type(operands, results)"
    )


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free buffers that are owned and not retained; gives, for each retained one, who owns it from now on.

    `%own = bufferization.dealloc (%m : memref<4xf32>) if (%owned) retain (%r : memref<4xf32>)`.
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(i1)
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memrefs: Sequence[SSAValue] = ()
        conditions: Sequence[SSAValue] = ()
        retained: Sequence[SSAValue] = ()
        if parser.parse_optional_punctuation("("):
            memrefs = _parse_buffers(parser)
            parser.parse_keyword("if")
            conditions = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parser.parse_operand(i1)
            )
        if parser.parse_optional_keyword("retain"):
            parser.parse_punctuation("(")
            retained = _parse_buffers(parser)
        sizes = segment_sizes(len(memrefs), len(conditions), len(retained))
        return cls.create(
            operands=[*memrefs, *conditions, *retained],
            result_types=[i1] * len(retained),
            properties={SEGMENT_SIZES: sizes},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        if self.memrefs:
            _print_buffers(printer, self.memrefs)
            printer.print_string(" if ")
            with printer.in_parens():
                printer.print_list(self.conditions, printer.print_ssa_value)
        if self.retained:
            printer.print_string(" retain")
            _print_buffers(printer, self.retained)
        print_attributes(printer, self.attributes)


def _parse_buffers(parser: Parser) -> Sequence[SSAValue]:
    """`%a, %b : type, type)`."""
    position = parser.pos
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(unresolved, types, position)


def _print_buffers(printer: Printer, buffers: Sequence[SSAValue]) -> None:
    """` (%a, %b : type, type)`."""
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(buffers, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(buffers, lambda buffer: printer.print_attribute(buffer.type))


def dialect() -> Dialect:
    """xDSL's bufferization dialect with the operations and the syntax that it lacks."""
    ours: list[type[Operation]] = [
        AllocTensorOp,
        ToTensorOp,
        ToBufferOp,
        CloneOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        DeallocOp,
    ]
    operations = {op.name: op for op in (*bufferization.Bufferization.operations, *ours)}
    return with_stated_effects(
        Dialect("bufferization", list(operations.values()), [*bufferization.Bufferization.attributes])
    )


@problems.case(AllocTensorOp)
def alloc_tensor_problems(op: AllocTensorOp) -> list[Problem]:
    """A size for each `?`, or the sizes of the tensor that is copied."""
    if op.copy is not None:
        return structure("dynamic sizes not needed when copying a tensor") if op.dynamic_sizes else []
    return listed([dynamic_size_problem(op.tensor.type, op.dynamic_sizes)])


@problems.case(ToTensorOp, ToBufferOp)
def conversion_problems(op: ToTensorOp | ToBufferOp) -> list[Problem]:
    """The same elements and sizes."""
    before, after = op.operands[0].type, op.results[0].type
    if element_of(before) != element_of(after):
        return structure("element types do not match")
    left, right = sizes_of(before), sizes_of(after)
    if left == right:
        return []
    is_size = left is not None and right is not None and len(left) == len(right)
    differs = is_size and not are_compatible(left or (), right or ())
    return [Problem("shape" if differs else "structure", "shapes do not match")]


@problems.case(MaterializeInDestinationOp)
def materialize_problems(op: MaterializeInDestinationOp) -> list[Problem]:
    """The same elements and sizes; a result where the destination is a tensor, which is not written."""
    is_tensor = isinstance(op.dest.type, TensorType | UnrankedTensorType)
    if element_of(op.source.type) != element_of(op.dest.type):
        return structure("failed to verify that all of {source, dest} have same element type")
    if is_tensor and len(op.results) != 1:
        return structure("tensor 'dest' implies exactly one tensor result")
    if not is_tensor and op.results:
        return structure("memref 'dest' implies zero results")
    if is_tensor and op.restrict is not None:
        return structure("'restrict' is valid only for memref destinations")
    if is_tensor is not (op.writable is None):
        return structure("'writable' must be specified if and only if the destination is of memref type")
    left, right = sizes_of(op.source.type), sizes_of(op.dest.type)
    if left is None or right is None or are_compatible(left, right):
        return []
    if len(left) != len(right):
        return structure("rank mismatch between source and destination shape")
    return [Problem("shape", "source/destination shapes are incompatible")]


# -- sizes ---------------------------------------------------------------------------------------------


@allocation.case(AllocTensorOp)
def allocated_tensor(op: AllocTensorOp) -> Allocation:
    """A copy is as large as what it is of."""
    return Allocation(tuple(op.dynamic_sizes))


@result_sizes.case(AllocTensorOp)
def allocated_sizes(op: AllocTensorOp) -> list[Sizes]:
    """Those of the tensor that is copied, or the operands where the type says none."""
    return [dims(op.copy) if op.copy is not None else shape(op.tensor.type, op.dynamic_sizes)]


@result_sizes.case(ToTensorOp, ToBufferOp, CloneOp)
def converted_sizes(op: Operation) -> list[Sizes]:
    """Those of the operand."""
    return [like(op.operands[0], op.results[0])]


@result_sizes.case(MaterializeInDestinationOp)
def materialized_sizes(op: MaterializeInDestinationOp) -> list[Sizes]:
    """Those of the destination."""
    return [like(op.dest, result) for result in op.results]


# -- memory --------------------------------------------------------------------------------------------

touch_nothing(DeallocOp)


@effects.case(DeallocOp)
def freed(op: DeallocOp) -> Effects:
    """What it is given, where nobody owns it any more."""
    return Effects(frees=tuple(op.memrefs))


@accesses.case(ToTensorOp)
def to_tensor_accesses(op: ToTensorOp) -> Accesses:
    """The elements that the tensor is needed for: of a tensor that is overwritten, none.

    That is known where what uses the tensor runs whenever this operation does. Elsewhere it may be any.
    """
    found: list[MemoryAccess] = []
    is_known = is_ranked = _is_ranked(op.memref)
    for user in dict.fromkeys(use.operation for use in op.tensor.uses):
        needed = _needed(user, op.tensor)
        if needed is None or (needed and user.parent is not op.parent):
            is_known = False
        elif is_ranked:
            found += [replace(access, memref=op.memref, parallel=frozenset()) for access in needed]
    return found if is_known else [*found, whole(READ, op.memref, "it is unknown what of the tensor is used")]


@in_place.case(ToTensorOp)
def to_tensor_place(op: ToTensorOp) -> Sequence[SSAValue]:
    """The tensor is in the buffer; it may be overwritten there if it is writable."""
    return () if op.writable is None else (op.memref,)


@in_place.case(ToBufferOp, MaterializeInDestinationOp, DeallocTensorOp)
def no_place(op: Operation) -> Sequence[SSAValue]:
    """What happens to a buffer is said by accesses to it."""
    return ()


def _needed(user: Operation, tensor: SSAValue) -> list[MemoryAccess] | None:
    """What USER reads of TENSOR; None if that is unknown."""
    try:
        stated = tensor_reads(user)
    except NotAffine:
        return None
    return None if stated is None else [access for access in stated if access.memref is tensor]


@tensor_reads.case(ToBufferOp)
def to_buffer_tensor_reads(op: ToBufferOp) -> Accesses:
    """The buffer is the tensor's: who accesses it says so."""
    return () if _is_buffer_of_tensor(op) else [_all_of(op.tensor)]


@tensor_reads.case(MaterializeInDestinationOp)
def materialized_tensor_reads(op: MaterializeInDestinationOp) -> Accesses:
    """Every element of the source; the destination is overwritten."""
    return [_all_of(op.source)]


@tensor_reads.case(DeallocTensorOp)
def deallocated_tensor_reads(op: DeallocTensorOp) -> Accesses:
    return ()


def _all_of(tensor: SSAValue) -> MemoryAccess:
    if not isinstance(tensor.type, TensorType):
        raise NotAffine("a tensor without a rank")
    return MemoryAccess(READ, tensor, loops(rank_of(tensor)), tuple(sizes_of_value(tensor)))


def _is_buffer_of_tensor(op: ToBufferOp) -> bool:
    """Whether the tensor came from a buffer: then that is the one."""
    made = op.tensor.owner
    return isinstance(made, ToTensorOp) and _is_ranked(made.memref) and _is_ranked(op.memref)


def _is_ranked(memref: SSAValue) -> bool:
    return isinstance(memref.type, MemRefType)


@view.case(ToBufferOp)
def to_buffer_view(op: ToBufferOp) -> View | None:
    """`V[d] = B[d]` if the tensor came from the buffer B."""
    made = op.tensor.owner
    if not isinstance(made, ToTensorOp) or not _is_buffer_of_tensor(op):
        return None
    return View(made.memref, loops(rank_of(made.memref)))


@memory_of.case(ToBufferOp)
def tensor_of_buffer(op: ToBufferOp) -> SSAValue | None:
    """The tensor, if the buffer that it came from is not known."""
    return None if _is_buffer_of_tensor(op) else op.tensor


def _is_older(tensor: SSAValue) -> bool:
    """Whether TENSOR is an argument of a function."""
    if not isinstance(tensor, BlockArgument):
        return False
    parent = tensor.block.parent_op()
    return (
        parent is not None
        and parent.has_trait(IsolatedFromAbove, value_if_unregistered=False)
        and tensor.block.prev_block is None
    )


@accesses.case(ToBufferOp)
def to_buffer_accesses(op: ToBufferOp) -> Accesses:
    """Nothing, if the tensor came from a buffer, or was in one before the function. Else the buffer has the
    tensor's elements: they are written there, unless they are there already.
    """
    if _is_buffer_of_tensor(op) or _is_older(op.tensor):
        return ()
    return [whole(WRITE, op.memref, "a tensor that may be in this buffer already")]


@accesses.case(CloneOp)
def clone_accesses(op: CloneOp) -> Accesses:
    """Every element is copied, unless the clone is the same buffer."""
    return copied(op.input, op.output, "a clone that may be the same buffer")


@accesses.case(MaterializeInDestinationOp)
def materialized_accesses(op: MaterializeInDestinationOp) -> Accesses:
    """Every element of a buffer is written."""
    return [whole(WRITE, op.dest)] if is_memref(op.dest) else ()
