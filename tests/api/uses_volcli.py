"""A program that uses volcli, as its users write them: `mypy --strict` has nothing to say about it."""

from __future__ import annotations

from pathlib import Path

import islpy as isl

import volcli


def constant_sizes(function: volcli.Function) -> dict[str, list[int]]:
    """The sizes of the arguments of a function that are all numbers."""
    found: dict[str, list[int]] = {}
    for value in function.arguments:
        sizes = value.shape().sizes
        if all(size.is_constant for size in sizes):
            found[value.name] = [size.constant for size in sizes]
    return found


def dense_elements(function: volcli.Function, name: str) -> isl.Set | None:
    """The elements of a value that depend on data and on nothing around it."""
    regions = function.regions(name).regions
    return next((region.set for region in regions if region.kind == "dense"), None)


def largest(function: volcli.Function, name: str) -> int | None:
    """The largest number that a value can be, if that is attained."""
    upper = function.bounds(name).upper
    return upper.constant if upper.exact else None


def distances(program: volcli.Program) -> dict[str, isl.Set]:
    """The distances of the flow of data, by the keys of the facts."""
    return {
        str(fact.key): fact.distances.set
        for function in program.functions
        for fact in function.dependences("RAW")
        if fact.distances is not None
    }


def main(path: Path) -> int:
    """The sizes, and how many facts there are."""
    try:
        program = volcli.load(path, via="xdsl", assume=())
    except volcli.UsageError as error:
        return error.diagnostic.exit_code
    function = program.functions[0]
    relation: isl.UnionMap | None = function.element_map(function.results[0].name, to="operands").map
    print(constant_sizes(function), relation, len(program.run("infer-shapes").facts))
    spot = program.at(function.results[0].bounds(0).place.line)
    drawn: str = repr(spot) + repr(program)
    print(drawn, [access.verdict == "in-bounds" for access in function.accesses()])
    return program.exit_code
