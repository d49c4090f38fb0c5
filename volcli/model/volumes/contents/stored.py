"""What a write stores: the reads, arguments, constants and tensors that the scalar is computed from.

    %x = load %a[%i]; %y = load %b[2 * %i]; %z = arith.mulf %x, %y; store %z, %m[%i]     m[i] from a[i], b[2i]

A structured operation on memrefs stores at each of its points what its body computes from the elements there,
and a copy what it reads there. What loops carry, and what branches give, is said by `carried`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ShapedType, TensorType, VectorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import ANY, Index, NotAffine, loops
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.language.programs.choices import chosen_operands, is_free
from volcli.language.programs.known_loops import counted_loop
from volcli.language.reads import Access, rank_of
from volcli.model.memory.accesses.site import Site
from volcli.model.stated_effects import only_computes

_Element = tuple[SSAValue, tuple[Index, ...]]
"""A value, and an index of it over the own loops of an operation."""


class NotFollowed(Exception):
    """Why it is not known what memory contains."""


@dataclass(frozen=True)
class TakenElement:
    """`operand[index]`, of a tensor, which OP takes; INDEX is over values."""

    op: Operation
    operand: SSAValue
    index: tuple[Index, ...]


@dataclass
class _Found:
    """What a scalar is computed from, so far."""

    reads: dict[Site, None] = field(default_factory=dict[Site, None])
    elements: dict[_Element, None] = field(default_factory=dict[_Element, None])
    values: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    taken: dict[TakenElement, None] = field(default_factory=dict[TakenElement, None])
    inexact: str | None = None


@dataclass(frozen=True, eq=False)
class Stored:
    """What is stored is computed from: elements read, and elements of values, in the write's iteration.

    A read of another operation is one in the same iterations of the loops around both.
    """

    reads: tuple[Site, ...]
    elements: tuple[tuple[SSAValue, Operation, tuple[Index, ...]], ...]
    """Values, who uses them, and the index over the own loops of the write's operation; () of scalars."""
    values: tuple[tuple[SSAValue, int], ...] = ()
    """What loops carry and branches give, and vectors, at the write's own loops; with their ranks."""
    taken: tuple[TakenElement, ...] = ()
    is_copy: bool = False
    """Whether it is one of these, and not computed."""
    inexact: str | None = None
    """Why it need not be computed from all of these, if it need not."""


class StoredValues:
    """What the writes among SITES store."""

    def __init__(self, function: Operation, sites: Sequence[Site]) -> None:
        self._function = function
        self._sites: dict[Operation, list[Site]] = {}
        for site in sites:
            self._sites.setdefault(site.op, []).append(site)

    def of(self, site: Site) -> Stored:
        """What SITE stores. Raises NotFollowed."""
        op, own = site.op, self._sites[site.op]
        reads = [each for each in own if not each.is_write]
        body = _body(op)
        if body is not None:
            written = list(dict.fromkeys(id(each.access) for each in own if each.is_write))
            position = written.index(id(site.access))
            if len(body.outputs) <= position:
                raise NotFollowed(f"it is not known what '{operation_name(op)}' stores")
            return self.of_scalar(op, body.outputs[position].yields, body.arguments, reads)
        lanes = site.access.lanes
        if lanes is not None and len(site.place.extents) == rank_of(lanes):
            return Stored((), (), ((lanes, rank_of(lanes)),), is_copy=True)
        if site.access.stored is not None and not isinstance(site.access.stored.type, ShapedType):
            stored = self.of_scalar(op, site.access.stored)
            return replace(stored, is_copy=stored.is_copy and not site.parts)
        if questions.copies(op):
            tensors = [each for each in op.operands if isinstance(each.type, TensorType)]
            elements = tuple((each, op, loops(rank_of(each))) for each in tensors)
            is_copy = len(reads) + len(elements) == 1 and all(r.parts == site.parts for r in reads)
            return Stored(tuple(reads), elements, is_copy=is_copy and not (elements and site.parts))
        raise NotFollowed(f"it is not known what '{operation_name(op)}' stores")

    def of_scalar(
        self,
        user: Operation,
        scalar: SSAValue,
        arguments: Mapping[SSAValue, object] | None = None,
        own: Sequence[Site] = (),
    ) -> Stored:
        """What SCALAR, which USER stores, is; ARGUMENTS of a body stand for OWN reads. Raises NotFollowed."""
        found = _Found()
        pending, seen = [scalar], set[SSAValue]()
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            stands = (arguments or {}).get(value)
            if isinstance(stands, Access) and is_memref(stands.operand):
                found.reads |= dict.fromkeys(_sites_of(stands, own))
            elif (
                isinstance(stands, Access)
                and not stands.index
                and not isinstance(stands.operand.type, ShapedType)
            ):
                seen.remove(value)
                pending.append(stands.operand)
            elif isinstance(stands, Access):
                found.elements[stands.operand, stands.index] = None
            elif stands is None:
                pending += self._before(value, found)
        elements = tuple((value, user, index) for value, index in found.elements)
        leaves = len(found.reads) + len(elements) + len(found.values) + len(found.taken)
        is_copy = len(seen) == leaves == 1 and not any(each.parts for each in found.reads)
        values = tuple((each, 0) for each in found.values)
        return Stored(tuple(found.reads), elements, values, tuple(found.taken), is_copy, found.inexact)

    def reading(self, value: OpResult) -> list[Site]:
        """The accesses that VALUE, a vector, is read by: other lanes each."""
        sites = self._sites.get(value.op, ())
        return [site for site in sites if site.access.lanes is value and not site.is_write]

    def _before(self, value: SSAValue, found: _Found) -> Sequence[SSAValue]:
        """The scalars that VALUE is computed from; what is followed no further is FOUND."""
        if isinstance(value, BlockArgument):
            if self._is_counted(value):
                return ()
            if self._is_input(value.block) and not isinstance(value.type, ShapedType):
                found.elements[value, ()] = None
            else:
                found.values[value] = None
            return ()
        assert isinstance(value, OpResult)
        op, sites = value.op, self._sites.get(value.op, [])
        if questions.constant_fill.answers(type(op)):
            found.elements[value, ()] = None
            return ()
        if op.regions or chosen_operands(value) is not None:
            found.values[value] = None
            return ()
        if questions.choices.answers(type(op)) and not is_free(op.operands[0]):
            found.inexact = f"a condition of {operation_name(op)} is not affine"
        is_number = not isinstance(value.type, ShapedType)
        is_one = len({id(site.access) for site in sites}) == 1  # of memrefs of which numbers choose one
        if is_one and not sites[0].is_write and is_number and not sites[0].access.extents:
            found.reads |= dict.fromkeys(sites)
            return ()
        if sites or not only_computes(op):
            raise NotFollowed(f"what '{operation_name(op)}' gives is not followed")
        if any(isinstance(each.type, VectorType) for each in op.operands):
            found.values[value] = None
            return ()
        if any(isinstance(each.type, ShapedType) and not is_memref(each) for each in op.operands):
            return self._taken(value, found)
        return [each for each in op.operands if not is_memref(each)]

    def _taken(self, value: OpResult, found: _Found) -> Sequence[SSAValue]:
        """The numbers that VALUE is computed from; elements of tensors that it is computed from are FOUND."""
        stated = questions.element_reads(value.op)
        reads = None if stated is None else stated[value.index]
        if reads is None or reads.inexact or len(reads.alternatives) != 1 or reads.alternatives[0].loops:
            raise NotFollowed(f"what '{operation_name(value.op)}' reads of a tensor is not followed")
        numbers: list[SSAValue] = []
        for read in reads.alternatives[0].reads:
            operand, index = read.access.operand, read.access.index
            if read.where or ANY in index:
                raise NotFollowed(f"what '{operation_name(value.op)}' reads of a tensor is not followed")
            if isinstance(operand.type, ShapedType):
                found.taken[TakenElement(value.op, operand, index)] = None
            else:
                numbers.append(operand)
        return numbers

    def _is_counted(self, argument: BlockArgument) -> bool:
        """Whether ARGUMENT is the variable of a loop, which is no data."""
        around = argument.block.parent_op()
        loop = None if around is None or around is self._function else counted_loop(around)
        return loop is not None and any(each.variable is argument for each in loop.inductions)

    def _is_input(self, block: Block) -> bool:
        return block.parent_op() is self._function and block.prev_block is None


def _body(op: Operation) -> TensorDefinition | None:
    try:
        return questions.definition(op)
    except NotAffine:
        return None


def _sites_of(stands: Access, own: Sequence[Site]) -> list[Site]:
    """The access of an operation, among its OWN reads, that an argument of its body STANDS for."""
    for site in own:
        if site.access.memref is stands.operand and tuple(site.access.index) == tuple(stands.index):
            return [each for each in own if each.access is site.access]
    raise NotFollowed("an element that a body uses is not among what its operation reads")
