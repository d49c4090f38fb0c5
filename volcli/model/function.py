"""One function under analysis: its store, relations, element facts and names, each made when first asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import home
from volcli.language.unchanged import operations_in
from volcli.model.symbols import returned_by, symbol_of
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

if TYPE_CHECKING:  # the engines are imported when something is asked of them
    from volcli.model.memory.buffers.effects import CallSummaries, KnownCallers
    from volcli.model.memory.dependences.model import Memory
    from volcli.model.memory.lifetimes.answers import Misuse
    from volcli.model.memory.lifetimes.lifetimes import Lifetimes
    from volcli.model.memory.loops.loops import Loops
    from volcli.model.occurrences import Occurrences
    from volcli.model.values.sizes.resolution import Resolution
    from volcli.model.values.sizes.sizes import Parameters, Sizes
    from volcli.model.values.store.store import BoundsStore
    from volcli.model.values.terms.assumptions import Assumption
    from volcli.model.values.trust.minimal_assumptions import Assuming
    from volcli.model.view import VolumesView
    from volcli.model.volumes.domains.given import GivenFact
    from volcli.model.volumes.domains.parts import Volume
    from volcli.model.volumes.knowledge.sparsity import ElementFlow
    from volcli.model.volumes.maps.element_map import FunctionMaps


Copied: TypeAlias = "tuple[FunctionModel, Occurrences]"
"""The model of a copy of a function, and where it has the values of the function."""


class FunctionModel:
    """What the analyses of one function share, so that each thing is computed once.

    A question about bounds or memory may cost at most OPERATIONS of isl. Unless it is CONDITIONAL, sizes rest
    on no assumption and no assertion. STRUCTURED makes the model of a copy without branches between blocks;
    CALLS are summaries of the functions of the module, CALLERS what is passed to them. CALLED makes the model
    under what all calls pass, None if nothing is known of that. FOLLOWED makes the model of a copy without
    branches between blocks and calls, None if the function has neither; SELECTING that of one which selects
    where the function branches on data, too, None if it does nowhere. GIVEN are what the user says.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        assumptions: Sequence[Assumption] = (),
        operations: int = DEFAULT_OPERATIONS,
        *,
        conditional: bool = True,
        structured: Callable[[], Copied | None] = lambda: None,
        calls: Callable[[], CallSummaries] | None = None,
        callers: Callable[[], KnownCallers] | None = None,
        called: Callable[[], FunctionModel | None] = lambda: None,
        followed: Callable[[], Copied | None] = lambda: None,
        selecting: Callable[[], Copied | None] = lambda: None,
        given: Callable[[], Sequence[GivenFact]] = tuple,
    ) -> None:
        self._given = given
        self._known: BoundsStore | None = None
        self.in_machine: dict[BoundsStore, FunctionModel] = {}
        self._follow = followed
        self._select = selecting
        self._called = called
        self._callers = callers
        self._calls = calls
        self._structured = structured
        self.operations = operations
        self._conditional = conditional
        self._resolutions: dict[frozenset[str], tuple[Resolution, Parameters]] = {}
        self._views: dict[tuple[Hashable, frozenset[str]], VolumesView] = {}
        self.function = function
        self.name_of = name_of
        self.assumptions = assumptions

    @property
    def name(self) -> str:
        """The function's symbol, or the operation's name if it has none."""
        return symbol_of(self.function)

    def anew(self, function: Operation) -> FunctionModel:
        """The model of FUNCTION, a copy of this one's or what that is now, under the same assumptions."""
        return FunctionModel(function, self.name_of, self.assumptions, self.operations)

    @cached_property
    def as_called(self) -> FunctionModel:
        """The model of the function under what all its calls pass, where they are known; this one if not."""
        found = self._called()
        return self if found is None else found

    @cached_property
    def _followed(self) -> Copied | None:
        return self._follow()

    @property
    def followed(self) -> FunctionModel:
        """The model of a copy without branches between blocks and known calls."""
        return self if self._followed is None else self._followed[0]

    @cached_property
    def _asked(self) -> Copied | None:
        """The copy that elements are asked of: that, or one that selects where data decides."""
        return self._select() or self._followed

    def elements(self, *values: SSAValue, last: bool = True) -> tuple[FunctionModel, Sequence[SSAValue]]:
        """The model that elements of VALUES are asked of, and what these are in its function.

        With LAST, a value that the function returns is what it returns. It is this model, if one of VALUES is
        several there: in a loop of blocks, and after it.
        """
        if self._asked is None:
            return self, values
        (model, of), returned = self._asked, self.results() if last else ()
        found = [of.last(each) if each in returned else of.only(each) for each in values]
        known = [each for each in found if each is not None]
        return (model, known) if len(known) == len(values) else (self, values)

    @property
    def calls_text(self) -> str:
        """What an answer rests on that another one, of `as_called`, has under what is passed."""
        return f"its arguments are as in the calls of @{self.name} in this file"

    @cached_property
    def resolution(self) -> Resolution:
        """The sizes of all values, and its index values."""
        return self._named(frozenset())[0]

    def _named(self, without: frozenset[str]) -> tuple[Resolution, Parameters]:
        """What resolves sizes WITHOUT what has these names, and how it names parameters."""
        from volcli.model.values.sizes.resolution import Resolution
        from volcli.model.values.sizes.sizes import Parameters

        if without not in self._resolutions:
            resolution = Resolution(
                self.function, self.name_of, lambda: self.assuming, without, conditional=self._conditional
            )
            self._resolutions[without] = resolution, Parameters(resolution)
        return self._resolutions[without]

    @cached_property
    def shapes(self) -> Sizes:
        """The sizes of each value as they are known where it is made."""
        from volcli.model.values.sizes.sizes import Sizes

        return Sizes(*self._named(frozenset()))

    def view(self, value: SSAValue, without: frozenset[str] = frozenset()) -> VolumesView:
        """What is known where VALUE is made, but for what has a name in WITHOUT."""
        return self._view(self.resolution.segment(value), without)

    @property
    def views(self) -> Collection[VolumesView]:
        """What was asked for so far, with all that is known; of the copy without calls, too."""
        own = [view for (_, without), view in self._views.items() if not without]
        copies = filter(None, map(self.__dict__.get, ("_asked", "_followed")))
        return [*own, *(view for model in dict.fromkeys(each[0] for each in copies) for view in model.views)]

    def _view(self, segment: int, without: frozenset[str] = frozenset()) -> VolumesView:
        from volcli.model.values.sizes.sizes import Sizes
        from volcli.model.view import VolumesView

        others = without.difference(each.text for each in self.declared)
        resolution, parameters = self._named(others)
        key = resolution.known_in(segment), without
        if key not in self._views:
            declared = [each for each in self.declared if each.text not in without]
            self._views[key] = VolumesView(
                Sizes(resolution, parameters, segment), declared, lambda: self.memory_as_written
            )
        return self._views[key]

    @cached_property
    def declared(self) -> Sequence[GivenFact]:
        """What the user says of elements, by attributes and by what is `given`: nothing about sizes."""
        from volcli.model.volumes.domains.given import stated_facts
        from volcli.model.volumes.domains.given_texts import declared_domains

        domains = declared_domains(self.function, self.name_of)
        return (*domains, *stated_facts(self.function, self.name_of), *self._given())

    @property
    def _last(self) -> VolumesView:
        return self._view(self.resolution.last)

    @property
    def store(self) -> Sizes:
        """The sizes of all values as they are known at the end of the function."""
        return self._last.store

    @property
    def flow(self) -> ElementFlow:
        """Element facts, as they are known at the end of the function."""
        return self._last.flow

    @property
    def maps(self) -> FunctionMaps:
        """Element maps, as they are known at the end of the function."""
        return self._last.maps

    def volume(self, value: SSAValue) -> Volume:
        """VALUE as a volume, as it is known at the end of the function."""
        return self._last.volume(value)

    def names_of_dimensions(self, value: SSAValue) -> tuple[str, ...]:
        """The dimension names of VALUE: the iterators' where they are known, else d0, d1, ..."""
        return self._last.names_of_dimensions(value)

    @cached_property
    def assuming(self) -> Assuming:
        """The bounds, with the assumptions that each answer needed: those given, and of the attributes."""
        from volcli.model.values.terms.assumptions import stated
        from volcli.model.values.trust.minimal_assumptions import Assuming

        given = (*stated(self.function, self.name_of), *self.assumptions) if self._conditional else ()
        return Assuming(self.function, self.name_of, given, self.operations, self._known)

    @property
    def bounds(self) -> BoundsStore:
        return self.assuming.store

    @cached_property
    def computes(self) -> bool:
        """Whether there are operations that may compute what 64 bits do not hold."""
        return any(questions.may_overflow.answers(type(op)) for op in operations_in(self.function))

    @cached_property
    def _form(self) -> Copied | None:
        return self._structured()

    @property
    def form(self) -> FunctionModel:
        """The function with loops and branches in regions for those between blocks."""
        return self if self._form is None else self._form[0]

    @property
    def occurrences(self) -> Occurrences | None:
        """Where the form has the values of the function, if it is another one."""
        return None if self._form is None else self._form[1]

    def in_form(self, value: SSAValue) -> tuple[FunctionModel, SSAValue]:
        """The model of the form, and what VALUE is there; this one, if it is several."""
        found = None if self._form is None else self._form[1].only(value)
        return (self, value) if found is None else (self.form, found)

    @property
    def memory(self) -> Memory:
        """What the function does to memory, with loops and branches in regions for those between blocks."""
        return self.form.memory_as_written

    @cached_property
    def memory_as_written(self) -> Memory:
        """What the function does to memory, of its own operations and blocks."""
        from volcli.model.memory.dependences.model import Memory

        calls = None if self._calls is None else self._calls()
        callers = None if self._callers is None else self._callers()
        return Memory(
            self.bounds,
            operations=self.operations,
            calls=calls,
            callers=callers,
            narrowed=lambda numbers: self.assuming.narrowed(numbers),
            arithmetic=lambda: self.assuming.arithmetic,
        )

    @cached_property
    def lifetimes(self) -> Lifetimes:
        """When the memory of the function ends, in its form."""
        from volcli.model.memory.lifetimes.lifetimes import Lifetimes

        return Lifetimes(self.form.function, None if self._calls is None else self._calls())

    @cached_property
    def misuses(self) -> Sequence[Misuse]:
        """What is wrong with lifetimes, and what may be, where iterations say it, too."""
        from volcli.model.memory.lifetimes.guarded import GuardedFrees

        return GuardedFrees(self.memory, self.lifetimes, self.operations).settled()

    @property
    def loops(self) -> Loops:
        """The loops of the form."""
        return self.form.loops_as_written

    @cached_property
    def loops_as_written(self) -> Loops:
        """Its own loops: those that a rewrite changes."""
        from volcli.model.memory.loops.loops import Loops

        return Loops(self.memory_as_written)

    @property
    def has_control_flow(self) -> bool:
        """Whether the function has several blocks: then it is not a program of IMPACT 2023, section 4.3."""
        return len(self.resolution.blocks) > 1

    def results(self) -> list[SSAValue]:
        """The values that the function returns (its live-outs), each once."""
        return returned_by(self.resolution.blocks)

    def written_arguments(self) -> list[SSAValue]:
        """The memrefs that the function is called with, and writes, or may write under another name."""
        arguments = [arg for block in self.resolution.blocks[:1] for arg in block.args if is_memref(arg)]
        if not arguments:
            return []
        written = (self if self._asked is None else self._asked[0]).memory_as_written.written
        return [each for each in arguments if written is None or self.elements(each)[1][0] in written]

    def values(self) -> Iterator[SSAValue]:
        """All values of the function's blocks, not those of nested regions."""
        for block in self.resolution.blocks:
            yield from block.args
            for op in block.ops:
                yield from op.results

    def owns(self, value: SSAValue) -> bool:
        """Whether VALUE is one of `values`."""
        return any(home(value) is block for block in self.resolution.blocks)
