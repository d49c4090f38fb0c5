"""Comments that speak to the gate, `// volcli: ignore V203 ...`, told from annotations and from mistakes.

Annotations of volcli have the same prefix, so a comment is a mistake only if it is unlike each annotation:
its first word is nearly a directive, or means one, or stands before a code (`// volcli: disable V203`).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

DIRECTIVES = ("expect", "ignore", "ignore-file")
EXPECTED = ("bound", "in-bounds", "parallel", "reduction", "independent", "regions")
"""What may be expected: the first words after `expect`."""
_SPOKEN = re.compile(r"//\s*volcli(?P<colon>\s*:)?\s*(?P<word>[A-Za-z][\w-]*)(?![\w.-])[ \t]*(?P<text>.*)")
_CODE = re.compile(r"V\d{1,3}(?!\w)", re.IGNORECASE)
_MEANT = {
    **dict.fromkeys(("disable", "suppress", "silence", "skip", "allow", "noqa", "nolint"), "ignore"),
    **dict.fromkeys(("disable-file", "ignore-all", "skip-file", "suppress-file"), "ignore-file"),
    **dict.fromkeys(("assert", "require", "requires", "check", "verify", "prove", "assume"), "expect"),
}
_NEAR = 0.75


@dataclass(frozen=True)
class Spoken:
    """What a comment says: a directive of some KIND, or, with a MISTAKE, what was perhaps meant."""

    kind: str
    text: str
    mistake: str | None = None


def spoken(comment: str) -> Spoken | None:
    """The directive that COMMENT is, or is nearly; None for any other comment.

    >>> spoken("// volcli:ignore-file V203 because")
    Spoken(kind='ignore-file', text='V203 because', mistake=None)
    >>> spoken("// volcli: expcet in-bounds").mistake
    "no directive 'expcet': did you mean 'expect in-bounds'?"
    >>> spoken("// volcli: shape %a: 4"), spoken("// volcli: in the order 1, 2"), spoken("// volcli is fine")
    (None, None, None)
    """
    found = _SPOKEN.match(comment)
    if found is None:
        return None
    word, text = found["word"], found["text"].strip()
    if found["colon"] is None:
        kind = _meant(word, text)
        is_meant = kind is not None and (_CODE.match(text) or text.startswith(EXPECTED))
        return Spoken(kind or "", text, f"write '// volcli: {kind} {text}'") if is_meant else None
    if word in DIRECTIVES:
        return Spoken(word, text)
    kind = _meant(word, text)
    if kind is None:
        return None
    meant = f"{kind} {word} {text}" if word in EXPECTED else f"{kind} {text}"
    return Spoken(kind, text, f"no directive '{word}': did you mean '{meant.strip()}'?")


def _meant(word: str, text: str) -> str | None:
    """The directive that WORD, with TEXT after it, may stand for."""
    if word in EXPECTED and word != "regions":  # `regions %a: ...` is an annotation
        return "expect"
    lower = word.lower()
    if lower in _MEANT:
        return _MEANT[lower]
    near = difflib.get_close_matches(lower, DIRECTIVES, n=1, cutoff=_NEAR)
    return near[0] if near else "ignore" if _CODE.match(text) else None
