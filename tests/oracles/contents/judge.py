"""What volcli says of the elements that a function's results and memory are computed from, by executions."""

from __future__ import annotations

from collections.abc import Mapping

import volcli
from tests.oracles.contents import truth
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.presburger.sets.build import at_values
from volcli.presburger.sets.points import has_point


def judge(text: str, arguments: Mapping[str, truth.Point]) -> tuple[int, int]:
    """How many of the maps of @f in TEXT, of ARGUMENTS of these shapes, are exact, and how many are not.

    An exact map has what an execution on terms shows and no more, another one has no less; what is static
    depends on no argument, what is zero is 0, and what is dense depends on some. Memory that has no map has not
    changed.
    """
    program = volcli.loads(text).run("element-maps").run("sparsity-regions")
    assert {each.code for each in program.diagnostics} <= {"V301", "V302", "V303"}
    model = next(each for each in program.units[0].of_module() if each.name == "f")
    values, degrees = truth.values(model), list[bool]()
    real = {name: {p: truth.leaves(each) for p, each in found.items()} for name, found in values.items()}
    for fact in program.facts:
        if (
            fact.where.function != "f"
            or not isinstance(fact, MapFact | RegionsFact)
            or fact.value not in real
        ):
            continue
        if isinstance(fact, RegionsFact):
            for row in fact.regions:
                points = at_values(row.points.set, truth.NUMBERS)
                places = [at for at in real[fact.value] if has_point(points, at)]
                inside = [real[fact.value][at] for at in places]
                if row.zero and not row.assumes:
                    assert all(truth.is_zero(values[fact.value][at]) for at in places), fact.value
                assert row.kind != "static" or not any(inside), fact.value
                assert row.kind != "dense" or not fact.exact or all(inside), fact.value
        elif fact.map is not None:
            degrees.append(fact.exact)
            stated = truth.stated(fact, arguments)
            for point, leaves in real[fact.value].items():
                found = stated.get(point, frozenset())
                assert leaves == found if fact.exact else leaves <= found, (fact.value, point)
    said = {fact.value for fact in program.facts if fact.where.function == "f" and isinstance(fact, MapFact)}
    for name in (real.keys() & arguments.keys()) - said:
        for point, leaves in real[name].items():
            assert leaves == {(name.removeprefix("%"), point)}, (name, point)
    return degrees.count(True), degrees.count(False)
