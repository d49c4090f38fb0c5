"""Operations that have a definition, written as linalg.generic.

    %r = tosa.conv2d %x, %w, %b, ..        becomes   %p = tensor.pad %x with zeros, where a window leaves it
                                                     %s = linalg.generic ins(%p, %w) outs(splat of 0)
                                                     %r = linalg.generic ins(%s, %b) outs(tensor.empty)

The first loop nest is that of the definition with its body up to what a point leaves for the next one; the
second one, if there is one, does the rest for each element. Sizes are known: how far padding reaches follows
from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    i32,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, Index, LoopIndex, NotAffine, constant, loops
from volcli.language.memory import is_memref
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.reads import Access, Condition, element_type, rank_of, whole
from volcli.model.function import FunctionModel
from volcli.model.inlining import copied
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import MixedSlice
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.tensors import AnyTensor, filled, pad


def write_as_linalg(changes: Changes, model: FunctionModel, op: Operation) -> bool:
    """Put linalg.generic in the place of OP, if it has a definition and is none itself. Raises NotAffine."""
    value = _written(changes.before(op), model, op)
    if value is not None:
        changes.replace(op, [value])
    return value is not None


def written_out(parsed: ParsedModule, model: FunctionModel) -> FunctionModel | None:
    """A copy of the function of MODEL, in which what has a definition is linalg.generic; None if nothing has.

    What cannot be written so stays. The function itself does, too.
    """
    if not any(_is_defined(op) for op in model.followed.function.walk()):
        return None
    made = copied(model.followed.function)
    parsed.stand_for(made.operations, made.values)
    copy = FunctionModel(made.function, model.name_of, model.assumptions, model.operations)
    for op in [op for op in made.function.walk() if _is_defined(op)]:
        try:
            value = _written(Builder.before(op, parsed.context), copy, op)
        except (NotAffine, BudgetExceeded):
            continue
        if value is not None:
            op.results[0].replace_all_uses_with(value)
            op.detach()
            op.erase()
    return FunctionModel(made.function, model.name_of, model.assumptions, model.operations)


def _is_defined(op: Operation) -> bool:
    return questions.definition.answers(type(op)) and questions.structured(op) is None


def _written(builder: Builder, model: FunctionModel, op: Operation) -> SSAValue | None:
    """The result of OP, by operations that BUILDER makes; None if it has no definition. Raises NotAffine."""
    stated = None if questions.structured(op) is not None else questions.definition(op)
    if stated is None or any(output.begins and is_memref(output.begins) for output in stated.outputs):
        return None
    if len(stated.outputs) != 1 or len(op.results) != 1:
        raise NotAffine("it has several results, or a state that is none")
    values = (value for inner in stated.block.ops for value in (*inner.operands, *inner.results))
    if not all(_is_scalar(value.type) for value in values):
        raise NotAffine("its body does not compute with scalars of arith")
    if any(type(inner) is type(op) for inner in stated.block.ops):
        raise NotAffine("its body is the operation itself")
    return _Linalg(Scope(builder, model, model.view(op.results[0])), op, stated).value()


def _is_scalar(kind: Attribute) -> bool:
    if isa(kind, IntegerType):
        return kind.signedness.data is Signedness.SIGNLESS
    return isa(kind, AnyFloat)


@dataclass
class _Linalg:
    """The loop nest OF which OP is defined as, under construction in SCOPE."""

    scope: Scope
    op: Operation
    of: TensorDefinition
    extents: dict[int, int] = field(default_factory=dict[int, int])

    def __post_init__(self) -> None:
        (self.output,) = self.of.outputs
        kind = self.op.results[0].type
        if not isa(kind, AnyTensor) or not kind.has_static_shape():
            raise NotAffine("its sizes are not known")
        self.kind = kind
        sizes = zip(self.output.element, kind.get_shape(), strict=True)
        known = [(e.single_atom, size) for e, size in sizes]
        self.extents |= {a.position: size for a, size in known if isinstance(a, LoopIndex)}
        for k, size in enumerate(self.of.known_extents()):
            resolved = None if size is None else self.scope.view.store.resolve(size)
            if resolved is not None and resolved.is_constant:
                self.extents.setdefault(k, resolved.constant)

    def value(self) -> SSAValue:
        """The result."""
        output = self.output
        left = output.left or output.yields
        sums = self._nest(left, output.element, self._begun(output))
        if output.left is None:
            return sums
        rest = output.otherwise
        if rest is None:
            raise NotAffine("what its last point does is not followed")
        stated = self.of.arguments.items()
        argument = next(a for a, at in stated if isinstance(at, Access) and at.operand is rest.operand)
        rank = rank_of(sums)
        empty = self.scope.builder.make("tensor.empty", [], result=self.kind)
        accesses = {left: whole(sums), argument: rest}
        return self._generic(output.yields, accesses, Access(empty, loops(rank)), (True,) * rank)

    def _begun(self, output: DefinedOutput) -> SSAValue:
        """The tensor of the numbers that elements begin with."""
        kind, sizes = self.kind.element_type, self.scope.sizes(self.op.results[0])
        if output.state is None and output.initial is None and output.element == loops(self.of.loops):
            return self.scope.builder.make("tensor.empty", [], result=self.kind)
        if isinstance(output.initial, Access) or output.initial is None:
            raise NotAffine("it begins with elements of an operand")
        return filled(self.scope, self._number(output.initial, kind), sizes)

    def _number(self, value: float, kind: Attribute) -> SSAValue:
        number: Attribute
        if isa(kind, IntegerType):
            number = IntegerAttr(int(value), kind)
        else:
            assert isa(kind, AnyFloat)
            number = FloatAttr(value, kind)
        return self.scope.builder.make("arith.constant", [], result=kind, properties={"value": number})

    def _nest(self, yields: SSAValue, element: tuple[Expression, ...], initial: SSAValue) -> SSAValue:
        """The loop nest of the definition, up to what YIELDS."""
        used = set(backward_slice(yields, self.of.block))
        accesses = {
            argument: self._inside(at)
            for argument, at in self.of.arguments.items()
            if isinstance(at, Access) and argument in used
        }
        alone = {
            index.single_atom.position
            for index in (*element, *(e for at in accesses.values() for e in at.index))
            if isinstance(index, Expression) and isinstance(index.single_atom, LoopIndex)
        }
        kept = [k for k in range(self.of.loops) if k in alone]
        if any(self.extents.get(k) != 1 for k in range(self.of.loops) if k not in alone):
            raise NotAffine("a loop runs along no dimension alone")
        moving = {atom for e in element for atom in e.atoms()}
        parallel = tuple(LoopIndex(k) in moving for k in kept)
        return self._generic(yields, accesses, Access(initial, element), parallel, kept)

    def _inside(self, access: Access) -> Access:
        """ACCESS to its operand, or to one that is padded with zeros as far as indices leave it."""
        sizes = self.scope.sizes(access.operand)
        low, high = [0] * len(sizes), [0] * len(sizes)
        index: list[Index] = list(access.index)
        for d, (e, size) in enumerate(zip(access.index, sizes, strict=True)):
            if not isinstance(e, Expression) or not size.is_constant:
                raise NotAffine("its sizes are not known")
            first, last = self._range(e)
            low[d], high[d] = max(0, -first), max(0, last - (size.constant - 1))
            index[d] = e + low[d]
        if not any((*low, *high)):
            return access
        kind = element_type(access.operand.type)
        self._check_zeros(kind)
        zero = self._number(0.0, kind)
        shape = [low[d] + size.constant + high[d] for d, size in enumerate(sizes)]
        amounts = MixedSlice(tuple(low), tuple(high), tuple(shape))
        return Access(pad(self.scope, access.operand, amounts, zero), tuple(index))

    def _check_zeros(self, kind: Attribute) -> None:
        """What lies around an operand of KIND is a zero of a product: zero points, of integers, are 0."""
        if self.output.initial != 0.0:
            raise NotAffine("what lies around its operand is not a zero")
        stated = (at for at in self.of.arguments.values() if isinstance(at, Access))
        for value in [at.operand for at in stated if at.index == (constant(0),) and isa(kind, IntegerType)]:
            if not isinstance(value, OpResult) or questions.constant_fill(value.op) != 0:
                raise NotAffine("a zero point that is not 0")

    def _range(self, index: Expression) -> tuple[int, int]:
        """The least and the largest number that INDEX is over the loops."""
        first = last = index.constant
        for atom, factor in index.terms:
            if not isinstance(atom, LoopIndex) or atom.position not in self.extents:
                raise NotAffine(f"{index} is not a sum of loops of known extents")
            way = factor * (self.extents[atom.position] - 1)
            first, last = (first, last + way) if factor > 0 else (first + way, last)
        return first, last

    def _generic(
        self,
        yields: SSAValue,
        accesses: Mapping[SSAValue, Access],
        out: Access,
        parallel: Sequence[bool],
        kept: Sequence[int] | None = None,
    ) -> SSAValue:
        """`linalg.generic` of ACCESSES into OUT, whose body is what YIELDS is computed from these."""
        place = {k: n for n, k in enumerate(range(len(parallel)) if kept is None else kept)}
        every = (*accesses.values(), out)
        indices = [tuple(_affine(e, place) for e in access.index) for access in every]
        maps = [AffineMapAttr(AffineMap(len(parallel), 0, index)) for index in indices]
        body = self._body(yields, list(accesses))
        kinds = [IteratorTypeAttr.parallel() if each else IteratorTypeAttr.reduction() for each in parallel]
        properties: dict[str, Attribute] = {
            "indexing_maps": ArrayAttr(maps),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(accesses), 1]),
        }
        operands = [access.operand for access in every]
        made = self.scope.builder.operation(
            "linalg.generic", operands, results=[self.kind], properties=properties, regions=[Region(body)]
        )
        return made.results[0]

    def _body(self, yields: SSAValue, arguments: Sequence[SSAValue]) -> Block:
        """A block of ARGUMENTS, and of what is there, that computes YIELDS."""
        block = Block(arg_types=[*(a.type for a in arguments), self.kind.element_type])
        known: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=False))
        if self.output.state is not None:
            known[self.output.state] = block.args[-1]
        inside = self.scope.builder.inside(block)
        for value in backward_slice(yields, self.of.block, known):
            if value in known or not isinstance(value, OpResult):
                continue
            if value.op.operands and isinstance(self.of.arguments.get(value.op.operands[0]), Condition):
                known[value] = known[value.op.operands[1]]  # what lies around the operand is in the operand
                continue
            copy = value.op.clone(known)
            known[value] = inside.known(copy).results[0]
        inside.operation("linalg.yield", [known[yields]])
        return block


def _affine(index: Index, place: Mapping[int, int]) -> AffineExpr:
    """A sum of loops, each in its PLACE."""
    assert isinstance(index, Expression), "an index that is known"
    terms = [
        AffineExpr.dimension(place[atom.position]) * factor
        for atom, factor in index.terms
        if isinstance(atom, LoopIndex) and atom.position in place
    ]
    return reduce(lambda left, right: left + right, terms, AffineExpr.constant(index.constant))
