"""Nests that may have tiles: their loops of one variable, branches, and blocks of statements."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from volcli.language.expressions import Atom, Monomial, Value
from volcli.language.interface import operation_name
from volcli.model.stated_effects import only_computes
from volcli.rewriting.ground.bound_uses import LOOPS


def is_simple(op: Operation) -> bool:
    """Whether OP is a loop of one variable that makes nothing."""
    return operation_name(op) in LOOPS and not op.results and len(op.regions[0].block.args) == 1


def variable_of(op: Operation) -> SSAValue:
    """The induction variable of the loop OP."""
    return op.regions[0].block.args[0]


def blocks_of_statements(root: Operation) -> Iterator[Block]:
    """The blocks in the loop ROOT in which something is done beside loops and branches."""
    for op in root.walk():
        if is_simple(op) or operation_name(op) == "scf.if":
            for region in op.regions:
                if any(map(_is_statement, region.block.ops)) if region.blocks else False:
                    yield region.block


def _is_statement(op: Operation) -> bool:
    if op.regions:
        return not (is_simple(op) or operation_name(op) == "scf.if")
    return (bool(op.results) and not only_computes(op)) or (not op.results and not op.has_trait(IsTerminator))


def multiplies(atom: Atom, variables: Collection[Value]) -> bool:
    """Whether ATOM is a product of one of VARIABLES."""
    return isinstance(atom, Monomial) and any(each in variables for each in atom.factors)
