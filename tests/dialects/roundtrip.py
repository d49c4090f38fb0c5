"""The units of tests/dialects/units/: read natively, printed, and given to mlir-opt all at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import IntegerAttr, i64

from tests.dialects.conftest import SEPARATOR, Ask
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.language.interface import operation_name
from volcli.loading.driver import dialect_factories

UNITS = Path(__file__).parent / "units"
FLAGS = ("-allow-unregistered-dialect", "-mlir-print-local-scope")
# mlir-opt's custom syntax of these has no place for attributes.
NO_ATTRIBUTES = {"affine.dma_start", "affine.dma_wait", "memref.dma_start", "memref.prefetch", "scf.reduce"}
GENERIC_NAME = re.compile(r'"(\w+\.[\w.]+)"\(')


def units(dialect: str) -> list[str]:
    """The units of one dialect, one function or a few."""
    return (UNITS / f"{dialect}.mlir").read_text().split(SEPARATOR)


def names(dialect: str) -> list[str]:
    """The name of each unit's first function, for the names of the tests."""
    found = [re.search(r"@(\w+)", unit) for unit in units(dialect)]
    return [match[1] for match in found if match is not None]


def read_natively(text: str) -> ParsedModule:
    """TEXT with all dialects, without the second door; nothing may be said of it."""
    parsed = parse(Source("<stdin>", text), make_context(dialect_factories()))
    assert not parsed.diagnostics, "\n".join(map(str, parsed.diagnostics))
    return parsed


def reprinted(text: str) -> str:
    return print_module(read_natively(text))


def marked(text: str, dialect: str) -> str:
    """TEXT in print, with a discardable attribute on every operation of the dialect."""
    parsed = read_natively(text)
    for op in parsed.module.walk():
        if operation_name(op).startswith(f"{dialect}."):
            op.attributes["my.attr"] = IntegerAttr(1, i64)
    return print_module(parsed)


@cache
def generic(ask: Ask, dialect: str) -> Sequence[str]:
    """mlir-opt's generic form of each unit."""
    return ask(units(dialect), *FLAGS, "-mlir-print-op-generic")


@cache
def custom(ask: Ask, dialect: str) -> Sequence[str]:
    """mlir-opt's custom form of each unit."""
    return ask(units(dialect), *FLAGS)


def assert_same_programs(ask: Ask, dialect: str) -> None:
    """What we print is the program that we read, from all of its spellings."""
    want = generic(ask, dialect)
    for spelling in (units(dialect), want, custom(ask, dialect)):
        answers = ask([reprinted(text) for text in spelling], *FLAGS, "-mlir-print-op-generic")
        for name, answer, expected in zip(names(dialect), answers, want, strict=True):
            assert answer == expected, name


def assert_custom_syntax(ask: Ask, dialect: str) -> None:
    """No operation is printed in generic form that mlir-opt prints in custom form."""
    for text, theirs in zip(units(dialect), custom(ask, dialect), strict=True):
        ours = set(GENERIC_NAME.findall(reprinted(text)))
        assert ours <= set(GENERIC_NAME.findall(theirs))


def assert_attributes_are_kept(ask: Ask, dialect: str) -> None:
    """An attribute on any operation is printed where mlir-opt reads it, and read where mlir-opt prints it."""
    texts = [marked(text, dialect) for text in units(dialect)]
    for name, text, theirs in zip(names(dialect), texts, custom(ask, dialect), strict=True):
        assert set(GENERIC_NAME.findall(text)) <= {*GENERIC_NAME.findall(theirs), *NO_ATTRIBUTES}, name
    spellings = ask(texts, *FLAGS), ask(texts, *FLAGS, "-mlir-print-op-generic")
    for name, text, in_custom, in_generic in zip(names(dialect), texts, *spellings, strict=True):
        count = text.count("my.attr = 1")
        assert in_generic.count("my.attr = 1") == count, name
        assert reprinted(in_custom).count("my.attr = 1") == in_custom.count("my.attr = 1"), name
