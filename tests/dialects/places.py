"""Places of the units of tests/dialects/units/, compared with mlir-opt's."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Attribute, Operation

from tests.dialects.conftest import Ask
from tests.dialects.roundtrip import names, read_natively, units
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import parse
from volcli.frontend.text.source import Source
from volcli.language.interface import operation_name
from volcli.loading.driver import dialect_factories


def places(module: Operation) -> Iterator[tuple[str, int, int]]:
    """Of every operation and block argument: what it is, its line and its column; 0, 0 where it has none."""
    for op in module.walk():
        yield (operation_name(op), *_line_and_column(op.location))
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    yield (f"argument of {operation_name(op)}", *_line_and_column(argument.location))


def _line_and_column(location: Attribute) -> tuple[int, int]:
    if isinstance(location, FileLineColLoc):
        return location.line.data, location.column.data
    return 0, 0


def assert_same_places(ask: Ask, dialect: str) -> None:
    """All places that the text implies are those that mlir-opt gives, in its generic form."""
    flags = ("-allow-unregistered-dialect", "-mlir-print-debuginfo", "-mlir-print-op-generic")
    line = 1
    for name, text, theirs in zip(names(dialect), units(dialect), ask(units(dialect), *flags), strict=True):
        parsed = parse(Source("<stdin>", text, first_line=line), make_context(dialect_factories()))
        # But the module's own, which depends on the chunk and not on the text.
        assert list(places(parsed.module))[1:] == list(places(read_natively(theirs).module))[1:], name
        line += text.count("\n") + 1
