"""The composition root: from a file to its program, through passes, to text and data.

This is the only module that knows `volcli_dialects`. A dialect's module (its operations and its cases) is
imported when the dialect first occurs in a file; other packages add dialects through the entry-point group
`volcli.dialects` (name = dialect, value = `package.module:dialect`, a function that makes it).

>>> program = loads("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
>>> program.run("infer-shapes").facts
[<shapes of %a: tensor<4xf32>, [4]>]
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Literal

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Dialect, Operation

from volcli import internal, questions
from volcli.api.program import Program
from volcli.diagnostics import Diagnostic, UsageError
from volcli.expressions import number_values
from volcli.frontend.context import make_context
from volcli.frontend.opaque import OpaqueOperation
from volcli.frontend.parser import ParsedModule, parse
from volcli.frontend.recursion import deep_recursion
from volcli.frontend.source import Source, read_source, split_chunks
from volcli.frontend.wellformed import ill_formed
from volcli.interface import operation_name, refused
from volcli.model.function import beside_functions, functions
from volcli.passes.base import Unit

_OWN_DIALECTS = (
    "affine", "arith", "bufferization", "cf", "complex", "func", "index", "linalg", "math", "memref", "scf",
    "tensor", "test", "util", "vector",
)  # fmt: skip

Door = Literal["auto", "xdsl", "mlir-opt"]
"""How a text is read."""

_WHOLE_DIALECTS = frozenset(_OWN_DIALECTS) - {"test", "util"}
"""Those of which every operation of LLVM 22 is known."""


def load(
    path: str | Path,
    *,
    split: bool = False,
    budget: int | None = None,
    via: Door = "auto",
    assume: Sequence[str] = (),
) -> Program:
    """The program in a file of MLIR text ('-' is stdin); `loads` is for the text itself.

    `split` reads the chunks between `// -----` lines as programs of their own; `budget` bounds each query
    in isl operations. `via` is the door: "xdsl" reads natively, "mlir-opt" through that tool, "auto" natively
    and what that cannot read through mlir-opt, if it is on PATH. `assume` are conditions on arguments, as
    "N >= 1 and N mod 16 = 0". Raises UsageError if the file cannot be read (V100, V101, V102), or a condition
    cannot be used (V009).

    >>> load("testdata/linalg/conv_layer.mlir")
    <Program testdata/linalg/conv_layer.mlir: 1 function, 0 facts>

    A string with a line break, which names no file, is taken for text, as `loads` does.
    """
    name = os.fspath(path)
    is_text = isinstance(path, str) and "\n" in path
    source = Source("-", name) if is_text else _read_file(name)
    return load_source(source, split=split, budget=budget, via=via, assume=assume)


def _read_file(path: str) -> Source:
    """The file at PATH. Raises UsageError, which says what to do if PATH is MLIR text."""
    try:
        return read_source(path)
    except UsageError as error:
        if "{" not in path:
            raise
        note = "volcli.loads reads a text; volcli.load the file of that name"
        raise UsageError(replace(error.diagnostic, note=note)) from error


def loads(
    text: str,
    *,
    name: str = "-",
    split: bool = False,
    budget: int | None = None,
    via: Door = "auto",
    assume: Sequence[str] = (),
) -> Program:
    """The program in a TEXT, which diagnostics call NAME; the rest is as for `load`.

    >>> program = loads("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    >>> [str(size) for size in program.function("f").shape("%a").sizes]
    ['4']
    """
    return load_source(Source(name, text), split=split, budget=budget, via=via, assume=assume)


def load_source(
    source: Source,
    *,
    split: bool = False,
    budget: int | None = None,
    via: str = "auto",
    assume: Sequence[str] = (),
) -> Program:
    """The program in SOURCE; see `load`."""
    _forget()
    units: list[Unit] = []
    for chunk in split_chunks(source) if split else [source]:
        parsed = _read(chunk, via)
        number_values(parsed.module)
        with deep_recursion():
            problems = list(_problems(parsed))
        unknown = {problem.place for problem in problems}
        said = [one for one in parsed.diagnostics if one.code != "V306" or one.place not in unknown]
        said += problems
        units.append(Unit(parsed, diagnostics=said, budget=budget))
        units[-1].report_internal_errors()
    _forgive_empty_chunks(units)
    if assume:
        from volcli.passes.assume import assume as let_assume

        let_assume(assume, units)
    return Program(source, units, tuple(assume), reread=load_source)


def _forget() -> None:
    """Keep nothing of other programs: what a budget buys must not depend on them."""
    internal.forget()
    if (build := sys.modules.get("volcli.presburger.build")) is not None:  # else it has kept nothing
        build.forget()


def _forgive_empty_chunks(units: Sequence[Unit]) -> None:
    """That there is no operation is said of a whole file, and not of a chunk that holds only comments."""
    if any(unit.parsed.module.body.block.first_op is not None for unit in units):
        for unit in units:
            unit.diagnostics = [one for one in unit.diagnostics if one.code != "V107"]


def _read(source: Source, via: str) -> ParsedModule:
    """SOURCE through the door VIA; raises UsageError (V008) if mlir-opt is asked for and absent."""
    from volcli.frontend.mlir_opt import TOOLS, complete, find_tool, parse_through

    tool = None if via == "xdsl" else find_tool()
    if via == "mlir-opt":
        if tool is None:
            raise UsageError(Diagnostic("V008", f"no {' or '.join(TOOLS)} on PATH"))
        return parse_through(source, make_context(dialect_factories()), tool)
    parsed = parse(source, make_context(dialect_factories()))
    if parsed.unread and tool is not None:
        return complete(parsed, make_context(dialect_factories()), tool)
    return parsed


def _problems(parsed: ParsedModule) -> Iterator[Diagnostic]:
    """What makes operations invalid: of any dialect, and as far as their own says (`questions.problems`)."""
    for op, message in ill_formed(parsed.module):
        yield Diagnostic("V110", message, parsed.written_at(op))
    if "volcli.assume" in parsed.source.text:
        from volcli.model.bounds.assumptions import problems_of

        for op in functions(parsed.module):
            for message in problems_of(op):
                yield Diagnostic("V111", message, parsed.written_at(op))
    for op in beside_functions(parsed.module):
        message = f"'{operation_name(op)}' op stands beside functions and is not analysed"
        yield Diagnostic("V309", message, parsed.written_at(op))
    for op in parsed.module.walk():
        if (message := parsed.malformed.get(op)) is not None:
            if _is_defined_here(op):
                yield Diagnostic("V110", f"'{operation_name(op)}' op {message}", parsed.written_at(op))
        elif isinstance(op, UnregisteredOp) and (message := _unknown(op)) is not None:
            yield Diagnostic("V110", message, parsed.written_at(op))
        for problem in questions.problems(op) or ():
            code = "V201" if problem.kind == "shape" else "V110"
            if problem.kind == "structure":
                refused.add(op)
            message = f"'{operation_name(op)}' op {problem.message}"
            yield Diagnostic(code, message, parsed.written_at(op))


def _is_defined_here(op: Operation) -> bool:
    """Whether OP's definition is that of LLVM 22; those of dialects that only xDSL has may be older."""
    dialect = operation_name(op).partition(".")[0]
    return dialect == "builtin" or dialect in dialect_factories()


def _unknown(op: UnregisteredOp) -> str | None:
    """That a dialect of which every operation is known has none of this name; None if OP is of another."""
    name = op.op_name.data
    dialect = name.partition(".")[0]
    if dialect not in _WHOLE_DIALECTS:
        return None
    if isinstance(op, OpaqueOperation):
        return f"custom op '{name}' is unknown"
    where = f"found in dialect ('{dialect}') that does not allow unknown operations"
    return f"unregistered operation '{name}' {where}"


@cache
def dialect_factories() -> dict[str, Callable[[], Dialect]]:
    """Per dialect with cases of ours (or of an entry point), what imports it and makes it."""
    own = {name: _lazily(partial(_own_factory, name)) for name in _OWN_DIALECTS}
    return own | {entry.name: _lazily(entry.load) for entry in entry_points(group="volcli.dialects")}


def _own_factory(name: str) -> Callable[[], Dialect]:
    return importlib.import_module(f"volcli_dialects.{name}").dialect


def _lazily(load: Callable[[], Callable[[], Dialect]]) -> Callable[[], Dialect]:
    """A factory that is itself imported only when it is called."""
    return lambda: load()()
