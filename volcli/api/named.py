"""What a person names on the command line: a number, a value, a tile, in whichever function has it."""

from __future__ import annotations

from collections.abc import Mapping

from volcli.api.program import Program
from volcli.api.set_pictures import ElementPicture, mars_picture, refused, regions_picture
from volcli.api.values import FunctionValue
from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.mars import MarsFact
from volcli.language.reads import is_number
from volcli.passes.analyses.value_bounds import variable_name


def number_named(program: Program, text: str) -> tuple[FunctionValue, int | None] | None:
    """The first index value or integer that TEXT names, or the tensor and dimension of `dim(%t, 0)`.

    `@f:%n` is the %n of @f.

    None if TEXT names nothing of the kind. Raises UsageError: V009, V005.
    """
    name = variable_name(text, 1) if text.startswith(("dim(", "@")) else None
    called, dim = (text, None) if name is None else (f"%{name.value}", name.dim)
    for function in program.functions:
        if name is not None and name.function not in (None, function.name):
            continue
        value = function.unit.parsed.names.find(function.operation, called)
        if value is not None and (dim is not None or is_number(value)):
            return function.value(called), dim
    if name is not None:
        message = f"no value is called {text}" if dim is None else f"no value has the size {text}"
        raise UsageError(Diagnostic("V005", message, note="write %n, @f:%n or dim(%t, 0)"))
    return None


def pictures_of_value(program: Program, name: str, numbers: Mapping[str, int]) -> list[ElementPicture]:
    """The regions of the value called NAME, of the first function that has one. Raises UsageError."""
    first: UsageError | None = None
    for function in program.functions:
        try:
            return [regions_picture(function.value(name).regions(), numbers)]
        except UsageError as error:
            if error.diagnostic.code != "V005":
                raise
            first = first or error
    raise first or refused("the file has no function")


def pictures_of_tiles(
    program: Program, tile: str, array: str | None, numbers: Mapping[str, int]
) -> list[ElementPicture]:
    """The elements that a TILE reads and produces, of all arrays or of one. Raises UsageError."""
    facts = [fact for function in program.functions for fact in function.mars(tile)]
    wanted = facts if array is None else [fact for fact in facts if _is_of(fact, array)]
    if not wanted:
        message = "no read is inside loops of this tile" if not facts else f"no tile reads {array}"
        note = "arrays that are read: " + ", ".join(dict.fromkeys(fact.array for fact in facts))
        raise UsageError(Diagnostic("V005", message, note=note if facts else None))
    known = [fact for fact in wanted if fact.exact and fact.classes] or wanted
    return [mars_picture(fact, numbers) for fact in known]


def _is_of(fact: MarsFact, array: str) -> bool:
    return fact.array.removeprefix("%") == array.removeprefix("%")
