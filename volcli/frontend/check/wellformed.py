"""What operations of all dialects must keep to: definitions before uses, ends of blocks, unique symbols.

In mlir-opt's words. Only operations whose regions are known to run in order are looked into: what an unknown
operation makes of its regions is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsTerminator

from volcli.frontend.unread import UnreadOperation
from volcli.language.interface import operation_name
from volcli.language.programs.blocks import dominators

_ENDED = ("func.", "scf.", "affine.", "linalg.", "tensor.", "memref.")
"""The dialects of which all is known: each block of their operations ends with a terminator."""


_LAST: Mapping[str, tuple[str, str]] = {
    "affine.": ("affine.yield", "expects regions to end with '{}', found '{}'"),
    "linalg.": ("linalg.yield", "expects regions to end with '{}', found '{}'"),
    "tensor.": ("tensor.yield", "expects regions to end with '{}', found '{}'"),
    "scf.for": ("scf.yield", "expects regions to end with '{}', found '{}'"),
    "scf.if": ("scf.yield", "expects regions to end with '{}', found '{}'"),
    "scf.forall": ("scf.forall.in_parallel", "expects regions to end with '{}', found '{}'"),
    "scf.parallel": ("scf.reduce", "expects body to terminate with '{}'"),
    "scf.index_switch": ("scf.yield", "expected region to end with {}, but got {}"),
    "memref.alloca_scope": ("memref.alloca_scope.return", "expects regions to end with '{}', found '{}'"),
}
"""The operations, or dialects, whose regions all end with one operation, and what is said of another end."""


class IllFormed(NamedTuple):
    """What is wrong where OP stands, and the operation that is thereby BROKEN: OP, or the one around it."""

    op: Operation
    message: str
    broken: Operation


def ill_formed(module: ModuleOp) -> Iterator[IllFormed]:
    """What is wrong with MODULE and what is in it, in the order of the text."""
    defined: set[str] = set()
    for op in module.body.ops:
        if isinstance(op, UnreadOperation):
            continue
        name = op.properties.get("sym_name") or op.attributes.get("sym_name")
        if isinstance(name, StringAttr):
            if name.data in defined:
                yield IllFormed(op, f"redefinition of symbol named '{name.data}'", op)
            defined.add(name.data)
        if isinstance(op, ModuleOp):
            yield from ill_formed(op)
        elif isinstance(op, FuncOp):
            checker = _Checker()
            checker.visit(op)
            yield from checker.found


class _Checker:
    """One function; `order` numbers its operations as they are met, each before those in its regions."""

    def __init__(self) -> None:
        self.found: list[IllFormed] = []
        self.order: dict[Operation, int] = {}
        self.is_terminator: dict[type[Operation], bool] = {}
        self.dominators: dict[Region, Mapping[Block, frozenset[Block]]] = {}

    def visit(self, op: Operation) -> None:
        """The regions of OP, which is not an unknown operation."""
        is_ended = op.name.startswith(_ENDED) and op.name != "scf.forall.in_parallel"
        for region in op.regions:
            blocks = region.blocks
            if len(blocks) > 1:
                self.dominators[region] = dominators(blocks)
            for block in blocks:
                self._visit_block(op, block, is_ended)

    def _visit_block(self, parent: Operation, block: Block, is_ended: bool) -> None:
        last = block.last_op
        if last is None:
            if is_ended:
                self._say(parent, "empty block: expect at least a terminator")
            return
        order = self.order
        for op in block.ops:
            order[op] = len(order)
            for index, operand in enumerate(op.operands):
                is_undefined = isinstance(operand, OpResult) and operand.op not in order
                if is_undefined or operand in op.results or self.dominators:
                    self._check_use(op, index, operand)
            if self._ends_block(op) and op is not last:
                message = f"'{operation_name(op)}' op must be the last operation in the parent block"
                self._say(op, message, parent)
            if op.regions and not isinstance(op, UnregisteredOp):
                self.visit(op)
        if is_ended and not self._ends_block(last):
            self._check_end(parent, last)

    def _check_end(self, parent: Operation, last: Operation) -> None:
        """LAST, which is not known to end a block, ends one of PARENT."""
        name = operation_name(last)
        if not isinstance(last, UnregisteredOp):
            self._say(last, f"block with no terminator, has '{name}'", parent)
            return
        of = parent.name.partition(".")[0] + "."
        wanted, text = _LAST.get(parent.name) or _LAST.get(of) or (name, "")
        if name != wanted:
            self._say(parent, f"'{parent.name}' op {text.format(wanted, name)}")

    def _say(self, op: Operation, message: str, broken: Operation | None = None) -> None:
        self.found.append(IllFormed(op, message, op if broken is None else broken))

    def _ends_block(self, op: Operation) -> bool:
        kind = type(op)
        ends = self.is_terminator.get(kind)
        if ends is None:
            ends = kind.has_trait(IsTerminator, value_if_unregistered=False)
            self.is_terminator[kind] = ends
        return ends

    def _is_reached(self, block: Block) -> bool:
        """Whether some way leads to BLOCK within its region."""
        region = block.parent
        return region is None or region not in self.dominators or block in self.dominators[region]

    def _check_use(self, op: Operation, index: int, value: SSAValue) -> None:
        """VALUE is defined wherever OP uses it; a block that nothing leads to may use anything."""
        home = value.op.parent if isinstance(value, OpResult) else value.owner
        if not isinstance(home, Block) or home.parent is None:
            return
        user: Operation | None = op
        while user is not None and user.parent_region() is not home.parent:
            user = user.parent_op()
        if user is None or user.parent is None or not self._is_reached(user.parent):
            return
        if user.parent is home:
            if isinstance(value, OpResult) and (value.op not in self.order or value.op is user):
                self._say(op, f"operand #{index} does not dominate this use")
            return
        dominators = self.dominators.get(home.parent, {})
        if user.parent in dominators and home not in dominators[user.parent]:
            self._say(op, f"operand #{index} does not dominate this use")
