"""The judge: volcli's answer about a program against the oracle's facts, element by element.

The answer's sets and maps are read from their text, in isl notation, and enumerated with islpy; everything
else is plain Python. Maps are compared inside their context (lemma 4.12): a printed map may be a gist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import islpy as isl

from tests.oracles.elements.bodies import Mixture
from tests.oracles.elements.elements import Facts, Source
from tests.oracles.elements.facts import Evaluation, evaluate
from tests.oracles.elements.nodes import Constant
from tests.oracles.elements.programs import Program
from tests.oracles.elements.values import Value, sanitised
from tests.oracles.interpreter.affine import Index

Json = Mapping[str, Any]
SAMPLE = 40  # elements of a value whose map is looked at


@dataclass(frozen=True)
class Disagreement:
    """What the answer says and the oracle does not."""

    value: str
    what: str

    def __str__(self) -> str:
        return f"%{self.value}: {self.what}"


def compare(program: Program, answer: Json) -> list[Disagreement]:
    """All disagreements about regions and maps; a value that the answer leaves out is one."""
    evaluation = evaluate(program)
    facts = [fact for file in answer["files"] for fact in file["facts"]]
    found: list[Disagreement] = []
    exact = affine_values(program)
    for question, judge in (("regions", judge_regions), ("maps", judge_map)):
        told = {str(fact["value"]).removeprefix("%"): fact for fact in facts if fact["question"] == question}
        for value in program.values:
            fact = told.get(value.name)
            complaints = ["no answer"] if fact is None and is_asked(program, value) else []
            if fact is not None:
                complaints += judge(program, evaluation, value, fact)
                if value in exact and not fact["exact"]:
                    complaints.append(f"inexact without need: {fact['reason']}")
            found += [Disagreement(value.name, f"{question}: {complaint}") for complaint in complaints]
    return found


def affine_values(program: Program) -> set[Value]:
    """The values computed from the arguments by affine accesses alone: no answer is inexact there."""
    found = set(program.arguments)
    for node in program.nodes:
        accesses = [access for layer in node.layers() for access in layer.accesses()]
        known = all(access.value in found and None not in access.index for access in accesses)
        if known and not any(isinstance(access.leaf, Mixture) for access in accesses):
            found.add(node.result)
    return found


def is_asked(program: Program, value: Value) -> bool:
    """Whether an answer about all values must speak of VALUE: results of ops on tensors, constants aside."""
    constants = {node.result for node in program.nodes if isinstance(node, Constant)}
    return value.tensor and value not in program.arguments and value not in constants


# -- regions -------------------------------------------------------------------------------------------


def judge_regions(program: Program, evaluation: Evaluation, value: Value, fact: Json) -> Iterator[str]:
    """The regions partition the domain, and each element is in the one where it belongs.

    Where the answer calls itself inexact, only its static elements must be so.
    """
    facts = evaluation.facts[value.name]
    if not fact["domain"] or points_of(fact["domain"]) != set(value.points):
        yield f"the domain is {fact['domain']}: {fact['reason']}"
        return
    where: dict[Index, str] = {}
    for region in fact["regions"]:
        text = f"{region['kind']} of degree {region['degree']} {region['set']}"
        points = points_of(region["set"])
        if region["count"] != len(points):
            yield f"{text} counts {region['count']}, has {len(points)}"
        for point in sorted(points):
            if point in where:
                yield f"{point} is in {where[point]} and in {text}"
            where[point] = text
        if fact["exact"] or region["kind"] == "static":
            yield from misplaced(facts, region, sorted(points & set(value.points)), text)
    if missing := set(value.points) - set(where):
        yield f"{min(missing)} is in no region"
    if fact["exact"]:
        yield from split_wrongly(facts, fact["regions"])


def misplaced(facts: Facts, region: Json, points: Sequence[Index], text: str) -> Iterator[str]:
    """The first element of a region that does not belong there."""
    for point in points:
        element = facts.elements[point]
        kind, degree = facts.kind(point), facts.degree(point)
        if (kind, degree) != (region["kind"], region["degree"]):
            yield f"{point} is in {text}, is {kind} of degree {degree} by {sorted(element.labels)}"
            return
        if region.get("zero") and not element.zero:
            yield f"{point} is in {text}, which is zero, and it need not be"
            return


def split_wrongly(facts: Facts, regions: Sequence[Json]) -> Iterator[str]:
    """Two regions of one class, or one region of two: a class is kind, degree and, if sparse, phase.

    Static regions may differ in the flags that they assume, which are judged elsewhere.
    """
    seen: dict[object, int] = {}
    for number, region in enumerate(regions):
        flags = tuple(region.get("assumes", ()))
        classes = {
            (*class_of(facts, point), flags) for point in points_of(region["set"]) if point in facts.elements
        }
        if len(classes) > 1:
            yield f"{region['set']} mixes phases modulo {facts.period}"
        for each in classes:
            if seen.setdefault(each, number) != number:
                other = regions[seen[each]]["set"]
                yield f"{region['set']} and {other} are both {each} (periods {facts.period})"


def class_of(facts: Facts, point: Index) -> tuple[object, ...]:
    """What a region's elements have in common."""
    kind = facts.kind(point)
    phase = tuple(i % p for i, p in zip(point, facts.period, strict=True)) if kind == "sparse" else ()
    return kind, facts.degree(point), phase


# -- maps ----------------------------------------------------------------------------------------------


def judge_map(program: Program, evaluation: Evaluation, value: Value, fact: Json) -> Iterator[str]:
    """The map's pairs are the reads, or include them where the map calls itself inexact.

    It may leave out what is multiplied by zeros of a constant with other numbers, and no more than that.
    Constants are known by their tuple name, which begins with the constant's.
    """
    if any(isinstance(node, Constant) and node.result == value for node in program.nodes):
        return
    if fact["map"] is None:
        yield f"unknown: {fact['reason']}"
        return
    facts = evaluation.facts[value.name]
    told = isl.UnionMap(fact["map"])
    shapes = {sanitised(v.name): v.shape for v in program.values}
    for point in sample(value.points):
        said = pairs(told, sanitised(value.name), point, shapes)
        true = {named(source) for source in evaluation.decode(facts.elements[point].reads)}
        needed = {named(source) for source in evaluation.decode(facts.elements[point].needs)}
        if value in program.arguments:
            said |= true  # an argument reads itself, whether or not the map says so
        missing, extra = needed - said, said - true
        if missing or (extra and fact["exact"]):
            yield f"{point} reads {brief(true)}; missing {brief(missing)}, too many {brief(extra)}"
            return


def named(source: Source) -> tuple[str, Index]:
    """A source as the map should name it."""
    return sanitised(source.name), source.place


def sample(points: Sequence[Index]) -> Sequence[Index]:
    """At most SAMPLE of POINTS, the first and the last among them."""
    step = max(1, -(-len(points) // SAMPLE))
    return [*points[:-1:step], points[-1]]


def pairs(
    told: isl.UnionMap, name: str, point: Index, shapes: Mapping[str, tuple[int, ...]]
) -> set[tuple[str, Index]]:
    """The elements that the map relates to the element POINT of the volume NAME."""
    element = isl.UnionSet(f"{{ {name}[{', '.join(map(str, point))}] }}")
    found: set[tuple[str, Index]] = set()
    images = element.apply(told).get_set_list()
    for number in range(images.n_set()):
        image = images.get_at(number)
        target, rank = image.get_tuple_name() or "", image.dim(isl.dim_type.set)
        volumes = [shape for volume, shape in shapes.items() if f"{target}_".startswith(f"{volume}_")]
        fitting = [shape for shape in volumes if len(shape) == rank]
        found |= {(target, place) for place in enumerate_within(image, fitting)}
    return found


def enumerate_within(points: isl.Set, shapes: Sequence[tuple[int, ...]]) -> set[Index]:
    """The points of a set, inside the largest box that its volume can have."""
    if shapes:
        rank = len(shapes[0])
        dims = [f"i{d}" for d in range(rank)]
        limits = [f"0 <= {dim} < {max(s[d] for s in shapes)}" for d, dim in enumerate(dims)]
        box = isl.Set(f"{{ [{', '.join(dims)}] : {' and '.join(limits) or 'true'} }}")
        points = points.reset_tuple_id().intersect(box)
    return enumerate_set(points)


def enumerate_set(points: isl.Set) -> set[Index]:
    """The points of a bounded set."""
    found: set[Index] = set()

    def add(point: isl.Point) -> None:
        rank = points.dim(isl.dim_type.set)
        found.add(tuple(point.get_coordinate_val(isl.dim_type.set, d).to_python() for d in range(rank)))

    points.foreach_point(add)
    return found


def points_of(text: str) -> set[Index]:
    """The points of a printed set."""
    return enumerate_set(isl.Set(text))


def brief(pairs_: set[tuple[str, Index]]) -> str:
    """A few elements of a set."""
    shown = [f"{name}{list(place)}" for name, place in sorted(pairs_)[:6]]
    return "{" + ", ".join(shown) + (f", ... {len(pairs_)} in all" if len(pairs_) > 6 else "") + "}"
