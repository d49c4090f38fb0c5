"""What a finding rests on: the one record from which its identity and its explanation are read.

A finding F is said because of operations and assumptions, its *grounds* g1, ..., gn. g1 is the operation that
it is about, and the others are

- *evidence*: what makes F true by being as it is. The other access of a race, the operation that freed the
  memory, an assumption. The reason of F is a digest of its evidence, without names and lines.
- *context*: what F's message already gives the sum of, as sets and numbers. The loops around g1, and the
  writes that leave an element uninitialized. That a write became another one, which leaves the same elements
  uninitialized, does not change F.
- *called*: private functions that g1 calls, directly or not. What is known of them rests on what g1 passes.

Invariant: two findings that are matched by g1, and whose messages have the same sets and numbers and whose
reasons are equal, state the same of the program. States since a baseline, of a finding that is matched:
*known* if these are equal and it is where it was, else *changed* (`records/since.py`); one that is not
matched is *new*, or *fixed*.

A ground is in the same file as its finding. What a result is read from besides, the texts, settings and
versions, is the key under which it is kept (`work/cache.py`), so nothing else has to be compared there; and
what is kept of one function alone has all its grounds there (`work/assembling.py`).

>>> freed, freed_later = (Ground("freed here", "5f", line, 3, 3) for line in (7, 9))
>>> reason([Ground(), freed]) == reason([Ground(), freed_later])
True
>>> reason([Ground(), freed]) == reason([Ground(), Ground(LOOP, "5f", 7, 3, 3)])
False
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

LOOP = "the loop is here"
WRITTEN = "other elements are written here"
CALLED = "called from here"
ASSUMED = "assumed"
DUMP = "in the dump"
"""And of which pass."""
CONTEXT = (LOOP, WRITTEN, DUMP)
_NAME = re.compile(r"[%@](?:\"[^\"]*\"|[\w$.-]+)(?:#\d+)?")


@dataclass(frozen=True)
class Ground:
    """One of them: what it is `said` to be, "" for the operation that the finding is about.

    `content` is the number of the operation, without names, lines, and, if the finding is about another one,
    operands; of an assumption, it is the assumption. `column` counts bytes, and `character` characters.
    """

    said: str = ""
    content: str = ""
    line: int | None = None
    column: int | None = None
    character: int | None = None
    function: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether it is a place beside that of the finding."""
        return bool(self.said) and self.line is not None and self.said != CALLED

    def moved(self, lines: int) -> Ground:
        """The same as many LINES further down."""
        return self if self.line is None else replace(self, line=self.line + lines)

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ground:
        """What `to_json` gave DATA of."""
        return cls(**data)


def reason(grounds: Iterable[Ground]) -> str:
    """The digest of the evidence in GROUNDS; "" without any."""
    evidence = [
        without_names(f"{each.said}\0{each.content}")
        for each in grounds
        if each.said not in ("", CALLED) and not each.said.startswith(CONTEXT)
    ]
    return hashlib.blake2b("\0".join(evidence).encode(), digest_size=8).hexdigest() if evidence else ""


def without_names(text: str) -> str:
    """TEXT with one name in the place of all names of values and symbols, which may change.

    >>> without_names("%m[%i] of @f")
    '%[%] of %'
    """
    return _NAME.sub("%", text)
