"""Facts as discardable attributes on the operations, for tools that read the IR further.

Values are builtin attributes (strings, integers, arrays, dictionaries), so that mlir-opt accepts them
without flags. Where an operation has not just one result (several, or a function's arguments),
the attribute is a dictionary by the value's name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation

from volcli.passes.base import Unit


@contextmanager
def with_attributes(unit: Unit) -> Generator[None, None, None]:
    """Within the block the operations of UNIT carry `volcli.<question>` attributes that say its facts.

    A fact that an annotation would not say (the shape of a static type) is not an attribute either.
    """
    found: dict[Operation, dict[str, dict[str, Attribute]]] = defaultdict(lambda: defaultdict(dict))
    for fact in unit.facts:
        op = unit.operation(fact.where)
        if op is not None and fact.annotation():
            value = str(fact.to_json().get("value", ""))
            found[op][fact.question][value] = attribute(fact.content())
    before = {op: dict(op.attributes) for op in found}
    for op, questions in found.items():
        for question, values in questions.items():
            is_one = len(op.results) == 1 or set(values) == {""}  # what is said of the operation has no value
            said = next(iter(values.values())) if is_one else DictionaryAttr(values)
            op.attributes[f"volcli.{question}"] = said
    try:
        yield
    finally:
        for op, attributes in before.items():
            op.attributes = attributes


def attribute(value: Any) -> Attribute:
    """A JSON value as a builtin attribute; null is the unit attribute.

    >>> str(attribute({"count": 4, "kind": "dense"}))
    '{count = 4 : i64, kind = "dense"}'
    """
    match value:
        case bool():
            return IntegerAttr(int(value), 1)
        case int():
            return IntegerAttr(value, i64)
        case str():
            return StringAttr(value)
        case Mapping():
            return DictionaryAttr({str(k): attribute(v) for k, v in value.items()})  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case list() | tuple():
            return ArrayAttr([attribute(v) for v in value])  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return UnitAttr()
