"""Copies of operations and values, and operations beside them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import AnyFloat as FloatType
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IndexType, IntegerAttr, IntegerType, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.model.structured.decisions import Test
from volcli.model.structured.graph import NotStructured
from volcli.model.structured.nothing import NothingOp

OperationNamed = Callable[[str], type[Operation]]
Values = list[SSAValue]
EXECUTE_REGION = "scf.execute_region"


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A value that an original one is where what follows the operation AFTER in BLOCK is reached.

    Without a block, it is where the value is defined.
    """

    value: SSAValue
    block: Block | None = None
    after: Operation | None = None

    @property
    def at(self) -> Operation | None:
        """The operation at which it is; None where it is defined."""
        if self.block is None:
            return None
        return self.block.first_op if self.after is None else self.after.next_op


@dataclass
class Structured:
    """A copy of a function, with what each of its operations and values is a copy of.

    An original value is what its OCCURRENCES are together: each time that it is computed, one of these is.
    Of those that are INCOMPLETE it may be more. What is no copy may be CALLED as an original is. `results`
    are the values that stand for the results of operations that the copy has not: of calls.
    """

    function: Operation
    operations: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    occurrences: dict[SSAValue, list[Occurrence]] = field(default_factory=dict[SSAValue, list[Occurrence]])
    incomplete: set[SSAValue] = field(default_factory=set[SSAValue])
    called: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    results: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def of(self, earlier: Structured) -> Structured:
        """The same as a copy of what EARLIER, of which it is a copy, is a copy of. EARLIER is discarded."""
        operations = {copy: earlier.operations[op] for copy, op in self.operations.items()}
        names = earlier.called | earlier.values
        values = {copy: names[v] for copy, v in self.values.items() if v in names}
        occurrences = {
            earlier.values[value]: found
            for value, found in self.occurrences.items()
            if value in earlier.values
        }
        incomplete = {earlier.values[value] for value in self.incomplete if value in earlier.values}
        copies = self.copies()
        results = {v: copies[copy] for v, copy in earlier.results.items() if copy in copies}
        earlier.discard()
        return Structured(self.function, operations, values, occurrences, incomplete, results=results)

    def discard(self) -> None:
        """The copy is not used, and does not count among the uses of the values around it."""
        self.function.drop_all_references()

    def occur(
        self, originals: Sequence[SSAValue], copies: Sequence[SSAValue], into: Block | None = None
    ) -> None:
        """ORIGINALS are COPIES from the present end of the block INTO on, or where these are defined."""
        after = None if into is None else into.last_op
        for original, copy in zip(originals, copies, strict=True):
            self.occurrences.setdefault(original, []).append(Occurrence(copy, into, after))

    def replace(self, values: Mapping[SSAValue, SSAValue]) -> None:
        """VALUES stand for those of calls, the last ones first: what occurs as such a value, occurs so."""

        def now(value: SSAValue) -> SSAValue:
            while value in values:
                value = values[value]
            return value

        for found in self.occurrences.values() if values else ():
            found[:] = [replace(each, value=now(each.value)) for each in found]
        self.results.update((original, now(value)) for original, value in self.results.items())

    def shared(self) -> dict[SSAValue, list[SSAValue]]:
        """What is no copy, and each of these originals is at some time: what several blocks are passed."""
        found: dict[SSAValue, list[SSAValue]] = {}
        for original, occurrences in self.occurrences.items():
            for value in dict.fromkeys(each.value for each in occurrences if each.value not in self.values):
                found.setdefault(value, []).append(original)
        return found

    def copies(self) -> dict[SSAValue, SSAValue]:
        """What stands in the copy for each value of the function."""
        return {original: copy for copy, original in self.values.items()} | self.results


class Copier:
    """Copies a function piece by piece; `at` is the original of what it makes beside the copies."""

    def __init__(self, function: Operation, operation: OperationNamed) -> None:
        self._operation = operation
        self._of: dict[SSAValue, SSAValue] = {}
        self._numbers: dict[tuple[int, Attribute], SSAValue] = {}
        self.at: Operation = function
        copy = function.clone_without_regions()
        copy.parent = function.parent  # for symbols: what is around it does not know of the copy
        self.made = Structured(copy, {copy: function})

    @contextmanager
    def whole(self) -> Generator[None]:
        """A copy that is not finished uses nothing of what is around it."""
        try:
            yield
        except NotStructured:
            self.made.discard()
            raise

    def bind(self, originals: Sequence[SSAValue], copies: Sequence[SSAValue]) -> None:
        for original, copy in zip(originals, copies, strict=True):
            self._of[original] = copy
            self.made.values.setdefault(copy, original)

    def mapped(self, values: Sequence[SSAValue]) -> Values:
        return [self._of.get(value, value) for value in values]

    def begin(
        self, originals: Sequence[SSAValue], copies: Sequence[SSAValue], into: Block | None = None
    ) -> None:
        """From here on ORIGINALS are COPIES, and were not before: see `Structured.occur`."""
        self.bind(originals, copies)
        self.made.occur(originals, copies, into)

    def copy(self, op: Operation, into: Block, *, again: bool = False) -> None:
        """OP at the end of INTO; AGAIN, if there its results are what they have been before."""
        copy = op.clone(self._of)
        into.add_op(copy)
        bind = self.bind if again else self.begin
        for inner, original in zip(copy.walk(), op.walk(), strict=True):
            self.made.operations[inner] = original
            bind(original.results, inner.results)
            for region, of in zip(inner.regions, original.regions, strict=True):
                for block, blocks_of in zip(region.blocks, of.blocks, strict=True):
                    bind(blocks_of.args, block.args)

    def make(
        self,
        name: str,
        into: Block | None,
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        regions: Sequence[Block] = (),
        **properties: Attribute,
    ) -> Operation:
        op = self._operation(name).create(
            operands=operands,
            result_types=types,
            properties=properties,
            regions=[Region(block) for block in regions],
        )
        if into is not None:
            into.add_op(op)
        self.made.operations[op] = self.at
        return op

    def number(self, number: int, kind: Attribute) -> SSAValue:
        """NUMBER as a value of type KIND, of an operation at the beginning of the function."""
        known = self._numbers.get((number, kind))
        if known is not None:
            return known
        value: Attribute
        if isinstance(kind, IndexType) or isa(kind, IntegerType):
            value = IntegerAttr(number, kind)
        elif isinstance(kind, FloatType):
            value = FloatAttr(float(number), kind)
        else:
            raise NotStructured
        made = self.make("arith.constant", None, types=[kind], value=value)
        entry = self.made.function.regions[0].blocks[0]
        if entry.first_op is None:
            entry.add_op(made)
        else:
            entry.insert_op_before(made, entry.first_op)
        self._numbers[number, kind] = made.results[0]
        return made.results[0]

    def nothing(self, kinds: Sequence[Attribute], into: Block) -> Values:
        """A value of each of KINDS that nothing uses."""
        return [self._nothing(kind, into) for kind in kinds]

    def _nothing(self, kind: Attribute, into: Block) -> SSAValue:
        if isinstance(kind, IndexType | FloatType) or isa(kind, IntegerType):
            return self.number(0, kind)
        op = NothingOp.create(result_types=[kind])
        into.add_op(op)
        self.made.operations[op] = self.at
        return op.results[0]

    def holds(self, when: Sequence[Test], into: Block) -> SSAValue:
        """Whether one of the tests WHEN holds."""
        found: SSAValue | None = None
        for value, number in when:
            (holds,) = self.mapped([value])
            if number is not None:
                other = self.number(number, value.type)
                equal = IntegerAttr(0, i64)
                holds = self.make("arith.cmpi", into, (holds, other), [i1], predicate=equal).results[0]
            found = holds if found is None else self.make("arith.ori", into, (found, holds), [i1]).results[0]
        assert found is not None
        return found

    def copy_before_end(self, block: Block, into: Block) -> Operation:
        end = block.last_op
        if end is None:
            raise NotStructured
        for op in block.ops:
            if op is not end:
                self.copy(op, into)
        self.at = end
        return end

    def branch(self, block: Block, to: Block, passed: Values) -> None:
        """BLOCK ends with a branch to the block TO, to which these values are PASSED."""
        self._end(block, "cf.br", passed, {}, [to])

    def branch_if(
        self, block: Block, flag: SSAValue, true: tuple[Block, Values], false: tuple[Block, Values]
    ) -> None:
        """BLOCK ends with a branch to one of two blocks, to which these values are passed."""
        sizes = DenseArrayBase.from_list(i32, [1, len(true[1]), len(false[1])])
        operands, to = [flag, *true[1], *false[1]], [true[0], false[0]]
        self._end(block, "cf.cond_br", operands, {"operandSegmentSizes": sizes}, to)

    def _end(
        self,
        block: Block,
        name: str,
        operands: Values,
        properties: Mapping[str, Attribute],
        to: Sequence[Block],
    ) -> None:
        op = self._operation(name).create(operands=operands, properties=dict(properties), successors=to)
        block.add_op(op)
        self.made.operations[op] = self.at
