"""Resources: constants that stand at the end of a file, under the names that operations use.

    %c = arith.constant dense_resource<weights> : tensor<2xf32>
    {-# dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } } #-}

The first four bytes state how the others, which are the elements, are aligned; the lowest byte is the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

_PIECE = re.compile(r'"((?:[^"\\]++|\\.)*+)"|([A-Za-z_][\w.$-]*+)|([{}:])')


class ResourceTable:
    """The resources of a file: `sections` are the texts `{-# ... #-}`, which are read when one is asked for.

    >>> table = ResourceTable(['{-# dialect_resources: {builtin: {w: "0x04000000807F"}} #-}'])
    >>> table.elements("w"), table.elements("v")
    (b'\\x80\\x7f', None)
    """

    def __init__(self, sections: list[str]) -> None:
        self.sections = sections

    def elements(self, key: str) -> bytes | None:
        """The bytes of the elements called KEY; None: no section has them. Raises ValueError for no bytes."""
        text = self.text(key)
        if text is None:
            return None
        if not text.startswith("0x"):
            raise ValueError("it does not begin with 0x")
        found = bytes.fromhex(text[2:])
        alignment = int.from_bytes(found[:4], "little")
        if len(found) < 4 or alignment & (alignment - 1) or not alignment:
            raise ValueError("its first four bytes are not an alignment, which is a power of two")
        return found[4:]

    def text(self, key: str) -> str | None:
        """What stands in the file for KEY."""
        return self._texts.get(str(key))

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """The text of each resource of the dialect builtin, by its name."""
        found: dict[str, str] = {}
        for section in self.sections:
            path: list[str] = []
            name = ""
            for string, word, mark in _PIECE.findall(section[3:-3]):
                if mark == "{":
                    path.append(name)
                elif mark == "}":
                    path = path[:-1]
                elif mark == ":":
                    continue
                elif path == ["dialect_resources", "builtin"] and string.startswith("0x"):
                    found[name] = string
                    name = ""
                else:
                    name = word or string
        return found


class ResourceKey(str):
    """The name of a resource, which knows the resources of its file.

    Of two files, it is the same name where they have the same elements for it, or neither has any.

    >>> one, other = (
    ...     ResourceTable([f'{{-# dialect_resources: {{builtin: {{w: "{t}"}}}} #-}}']) for t in ("0x1", "0x2")
    ... )
    >>> ResourceKey("w", one) == ResourceKey("w", one), ResourceKey("w", one) == ResourceKey("w", other)
    (True, False)
    """

    __slots__ = ("table",)
    __hash__ = str.__hash__

    table: ResourceTable

    def __new__(cls, name: str, table: ResourceTable) -> ResourceKey:
        key = super().__new__(cls, name)
        key.table = table
        return key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResourceKey) or self.table is other.table:
            return str.__eq__(self, other)
        return str.__eq__(self, other) and self.table.text(self) == other.table.text(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __getnewargs__(self) -> tuple[str, ResourceTable]:  # type: ignore[override]
        return str(self), self.table
