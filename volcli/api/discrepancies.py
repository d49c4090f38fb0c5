"""The commands that execute two programs where an execution has shown that they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from volcli.passes.base import Unit

if TYPE_CHECKING:
    from volcli.equivalence.trials.versions import Discrepancy, Version


def commands_of(
    found: Discrepancy, units: tuple[Unit, Unit], versions: Sequence[Version], function: str
) -> tuple[str, str]:
    """The commands that execute the FUNCTION of each of UNITS, or its element that was FOUND to differ."""
    from volcli.api.execution import command
    from volcli.execution.runs.instances import parameters

    inputs, commands = found.inputs, list[str]()
    for unit, version in zip(units, versions, strict=True):
        names = dict(zip(versions[0].names, version.names, strict=True))
        sizes = {(names[name], d): size for (name, d), size in inputs.sizes.items()}
        free = set(parameters(version.names, version.kinds))
        own = replace(
            inputs,
            sizes={at: size for at, size in sizes.items() if at in free},
            numbers={names[name]: number for name, number in inputs.numbers.items()},
            elements={names[name]: kind for name, kind in inputs.elements.items()},
        )
        shown = None if found.element is None else _shown(unit, version, names, found)
        commands.append(command(function, unit.parsed.source.name, own, shown=shown))
    return commands[0], commands[1]


def _shown(unit: Unit, version: Version, names: Mapping[str, str], found: Discrepancy) -> str | None:
    """`%r[0, 5]`, the element of the output that was FOUND to differ; None if no one value is the output."""
    kind, _, which = found.output.partition(" ")
    name = f"%{names[which.removeprefix('%')]}" if kind == "argument" else None
    (block, *others) = version.function.regions[0].blocks
    if kind == "result" and not others and block.last_op is not None:
        name = unit.parsed.names.of(block.last_op.operands[int(which)])
    return None if name is None or found.element is None else f"{name}{list(found.element)}"
