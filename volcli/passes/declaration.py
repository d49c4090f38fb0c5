"""What a pass is: a frozen dataclass of options that reads (or rewrites) a unit and leaves facts about it."""

from __future__ import annotations

import dataclasses
import typing
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")
"""What a pass is applied to: see `volcli.passes.base.Unit`."""


class DeclaredPass(ABC, Generic[U]):
    """One analysis or rewriting of a unit. A subclass is a frozen dataclass whose fields are its options.

    The fields are the only place where options are spelled: the pipeline's text, `volcli passes`,
    docs/passes.md and the tests all read them. A field is a bool, an int, a str or a tuple[str, ...], with a
    default:

        @dataclass(frozen=True)
        class InferShapes(Pass):
            name = "infer-shapes"
            summary = "dimensions of results, from those of the operands"
            refine_types: bool = option(False, help="write proved dimensions into the types")

    is `infer-shapes{refine-types}` in a pipeline.
    """

    name: ClassVar[str]
    """The name in pipelines: mlir-opt's where the pass does what mlir-opt's does."""
    summary: ClassVar[str]
    """One line for `volcli passes`; the class's docstring tells the rest."""
    rewrites: ClassVar[bool] = False
    """Whether the pass may change the IR (its options may decide: `changes`)."""
    wants: ClassVar[str] = ""
    """What a pass that may change the IR looks for: a remark says so where it changes nothing (V310)."""
    by_function: ClassVar[bool] = False
    """Whether what the pass says of a function does not depend on which others it is shown."""

    @property
    def changes(self) -> bool:
        """Whether the pass, with its options, may change the IR."""
        return self.rewrites

    @abstractmethod
    def apply(self, unit: U) -> None:
        """Append facts and diagnostics to UNIT; a pass that changes the IR also sets `unit.rewritten`."""

    def __str__(self) -> str:
        """This pass as a pipeline spells it, with the options that differ from their defaults."""
        spelled = [o.spell(getattr(self, o.field)) for o in options_of(type(self)) if o.differs(self)]
        return self.name + (f"{{{' '.join(spelled)}}}" if spelled else "")


def option(default: T, *, help: str) -> T:
    """A pass's option: the dataclass field with this default, and one line of help."""
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Option:
    """An option of a pass, as read from its dataclass field."""

    name: str
    field: str
    kind: str
    default: object
    help: str

    def differs(self, owner: object) -> bool:
        """Whether OWNER's value is not the default."""
        return getattr(owner, self.field) != self.default

    def spell(self, value: object) -> str:
        """The option with VALUE as text that the pipeline parser reads back."""
        if self.kind == "bool":
            return self.name if value else f"{self.name}=false"
        if self.kind == "list":
            return f"{self.name}={','.join(map(_item, typing.cast(Sequence[str], value)))}"
        return f"{self.name}={_quoted(str(value))}"


_KINDS: dict[Any, str] = {bool: "bool", int: "int", str: "str", tuple[str, ...]: "list"}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.%#@$:/*<>!^")


@cache
def options_of(kind: type) -> tuple[Option, ...]:
    """The options of the pass KIND, in the order of its fields.

    Raises TypeError if a field is of a type that a pipeline's text cannot express: an error of the pass's
    author, which the tests find.
    """
    if not dataclasses.is_dataclass(kind):
        return ()
    types = typing.get_type_hints(kind)
    found: list[Option] = []
    for each in dataclasses.fields(kind):
        if types[each.name] not in _KINDS:
            raise TypeError(f"{kind.__name__}.{each.name}: an option is bool, int, str or tuple[str, ...]")
        name = each.name.replace("_", "-")
        help = str(each.metadata.get("help", ""))
        found.append(Option(name, each.name, _KINDS[types[each.name]], each.default, help))
    return tuple(found)


def _item(word: str) -> str:
    """WORD as an item of a list: in quotes, if it could be the name of the next option."""
    quoted = _quoted(word)
    return f"'{word}'" if quoted == word and word[:1].isalpha() else quoted


def _quoted(text: str) -> str:
    """TEXT, in quotes unless every character is plain; a text with both kinds of quote cannot be spelled."""
    if text and set(text) <= _PLAIN:
        return text
    quote = '"' if '"' not in text else "'"
    return f"{quote}{text}{quote}"
