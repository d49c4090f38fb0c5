"""`--effects`: what operations and memory spaces of other dialects do, as a project declares it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.diagnostics.counted import counted
from volcli.frontend.check.definitions import misfit
from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.declared import (
    Declaration,
    DeclarationError,
    Declarations,
    LikeAnother,
    Maker,
    declarations,
    declare,
    module_with,
)
from volcli.language.interface import operation_name
from volcli.passes.texts import EFFECTS


def parse_effects(texts: Sequence[str]) -> Declarations:
    """What TEXTS declare. Raises UsageError (V009), in the line of the text, for what declares nothing."""
    try:
        return declarations(texts)
    except DeclarationError as error:
        place = Place(EFFECTS, error.number, 1)
        raise UsageError(Diagnostic("V009", error.message, place, note=error.how)) from None


def declare_all(parsed: ParsedModule, texts: Sequence[str], make: Maker) -> Iterator[Diagnostic]:
    """Have the operations of PARSED do what TEXTS declare: MAKE gives operations like others.

    A declaration that does not fit an operation, or that says what volcli knows, is not used (V114). The
    latter is the same of all operations of this name, and said of the first one.
    """
    all_of = parse_effects(texts)
    known: set[str] = set()
    for op in list(parsed.module.walk()) if all_of.operations else ():
        name = operation_name(op)
        declaration = all_of.operations.get(name)
        if declaration is None or name in known:
            continue
        if any(each.answers(type(op)) for each in (questions.effects, questions.accesses)):
            known.add(name)
            message = "is declared, but volcli knows what it does"
        else:
            message = _problem(op, declaration) or _declare(op, declaration, parsed.context, make)
        if message is not None:
            yield Diagnostic("V114", f"'{name}' op {message}", parsed.written_at(op))
    if all_of.spaces:
        parsed.module.__class__ = module_with(frozenset(all_of.spaces.items()))


def _problem(op: Operation, declaration: Declaration) -> str | None:
    """Why DECLARATION cannot be what OP does; None if it can."""
    used = [*declaration.reads, *declaration.writes, *declaration.frees]
    if used and max(used) >= len(op.operands):
        count = len(op.operands)
        return f"has {counted(count, 'operand')}, but its operand {max(used)} is declared"
    if declaration.once and not op.regions:
        return "has no region, but is declared to run it"
    return None


def _declare(op: Operation, declaration: Declaration, context: Context, make: Maker) -> str | None:
    """Have OP do what DECLARATION says; returns why it cannot."""
    like = None
    if declaration.like is not None:
        like = context.get_optional_op(declaration.like)
        if like is None or issubclass(like, UnregisteredOp):
            return f"is declared to be as {declaration.like}, which no dialect defines"
    before = type(op)
    declare(op, declaration, like, make)
    wrong = _unlike(op)
    if wrong is None:
        return None
    op.__class__ = before
    return f"cannot be as {declaration.like}: {wrong}"


def _unlike(op: Operation) -> str | None:
    """Why OP cannot be like the other operation that it is declared to be like, if it is."""
    if not isinstance(op, LikeAnother):
        return None
    try:
        found = misfit(op.stand_in, {})
        problems = () if found is not None else questions.problems(op.stand_in) or ()
    except ValueError as error:
        return str(error)
    return found or next((problem.message for problem in problems), None)
