"""Sets and relations as LaTeX, which notebooks typeset."""

from __future__ import annotations

import re

_SYMBOLS = {
    "<=": r"\le ",
    ">=": r"\ge ",
    "!=": r"\ne ",
    "->": r"\to ",
    "and": r"\wedge ",
    "or": r"\vee ",
    "not": r"\neg ",
    "exists": r"\exists ",
    "mod": r"\bmod ",
    "*": r"\cdot ",
    "{": r"\{\,",
    "}": r"\,\}",
    "%": r"\%",
    ";": r";\ ",
}
_TOKEN = re.compile(r"floor\(\((?P<top>[^()]*)\)/(?P<bottom>\d+)\)|[<>!]=|->|[A-Za-z_][\w.$']*|\d+|\S|\s+")


def latex(text: str) -> str:
    r"""TEXT, a set or a relation in isl's notation, between dollars.

    >>> latex("{ act0[n, h] : 0 < h <= 254 and n mod 2 = 0 }")
    '$\\{\\,\\mathit{act0}[n, h] : 0 < h \\le 254 \\wedge n \\bmod 2 = 0 \\,\\}$'
    >>> latex("{ t[i] -> s[floor((i + 1)/2)] }")
    '$\\{\\,t[i] \\to s[\\lfloor \\frac{i + 1}{2} \\rfloor] \\,\\}$'
    """
    return f"${''.join(map(_token, _TOKEN.finditer(text)))}$".replace("  ", " ").replace("\\, ", "\\,")


def _token(found: re.Match[str]) -> str:
    word = found.group()
    if found["bottom"] is not None:
        top = latex(found["top"]).strip("$")
        return rf"\lfloor \frac{{{top}}}{{{found['bottom']}}} \rfloor"
    if word in _SYMBOLS:
        return _SYMBOLS[word]
    if word.isspace():
        return " "
    if word[0].isalpha() and len(word.rstrip("'")) > 1:
        return rf"\mathit{{{word.replace('_', chr(92) + '_').replace('$', chr(92) + '$')}}}"
    return word
