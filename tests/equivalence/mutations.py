"""Programs with one error each in their arithmetic: operands, constants, predicates, flags, casts, signs.

    %r = arith.shrsi %a, %b : i32       "operands exchanged": arith.shrsi %b, %a;  "operation": arith.shrui %a, %b

Each is a text in which one place is another one. Some compute the same, as where the result is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.equivalence.kinds import KINDS
from tests.equivalence.levels import PAIRS
from tests.equivalence.test_refining import PAIRS as REFINING

Change = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True)
class Mutated:
    """A program, and what it has become by an error at a place."""

    name: str
    before: str
    after: str


def _exchanged(match: re.Match[str]) -> str | None:
    one, other = match["one"], match["other"]
    return None if one == other else f"{match['head']}{other}, {one}"


def _other(words: Mapping[str, str]) -> Change:
    return lambda match: words.get(match[0])


def _constant(match: re.Match[str]) -> str:
    number = match["number"]
    if number in ("true", "false"):
        return match["head"] + ("false" if number == "true" else "true")
    if "." not in number:
        return f"{match['head']}{int(number) + 1}"
    return f"{match['head']}{-float(number)!r}"


def _next_constant(match: re.Match[str]) -> str | None:
    number = match["number"]
    return f"{match['head']}{float(number) + 1.0!r}" if "." in number else None


_OPERATIONS = {
    "addi": "subi", "subi": "addi", "muli": "addi", "andi": "ori", "ori": "xori", "xori": "andi",
    "shli": "shrui", "shrui": "shrsi", "shrsi": "shrui", "divsi": "divui", "divui": "divsi", "remsi": "remui",
    "remui": "divui", "maxsi": "maxui", "minsi": "maxsi", "maxui": "minui", "minui": "minsi",
    "addf": "subf", "subf": "addf", "mulf": "divf", "divf": "mulf", "maximumf": "minimumf",
    "minimumf": "minnumf", "maxnumf": "maximumf", "minnumf": "maxnumf",
    "extsi": "extui", "extui": "extsi", "sitofp": "uitofp", "uitofp": "sitofp", "fptosi": "fptoui",
    "index_cast": "index_castui", "index_castui": "index_cast",
}  # fmt: skip
_OF_TENSORS = {
    "tosa.add": "tosa.sub", "tosa.sub": "tosa.add", "tosa.maximum": "tosa.minimum", "tosa.minimum": "tosa.maximum",
    "tosa.bitwise_and": "tosa.bitwise_xor", "tosa.greater ": "tosa.greater_equal ", "tosa.exp": "tosa.tanh",
    "tosa.reduce_sum": "tosa.reduce_product", "math.exp ": "math.exp2 ", "linalg.sub": "linalg.add",
    "linalg.div": "linalg.mul", "linalg.exp": "linalg.tanh", "pooling_nhwc_max": "pooling_nhwc_min",
}  # fmt: skip
_PREDICATES = {
    "slt": "sle", "sle": "slt", "sgt": "ugt", "sge": "sgt", "ult": "slt", "ule": "ult", "ugt": "uge", "uge": "ugt",
    "eq": "ne", "ne": "eq", "olt": "ole", "ole": "ule", "ogt": "oge", "oge": "ogt", "ult,": "olt,", "oeq": "ueq",
    "one": "une", "une": "one", "ueq": "oeq", "ord": "uno", "uno": "ord", "true,": "false,",
}  # fmt: skip
_TWO = r"(?P<one>%\w+), (?P<other>%\w+)"
_ORDERED = "subi|subf|divf|shli|shrui|shrsi|divsi|divui|remsi|remui|cmpi \\w+,|cmpf \\w+,"
CHANGES: Mapping[str, tuple[str, Change]] = {
    "operands exchanged": (rf"(?P<head>(?:arith\.(?:{_ORDERED})|tosa\.sub|tosa\.greater) ){_TWO}", _exchanged),
    "cases exchanged": (rf"(?P<head>(?:arith|tosa)\.select %\w+, ){_TWO}", _exchanged),
    "operation": (r"(?<=arith\.)\w+", _other(_OPERATIONS)),
    "operation of tensors": ("|".join(map(re.escape, _OF_TENSORS)), _other(_OF_TENSORS)),
    "predicate": (r"(?<=arith\.cmp[if] )\w+", _other(_PREDICATES)),
    "constant": (r"(?P<head>arith\.constant (?:dense<)?)(?P<number>-?\d+(?:\.\d+)?|true|false)\b", _constant),
    "beginning of a global": (r"(?P<head>memref\.global .*dense<\[?)(?P<number>-?\d+)\b", _constant),
    "other constant": (r"(?P<head>arith\.constant (?:dense<)?)(?P<number>-?\d+\.\d+)\b", _next_constant),
    "flag of integers": (r"(?<=arith\.)(?:addi|subi|muli|shli) %\w+, %\w+(?= :)", lambda m: f"{m[0]} overflow<nsw>"),
    "flag of floats": (r"(?<=arith\.)(?:addf|subf|mulf|divf|negf) %\w+(?:, %\w+)?(?= :)", lambda m: f"{m[0]} fastmath<nnan>"),
}  # fmt: skip
"""What is put in the place of what; None: nothing is."""
_NEGATED = re.compile(r"(?P<result>%\w+) = (?:arith\.negf|math\.absf) (?P<operand>%\w+) : .*\n")


def programs() -> dict[str, str]:
    """The programs that errors are put into: what is on the left of the pairs of each kind and each level."""
    found = {name: before for name, (before, _, _) in KINDS.items()}
    found |= {f"levels: {name}": before for name, (before, _, _) in PAIRS.items()}
    return found | {f"refining: {name}": before for name, (_, before, _) in REFINING.items()}


def mutants_of(name: str, text: str) -> Iterator[Mutated]:
    """TEXT with each error that it can have, one at a time."""
    for kind, (pattern, change) in CHANGES.items():
        for number, match in enumerate(re.finditer(pattern, text)):
            found = change(match)
            if found is not None:
                after = text[: match.start()] + found + text[match.end() :]
                yield Mutated(f"{name}: {kind} {number}", text, after)
    for match in _NEGATED.finditer(text):
        rest = text[: match.start()] + text[match.end() :]
        dropped = re.sub(rf"{match['result']}\b", match["operand"], rest)
        yield Mutated(f"{name}: dropped {match['result']}", text, dropped)


def all_mutants() -> list[Mutated]:
    """All of them, those of one text once."""
    seen: dict[tuple[str, str], Mutated] = {}
    for name, text in programs().items():
        for each in mutants_of(name, text):
            seen.setdefault((each.before, each.after), each)
    return list(seen.values())
