"""What makes the operations of a program invalid, and which of them are asked nothing from then on.

An operation is refused (`interface.refused`) if it is malformed, has a problem of structure, or stands where
it cannot, and if one of its regions ends with such an operation: the cases of a loop rely on what its body
yields. So is one whose case of `problems` fails: whether it is valid is unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.frontend.check.wellformed import ill_formed
from volcli.frontend.parse.opaque import OpaqueOperation, has_body
from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.interface import operation_name, refused
from volcli.model.symbols import beside_functions, functions


def problems_in(parsed: ParsedModule, known: Collection[str], whole: Collection[str]) -> Iterator[Diagnostic]:
    """What makes operations invalid: of any dialect, and as far as their own says (`questions.problems`).

    KNOWN are the dialects with cases; of the WHOLE ones every operation is known.
    """
    broken: list[Operation] = []
    for op, message, culprit in ill_formed(parsed.module):
        broken.append(culprit)
        yield Diagnostic("V110", message, parsed.written_at(op))
    if "volcli.assume" in parsed.source.text:
        from volcli.model.values.terms.assumptions import problems_of

        for op in functions(parsed.module):
            for message in problems_of(op):
                yield Diagnostic("V111", message, parsed.written_at(op))
    if "volcli.domain" in parsed.source.text:
        from volcli.model.volumes.domains.given_texts import misplaced
        from volcli.model.volumes.domains.given_texts import problems_of as problems_of_domains

        for op in functions(parsed.module):
            for message in problems_of_domains(op, parsed.names.of):
                yield Diagnostic("V112", message, parsed.written_at(op))
        for op in parsed.module.walk():
            for message in misplaced(op):
                yield Diagnostic("V112", message, parsed.written_at(op))
    if "volcli.facts" in parsed.source.text:
        yield from _problems_of_facts(parsed)
    for op in beside_functions(parsed.module):
        message = f"'{operation_name(op)}' op stands beside functions and is not analysed"
        yield Diagnostic("V309", message, parsed.written_at(op))
    if (unread := _unread_body(parsed)) is not None:
        message = (
            f"nothing in the file was analysed: the body of '{operation_name(unread)}' could not be read"
        )
        yield Diagnostic("V108", message, parsed.written_at(unread))
    for op in parsed.module.walk():
        yield from _problems_of_one(parsed, op, known, whole, broken)
    for op in broken:
        _refuse(op)


def _problems_of_facts(parsed: ParsedModule) -> Iterator[Diagnostic]:
    """What is wrong with the facts that attributes state."""
    from volcli.model.volumes.domains.given import ATTRIBUTE, problems_of
    from volcli.model.volumes.domains.given_texts import misplaced

    for op in functions(parsed.module):
        for message in problems_of(op, parsed.names.of):
            yield Diagnostic("V113", message, parsed.written_at(op))
    for op in parsed.module.walk():
        for message in misplaced(op, ATTRIBUTE, "is for an argument of a function; --given is for any value"):
            yield Diagnostic("V113", message, parsed.written_at(op))


def _problems_of_one(
    parsed: ParsedModule,
    op: Operation,
    known: Collection[str],
    whole: Collection[str],
    broken: list[Operation],
) -> Iterator[Diagnostic]:
    """What is wrong with OP itself, which is then BROKEN."""
    name = operation_name(op)
    dialect = name.partition(".")[0]
    if (message := parsed.malformed.get(op)) is not None:
        # The definitions of dialects that only xDSL has may be older than LLVM 22: OP is merely unknown.
        if dialect == "builtin" or dialect in known:
            broken.append(op)
            yield Diagnostic("V110", f"'{name}' op {message}", parsed.written_at(op))
    elif isinstance(op, UnregisteredOp) and (message := _unknown(op, whole)) is not None:
        yield Diagnostic("V110", message, parsed.written_at(op))
    for problem in questions.problems(op) or ():
        code = "V201" if problem.kind == "shape" else "V110"
        if problem.kind == "structure":
            broken.append(op)
        yield Diagnostic(code, f"'{name}' op {problem.message}", parsed.written_at(op))
    if questions.problems.failure(op) is not None:
        broken.append(op)


def _unread_body(parsed: ParsedModule) -> OpaqueOperation | None:
    """An operation whose body stayed text, if the program has no function that was read."""
    if next(functions(parsed.module), None) is not None:
        return None
    opaque = (op for op in parsed.module.walk() if isinstance(op, OpaqueOperation) and not op.regions)
    return next((op for op in opaque if has_body("".join(op.strings("text")))), None)


def _refuse(op: Operation) -> None:
    """OP has no answers, nor has an operation of which a region ends with it."""
    current: Operation | None = op
    while current is not None and not isinstance(current, FuncOp | ModuleOp):
        refused.add(current)
        block = current.parent
        current = block.parent_op() if block is not None and block.last_op is current else None


def _unknown(op: UnregisteredOp, whole: Collection[str]) -> str | None:
    """That a dialect of which every operation is known has none of this name; None if OP is of another."""
    name = op.op_name.data
    dialect = name.partition(".")[0]
    if dialect not in whole:
        return None
    if isinstance(op, OpaqueOperation):
        return f"custom op '{name}' is unknown"
    where = f"found in dialect ('{dialect}') that does not allow unknown operations"
    return f"unregistered operation '{name}' {where}"
