"""Names for printing: the user's wherever they are still unique, fresh ones elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, Region, SSAValue

from volcli.frontend.parse.names import Names, values_of


class NamePlan:
    """What every value of a module is called in print, with MLIR's scopes.

    A name is visible in its region and the regions inside; sibling regions may use one name again. What is
    isolated from above may not use a name of a value outside either: mlir-opt refuses that. The first value
    in the text gets the name that the user wrote, a later one in its scope, such as a copy that a pass made,
    gets a suffix or a new number.
    """

    def __init__(self, root: Operation, names: Names) -> None:
        self._names = names
        self._texts: dict[SSAValue, str] = {}
        self._definitions: dict[Operation, list[str]] = {}
        recorded = (names.get(value) for value in values_of(root))
        self._reserved = {name.base for name in recorded if name is not None}
        self._next_number = 0
        self._visit(root, set())

    def of(self, value: SSAValue) -> str | None:
        """The text of a use: `%x` or `%r#1`."""
        return self._texts.get(value)

    def definitions(self, op: Operation) -> list[str]:
        """What stands to the left of `=`: `%x`, `%r:2`."""
        return self._definitions.get(op, [])

    def _visit(self, op: Operation, taken: set[str]) -> list[str]:
        """Name an operation's results and what its regions define; gives the names of the results."""
        bases: list[str] = []
        self._definitions[op] = []
        for group in self._groups(op.results):
            base = self._choose(group[0], taken)
            bases.append(base)
            self._definitions[op].append(f"%{base}" if len(group) == 1 else f"%{base}:{len(group)}")
            for index, value in enumerate(group):
                self._texts[value] = f"%{base}" if len(group) == 1 else f"%{base}#{index}"
        for region in op.regions:
            self._visit_region(region, taken)
        return bases

    def _visit_region(self, region: Region, taken: set[str]) -> None:
        added: list[str] = []
        for block in region.blocks:
            for argument in block.args:
                base = self._choose(argument, taken)
                self._texts[argument] = f"%{base}"
                added.append(base)
            for op in block.ops:
                added += self._visit(op, taken)
        taken.difference_update(added)

    def _groups(self, results: Sequence[SSAValue]) -> Iterator[Sequence[SSAValue]]:
        """Consecutive results that the user defined together, `%r:2`, and are still together."""
        start = 0
        while start < len(results):
            name = self._names.get(results[start])
            size = name.size if name is not None and name.number == 0 else 1
            group = results[start : start + size]
            entries = [self._names.get(value) for value in group]
            if name is None or len(group) < size or entries != [name._replace(number=i) for i in range(size)]:
                group = results[start : start + 1]
            yield group
            start += len(group)

    def _choose(self, value: SSAValue, taken: set[str]) -> str:
        name = self._names.get(value)
        base = name.base if name is not None else value.name_hint
        if base is not None and base not in taken and (name is not None or base not in self._reserved):
            taken.add(base)
            return base
        unavailable = taken | self._reserved
        if base is None or base.isdecimal():
            while str(self._next_number) in unavailable:
                self._next_number += 1
            fresh = str(self._next_number)
            self._next_number += 1
        else:
            suffix = 0
            while (fresh := f"{base}_{suffix}") in unavailable:
                suffix += 1
        taken.add(fresh)
        return fresh
