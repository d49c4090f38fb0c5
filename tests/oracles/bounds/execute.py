"""All executions of a program at once.

A state gives each value that is still needed its datum. Operations map sets of states to sets of states, so
executions that differ only in what nobody reads any more are one state: the answers are exact, and eight
iterations with an arbitrary truth each do not cost 2 ** 8 runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from tests.oracles.bounds.nodes import (
    Ask,
    Block,
    Branch,
    Compare,
    Compute,
    Formula,
    Loop,
    Node,
    Opaque,
    While,
)
from tests.oracles.bounds.values import Datum, Value
from tests.oracles.interpreter.arithmetic import RELATIONS, signed

State = tuple[Datum, ...]


def index_of_64_bits(number: Datum) -> Datum:
    """The signed number of 64 bits that is congruent to NUMBER."""
    return signed(number, 64) if isinstance(number, int) else number


def unchanged(datum: Datum) -> Datum:
    """DATUM."""
    return datum


class TooLarge(Exception):
    """The program has more states than we want to visit."""


@dataclass(frozen=True)
class Frame:
    """States, with the value that each column belongs to."""

    columns: tuple[Value, ...]
    states: frozenset[State]

    def getter(self, values: Iterable[Value]) -> Callable[[State], State]:
        """The function from a state to the data of VALUES."""
        positions = [self.columns.index(value) for value in values]
        match positions:
            case []:
                return lambda _: ()
            case [only]:
                return lambda state: (state[only],)
            case _:
                return itemgetter(*positions)

    def project(self, values: Iterable[Value], named: Iterable[Value] = ()) -> Frame:
        """The columns VALUES, which are called NAMED from now on (as before, unless given)."""
        kept = tuple(values)
        return Frame(tuple(named) or kept, frozenset(map(self.getter(kept), self.states)))

    def where(self, holds: Callable[[State], bool]) -> Frame:
        """The states of which something HOLDS."""
        return Frame(self.columns, frozenset(state for state in self.states if holds(state)))

    def extended(self, value: Value, formula: Formula) -> Frame:
        """One more column, computed by FORMULA: an index has 64 bits."""
        read, function = self.getter(formula.operands), formula.function
        fit = index_of_64_bits if value.type == "index" else unchanged
        states = frozenset((*state, fit(function(*read(state)))) for state in self.states)
        return Frame((*self.columns, value), states)

    def chosen(self, value: Value, domain: Iterable[Datum]) -> Frame:
        """One more column, which may be anything in DOMAIN."""
        every = tuple(domain)
        return Frame((*self.columns, value), frozenset((*s, datum) for s in self.states for datum in every))


class Execution:
    """All executions of a function with the argument DOMAINS; `seen` is what each query can see."""

    def __init__(self, domains: Mapping[Value, Iterable[Datum]], limit: int | None = None) -> None:
        self.domains = domains
        self.limit = limit
        self.visited = 0
        self.seen: dict[int, set[int]] = {}

    def run(self, body: Block) -> dict[int, set[int]]:
        """What each query sees, by its number: values, or for comparisons truths; nothing if never reached."""
        self.block(body.nodes, Frame((), frozenset({()})), frozenset())
        return self.seen

    def block(self, nodes: tuple[Node, ...], frame: Frame, keep: frozenset[Value]) -> Frame:
        """The states after NODES, of which the values in KEEP matter."""
        live = [keep]
        for node in reversed(nodes):
            live.append((live[-1] - set(node.results)) | node.uses)
        live.reverse()
        for node, after in zip(nodes, live[1:], strict=True):
            # An argument is chosen when it is first needed: before that it would only multiply the states.
            for argument in sorted(node.uses - set(frame.columns), key=str):
                frame = frame.chosen(argument, self.domains[argument])
            frame = self.step(node, frame, after)
            self.count(frame)
        return frame

    def count(self, frame: Frame) -> None:
        """Notice that there are too many states."""
        self.visited += len(frame.states)
        if self.limit is not None and self.visited > self.limit:
            raise TooLarge

    def step(self, node: Node, frame: Frame, live: frozenset[Value]) -> Frame:
        """The states after NODE; the columns are in LIVE."""
        match node:
            case Compute():
                frame = frame.extended(node.result, node.formula)
            case Opaque():
                frame = frame.chosen(node.result, (0, 1))
            case Branch():
                return self.branch(node, frame, live)
            case Loop():
                return self.loop(node, frame, live)
            case While():
                return self.while_loop(node, frame, live)
            case Ask():
                self.ask(node, frame)
            case Compare():
                self.compare(node, frame)
        return frame.project(column for column in frame.columns if column in live)

    def ask(self, query: Ask, frame: Frame) -> None:
        """Note the values at this place."""
        noted = self.seen.setdefault(query.number, set())
        for (datum,) in frame.project([query.value]).states:
            number = datum if query.dim is None else datum[query.dim]
            noted.add(number)

    def compare(self, query: Compare, frame: Frame) -> None:
        """Note whether the relation held."""
        holds = RELATIONS[query.cmp]
        noted = self.seen.setdefault(query.number, set())
        read = frame.getter((query.lhs, query.rhs))
        noted |= {int(holds(*read(state))) for state in frame.states}

    def branch(self, node: Branch, frame: Frame, live: frozenset[Value]) -> Frame:
        """The union of both sides."""
        (condition,) = [frame.columns.index(node.condition)]
        rest = tuple(c for c in frame.columns if c in live)
        states: frozenset[State] = frozenset()
        for side, block in ((1, node.then), (0, node.otherwise)):
            entered = frame.where(lambda state, side=side: state[condition] == side)
            left = self.block(block.nodes, entered, frozenset({*block.yields, *rest}))
            if left.states:
                states |= left.project((*block.yields, *rest)).states
        kept = Frame((*node.results, *rest), states)
        return kept.project(c for c in kept.columns if c in live)

    def loop(self, node: Loop, frame: Frame, live: frozenset[Value]) -> Frame:
        """All iterations; states leave when their induction variable reaches their upper bound."""
        upper, step = Value(f"{node.iv}.upper"), Value(f"{node.iv}.step")
        bounded = frame.extended(node.iv, node.lower).extended(upper, node.upper).extended(step, node.step)
        if any(state[-1] <= 0 for state in bounded.states):
            raise ValueError(f"the step of {node.iv} is not positive")
        rest = tuple(c for c in frame.columns if c in live or c in node.captured)
        header = (node.iv, upper, step, *node.carried, *rest)
        now = bounded.project((node.iv, upper, step, *node.inits, *rest), header)
        after = tuple(c for c in rest if c in live)
        finished: frozenset[State] = frozenset()
        while now.states:
            self.count(now)
            leaving = now.where(lambda state: state[0] >= state[1])
            finished |= leaving.project((*node.carried, *after)).states
            entered = now.where(lambda state: state[0] < state[1])
            keep = frozenset({node.iv, upper, step, *node.body.yields, *rest})
            left = self.block(node.body.nodes, entered, keep)
            if not left.states:
                break
            following = left.project((node.iv, upper, step, *node.body.yields, *rest), header)
            now = Frame(header, frozenset((s[0] + s[2], *s[1:]) for s in following.states))
        kept = Frame((*node.results, *after), finished)
        return kept.project(c for c in kept.columns if c in live)

    def while_loop(self, node: While, frame: Frame, live: frozenset[Value]) -> Frame:
        """All iterations from states that were not seen before; what never ends has no results."""
        rest = tuple(c for c in frame.columns if c in live or c in node.captured)
        after = tuple(c for c in rest if c in live)
        condition, *forwarded = node.before.yields
        header = (*node.carried, *rest)
        now = frame.project((*node.inits, *rest), header)
        met: frozenset[State] = frozenset()
        finished: frozenset[State] = frozenset()
        while now.states:
            self.count(now)
            met |= now.states
            decided = self.block(node.before.nodes, now, frozenset({*node.before.yields, *rest}))
            (truth,) = [decided.columns.index(condition)]
            leaving = decided.where(lambda state, truth=truth: state[truth] == 0)
            finished |= leaving.project((*forwarded, *after)).states
            entered = decided.where(lambda state, truth=truth: state[truth] == 1)
            entered = entered.project((*forwarded, *rest), (*node.passed, *rest))
            left = self.block(node.after.nodes, entered, frozenset({*node.after.yields, *rest}))
            following = left.project((*node.after.yields, *rest), header)
            now = Frame(header, following.states - met)
        kept = Frame((*node.results, *after), finished)
        return kept.project(c for c in kept.columns if c in live)
