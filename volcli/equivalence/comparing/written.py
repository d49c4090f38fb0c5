"""Two operations that are not the same, in words: `arith.shli %a, %b` and `arith.shli %b, %a`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from volcli.language.interface import operation_name
from volcli.language.reads import rank_of

NameOf = Callable[[SSAValue], str]
Names = tuple[NameOf, NameOf]


def written(pair: tuple[Operation, Operation], names: Names | None) -> tuple[str, str]:
    """Both operations, with what they state of themselves if all else is the same."""
    plain = tuple(_text(op, None if names is None else names[k]) for k, op in enumerate(pair))
    if plain[0] != plain[1] or names is None:
        return plain[0], plain[1]
    one, other = (
        f"{text}{_stated(op, others)}" for text, op, others in zip(plain, pair, pair[::-1], strict=True)
    )
    return one, other


def _text(op: Operation, name_of: NameOf | None) -> str:
    if name_of is None or not op.operands:
        return operation_name(op)
    return f"{operation_name(op)} {', '.join(map(name_of, op.operands))}"


def _stated(op: Operation, other: Operation) -> str:
    """What OP states, and OTHER does not: attributes, and types of scalars."""
    mine, theirs = ({**each.properties, **each.attributes} for each in (op, other))
    found = [f"{name} = {value}" for name, value in mine.items() if theirs.get(name) != value]
    found += [
        str(v.type)
        for v, w in zip(op.results, other.results, strict=False)
        if v.type != w.type and not rank_of(v)
    ]
    return f" {{{', '.join(found)}}}" if found else ""
