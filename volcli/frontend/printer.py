"""Printing IR that a pass has rewritten: xDSL's printer, with the user's names and mlir-opt's spelling."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.printer import Printer

from volcli.frontend.affine_text import map_text, set_text
from volcli.frontend.naming import NamePlan
from volcli.frontend.opaque import OpaqueOperation
from volcli.frontend.parser import ParsedModule
from volcli.frontend.recursion import deep_recursion
from volcli.frontend.unread import UnreadOperation


class ModulePrinter(Printer):
    """xDSL's printer; `plan` has the names of all values.

    Where the custom format of an operation would lose an attribute, that operation is printed in generic
    form; xDSL's formats of about two dozen operations do. A class whose format says attributes without their
    names has these names in UNNAMED_ATTRIBUTES. A format that cannot express an operation raises ValueError,
    which means generic form too.
    """

    def __init__(self, plan: NamePlan) -> None:
        self._buffer = StringIO()
        super().__init__(stream=self._buffer)
        self._plan = plan
        # The text of the operations inside the operation being printed: from, to, in the buffer.
        self._inner: list[tuple[int, int]] = []
        self._printed: set[Operation] = set()

    def text(self) -> str:
        return self._buffer.getvalue()

    def print_ssa_value(self, value: SSAValue) -> str:
        if (text := self._plan.of(value)) is None:
            return super().print_ssa_value(value)
        self.print_string(text)
        return text.removeprefix("%")

    def _print_results(self, op: Operation) -> None:
        if definitions := self._plan.definitions(op):
            self.print_string(", ".join(definitions) + " = ")

    def print_attribute(self, attribute: Attribute) -> None:
        match attribute:
            case AffineMapAttr():
                self.print_string(f"affine_map<{map_text(attribute.data)}>")
            case AffineSetAttr():
                self.print_string(f"affine_set<{set_text(attribute.data)}>")
            case _:
                super().print_attribute(attribute)

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
        self.print_generic_format = False
        try:
            if self._says_all_in_its_format(op, start):
                return
        except ValueError:
            # Not in the shape that its format is for, or what mlir-opt does not read in that format.
            while len(self._ssa_names) > scopes:
                self.exit_scope()
        self._buffer.seek(start)
        self._buffer.truncate()
        self._current_line, self._current_column = line, column
        # Decided by xDSL's printer before it comes to the operations inside, which set it back.
        self.print_generic_format = True
        super().print_op(op)
        self.print_generic_format = False

    def _says_all_in_its_format(self, op: Operation, start: int) -> bool:
        """Print an operation in its custom format; whether that has all of its attributes."""
        if (short := _short_name(op)) is not None:
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
    """The name without its dialect, where mlir-opt prints that."""
    match op:
        case ModuleOp():
            return "module"
        case ReturnOp() if isinstance(op.parent_op(), FuncOp):
            return "return"
        case _:
            return None


def print_module(parsed: ParsedModule) -> str:
    """The module as text that mlir-opt reads, with the names that the user gave.

    Operations that were not read stand in their place, verbatim, with all alias definitions and resource
    sections of the input that they may refer to. The module around the operations is printed only if the
    input had one, or if it has attributes by now.
    """
    with deep_recursion():
        module = parsed.module
        printer = ModulePrinter(NamePlan(module, parsed.names))
        if parsed.unread or any(isinstance(op, OpaqueOperation) for op in module.walk()):
            for alias in parsed.aliases:
                printer.print_string(f"{alias}\n", indent=0)
        operations: Any = [module]
        if parsed.implicit_module and not module.attributes and module.sym_name is None:
            operations = module.body.block.ops
        for op in operations:
            printer.print_op(op)
            printer.print_string("\n", indent=0)
        for section in parsed.metadata:
            printer.print_string(f"\n{section}\n", indent=0)
        return printer.text()
