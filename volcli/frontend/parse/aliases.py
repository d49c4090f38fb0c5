"""Aliases: `#map = affine_map<...>` above the module, `#map` where it is used."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

_REFERENCE = re.compile("\0(\\d+)\0")
# The lexer takes these characters for one name, so that `#a->` would be a name too.
_NAME = re.compile(r"[#!][\w$.-]+", re.ASCII)
_DEFINITION = re.compile(r"([#!][\w$.-]+)\s*=\s*(.*)", re.ASCII | re.DOTALL)


class AliasTable:
    """The attributes that get an alias in print, in the order of their uses.

    While the text is printed, a number between NUL characters, which no MLIR has outside of strings, stands
    for an alias; its name is known at the end, since mlir-opt numbers aliases by their first use, and an
    operation in generic form uses its regions first, then its types, and its attributes last.
    """

    def __init__(self) -> None:
        self._bodies: dict[str, int] = {}
        self._uses: list[int] = []
        self._counting = True

    def reference(self, body: str) -> str:
        """What stands in the text for the attribute whose text is BODY."""
        index = self._bodies.setdefault(body, len(self._bodies))
        if self._counting:
            self._uses.append(index)
        return f"\0{index}\0"

    @contextmanager
    def uncounted(self) -> Generator[None]:
        """Meanwhile, a use does not give an attribute an alias, but takes the one that it has elsewhere."""
        before, self._counting = self._counting, False
        yield
        self._counting = before

    def position(self) -> int:
        """How many uses there were so far."""
        return len(self._uses)

    def forget(self, position: int) -> None:
        """Take back the uses since POSITION."""
        del self._uses[position:]

    def reorder(self, position: int, spans: Sequence[tuple[int, int]]) -> None:
        """Of the uses since POSITION, those in SPANS come first."""
        first = [index for start, end in spans for index in self._uses[start:end]]
        moved = {i for start, end in spans for i in range(start, end)}
        rest = [self._uses[i] for i in range(position, len(self._uses)) if i not in moved]
        self._uses[position:] = first + rest

    def resolve(self, text: str, written: Iterable[str]) -> str:
        """TEXT with the names of its aliases, below their definitions.

        Text that was carried over verbatim may use the definitions WRITTEN in the input: those that it does
        use stay as they were, and their names stand for nothing else.
        """
        kept = _used_definitions(text, list(written))
        names, taken = _written_names(kept), {name for name, _ in kept}
        definitions = [definition for _, definition in kept]
        bodies, uses = list(self._bodies), list(dict.fromkeys(self._uses))
        for kind in ("map", "set"):
            number = 0
            for index in uses:
                body = bodies[index]
                if not body.startswith(f"affine_{kind}<") or body in names:
                    continue
                while (name := f"#{kind}{number or ''}") in taken:
                    number += 1
                number += 1
                names[body] = name
                definitions.append(f"{name} = {body}")
        resolved = _REFERENCE.sub(lambda m: names.get(body := bodies[int(m[1])], body), text)
        return "".join(f"{definition}\n" for definition in definitions) + resolved


def _used_definitions(text: str, written: Sequence[str]) -> list[tuple[str, str]]:
    """Of definitions WRITTEN, in their order: name and text of those that TEXT, or one of these, names."""
    used = set(_NAME.findall(text))
    kept: list[tuple[str, str]] = []
    for definition in reversed(written):
        match = _DEFINITION.match(definition)
        if match is None:
            kept.append(("", definition))
        elif match[1] in used:
            used.update(_NAME.findall(match[2]))
            kept.append((match[1], definition))
    return kept[::-1]


def _written_names(kept: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The name for each body that the input itself defines, in our spelling of it."""
    matches = [match for _, definition in kept if (match := _DEFINITION.match(definition))]
    return {match[2].strip(): match[1] for match in matches if match[2].startswith("affine_")}
