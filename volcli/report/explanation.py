"""The explanation of a pair of accesses: every tableau on the way from two accesses to their distances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from volcli.diagnostics.counted import counted
from volcli.facts.ends import hull_text
from volcli.language.expressions import Expression, Index
from volcli.language.interface import operation_name
from volcli.limits import printing as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.steps.composition import AtDepth, Composition, domain_set
from volcli.model.memory.steps.explanations import MARK, Pair
from volcli.model.memory.steps.tableaus import NoTableau
from volcli.presburger.measures.points import few_points
from volcli.presburger.tableaus.tableau import Tableau
from volcli.report.formulas import conditions, formula, matrix, rows
from volcli.report.lines import Line

_HEADING, _NAME, _SAID = "bold cyan", "bold", "green"


# -- accesses and answers ------------------------------------------------------------------------------


def access_text(memory: Memory, site: Site) -> str:
    """SITE as people know it, its views composed away: `affine.load %0[%i - 2, %j]`."""
    index = ", ".join(_index_text(memory, each) for each in site.place.index)
    return f"{operation_name(site.op)} {memory.names.memref(site.place.root.value)}[{index}]"


def _index_text(memory: Memory, index: Index) -> str:
    return memory.bounds.texts.of(index) if isinstance(index, Expression) else "?"


def loop_names(memory: Memory, site: Site) -> list[str]:
    """The induction variables around SITE."""
    return [memory.bounds.name_of(v) if (v := level.variable) is not None else "?" for level in site.levels]


def answer_text(pair: Pair, dependence: Dependence) -> str:
    """One answer in a few words: `RAW, distance (2, 0)`."""
    found = dependence.distances
    if found.verdict is DependenceVerdict.INDEPENDENT:
        return "independent"
    if found.verdict is DependenceVerdict.UNKNOWN:
        return f"unknown: {found.because}"
    if dependence.depth > pair.common:
        return f"{dependence.kind.value}, in the same iteration"
    vectors = few_points(found.points) if found.points is not None else None
    if not vectors:
        return f"{dependence.kind.value}, distances in {hull_text(found.hull)}"
    listed = ", ".join(f"({', '.join(map(str, vector))})" for vector in vectors)
    return f"{dependence.kind.value}, distance{'s' * (len(vectors) > 1)} {listed}"


def example_text(pair: Pair, dependence: Dependence) -> str | None:
    """The witness of a DEPENDENCE: `(%i = 0) and then (%i = 2) access %0[0]`."""
    witness = pair.memory.witness(dependence)
    if witness is None:
        return None
    first = _iteration(loop_names(pair.memory, pair.source), witness.source)
    second = _iteration(loop_names(pair.memory, pair.sink), witness.sink)
    element = ", ".join(map(str, witness.element))
    buffer = pair.memory.names.memref(pair.source.place.root.value)
    given = ", ".join(f"{name} = {number}" for name, number in witness.parameters.items())
    where = f", if {given}," if given else ""
    return f"for example{where} ({first}) and then ({second}) access {buffer}[{element}]"


def _iteration(names: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in zip(names, numbers, strict=True))


# -- one pair ------------------------------------------------------------------------------------------


def pair_lines(pair: Pair, source_at: str, sink_at: str) -> Iterator[Line]:
    """What the two accesses of PAIR are, and where they stand."""
    for role, site, at, mark in (("source", pair.source, source_at, ""), ("sink", pair.sink, sink_at, MARK)):
        names = ", ".join(name + mark for name in loop_names(pair.memory, site))
        inside = f", in the loops {names}" if names else ""
        yield Line(f"{role:<6}  {at}: {access_text(pair.memory, site)}{inside}", _NAME)


def explained(pair: Pair) -> Iterator[Line]:
    """The answer for PAIR at each depth, and the tableaus that lead to it."""
    if pair.alias is not Alias.SAME:
        yield Line()
        yield Line(_of_buffers(pair))
        yield from _answers(pair)
        return
    try:
        yield from _tableaus(pair)
    except NoTableau as why:
        yield Line()
        yield Line(f"no constraint matrices, {why}")
        yield from _answers(pair)


def _of_buffers(pair: Pair) -> str:
    names = [pair.memory.names.memref(site.place.root.value) for site in (pair.source, pair.sink)]
    both = " and ".join(names)
    match pair.alias:
        case Alias.DISTINCT:
            return f"{both} are different buffers: they share no element, so there is no constraint matrix"
        case Alias.ASSUMED_DISTINCT:
            return (
                f"{both} are assumed to be different buffers, as by mlir-opt: there is no constraint matrix"
            )
        case _:
            return f"it is unknown whether {both} share memory: no constraint matrix would show it"


def _answers(pair: Pair, empty: Sequence[bool] = ()) -> Iterator[Line]:
    """The answers at all depths, at which the polyhedron is EMPTY, or is not, if that is known."""
    yield Line()
    for number, dependence in enumerate(pair.dependences):
        text = answer_text(pair, dependence)
        if dependence.verdict is DependenceVerdict.INDEPENDENT and number < len(empty) and not empty[number]:
            text += f": {_why_not(pair, dependence)}"
        yield Line(f"depth {dependence.depth}: {text}", _SAID)
        example = example_text(pair, dependence)
        if example is not None:
            yield Line(f"  {example}")


def _why_not(pair: Pair, dependence: Dependence) -> str:
    """Why there is no dependence, where the polyhedron has points."""
    if dependence.depth <= pair.common:
        return "each iteration of that loop has a buffer of its own"
    if pair.source.op is pair.sink.op:
        return "it is one operation"
    return "within one iteration, the sink does not run after the source"


def _tableaus(pair: Pair) -> Iterator[Line]:
    sources, sinks = pair.relations()
    compositions = list(islice(pair.compositions(), len(sources) * len(sinks)))
    related = [each for each in compositions if _has_points(each)] or compositions[:1]
    alone = related[0][1] if len(related) == 1 else ()
    yield from _answers(pair, [_is_empty(found.distances) for found in alone])
    yield Line()
    yield Line("Access relations", _HEADING)
    yield from _numbered("srcRel", sources)
    yield from _numbered("dstRel", sinks)
    yield from _numbered("srcDomain", [domain_set(each) for each in sources])
    yield from _numbered("dstDomain", [domain_set(each) for each in sinks])
    for number, (composition, depths) in enumerate(related[: limits.COMPOSITIONS]):
        if len(compositions) > 1:
            yield Line()
            pairs = counted(len(related), "pair that may share an element", "pairs that may share elements")
            text = f"Parts of the relations: {number + 1} of {pairs}"
            yield Line(text, _HEADING)
            yield from _named("srcRel", composition.source)
            yield from _named("dstRel", composition.sink)
        yield from _composed(composition)
        for found in depths:
            yield from _at_depth(found)
    if len(related) > limits.COMPOSITIONS:
        yield Line()
        more = len(related) - limits.COMPOSITIONS
        yield Line(f"{counted(more, 'more pair of parts is', 'more pairs of parts are')} omitted")


def _has_points(found: tuple[Composition, tuple[AtDepth, ...]]) -> bool:
    return any(not _is_empty(depth.distances) for depth in found[1])


def _is_empty(tableau: Tableau) -> bool:
    """Whether a tableau of distances says that it has no points: it has no other row then."""
    return any(row[-1] < 0 and not any(row[:-1]) for row in tableau.inequalities)


def _numbered(name: str, tableaus: Sequence[Tableau]) -> Iterator[Line]:
    """One tableau, or the parts of a union."""
    for number, tableau in enumerate(tableaus):
        of_parts = f", part {number + 1} of {len(tableaus)}" if len(tableaus) > 1 else ""
        yield from _named(name + of_parts, tableau)


def _named(name: str, tableau: Tableau) -> Iterator[Line]:
    yield Line()
    yield Line(name, _NAME)
    yield from map(Line, matrix(tableau))
    yield Line(f"  {formula(tableau)}", _SAID)


def _composed(composition: Composition) -> Iterator[Line]:
    yield Line()
    yield Line("Inverse and composition", _HEADING)
    yield from _named("dstRel.inverse()", composition.inverse)
    for number, step in enumerate(composition.steps, start=1):
        yield Line()
        yield Line(f"{number}. {step.call}: {step.says}", _NAME)
        for name, tableau in step.tableaus:
            yield Line(name)
            yield from map(Line, matrix(tableau))
    yield from _named("dstRel.compose(srcRel)", composition.composed)


def _at_depth(found: AtDepth) -> Iterator[Line]:
    yield Line()
    order = " and ".join(conditions(found.order)) or "all iterations"
    yield Line(f"Depth {found.depth}: {order}", _HEADING)
    labels = [c.label for c in found.order.columns]
    yield from map(Line, ("Ordering constraints:", " ".join([*labels, "c"]), *rows(found.order)))
    yield from _named("With the ordering constraints:", found.dependence)
    yield from _named("Dependence polyhedron:", found.distances)


# -- a list of pairs -----------------------------------------------------------------------------------


def listed(pairs: Iterable[tuple[Pair, str, str]]) -> Iterator[Line]:
    """Pairs with what `--at` takes for each, and the answers that are not 'independent'."""
    for pair, source_at, sink_at in pairs:
        yield Line()
        source, sink = (access_text(pair.memory, site) for site in (pair.source, pair.sink))
        yield Line(f"--at {source_at},{sink_at}  {source} -> {sink}", _NAME)
        said = [d for d in pair.dependences if d.verdict is not DependenceVerdict.INDEPENDENT]
        for dependence in said:
            yield Line(f"  depth {dependence.depth}: {answer_text(pair, dependence)}")
        if not said:
            yield Line("  independent")
