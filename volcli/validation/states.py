"""The program after each pass: whole, or made of what was printed of one function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.gate.work.pieces import FilePiece, pieces_of
from volcli.gate.work.splitting import ALIAS
from volcli.validation.dumps import Dump

_WHOLE = re.compile(r'^(?:"builtin\.module"|module)\b', re.MULTILINE)
_FOREIGN = re.compile(r"^\s*(?:%\S+ = )?\"?((?:llvm|spirv|emitc)\.[\w.]+)", re.MULTILINE)


class IncompleteDump(Exception):
    """A dump of one function, of which it is not known what it replaces."""


@dataclass(frozen=True)
class PassStep:
    """What one pass did: the program BEFORE and AFTER it. NUMBER counts the passes that printed it."""

    number: int
    title: str
    before: str
    after: str

    def foreign(self) -> str | None:
        """An operation of the dialects of other IRs that this pass made, as `llvm.func`."""
        before = set(_FOREIGN.findall(self.before))
        return next((name for name in _FOREIGN.findall(self.after) if name not in before), None)

    def changed(self) -> list[str] | None:
        """The functions that are not the same text, with all that they refer to; None: any may be another.

        Private functions that one program alone has are compared where they are called.

        >>> text = "func.func @f() {\\n  return\\n}\\nfunc.func @g() {\\n  return\\n}\\n"
        >>> PassStep(1, "pass", text, text.replace("@g() {", "@g() attributes {a} {")).changed()
        ['g']
        """
        before, after = pieces_of(self.before), pieces_of(self.after)
        if before is None or after is None:
            return None
        old, new = _functions(before), _functions(after)
        found: list[str] = []
        for symbol in {**old, **new}:
            both = [functions[symbol] for functions in (old, new) if symbol in functions]
            if len({each.key for each in both}) == 2 or (len(both) == 1 and not both[0].is_private):
                found.append(symbol.removeprefix("@").strip('"'))
        return found


def _functions(pieces: Sequence[FilePiece]) -> dict[str, FilePiece]:
    """The functions among PIECES, by symbol; what no function refers to is of no interest."""
    return {each.symbol: each for each in pieces if each.symbol}


def steps_of(text: str, dumps: Sequence[Dump]) -> Iterator[PassStep]:
    """The steps from the program TEXT through DUMPS. Raises IncompleteDump at one that cannot be placed."""
    for number, dump in enumerate(dumps, 1):
        if dump.failed:
            return
        after = dump.text if _WHOLE.search(dump.text) else _replaced(text, dump.text, number)
        yield PassStep(number, dump.title, text, after)
        text = after


def _replaced(text: str, function: str, number: int) -> str:
    """TEXT with the FUNCTION of its name in it; the aliases in front of that get names of their own."""
    own = _functions(pieces_of(function) or ())
    replaced = next((piece for piece in pieces_of(text) or () if piece.symbol in own), None)
    if replaced is None:
        named = next(iter(own), "of this name")
        raise IncompleteDump(f"the program has no function {named} to be replaced")
    aliases = [found[1] for line in function.split("\n") if (found := ALIAS.match(line))]
    for alias in sorted(aliases, key=len, reverse=True):
        function = re.sub(rf"{re.escape(alias)}(?![\w$.-])", f"{alias}_of_{number}", function)
    lines, whole = function.rstrip("\n").split("\n"), text.split("\n")
    first = own[replaced.symbol].first - 1
    return "\n".join([*lines[:first], *whole[: replaced.first - 1], *lines[first:], *whole[replaced.last :]])
