"""Printing IR that a pass has rewritten: xDSL's printer, with the user's names and mlir-opt's spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.parse.recursion import deep_recursion
from volcli.frontend.print.attribute_printer import AttributePrinter
from volcli.frontend.print.naming import NamePlan
from volcli.frontend.unread import UnreadOperation

# xDSL's syntax of these has the attributes, or the visibility of a global, where mlir-opt does not read them.
_MISPLACES_ATTRIBUTES = frozenset(("llvm.mlir.global", "llvm.return", "transform.yield"))


class ModulePrinter(AttributePrinter):
    """xDSL's printer; `plan` has the names of all values.

    Where the custom format of an operation would lose an attribute, that operation is printed in generic
    form; xDSL's formats of about two dozen operations do. A class whose format says attributes without their
    names has these names in UNNAMED_ATTRIBUTES. A format that cannot express an operation raises ValueError,
    which means generic form too. If `generic`, everything is printed in that form.
    """

    def __init__(self, plan: NamePlan, *, generic: bool = False) -> None:
        self._buffer = StringIO()
        super().__init__(self._buffer)
        self._plan = plan
        self._generic = generic
        # The text of the operations inside the operation being printed: from, to, in the buffer.
        self._inner: list[tuple[int, int]] = []
        self._printed: set[Operation] = set()

    def text(self, aliases: Iterable[str]) -> str:
        """What was printed, below its aliases; ALIASES are the definitions in the input."""
        return self.aliases.resolve(self._buffer.getvalue(), aliases)

    def print_ssa_value(self, value: SSAValue) -> str:
        if (text := self._plan.of(value)) is None:
            return super().print_ssa_value(value)
        self.print_string(text)
        return text.removeprefix("%")

    def _print_results(self, op: Operation) -> None:
        if definitions := self._plan.definitions(op):
            self.print_string(", ".join(definitions) + " = ")

    def print_op(self, op: Operation) -> None:
        self._printed.add(op)
        outer, self._inner = self._inner, []
        start = self._buffer.tell()
        if isinstance(op, UnreadOperation):
            self.print_string(op.text.data, indent=0)
        elif isinstance(op, OpaqueOperation):
            self._print_results(op)
            op.print(self)
        else:
            self._print_read_op(op, start)
        self._inner = outer
        self._inner.append((start, self._buffer.tell()))

    def _print_read_op(self, op: Operation, start: int) -> None:
        line, column, scopes = self._current_line, self._current_column, len(self._ssa_names)
        uses = self.aliases.position()
        self.print_generic_format = False
        try:
            if not self._generic and self._says_all_in_its_format(op, start):
                return
        except (LookupError, ValueError):
            # Not in the shape that its format is for, or what mlir-opt does not read in that format.
            while len(self._ssa_names) > scopes:
                self.exit_scope()
        self._buffer.seek(start)
        self._buffer.truncate()
        self.aliases.forget(uses)
        self._current_line, self._current_column = line, column
        # Decided by xDSL's printer before it comes to the operations inside, which set it back.
        self.print_generic_format = True
        super().print_op(op)
        self.print_generic_format = False

    def _says_all_in_its_format(self, op: Operation, start: int) -> bool:
        """Print an operation in its custom format; whether that has all of its attributes."""
        if op.name in _MISPLACES_ATTRIBUTES and (op.attributes or "visibility_" in op.properties):
            return False
        if (short := _short_name(op)) is not None:
            self._print_results(op)
            self.print_string(short)
            op.print(self)
        else:
            super().print_op(op)
        unnamed = getattr(op, "UNNAMED_ATTRIBUTES", ("op_name__",))
        names = [name for name in op.attributes if name not in unnamed]
        return (not names or self._own_text_has(names, start)) and not self._loses_a_terminator(op)

    def _loses_a_terminator(self, op: Operation) -> bool:
        """Whether a terminator that the custom format leaves out has attributes."""
        terminators = (block.last_op for region in op.regions for block in region.blocks)
        return any(last is not None and last.attributes and last not in self._printed for last in terminators)

    def _own_text_has(self, names: list[str], start: int) -> bool:
        """Whether what was printed since `start`, without the operations inside, names all attributes."""
        pieces: list[str] = []
        for inner_start, inner_end in [*self._inner, (self._buffer.tell(), None)]:
            self._buffer.seek(start)
            pieces.append(self._buffer.read(inner_start - start))
            start = inner_end or inner_start
        self._buffer.seek(0, 2)
        text = "".join(pieces)
        return all(re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w.$])", text) for name in names)


def _short_name(op: Operation) -> str | None:
    """The name without its dialect, where mlir-opt prints that: right below what has a default dialect."""
    parent = op.parent_op()
    dialect = "func" if isinstance(parent, FuncOp) else "builtin" if _is_module(parent) else None
    prefix, _, name = op.name.partition(".")
    return name if prefix == dialect and "." not in name and _has_syntax(op) else None


def _is_module(op: Operation | None) -> bool:
    return op is None or isinstance(op, ModuleOp)


def _has_syntax(op: Operation) -> bool:
    return type(op).print is not Operation.print


def print_module(parsed: ParsedModule, *, generic: bool = False) -> str:
    """The module as text that mlir-opt reads, with the names that the user gave; in generic form on demand.

    Operations that were not read stand in their place, verbatim, with all alias definitions and resource
    sections of the input that they may refer to. The module around the operations is printed only if the
    input had one, if it has attributes by now, or in generic form.
    """
    with deep_recursion():
        module = parsed.module
        printer = ModulePrinter(NamePlan(module, parsed.names), generic=generic)
        operations: Any = [module]
        is_bare = not module.attributes and module.sym_name is None
        if parsed.implicit_module and is_bare and not generic:
            operations = module.body.block.ops
        for op in operations:
            printer.print_op(op)
            printer.print_string("\n", indent=0)
        for section in parsed.metadata:
            printer.print_string(f"\n{section}\n", indent=0)
        return printer.text(parsed.aliases)
