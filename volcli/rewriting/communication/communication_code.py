"""The functions of communication sets: loops that write rows, and count them."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Value, expression_of_atom, value_of
from volcli.limits import rewriting as limits
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.counted_points import CountedPoints, Numbers
from volcli.rewriting.code.index_code import IndexCode, Known
from volcli.rewriting.communication.communication import HERE, SIZE, CommunicationSet, values_of
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.scanning import ScanNest

_LESS = IntegerAttr(2, i64)
"""arith.cmpi slt"""
COLUMNS = "volcli.columns"


@dataclass
class CommunicationCode:
    """Makes functions after FUNCTION, with its arguments and two more; SIZE is one of them."""

    changes: Changes
    function: Operation
    size: SSAValue
    _last: Operation | None = None

    def put(self, name: str, given: CommunicationSet) -> None:
        """A function @NAME that enumerates what is GIVEN."""
        arguments = list(self.function.regions[0].block.args)
        rows = MemRefType(IndexType(), [DYNAMIC_INDEX, len(given.columns)])
        kinds = [*(each.type for each in arguments), IndexType(), rows]
        block = Block(arg_types=kinds)
        names = self.changes.unit.parsed.names
        for old, new in zip(arguments, block.args, strict=False):
            called = names.of(old).removeprefix("%")
            new.name_hint = None if called.isdecimal() else called
        processor, table = block.args[-2:]
        processor.name_hint, table.name_hint = "processor", "list"
        builder = self.changes.after(self.function).inside(block)
        index = IndexCode(builder.inside(block))
        moved: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=False))
        size = builder.make("arith.maxsi", [moved[self.size], index.constant(1)])
        size = builder.make("arith.minsi", [size, index.constant(limits.TRANSFER)])
        known: dict[Atom, Expression] = {SIZE: value_of(size), HERE: value_of(processor)}
        for nest in given.nests:
            known.update((each, _moved(each, moved)) for each in values_of([nest]))
        rank = builder.make("memref.dim", [table, index.constant(0)], called="rows")
        rows_code = _Rows(index, table, rank, given)
        count = index.constant(0)
        for nest in given.nests:
            count = rows_code.nest(builder, nest, known, count)
        builder.operation("func.return", [count])
        self._insert(name, block, given)

    def _insert(self, name: str, block: Block, given: CommunicationSet) -> None:
        kind = FunctionType.from_lists([each.type for each in block.args], [IndexType()])
        made = self.changes.after(self._last or self.function).operation(
            "func.func",
            [],
            properties={"sym_name": StringAttr(name), "function_type": kind},
            regions=[Region([block])],
        )
        made.attributes[COLUMNS] = ArrayAttr([StringAttr(each) for each in given.names])
        self._last = made


@dataclass
class _Rows:
    """Puts rows into TABLE, which has so many ROWS."""

    index: IndexCode
    table: SSAValue
    rows: SSAValue
    given: CommunicationSet

    def nest(self, builder: Builder, nest: ScanNest, known: Known, count: SSAValue) -> SSAValue:
        """COUNT and how many points the loops of NEST have."""
        (total,) = CountedPoints(self.index, self._row).nest(builder, nest, known, [count])
        return total

    def _row(self, builder: Builder, known: Known, numbers: Numbers) -> None:
        """The row of this number is written, if there is one."""
        (count,) = numbers
        holds = builder.make(
            "arith.cmpi", [count, self.rows], result=IntegerType(1), properties={"predicate": _LESS}
        )
        block = Block()
        inside = builder.inside(block)
        with self.index.block():
            for number, column in enumerate(self.given.columns):
                value = self.index.number(inside, expression_of_atom(column), known)
                place = [count, self.index.constant(number)]
                inside.operation("memref.store", [value, self.table, *place])
        inside.operation("scf.yield", [])
        builder.operation("scf.if", [holds], regions=[Region([block]), Region()])


def _moved(atom: Value | Dim, moved: dict[SSAValue, SSAValue]) -> Expression:
    """ATOM of the new function's argument."""
    new = moved[atom.value]
    return value_of(new) if isinstance(atom, Value) else expression_of_atom(Dim(new, atom.dimension))
