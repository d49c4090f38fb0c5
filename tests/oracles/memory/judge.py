"""What answers about a program are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.programs import Program, Question
from tests.oracles.memory.truth import Truth

Hull = tuple[tuple[int | None, int | None], ...]
WITNESS_LIMIT = 50_000  # access instances of the run that a witness names


@dataclass(frozen=True)
class Witness:
    """A pair of iterations that access one element, in the run with these parameters."""

    source: Index
    sink: Index
    element: Index
    parameters: Mapping[str, int]


@dataclass(frozen=True)
class Answer:
    """An answer to one question, without the types of who gave it."""

    verdict: str  # dependent, independent, unknown
    kind: str
    distances: Callable[[Index], set[Index]] | None  # for a vector of parameters
    own_hull: Callable[[], Hull] | None  # what follows from the distances for all parameters
    hull: Hull | None
    exact: bool
    witness: Witness | None
    because: str | None
    text: str


def judge(program: Program, question: Question, answer: Answer) -> Judgement:
    """What ANSWER is worth."""
    worth, why = worth_of(program, question, answer)
    return Judgement("dependence", worth, str(question), answer.text, why)


def worth_of(program: Program, question: Question, answer: Answer) -> tuple[str, str | None]:
    """The worth, and why."""
    if answer.verdict == "unknown":
        return ("unknown", answer.because) if answer.because else ("wrong", "unknown without a reason")
    expected = {vector: distances(truth, question) for vector, truth in program.truths.items()}
    if answer.verdict == "independent":
        bad = [vector for vector, true in expected.items() if true]
        return ("wrong", f"dependent at {bad[0]}: {sorted(expected[bad[0]])}") if bad else ("exact", None)
    if answer.kind != kind_of(program, question):
        return "wrong", f"the kind is {answer.kind}"
    for check in (check_distances, check_hull, check_witness):
        found = check(program, question, answer, expected)
        if found is not None:
            return found
    return "exact", None


def distances(truth: Truth, question: Question) -> set[Index]:
    """The true answer in one run."""
    return truth.distances(question.source, question.sink, question.depth)


def kind_of(program: Program, question: Question) -> str:
    """RAW, WAR or WAW."""
    letters = ["W" if program.sites[n].access.write else "R" for n in (question.sink, question.source)]
    return f"{letters[0]}A{letters[1]}"


Expected = Mapping[Index, set[Index]]


def check_distances(
    program: Program, question: Question, answer: Answer, expected: Expected
) -> tuple[str, str | None] | None:
    """The distances said are those of each run."""
    if answer.distances is None:
        return "wrong", "dependent without distances"
    for vector, true in expected.items():
        said = answer.distances(vector)
        if true - said:
            return "wrong", f"distances {sorted(true - said)} are missing at {vector}"
        if said - true and answer.exact:
            return "overclaimed", f"distances {sorted(said - true)} are too many at {vector}"
        if said - true:
            return "loose", answer.because
    return None


def check_hull(
    program: Program, question: Question, answer: Answer, expected: Expected
) -> tuple[str, str | None] | None:
    """The hull contains all distances; without parameters it is tight, with them it is that of the set said."""
    every = set[Index]().union(*expected.values())
    hull = answer.hull
    common = program.sites[question.source].common(program.sites[question.sink])
    if hull is None or len(hull) != common:
        return "wrong", f"the hull {hull} is not that of {common} loops"
    for position, (least, greatest) in enumerate(hull):
        parts = {vector[position] for vector in every}
        if any(
            (least is not None and part < least) or (greatest is not None and part > greatest)
            for part in parts
        ):
            return "wrong", f"the hull {hull} does not contain {sorted(every)}"
    if not program.parameters and answer.exact and hull != tight(every, common):
        return "overclaimed", f"the hull {hull} is not tight: {tight(every, common)}"
    if program.parameters and answer.exact and answer.own_hull is not None and hull != answer.own_hull():
        return "overclaimed", f"the hull {hull} is not that of the distances, {answer.own_hull()}"
    return None


def tight(vectors: set[Index], common: int) -> Hull:
    """The least and the greatest of each component."""
    columns = [{vector[position] for vector in vectors} or {0} for position in range(common)]
    return tuple((min(column), max(column)) for column in columns)


def check_witness(
    program: Program, question: Question, answer: Answer, expected: Expected
) -> tuple[str, str | None] | None:
    """The witness is a pair of instances that depend at this depth, in the run that it names."""
    witness = answer.witness
    if witness is None:
        return "wrong", "dependent without a witness"
    vector = tuple(witness.parameters.get(name, 1) for name in program.parameters)
    try:
        truth = program.shown(vector, WITNESS_LIMIT)
    except TooLargeError:
        return "unchecked", f"the run {vector} of the witness is too large"
    sources = {
        (x.buffer, x.element) for x in truth.trace if (x.site, x.ivs) == (question.source, witness.source)
    }
    sinks = {(x.buffer, x.element) for x in truth.trace if (x.site, x.ivs) == (question.sink, witness.sink)}
    if not any(element == witness.element for _, element in sources & sinks):
        return "wrong", f"the witness {witness} accesses {sorted(sources)} and {sorted(sinks)}"
    common = program.sites[question.source].common(program.sites[question.sink])
    pairs = zip(witness.source[:common], witness.sink[:common], strict=True)
    distance = tuple(sink - source for source, sink in pairs)
    if distance not in distances(truth, question):
        return "wrong", f"the witness {witness} is not a dependence at this depth"
    return None


def judge_loop(program: Program, number: int, said: str, why: str | None) -> Judgement:
    """What it is worth that the loop NUMBER is SAID to be parallel, a reduction, carried or unknown.

    With parameters, a dependence that no run here has may be one of another run: its witness is judged.
    """
    carries = any(number in truth.carrying for truth in program.truths.values())
    if said == "unknown":
        worth = "unknown" if why else "wrong"
    elif said == "parallel":
        worth = "wrong" if carries else "exact"
    else:
        worth = "exact" if carries or program.parameters else "overclaimed"
    return Judgement("loop", worth, f"loop {number}", said, why)
