"""Where the elements of buffers come from, and how often, against running the program element by element."""

from __future__ import annotations

from collections import Counter

import pytest

import volcli
from tests.equivalence.enumerated import Bag, drawn, executed
from tests.shared.seeds import spread
from volcli.equivalence.backward.function import FunctionSources, Output
from volcli.equivalence.paths.leaves import Leaf, LeafKind
from volcli.presburger.measures.points import pairs

PROGRAMS = 150
LEAST_KNOWN = 0.6


def bags(
    output: Output,
) -> tuple[dict[tuple[int, ...], Bag], dict[tuple[int, ...], set[object]], set[object]]:
    """Of each element, how often it has which source, where that is counted; all its sources; what is unknown."""
    counted: dict[tuple[int, ...], Bag] = {}
    reached: dict[tuple[int, ...], set[object]] = {}
    unknown: set[object] = set()
    for leaf, paths in output.ends.items():
        assert isinstance(leaf, Leaf)
        for term in paths.terms:
            for element, end in pairs(term.relation):
                source = (leaf.what, end[: leaf.rank])
                if leaf.kind is LeafKind.UNKNOWN:
                    unknown.add(element)
                elif leaf.kind is LeafKind.INPUT:
                    reached.setdefault(element, set()).add(source)
                    if term.times:
                        counted.setdefault(element, Counter())[source] += term.times  # pyright: ignore[reportArgumentType]
                    else:
                        unknown.add((element, source))
    return counted, reached, unknown


def wrong(seed: int) -> tuple[list[str], int, int]:
    """What is wrong about one program; how many elements are known, and how many there are."""
    ranks, source = drawn(seed)
    function = FunctionSources(volcli.loads(source).units[0].models()[0].function)
    found: list[str] = []
    known = total = 0
    for position, contents in enumerate(executed(ranks, source)):
        output = function.argument(position)
        if output.elements is None:
            total += len(contents)
            continue
        counted, reached, unknown = bags(output)
        for element, bag in contents.items():
            total += 1
            if element in unknown:
                continue
            known += 1
            if reached.get(element, set()) != set(bag):
                found.append(
                    f"seed {seed}: buffer {position}{element}: {reached.get(element)} is {dict(bag)}\n{source}"
                )
            for each, number in counted.get(element, {}).items():
                if (element, each) not in unknown and bag[each] != number:
                    found.append(
                        f"seed {seed}: buffer {position}{element}: {each} {number} is {bag[each]}\n{source}"
                    )
    return found, known, total


@pytest.mark.slow
@pytest.mark.parametrize("start", spread(range(0, PROGRAMS, 25), 2))
def test_programs_of_loops(start: int) -> None:
    found = [wrong(seed) for seed in range(start, start + 25)]
    assert [each for errors, _, _ in found for each in errors] == []
    assert sum(k for _, k, _ in found) >= LEAST_KNOWN * sum(t for _, _, t in found)
