"""Structured operations on memrefs as the loops that they are, in their place.

    linalg.matmul ins(%a, %b) outs(%c)      affine.for %d0 { affine.for %d1 { affine.for %d2 {
                                              %c[%d0, %d1] += %a[%d0, %d2] * %b[%d2, %d1] } } }

Loops that have the same size have the same bound, whatever memref it is asked of.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Dim, Value
from volcli.model.as_loops.function import body_of
from volcli.model.as_loops.making import Unfolding
from volcli.model.as_loops.points import OperationNest
from volcli.model.function import FunctionModel
from volcli.model.structured.copying import Structured
from volcli.rewriting.changes.changes import Changes

Hindrance = Callable[[Operation, TensorDefinition], str | None]
"""Why an operation is to stay what it is, if so."""


def put_loops(changes: Changes, model: FunctionModel, hindrance: Hindrance, done: str) -> bool:
    """Loops for the operations on memrefs in MODEL's function, without HINDRANCE; whether there are any.

    A remark (V310) says of each of the others why it stays, and is not DONE, as in 'tiled'.
    """
    unit = changes.unit
    unfolding = Unfolding(
        Structured(model.function), unit.parsed.context.get_op, model.shapes.stated, changes.adopt
    )
    found = False
    for op in list(model.function.walk()):
        body = None if op.results else body_of(op)
        if body is None or not body.loops:
            continue
        unfolding.stand_at(op)
        why = hindrance(op, body) or _not_affine(unfolding, model, body)
        if why is not None:
            unit.report(Diagnostic("V310", f"{op.name} is not {done}: {why}", unit.parsed.written_at(op)))
            continue
        memory = [each.begins for each in body.outputs if each.begins is not None]
        OperationNest(unfolding, op, body, memory).put()
        changes.erase(op)
        found = True
    if found:
        unit.rewrote()
    return found


def _not_affine(unfolding: Unfolding, model: FunctionModel, body: TensorDefinition) -> str | None:
    """Why the sizes of loops are not bounds of affine loops, if so: these are over values of the function."""
    for size in map(unfolding.resolved, body.sizes):
        for atom, _ in size.terms:
            if not isinstance(atom, Dim | Value) or not _is_of_function(model.function, atom):
                return "its sizes are computed in a region"
    return None


def _is_of_function(function: Operation, atom: Dim | Value) -> bool:
    owner = atom.value.owner
    block = owner.parent if isinstance(owner, Operation) else owner
    return block is not None and block.parent is function.regions[0]
