"""Loops that pass buffers in turn: the number of an iteration says which buffer an argument is.

    %r:2 = scf.for %i = l to u step s iter_args(%p = %a, %q = %b) { store %x, %q[..]; yield %q, %p }

    %k = ((%i - l) / s) mod 2
    scf.if %k == 0 { store %x, %b[..] } else { store %x, %a[..] }

Argument j of iteration n is what is passed for argument t^n(j), where t(j) is the argument that is yielded
for j: for a permutation t with t^m the identity, n mod m says which. Nothing but elements is asked of such a
copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from volcli.language.expressions import Expression, Value
from volcli.language.loops import Induction
from volcli.language.memory import is_memref
from volcli.language.programs.known_loops import counted_loop
from volcli.language.questions import stated_number
from volcli.limits import structure as limits
from volcli.model.structured.copying import OperationNamed, Structured


def passing_buffers(function: Operation) -> Iterator[Operation]:
    """The loops in FUNCTION that `alternate` changes, the outer ones first."""
    return (op for op in function.walk() if op is not function and _turns(op) is not None)


def alternate(made: Structured, operation: OperationNamed) -> bool:
    """Put the buffers of each iteration in the place of what loops pass, in the copy that was MADE."""
    is_any = False
    while (op := next(passing_buffers(made.function), None)) is not None:
        turns = _turns(op)
        assert turns is not None
        _Alternating(op, turns, made, operation).replace()
        is_any = True
    return is_any


@dataclass(frozen=True)
class _Turns:
    """By the number of the iteration modulo their number, the `buffers` that `arguments` are."""

    induction: Induction
    arguments: Sequence[SSAValue]
    results: Sequence[SSAValue]
    buffers: Sequence[Sequence[SSAValue]]
    last: Sequence[SSAValue] | None
    """Those after the loop, if that is known."""


def _turns(op: Operation) -> _Turns | None:
    """How the loop OP passes buffers; None if it passes none, or in a way that is not followed."""
    loop = counted_loop(op)
    carried = [each for each in loop.carried if is_memref(each.argument)] if loop is not None else []
    if loop is None or not carried or len(loop.inductions) != 1 or len(op.regions[0].blocks) != 1:
        return None
    arguments = [each.argument for each in carried]
    is_used = any(use.operation.parent_op() is not op or use.operation is not op.regions[0].block.last_op
                  for each in arguments for use in each.uses)  # fmt: skip
    induction, following = loop.inductions[0], [each.yielded for each in carried]
    if set(following) != set(arguments) or not induction.sequential or not _is_plain(induction):
        return None
    buffers, place = (
        [[each.initial for each in carried]],
        dict(zip(arguments, range(len(carried)), strict=True)),
    )
    while len(buffers) <= limits.BUFFERS_IN_TURN:
        now = [buffers[-1][place[each]] for each in following]
        if now == buffers[0]:
            break
        buffers.append(now)
    else:
        return None
    last, results = _after(induction, buffers), [each.result for each in carried]
    if not is_used and not any(each.uses for each in results):
        return None
    if last is None and any(each.uses for each in results):
        return None
    return _Turns(induction, arguments, results, buffers, last)


def _is_plain(induction: Induction) -> bool:
    """Whether the first iteration of INDUCTION is a value or a number, and its step a number."""
    is_first = len(induction.lower) == 1 and _value(induction.lower[0]) is not None
    return is_first and isinstance(_value(induction.step), int)


def _value(form: Expression) -> SSAValue | int | None:
    if form.is_constant:
        return form.constant
    atom = form.single_atom
    if not isinstance(atom, Value):
        return None
    known = stated_number(atom.value)
    return atom.value if known is None else known.constant


def _after(induction: Induction, buffers: Sequence[Sequence[SSAValue]]) -> Sequence[SSAValue] | None:
    """The buffers after all iterations; None if it is not known how many there are."""
    lower, step = _value(induction.lower[0]), _value(induction.step)
    upper = _value(induction.upper[0]) if len(induction.upper) == 1 else None
    if not (isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)):
        return buffers[0] if len(buffers) == 1 else None
    return buffers[len(range(lower, upper, step)) % len(buffers)]


@dataclass
class _Alternating:
    """The loop OP of the copy that was MADE, which passes buffers in TURNS."""

    op: Operation
    turns: _Turns
    made: Structured
    operation: OperationNamed

    def replace(self) -> None:
        """Let the body be one of several by the number of the iteration, and the results what they are."""
        body, turns = self.op.regions[0].block, self.turns
        last = body.last_op
        assert last is not None, "an end"
        for result, value in zip(turns.results, turns.last or turns.results, strict=True):
            if result.uses:
                result.replace_all_uses_with(value)
        inside = [each for each in body.ops if each is not last]
        handed_on = [each for each in last.operands if any(each in op.results for op in inside)]
        handed_on = list(dict.fromkeys(handed_on))
        for op in inside:
            for each in op.walk():
                for value in (*each.results, *(a for r in each.regions for b in r.blocks for a in b.args)):
                    self.made.values.pop(value, None)
        copies = [self._copied(inside, of, handed_on) for of in turns.buffers[1:]]
        first = Block()
        for op in inside:
            op.detach()
            first.add_op(op)
        self._bind(first, turns.buffers[0])
        given = self._chosen(last, [(first, handed_on), *copies], [each.type for each in handed_on])
        for old, new in zip(handed_on, given, strict=True):
            for k, operand in enumerate(last.operands):
                if operand is old:
                    last.operands[k] = new

    def _copied(
        self, inside: Sequence[Operation], buffers: Sequence[SSAValue], handed_on: Sequence[SSAValue]
    ) -> tuple[Block, Sequence[SSAValue]]:
        """Copies of the operations INSIDE with BUFFERS for what is passed, and of what is HANDED_ON."""
        values: dict[SSAValue, SSAValue] = {}
        block = Block()
        for op in inside:
            copy = op.clone(values)
            block.add_op(copy)
            for new, old in zip(copy.walk(), op.walk(), strict=True):
                self.made.operations[new] = self.made.operations.get(old, old)
        self._bind(block, buffers)
        return block, [values[each] for each in handed_on]

    def _bind(self, block: Block, buffers: Sequence[SSAValue]) -> None:
        """BUFFERS are what is passed, in BLOCK."""
        passed: Mapping[SSAValue, SSAValue] = dict(zip(self.turns.arguments, buffers, strict=True))
        for op in block.ops:
            for each in op.walk():
                each.operands = [passed.get(operand, operand) for operand in each.operands]

    def _chosen(
        self, end: Operation, ways: Sequence[tuple[Block, Sequence[SSAValue]]], types: Sequence[Attribute]
    ) -> Sequence[SSAValue]:
        """What the one of WAYS gives, before the END of the body, whose number is that of the iteration."""
        around = end.parent
        assert around is not None
        number = self._number(end) if len(ways) > 1 else None
        rest, given = ways[-1]
        for k, (block, values) in reversed(list(enumerate(ways[:-1]))):
            assert number is not None
            for each, passed in ((block, values), (rest, given)):
                each.add_op(self._put("scf.yield", passed, ()))
            into = around if k == 0 else Block()
            before = [self._put("arith.constant", (), [IndexType()], value=IntegerAttr(k, IndexType()))]
            equal = IntegerAttr(0, i64)
            before.append(self._put("arith.cmpi", (number, before[0].results[0]), [i1], predicate=equal))
            before.append(self._put("scf.if", before[1].results, types, (block, rest)))
            for op in before:
                if into is around:
                    around.insert_op_before(op, end)
                else:
                    into.add_op(op)
            rest, given = into, list(before[2].results)
        if len(ways) == 1:
            for op in list(rest.ops):
                op.detach()
                around.insert_op_before(op, end)
        return given

    def _number(self, end: Operation) -> SSAValue:
        """The number of the iteration, modulo that of the turns, before the END of the body."""
        lower, step = _value(self.turns.induction.lower[0]), _value(self.turns.induction.step)
        assert isinstance(step, int)
        first = AffineExpr.symbol(0) if isinstance(lower, SSAValue) else AffineExpr.constant(lower or 0)
        number = ((AffineExpr.dimension(0) - first) // step) % len(self.turns.buffers)
        symbols = [lower] if isinstance(lower, SSAValue) else []
        made = self._put(
            "affine.apply",
            (self.turns.induction.variable, *symbols),
            [IndexType()],
            map=AffineMapAttr(AffineMap(1, len(symbols), (number,))),
        )
        assert end.parent is not None
        end.parent.insert_op_before(made, end)
        return made.results[0]

    def _put(
        self,
        name: str,
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        regions: Sequence[Block] = (),
        **properties: Attribute,
    ) -> Operation:
        made = self.operation(name).create(
            operands=operands,
            result_types=types,
            properties=properties,
            regions=[Region(block) for block in regions],
        )
        made.location = self.op.location
        self.made.operations[made] = self.made.operations.get(self.op, self.op)
        return made
