"""How many operands, results, regions and successors an operation has, and how many its definition asks for.

Of `operands = (a, variadic b, variadic c)`, with `operandSegmentSizes = [1, 2, 0]`:
b are the operands 1 and 2, and c is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    OptionalDef,
    VariadicDef,
)

from volcli.diagnostics.counted import counted


class Parts(NamedTuple):
    """One of the lists of an operation: its operands, results, regions or successors.

    There are LEAST of them if each variable part is empty, and MOST if each optional one is there (None: any
    number). SEGMENTS is the attribute that says how long each of several variable parts is.
    """

    noun: str
    parts: Sequence[tuple[str, Any]]
    segments: str | None
    least: int
    most: int | None


def parts_of(noun: str, parts: Sequence[tuple[str, Any]], segments: str | None) -> Parts:
    """The PARTS of an operation that are each a NOUN; SEGMENTS is the attribute with their lengths."""
    least = sum(not isinstance(part, VariadicDef) for _, part in parts)
    endless = any(is_endless(part) for _, part in parts)
    return Parts(noun, parts, segments, least, None if endless else len(parts))


def is_endless(part: object) -> bool:
    """Whether there may be any number of PART."""
    return isinstance(part, VariadicDef) and not isinstance(part, OptionalDef)


def count_problem(op: IRDLOperation, each: Parts, found: int) -> str | None:
    """That OP has too many or too few of EACH; FOUND many."""
    if found < each.least or (each.most is not None and found > each.most):
        return _wrong_count(each, found)
    if each.segments is not None:
        return _segment_problem(op, each, found)
    variable = len(each.parts) - each.least
    if variable > 1 and (found - each.least) % variable:
        return f"has {found - each.least} {each.noun}s for {variable} lists of the same size"
    return None


def _wrong_count(each: Parts, found: int) -> str:
    """The sentence of mlir-opt for FOUND many."""
    wanted, many = each.least, each.most != each.least
    if each.noun == "successor":
        return f"requires {counted(wanted, 'successor')} but found {found}"
    if many:
        wanted_text = f"{wanted} or more" if each.most is None else f"{wanted} to {each.most}"
    elif wanted == 0:
        return f"requires zero {each.noun}s"
    elif wanted == 1:
        return f"requires {'a single' if each.noun == 'operand' else 'one'} {each.noun}"
    else:
        wanted_text = str(wanted)
    behind = f", but found {found}" if each.noun == "operand" else ""
    return f"expected {wanted_text} {each.noun}s{behind}"


def _segment_problem(op: IRDLOperation, each: Parts, found: int) -> str | None:
    """That the attribute which says how long the parts of EACH are says something else."""
    name = each.segments or ""
    sizes = op.properties.get(name, op.attributes.get(name))
    numbers = () if sizes is None else _numbers(sizes)
    if numbers is None:
        return f"attribute '{name}' failed to satisfy constraint: i32 dense array attribute"
    if sizes is not None and len(numbers) != len(each.parts):
        wanted = f"must have {len(each.parts)} elements, but got {len(numbers)}"
        return f"'{name}' attribute for specifying {each.noun} segments {wanted}"
    if any(number < 0 for number in numbers):
        return f"'{name}' attribute cannot have negative elements"
    if sum(numbers) != found:
        total = f"the total size ({sum(numbers)}) specified in attribute '{name}'"
        return f"{each.noun} count ({found}) does not match with {total}"
    for index, ((_, part), number) in enumerate(zip(each.parts, numbers, strict=True)):
        least, most = not isinstance(part, VariadicDef), not is_endless(part)
        if number < least or (most and number > 1):
            wanted = "1 element" if least else "0 or 1 element"
            start = sum(numbers[:index])
            return f"{each.noun} group starting at #{start} requires {wanted}, but found {number}"
    return None


def segments_of(op: IRDLOperation, each: Parts) -> Sequence[int]:
    """How long each part of EACH is; empty if OP does not say."""
    if each.segments is None:
        return ()
    return _numbers(op.properties.get(each.segments) or op.attributes[each.segments]) or ()


def _numbers(sizes: Attribute) -> Sequence[int] | None:
    """The numbers of `array<i32: ...>`."""
    if not isinstance(sizes, DenseArrayBase):
        return None
    array = cast("DenseArrayBase[IntegerType]", sizes)
    return array.get_values() if array.elt_type == i32 else None


def shared_out(op: IRDLOperation, each: Parts, found: int) -> Iterator[tuple[str, Any, int, int]]:
    """Per part of EACH, whose counts are right: its name, its definition, and where it begins and ends."""
    numbers = segments_of(op, each)
    variable = len(each.parts) - each.least
    size = (found - each.least) // variable if variable else 0
    start = 0
    for index, (name, part) in enumerate(each.parts):
        count = numbers[index] if numbers else size if isinstance(part, VariadicDef) else 1
        yield name, part, start, start + count
        start += count
