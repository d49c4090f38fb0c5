"""The functions of one chunk as analyses ask of them, and what is found once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

if TYPE_CHECKING:  # the engines are imported when something is asked of them
    from xdsl.ir import Operation, SSAValue

    from volcli.frontend.parse.parser import ParsedModule
    from volcli.model.function import Copied, FunctionModel
    from volcli.model.memory.checks.calls.callers import Callers
    from volcli.model.memory.checks.calls.passed import Passed
    from volcli.model.memory.flow.summaries import Summaries
    from volcli.model.structured.copying import Structured
    from volcli.model.values.terms.assumptions import Assumption
    from volcli.model.volumes.domains.given import GivenFact
    from volcli.presburger.expressions.predicates import ParsedPredicate
    from volcli.presburger.sets.conditions import ParsedCondition


class Models:
    """The models of the functions of PARSED under CONDITIONS, for the program as it is.

    Of elements it is known what is SAID of them. An answer about bounds or memory may cost at most
    OPERATIONS of isl.
    """

    def __init__(
        self,
        parsed: ParsedModule,
        conditions: Sequence[ParsedCondition],
        operations: int | None,
        said: Sequence[ParsedPredicate] = (),
    ) -> None:
        self._said = said
        self._parsed = parsed
        self._conditions = conditions
        self._operations = operations or DEFAULT_OPERATIONS
        self._together = self._begun()

    def _begun(self) -> _Together:
        return _Together(self._parsed, self._operations, self._copy)

    @cached_property
    def all(self) -> list[FunctionModel]:
        """The models of the functions, in the order of the text."""
        from volcli.model.symbols import functions

        return [self._model(op) for op in functions(self._parsed.module)]

    def begin_anew(self, only: Operation | None) -> None:
        """Forget what was found of the function ONLY (None: of all), and of all of them together."""
        self._together = self._begun()
        if "all" in self.__dict__:
            self.all = [
                self._model(model.function) if only in (None, model.function) else model for model in self.all
            ]

    def _model(
        self,
        function: Operation,
        passed: Sequence[Assumption] | None = None,
        *,
        is_structured: bool = False,
        facts: Callable[[], Sequence[GivenFact]] = tuple,
    ) -> FunctionModel:
        """The model of FUNCTION, under what is PASSED to it, if it is asked for; FACTS are of a copy."""
        from volcli.model.function import FunctionModel

        is_plain = passed is None and not is_structured
        return FunctionModel(
            function,
            self._parsed.names.of,
            (*self._given(function), *(passed or ())),
            self._operations,
            structured=(lambda: None) if is_structured else partial(self._structured, function, passed),
            calls=lambda: self._together.summaries,
            callers=lambda: self._together.callers,
            called=partial(self._as_called, function) if is_plain else lambda: None,
            followed=partial(self.followed, function) if is_plain else lambda: None,
            selecting=partial(self.selecting, function) if is_plain else lambda: None,
            given=facts if is_structured else partial(self._facts, function),
        )

    def _facts(
        self, function: Operation, copies: Mapping[SSAValue, SSAValue] | None = None
    ) -> Sequence[GivenFact]:
        """What is said of the elements of FUNCTION's values, or of their COPIES."""
        if not self._said:
            return ()
        from volcli.model.volumes.domains.given_texts import given_facts

        return tuple(given_facts(function, self._parsed.names.of, self._said, copies or {}))

    def _given(self, function: Operation) -> Sequence[Assumption]:
        """What is assumed of FUNCTION's arguments."""
        if not self._conditions:
            return ()
        from volcli.model.values.terms.assumptions import given

        return given(function, self._parsed.names.of, self._conditions)

    def _as_called(self, function: Operation) -> FunctionModel | None:
        """The model of FUNCTION under what all calls of it pass; None if nothing is known of that."""
        from volcli.model.symbols import is_private

        found = self._together.passed.to(function) if is_private(function) else ()
        return self._model(function, found) if found else None

    def _structured(self, function: Operation, passed: Sequence[Assumption] | None) -> Copied | None:
        """The model of a copy of FUNCTION with loops and branches in regions for those between blocks.

        Under what is PASSED to it, where that is asked for.
        """
        made = self._without_branches(function)
        copy = self._standing(made)
        if made is None or copy is None:
            return None
        if passed is not None:
            from volcli.model.memory.checks.calls.passed import for_arguments_of

            passed = [for_arguments_of(copy, each) for each in passed]
        return _copied(self._model(copy, passed, is_structured=True), made)

    def _copy(self, function: Operation) -> Operation | None:
        """A copy of FUNCTION with loops and branches in regions for those between blocks, if it has some."""
        return self._standing(self._without_branches(function))

    def _without_branches(self, function: Operation) -> Structured | None:
        return self._form(function) if _is_other(function, has_number=False) else None

    def _form(self, function: Operation) -> Structured | None:
        from volcli.language.unchanged import changing
        from volcli.model.structured.form import form_of

        with changing():
            return form_of(function, self._parsed.context.get_op)

    def followed(self, function: Operation) -> Copied | None:
        """The model of a copy of FUNCTION without branches between blocks and known calls, if it has some."""
        return self._modelled(function, self._without_calls(function))

    def selecting(self, function: Operation) -> Copied | None:
        """The same of a copy that selects where FUNCTION branches on data, and has other loops.

        They stand for operations whose bodies read memory, and pass no buffers in turn.
        """
        from volcli.language.unchanged import changing
        from volcli.model.as_loops.function import read_in_loops, read_inside
        from volcli.model.inlining import copied
        from volcli.model.structured.alternating import alternate, passing_buffers
        from volcli.model.structured.predicated import branches_on_data, predicate
        from volcli.model.symbols import reached_from

        def changes(one: Operation) -> bool:
            return any(
                next(each(one), None) is not None for each in (branches_on_data, passing_buffers, read_inside)
            )

        if not _is_other(function, has_number=False) and not any(map(changes, reached_from(function))):
            return None
        made = self._without_calls(function) or copied(function)
        with changing():
            changed = [
                each(made, self._parsed.context.get_op) for each in (alternate, read_in_loops, predicate)
            ]
        return self._modelled(function, made) if any(changed) else None

    def _without_calls(self, function: Operation) -> Structured | None:
        from volcli.language.unchanged import changing
        from volcli.model.inlining import inlined
        from volcli.model.symbols import functions_called_in

        is_other = _is_other(function) or functions_called_in(function)
        with changing():
            return inlined(function, self._form) if is_other else None

    def _modelled(self, function: Operation, made: Structured | None) -> Copied | None:
        """The model of the copy of FUNCTION that was MADE."""
        if made is None:
            return None
        self._standing(made)
        facts = partial(self._facts, function, made.copies())
        return _copied(self._model(made.function, is_structured=True, facts=facts), made)

    def as_loops(self, function: Operation) -> FunctionModel | None:
        """The model of a copy of FUNCTION with loops for its structured operations, if it has some."""
        from volcli.language.unchanged import changing
        from volcli.model.as_loops.function import as_loops

        if len(function.regions) != 1 or len(function.regions[0].blocks) != 1:
            return None
        sizes = self._model(function).shapes.stated
        with changing():
            made = as_loops(function, self._parsed.context.get_op, sizes)
        copy = self._standing(made)
        return None if copy is None else self._model(copy, is_structured=True)

    def _standing(self, made: Structured | None) -> Operation | None:
        """The function that was MADE, with the places and names of what it is a copy of."""
        if made is None:
            return None
        self._parsed.stand_for(made.operations, made.values)
        self._parsed.names.share(made.shared())
        return made.function


def _is_other(function: Operation, *, has_number: bool = True) -> bool:
    """Whether blocks branch, or loops have conditions: those with a number, too, if that is so.

    Such a function has a form that is not itself.
    """
    from volcli.language.programs.blocks import has_branches
    from volcli.language.programs.known_loops import has_no_number, is_while
    from volcli.language.questions import until
    from volcli.language.unchanged import operations_in

    is_one = is_while if has_number else has_no_number
    return any(
        has_branches(op) or until.answers(type(op)) or (op is not function and is_one(op))
        for op in operations_in(function)
    )


def _copied(model: FunctionModel, made: Structured) -> Copied:
    from volcli.model.occurrences import Occurrences

    return model, Occurrences(model.assuming, made)


class _Together:
    """What is found once for all functions, when it is asked for; COPY copies one without branches."""

    def __init__(
        self, parsed: ParsedModule, operations: int, copy: Callable[[Operation], Operation | None]
    ) -> None:
        self._parsed = parsed
        self._operations = operations
        self._copy = copy

    @cached_property
    def callers(self) -> Callers:
        """What is passed to the functions."""
        from volcli.model.memory.checks.calls.callers import Callers

        return Callers(self._parsed.module, self._parsed.original)

    @cached_property
    def summaries(self) -> Summaries:
        """What the functions do to memory where they are called."""
        from volcli.model.memory.flow.summaries import Summaries

        return Summaries(self._parsed.names.of, self._operations, self._copy)

    @cached_property
    def passed(self) -> Passed:
        """What all callers of a private function pass to it."""
        from volcli.model.memory.checks.calls.passed import Passed

        return Passed(self.callers, self._parsed.names.of, self._operations)
