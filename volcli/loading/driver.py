"""The composition root: from a file to its program, through passes, to text and data.

This is the only module that knows `volcli_dialects`. A dialect's module (its operations and its cases) is
imported when the dialect first occurs in a file; other packages add dialects through the entry-point group
`volcli.dialects` (name = dialect, value = `package.module:dialect`, a function that makes it).

>>> program = loads("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
>>> program.run("infer-shapes").facts
[<shapes of %a: tensor<4xf32>, [4]>]
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

from xdsl.ir import Dialect

from volcli import __version__
from volcli.api.program import Program
from volcli.diagnostics import Diagnostic, UsageError, internal
from volcli.execution import table
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.parse.recursion import deep_recursion
from volcli.frontend.text.source import Source, read_source, split_chunks
from volcli.language.expressions import number_values
from volcli.limits import gate as limits
from volcli.limits.presburger import DEFAULT_SECONDS
from volcli.loading.plugins import Loaded, Provider, announced, loaded
from volcli.loading.problems import problems_in
from volcli.passes.base import Unit
from volcli.presburger.sets import kept
from volcli.runtime import progress

_OWN_DIALECTS = (
    "affine", "arith", "bufferization", "cf", "complex", "func", "index", "linalg", "math", "memref", "scf",
    "stablehlo", "tensor", "test", "tosa", "ub", "util", "vector",
)  # fmt: skip


Door = Literal["auto", "xdsl", "mlir-opt"]
"""How a text is read."""

_WHOLE_DIALECTS = frozenset((
    "affine", "arith", "bufferization", "cf", "complex", "func", "index", "linalg", "math", "memref", "scf",
    "tensor", "vector",
))  # fmt: skip
"""Those of which every operation of LLVM 22 is known: others of their names are errors."""


def load(
    path: str | Path,
    *,
    split: bool = False,
    budget: int | None = None,
    timeout: float | None = DEFAULT_SECONDS,
    via: Door = "auto",
    assume: Sequence[str] = (),
    given: Sequence[str] = (),
    effects: Sequence[str] = (),
) -> Program:
    """The program in a file of MLIR text ('-' is stdin); `loads` is for the text itself.

    `split` reads the chunks between `// -----` lines as programs of their own; `budget` bounds each query
    in isl operations, `timeout` each pass over a function in seconds, where its sets are large (None: any).
    `via` is the door: "xdsl" reads natively, "mlir-opt" through that tool, "auto" natively and what that
    cannot read through mlir-opt, if it is on PATH. `assume` are conditions on arguments, or one, as
    "N >= 1 and N mod 16 = 0", and `given` facts about elements, as "%a[i, j] = 0 : i < j"; `effects` declare
    what operations of other dialects do, as "foo.fill = writes 0". Raises UsageError if the file cannot be
    read (V100, V101, V102), or a condition, a fact or a declaration cannot be used (V009).

    >>> load("testdata/linalg/conv_layer.mlir")
    <Program testdata/linalg/conv_layer.mlir: 1 function, 0 facts>

    A string with a line break, which names no file, is taken for text, as `loads` does.
    """
    name = os.fspath(path)
    is_text = isinstance(path, str) and "\n" in path
    source = Source("-", name) if is_text else _read_file(name)
    return load_source(
        source,
        split=split,
        budget=budget,
        timeout=timeout,
        via=via,
        assume=assume,
        given=given,
        effects=effects,
    )


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
    timeout: float | None = DEFAULT_SECONDS,
    via: Door = "auto",
    assume: Sequence[str] = (),
    given: Sequence[str] = (),
    effects: Sequence[str] = (),
) -> Program:
    """The program in a TEXT, which diagnostics call NAME; the rest is as for `load`.

    Raises UsageError (V107) for a text without any operation, which may be the name of a file.

    >>> program = loads("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    >>> [str(size) for size in program.function("f").shape("%a").sizes]
    ['4']
    """
    source = Source(name, text)
    if _is_path(text):
        note = f"volcli.load reads a file: volcli.load({text.strip()!r})"
        raise UsageError(Diagnostic("V107", f"there is no operation in the text '{text.strip()}'", note=note))
    program = load_source(
        source,
        split=split,
        budget=budget,
        timeout=timeout,
        via=via,
        assume=assume,
        given=given,
        effects=effects,
    )
    empty = next((each for each in program.diagnostics if each.code == "V107"), None)
    if empty is not None:
        raise UsageError(empty)
    return program


def _is_path(text: str) -> bool:
    """Whether TEXT looks as the name of a file: one word that ends so, or names one that is there."""
    name = text.strip()
    if not name or "\n" in name or "{" in name or len(name) > limits.PATH_TEXT:
        return False
    return name.endswith(".mlir") or (os.sep in name and os.path.exists(name))


def load_source(
    source: Source,
    *,
    split: bool = False,
    budget: int | None = None,
    timeout: float | None = DEFAULT_SECONDS,
    via: str = "auto",
    assume: Sequence[str] = (),
    given: Sequence[str] = (),
    effects: Sequence[str] = (),
) -> Program:
    """The program in SOURCE; see `load`."""
    _forget()
    assume, given, effects = ((each,) if isinstance(each, str) else each for each in (assume, given, effects))
    units: list[Unit] = []
    for chunk in split_chunks(source) if split else [source]:
        with deep_recursion(), progress.shown_in_notebook(), progress.doing(f"{source.name}: reading"):
            parsed = _read(chunk, via)
            number_values(parsed.module)
            problems = list(problems_in(parsed, dialect_factories().keys(), _WHOLE_DIALECTS))
            problems += _declared(parsed, effects) if effects else ()
        unknown = {problem.place for problem in problems}
        said = [one for one in parsed.diagnostics if one.code != "V306" or one.place not in unknown]
        said += problems
        units.append(Unit(parsed, diagnostics=said, budget=budget, timeout=timeout))
        units[-1].report_internal_errors()
    _forgive_empty_chunks(units)
    if assume:
        from volcli.passes.assume import assume as let_assume

        let_assume(assume, units)
    if given:
        from volcli.passes.given import give

        give(given, units)
    how = {"split": split, "budget": budget, "timeout": timeout, "via": via, "effects": tuple(effects)}
    return Program(source, units, tuple(assume), tuple(given), reread=load_source, options=how)


def _declared(parsed: ParsedModule, effects: Sequence[str]) -> Iterable[Diagnostic]:
    """Have operations of PARSED do what EFFECTS declare; what does not fit is returned."""
    from volcli.loading.effects import declare_all
    from volcli_dialects.declared import made_like

    return declare_all(parsed, effects, made_like)


def _forget() -> None:
    """Keep nothing of other programs: what a budget buys must not depend on them."""
    internal.forget()
    kept.forget()


def _forgive_empty_chunks(units: Sequence[Unit]) -> None:
    """That there is no operation is said of a whole file, and not of a chunk that holds only comments."""
    if any(unit.parsed.module.body.block.first_op is not None for unit in units):
        for unit in units:
            unit.diagnostics = [one for one in unit.diagnostics if one.code != "V107"]


def _read(source: Source, via: str) -> ParsedModule:
    """SOURCE through the door VIA; raises UsageError (V008) if mlir-opt is asked for and absent."""
    parsed = None if via == "mlir-opt" else parse(source, make_context(dialect_factories()))
    if parsed is not None and (via == "xdsl" or not (parsed.unread or _has_text(parsed))):
        return parsed
    from volcli.frontend.parse.mlir_opt import TOOLS, complete, find_tool, parse_through

    tool = find_tool()
    if tool is None:
        if parsed is None:
            raise UsageError(Diagnostic("V008", f"no {' or '.join(TOOLS)} on PATH"))
        return parsed
    context = make_context(dialect_factories())
    return parse_through(source, context, tool) if parsed is None else complete(parsed, context, tool)


def _has_text(parsed: ParsedModule) -> bool:
    """Whether something with a body was read as text only."""
    if not any(each.code == "V306" for each in parsed.diagnostics):
        return False
    from volcli.frontend.parse.mlir_opt import is_partly_text

    return is_partly_text(parsed)


@cache
def providers() -> Mapping[str, Provider]:
    """Per dialect with cases, where it comes from: another package's replaces one of ours."""
    own = {
        name: Provider(name, "volcli", __version__, f"volcli_dialects.{name}:dialect", partial(_own, name))
        for name in _OWN_DIALECTS
    }
    return own | {each.dialect: each for each in announced()}


def dialect_factories() -> dict[str, Callable[[], Dialect]]:
    """Per dialect with cases of ours (or of an entry point), what imports it and makes it."""
    return {name: provider.make for name, provider in providers().items()}


def loaded_dialects() -> list[Loaded]:
    """Every dialect with cases, imported, by name."""
    return [loaded(provider) for _, provider in sorted(providers().items())]


def _provide_execution(name: str) -> None:
    """Import how the operations of the dialect NAME execute; another package's are there with its dialect."""
    package = importlib.util.find_spec(f"volcli_dialects.{name}") if name in _OWN_DIALECTS else None
    is_folder = package is not None and package.submodule_search_locations is not None
    if is_folder and importlib.util.find_spec(module := f"volcli_dialects.{name}.execution"):
        importlib.import_module(module)


table.provided_by(_provide_execution)


def _own(name: str) -> Callable[[], Dialect]:
    return importlib.import_module(f"volcli_dialects.{name}").dialect
