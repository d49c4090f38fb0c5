"""The functions of a module: the operations with a body, or the module itself if it has only loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions

if TYPE_CHECKING:  # the engines are imported when something is asked of them
    pass


def functions(module: Operation) -> Iterator[Operation]:
    """The operations with a body directly in MODULE, or in what holds such symbols in it, as gpu.module does.

    Loops and branches that stand in a module are not functions, whose arguments any caller would choose: if a
    module has no function, it is the one that they are in. Beside functions nothing is said of them (see
    `beside_functions`).
    """
    loose = {op for op in _inside(module) if _is_loop_or_branch(op)}
    if loose and not _has_functions(module):
        yield module
        return
    for op in _inside(module):
        if op in loose:
            continue
        if _is_module(op):
            yield from functions(op)
        elif any(region.blocks for region in op.regions):
            yield op


def beside_functions(module: Operation) -> Iterator[Operation]:
    """The loops and branches that stand beside functions in MODULE, or in modules inside it."""
    for op in _inside(module):
        if _is_module(op):
            yield from beside_functions(op)
        elif _is_loop_or_branch(op) and _has_functions(module):
            yield op


def _inside(op: Operation) -> Iterator[Operation]:
    """The operations directly in the regions of OP."""
    return (inner for region in op.regions for block in region.blocks for inner in block.ops)


def _is_module(op: Operation) -> bool:
    """Whether OP is a module, or holds symbols with a body, as gpu.module does."""
    return isinstance(op, ModuleOp) or any(_is_symbol(inner) and inner.regions for inner in _inside(op))


def _is_symbol(op: Operation) -> bool:
    return "sym_name" in op.properties or "sym_name" in op.attributes


def _has_functions(module: Operation) -> bool:
    return any(op.has_trait(IsolatedFromAbove) or _is_symbol(op) for op in _inside(module))


def _is_loop_or_branch(op: Operation) -> bool:
    kind = type(op)
    return bool(op.regions) and (questions.loop.answers(kind) or questions.guards.answers(kind))
