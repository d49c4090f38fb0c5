"""A value that holds a part of another one, made where the elements come from.

What operations only move is followed backwards by their element maps: a part P of R with `R[e(l)] = S[i(l)]`
is the part `i(e^-1(P))` of S, if that is a slice whose dimensions are those of P. Where several alternatives
reach P, it is put together: the parts that are slices are inserted into the rest, or all into what is empty.

| P lies                            | and is then                                                      |
|-----------------------------------|------------------------------------------------------------------|
| in what a `tensor.pad` pads       | a part of its source                                             |
| wholly in the padding             | the padding value                                                |
| across                            | a smaller pad of a part of the source                            |
| inside, outside of, across a slice that was inserted | a part of the source, of the destination, both |
| in a broadcast, a transposition, a fill              | the same operation of a part                   |
| in an uninitialized tensor, a constant of one number | a smaller one                                  |
| elsewhere                         | `tensor.extract_slice`                                           |

Example: of `tensor.pad %x low[1] high[2]` with 8 elements in %x, the part of size 4 at offset 0 is
`tensor.pad (%x[0 to 2]) low[1] high[0]`, and that at offset 3 is `%x[2 to 5]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.frontend.parse.constants.splat import SplatElementsAttr
from volcli.language import questions
from volcli.language.expressions import Expression, constant, loop
from volcli.model.volumes.relations.statements import ResolvedRead, Statement
from volcli.presburger.expressions.match_slice import SliceParameters, match_slice
from volcli.presburger.sets import build
from volcli.presburger.sets.coalescing import coalesced
from volcli.rewriting.code.slices import MixedSlice, extract_slice, insert_slice
from volcli.rewriting.tensors.boxes import box_of_result, compute_on_box, nest_of
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.tensors import filled, pad, refitted, uninitialized

AnyTensor = TensorType[Attribute]
Shrunk = Callable[[Scope, Operation, SliceParameters], SliceParameters | None]


def moves_data(op: Operation) -> bool:
    """Whether OP is a structured operation that only passes elements on."""
    nest = nest_of(op)
    return nest is not None and nest.moves


@dataclass(frozen=True)
class _Piece:
    """The indices K of a part that one alternative reaches: from the elements that `read` reads there."""

    read: ResolvedRead
    indices: isl.Set
    source: isl.Map
    """From indices to the elements that are read; of more than `indices`, where others come first."""

    @property
    def is_scalar(self) -> bool:
        return not isinstance(self.read.operand.type, TensorType)


class SliceOf:
    """Parts of values, each made once by the builder of SCOPE.

    Structured operations that FUSE admits are computed anew, on boxes of their loop points of which SHRUNK
    leaves out what contributes nothing (None: all of one).
    """

    def __init__(
        self, scope: Scope, fuse: Callable[[Operation], bool] = moves_data, shrunk: Shrunk | None = None
    ) -> None:
        self.scope = scope
        self._shrunk = shrunk
        self._fuse = fuse
        self._known: dict[tuple[SSAValue, SliceParameters], SSAValue] = {}

    def value(self, value: SSAValue, part: SliceParameters) -> SSAValue:
        """A value that is VALUE[PART], in as many dimensions; a scalar is itself.

        Raises NotAffine if a number of PART cannot be written where the builder is.
        """
        if not isa(value.type, AnyTensor):
            return value
        key = value, part
        if key not in self._known:
            self._known[key] = self._made(value, part)
        return self._known[key]

    def _made(self, value: SSAValue, part: SliceParameters) -> SSAValue:
        self.scope.settle(*part.offsets, *part.sizes)
        mixed = self.scope.mixed(part)
        kind = value.type
        assert isa(kind, AnyTensor)
        if self.scope.is_whole(value, part) and list(kind.get_shape()) == mixed.shape:
            return value
        if isinstance(value, OpResult) and all(stride.is_constant for stride in part.strides):
            made = self._anew(value, part, mixed) or self._computed(value, part) or self._moved(value, part)
            if made is not None:
                return made
        inside = self.scope.inside(part, self.scope.sizes(value))
        return extract_slice(self.scope.builder, value, self.scope.mixed(inside), self._name(value))

    def _name(self, value: SSAValue) -> str | None:
        return self.scope.builder.name(value, "part")

    # -- what has no operands of its size --------------------------------------------------------------

    def _anew(self, value: OpResult, part: SliceParameters, mixed: MixedSlice) -> SSAValue | None:
        """A smaller uninitialized tensor, or a smaller constant of one number."""
        kind = value.type
        assert isa(kind, AnyTensor)
        made = TensorType(kind.element_type, mixed.shape, kind.encoding)
        allocation = questions.allocation(value.op)
        if allocation is not None and allocation.resized is not None:
            dynamic = [size for size in mixed.sizes if isinstance(size, SSAValue)]
            return self.scope.builder.insert(allocation.resized(made, dynamic)).results[0]
        number = value.op.properties.get("value")
        if not isinstance(number, SplatElementsAttr) or not made.has_static_shape():
            return None
        smaller = SplatElementsAttr(made, number.data)
        return self.scope.builder.make("arith.constant", [], result=made, properties={"value": smaller})

    # -- structured operations -------------------------------------------------------------------------

    def _computed(self, value: OpResult, part: SliceParameters) -> SSAValue | None:
        """The structured operation that makes VALUE, computed on the points that PART needs."""
        nest = nest_of(value.op)
        if nest is None or not self._fuse(value.op):
            return None
        box = box_of_result(self.scope, nest, part, value.index)
        if box is None:
            return None
        needed = box if self._shrunk is None else self._shrunk(self.scope, value.op, box)
        if needed is None:
            return self.value(nest.outputs[value.index].operand, part)
        return compute_on_box(self.scope, value.op, needed, self.value).results[value.index]

    # -- data movement ---------------------------------------------------------------------------------

    def _moved(self, value: OpResult, part: SliceParameters) -> SSAValue | None:
        """PART of VALUE from what its operation moves there; None if it computes, or not to a slice."""
        pieces = self._pieces(value, part)
        if not pieces:
            return None
        if len(pieces) == 1:
            return self._one(pieces[0], SliceParameters.whole(part.sizes))
        *inserted, last = pieces
        places = [self._place(piece) for piece in inserted]
        if any(place is None for place in places):
            return None
        if last.is_scalar and len(inserted) == 1 and places[0] is not None:
            made = self._padded(inserted[0], places[0], last, part)
            if made is not None:
                return made
        base = self._rest(last, part)
        if base is None:
            inserted, places = pieces, [*places, self._place(last)]
            base = uninitialized(self.scope, value, part.sizes)
        for piece, place in reversed(list(zip(inserted, places, strict=True))):
            made = None if place is None else self._one(piece, place)
            if place is None or made is None:
                return None
            inside = self.scope.mixed(self.scope.inside(place, part.sizes))
            base = insert_slice(self.scope.builder, made, base, inside, self._name(value))
        return base

    def _pieces(self, value: OpResult, part: SliceParameters) -> list[_Piece]:
        """What reaches PART of VALUE, in order; nothing if that is not only moved, or not known."""
        relation = self.scope.view.relations.of(value)
        if relation.inexact or relation.opaque or relation.parametric or relation.loaded:
            return []
        rank = len(part.sizes)
        context = self.scope.context
        rest = build.box(part.sizes).intersect_params(context)
        to_element = build.relation(rank, part.elements)
        found: list[_Piece] = []
        for statement in relation.statements:
            source = _source(statement, to_element)
            if source is None:
                return []
            here = coalesced(rest.intersect(source.domain()))
            if here.is_empty():
                continue
            self.scope.narrow(here.params())
            found.append(_Piece(statement.reads[0], here, source))
            rest = coalesced(rest.subtract(here))
            if rest.is_empty():
                break
        return found

    def _slice(self, indices: isl.Set) -> SliceParameters | None:
        """The slice that INDICES are, with a number for each size that has one value only."""
        found = match_slice(indices, self.scope.context)
        if not isinstance(found, SliceParameters) or not all(s.is_constant for s in found.strides):
            return None
        return replace(found, sizes=tuple(map(self.scope.simplest, found.sizes)))

    def _place(self, piece: _Piece) -> SliceParameters | None:
        """The slice of the part that PIECE is."""
        found = self._slice(piece.indices)
        if found is not None:
            self.scope.settle(*found.offsets, *found.sizes)
        return found

    def _one(self, piece: _Piece, place: SliceParameters) -> SSAValue | None:
        """What PIECE moves to the slice PLACE; None if that is not a slice of what it reads."""
        if piece.is_scalar:
            return filled(self.scope, piece.read.operand, place.sizes)
        return self._from(piece.source.intersect_domain(piece.indices), piece.read.operand, place)

    def _rest(self, piece: _Piece, part: SliceParameters) -> SSAValue | None:
        """What PIECE, the last one, moves to all of PART; what is inserted into it comes first."""
        if piece.is_scalar:
            return filled(self.scope, piece.read.operand, part.sizes)
        whole = build.box(part.sizes).intersect_params(self.scope.context)
        if not whole.is_subset(piece.source.domain()):
            return None
        return self._from(
            piece.source.intersect_domain(whole), piece.read.operand, SliceParameters.whole(part.sizes)
        )

    def _from(self, source: isl.Map, operand: SSAValue, place: SliceParameters) -> SSAValue | None:
        """The elements of OPERAND that SOURCE takes the indices of PLACE to."""
        found = self._slice(source.range())
        if found is None or not isa(operand.type, AnyTensor):
            return None
        if not _is_in_order(self.scope, source, found, place):
            return None
        # As many indices each, perhaps in other words: a 3 here, and there a minimum that is 3.
        sizes = dict(zip(_wide(found), (place.sizes[d] for d in _wide(place)), strict=True))
        found = replace(found, sizes=tuple(sizes.get(d, size) for d, size in enumerate(found.sizes)))
        made = self.value(operand, found)
        if len(found.sizes) == len(place.sizes) and _wide(found) == _wide(place):
            return made
        return refitted(self.scope, made, found.sizes, place.sizes)

    def _padded(
        self, inside: _Piece, place: SliceParameters, outside: _Piece, part: SliceParameters
    ) -> SSAValue | None:
        """INSIDE at PLACE, and the scalar of OUTSIDE around it up to PART: a `tensor.pad`."""
        if any(stride != constant(1) for stride in place.strides):
            return None
        made = self._one(inside, place)
        if made is None:
            return None
        numbers = self.scope.numbers
        high = numbers([n - o - m for n, o, m in zip(part.sizes, place.offsets, place.sizes, strict=True)])
        mixed = MixedSlice(numbers(place.offsets), high, numbers(part.sizes))
        return pad(self.scope, made, mixed, outside.read.operand)


def _source(statement: Statement, to_element: isl.Map) -> isl.Map | None:
    """From indices of a part to the elements that STATEMENT moves there; None if it computes something.

    TO_ELEMENT takes indices of the part to elements of the result.
    """
    if len(statement.reads) != 1:
        return None
    (read,) = statement.reads
    yields = statement.source.yields
    is_copy = yields is None or (
        statement.scalars.get(yields) == (read.operand, read.index) and yields is read.operand
    )
    if not is_copy or read.where or not all(isinstance(e, Expression) for e in read.index):
        return None
    points = to_element
    if not statement.is_identity:
        to_result = build.relation(statement.source.loops, statement.element)
        to_result = to_result.intersect_domain(statement.domain)
        if not to_result.is_injective():
            return None
        points = points.apply_range(to_result.reverse())
    points = points.intersect_range(statement.domain)
    return points.apply_range(build.relation(statement.source.loops, read.index))


def _is_in_order(scope: Scope, source: isl.Map, found: SliceParameters, place: SliceParameters) -> bool:
    """Whether SOURCE takes the k-th index of PLACE to the k-th of FOUND.

    The dimensions of both that may have more than one index are taken in their order.
    """
    inner, outer = _wide(found), _wide(place)
    if len(inner) != len(outer):
        return False
    rank = len(place.sizes)
    points = build.box(place.sizes).intersect_params(scope.context)
    to_index = build.relation(rank, place.elements).intersect_domain(points)
    numbers = tuple((loop(e) - found.offsets[e]) // found.strides[e].constant for e in inner)
    moved = to_index.apply_range(source).apply_range(build.relation(len(found.sizes), numbers))
    same = build.relation(rank, tuple(map(loop, outer))).intersect_domain(points)
    return bool(moved.is_equal(same))


def _wide(part: SliceParameters) -> list[int]:
    """The dimensions of PART that may have another number of indices than one."""
    return [d for d, size in enumerate(part.sizes) if size != constant(1)]
