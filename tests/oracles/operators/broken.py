"""Invalid programs of tensor operations: one number, list, size, rank or element type of an operation is changed.

    broken(random.Random(0), "%v0 = stablehlo.transpose %x, dims = [1, 0] : ...") may be "... dims = [1, 5] ..."

Most mutants are invalid, some are valid programs of something else: all are to be answered or refused with a place.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Iterator

from click.testing import CliRunner

from volcli.cli import commands

_NUMBER = re.compile(r"(?<![\w%.#])-?\d+(?![\w.])")
_LIST = re.compile(r"\[([^\[\]<>()]*)\]|(?<=: )(-?\d+(?:, -?\d+)*)(?=>)")
_TYPE = re.compile(r"tensor<((?:\d+x)*)([^<>]+(?:<[^<>]*>)?)>")
_KINDS = ("f32", "i32", "i1", "i8", "f16", "index", "ui8", "complex<f32>")

Change = Callable[[random.Random, str], str]


def _somewhere(pattern: re.Pattern[str], new: Callable[[random.Random, re.Match[str]], str]) -> Change:
    """A change of one match of PATTERN, if there is any."""

    def change(chance: random.Random, line: str) -> str:
        found = list(pattern.finditer(line))
        if not found:
            return line
        match = chance.choice(found)
        return line[: match.start()] + new(chance, match) + line[match.end() :]

    return change


def _number(chance: random.Random, match: re.Match[str]) -> str:
    old = int(match.group())
    return str(chance.choice((old + 1, old - 1, -old, 0, 7, -1, 1 << 40)))


def _listed(chance: random.Random, match: re.Match[str]) -> str:
    text = match.group(1) if match.group(1) is not None else match.group(2)
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    place = chance.randrange(len(parts) + 1)
    change = chance.choice(("less", "more", "none", "reversed", "twice"))
    if change == "less":
        parts = [*parts[:place], *parts[place + 1 :]]
    elif change == "more":
        parts.insert(place, str(chance.randint(-1, 3)))
    elif change == "none":
        parts = []
    elif change == "reversed":
        parts.reverse()
    else:
        parts = parts + parts
    text = ", ".join(parts)
    return f"[{text}]" if match.group(1) is not None else text


def _typed(chance: random.Random, match: re.Match[str]) -> str:
    sizes, kind = match.group(1).split("x")[:-1], match.group(2)
    place = chance.randrange(len(sizes) + 1)
    change = chance.choice(("less", "more", "size", "kind", "dynamic"))
    if change == "kind" or not sizes:
        kind = chance.choice(_KINDS)
    elif change == "less":
        sizes = [*sizes[:place], *sizes[place + 1 :]] if place < len(sizes) else sizes[1:]
    elif change == "more":
        sizes.insert(place, str(chance.randint(0, 3)))
    else:
        sizes[place % len(sizes)] = "?" if change == "dynamic" else str(chance.randint(0, 9))
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{kind}>"


CHANGES: tuple[Change, ...] = (
    _somewhere(_NUMBER, _number),
    _somewhere(_LIST, _listed),
    _somewhere(_TYPE, _typed),
    _somewhere(_TYPE, _typed),
)


def _retyped(chance: random.Random, lines: list[str]) -> list[str]:
    """LINES with another type of one value: on each line that names it, or returns it."""
    place = chance.randrange(len(lines))
    found, named = list(_TYPE.finditer(lines[place])), re.findall(r"%\w+", lines[place])
    if not found or not named:
        return lines
    match, name = chance.choice(found), re.compile(rf"{chance.choice(named)}\b")
    new = _typed(chance, match)
    uses = [k for k, line in enumerate(lines) if name.search(line)]
    is_result = any(lines[k].lstrip().startswith("return") for k in uses)
    uses += [0] if is_result else []
    return [line.replace(match.group(), new) if k in uses else line for k, line in enumerate(lines)]


def broken(chance: random.Random, text: str) -> str:
    """TEXT, in which one operation is changed, or the type of one value."""
    lines = text.split("\n")
    if chance.random() < 0.4:
        return "\n".join(_retyped(chance, lines))
    places = [k for k, line in enumerate(lines) if " = " in line]
    for _ in range(20):
        place = chance.choice(places)
        new = chance.choice(CHANGES)(chance, lines[place])
        if new != lines[place]:
            return "\n".join([*lines[:place], new, *lines[place + 1 :]])
    return text


def failures(text: str) -> Iterator[str]:
    """What is wrong with volcli, as TEXT shows: an internal error, an exception or a warning of Python."""
    for arguments in (["analyze", "--confirm", "-"], ["run", "--input", "iota", "-"]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ran = CliRunner().invoke(commands.volcli, arguments, input=text)
        if ran.exception is not None and not isinstance(ran.exception, SystemExit):
            yield f"{arguments[0]}: {ran.exception!r}"
        yield from (f"{arguments[0]}: {line}" for line in ran.output.splitlines() if "V900" in line)
