"""The functions of a module: their names, where their bodies begin, who calls them, and with what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, substitute, value_of
from volcli.language.interface import operation_name
from volcli.language.unchanged import operations_in


def symbol_of(op: Operation) -> str:
    """The symbol that OP defines, or its operation name as the text has it."""
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return symbol.data if isinstance(symbol, StringAttr) else operation_name(op)


def is_private(function: Operation) -> bool:
    """Whether only what is in the module can refer to FUNCTION."""
    visibility = function.properties.get("sym_visibility") or function.attributes.get("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data == "private"


def holds_for_all_arguments(function: Operation, *, restricted: bool) -> bool:
    """Whether facts about FUNCTION hold for all arguments: neither callers nor its text restrict them.

    RESTRICTED: the user has stated assumptions.
    """
    return not (is_private(function) or restricted or stated_in(function))


def stated_in(function: Operation) -> set[str]:
    """The names of the attributes by which the text of FUNCTION states what is true, as `volcli.assume`."""
    own = (name for op in function.walk() for name in op.attributes)
    of_arguments = (name for row in rows_of_arguments(function) for name in row.data)
    return {name for name in (*own, *of_arguments) if name.startswith("volcli.")}


def rows_of_arguments(function: Operation) -> list[DictionaryAttr]:
    """The attributes of each argument of FUNCTION; nothing if none has any."""
    rows = function.properties.get("arg_attrs", function.attributes.get("arg_attrs"))
    found: Sequence[Attribute] = rows.data if isa(rows, ArrayAttr[Attribute]) else ()
    return [row if isinstance(row, DictionaryAttr) else DictionaryAttr({}) for row in found]


def entry_of(op: Operation) -> Block:
    """The first block of OP; a malformed operation may have empty regions before it.

    Raises ValueError if all of its regions are empty: then it is not a function (see `functions`).
    """
    for region in op.regions:
        if (block := region.first_block) is not None:
            return block
    raise ValueError(f"{op.name} has no block")


def called_by(op: Operation) -> Operation | None:
    """The function that OP calls, with as many arguments as it has; None if OP calls none that is seen."""
    callee = questions.callee(op)
    if callee is None or len(entry_of(callee.function).args) != len(op.operands):
        return None
    return callee.function


def functions_called_in(function: Operation) -> list[Operation]:
    """The functions that operations in FUNCTION call, each once."""
    called = map(called_by, operations_in(function))
    return list(dict.fromkeys(each for each in called if each is not None))


def reached_from(function: Operation) -> list[Operation]:
    """FUNCTION and all that it may call, in turn, each once; they may call each other."""
    reached = {function: None}
    pending = [function]
    while pending:
        new = [each for each in functions_called_in(pending.pop()) if each not in reached]
        reached.update(dict.fromkeys(new))
        pending += new
    return list(reached)


def constant_global(function: Operation, symbol: str | None) -> Operation | None:
    """The operation that defines SYMBOL around FUNCTION, if that is memory that nobody changes."""
    module = function
    while (around := module.parent_op()) is not None:
        module = around
    for op in module.walk() if symbol is not None else ():
        if symbol_of(op) == symbol and questions.literal.answers(type(op)):
            return None if questions.literal(op) is None else op
    return None


def passed(expression: Expression, call: Operation) -> Expression:
    """EXPRESSION, over the arguments of the function that CALL calls, over what CALL passes for them."""

    def given(atom: Atom) -> Expression | None:
        match atom:
            case Value(BlockArgument(index=position)):
                return value_of(call.operands[position])
            case Dim(BlockArgument(index=position), dimension):
                return dim_of(call.operands[position], dimension)
            case _:
                return None

    return substitute(expression, given)


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


def returned_by(blocks: Iterable[Block]) -> list[SSAValue]:
    """What the ends of BLOCKS, of a function, may return, each once: unknown ones, too."""
    found: dict[SSAValue, None] = {}
    for block in blocks:
        last = block.last_op
        if last is None or last.successors:
            continue
        is_unknown = isinstance(last, UnregisteredOp) and not last.results
        if last.has_trait(IsTerminator) or is_unknown:
            found.update(dict.fromkeys(last.operands))
    return list(found)
