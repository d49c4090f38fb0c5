"""What AFTER does to lifetimes that BEFORE does not: uses after frees, double frees, stack that leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.ir import Operation

from volcli.facts.differences import DIFFERENT, UNKNOWN, OutputComparison
from volcli.language.programs.known_loops import is_while
from volcli.model.function import FunctionModel
from volcli.model.memory.lifetimes.answers import Misuse, misuse_text
from volcli.model.memory.lifetimes.lifetimes import Lifetimes
from volcli.model.memory.lifetimes.regions import runs_always
from volcli.model.stated_effects import has_unknown_effects, is_assertion
from volcli.model.symbols import reached_from


class FunctionLifetimes:
    """What is wrong with lifetimes in the function of MODEL, and in those that it calls."""

    def __init__(self, model: FunctionModel) -> None:
        self.model = model
        own: Lifetimes = model.lifetimes
        self._function = own.function
        called = [each for each in reached_from(model.function) if each is not model.function]
        self.misuses: list[Misuse] = [*model.misuses, *(m for f in called for m in own.of_called(f))]
        self.frees = own.frees_of_arguments()
        self.frees_unknown = own.frees_unknown()

    def happens_always(self, misuse: Misuse) -> bool:
        """Whether each call of the function gets to MISUSE, which is certain there."""
        function = self._function
        if not misuse.certain or not runs_always(misuse.op, function):
            return False
        return not any(_may_end(op) for op in function.walk() if op is not function)

    def text(self, misuse: Misuse) -> str:
        """What is wrong."""
        return misuse_text(misuse, self.model.name_of(misuse.value))


class NewEnds:
    """What AFTER does to lifetimes; IS_REACHED says that BEFORE is defined for some arguments.

    An argument at a position is FREED_AS_BEFORE if BEFORE frees it whenever AFTER does.
    """

    def __init__(
        self,
        before: FunctionLifetimes,
        after: FunctionLifetimes,
        freed_as_before: Callable[[int], bool],
        *,
        is_reached: Callable[[], bool],
    ) -> None:
        self._freed_as_before = freed_as_before
        self._before = before
        self._after = after
        self._is_reached = is_reached

    def found(self) -> Iterator[OutputComparison]:
        """What is wrong in AFTER: different, if it is in each call, and BEFORE is right in some."""
        after = self._after
        sure = next(filter(after.happens_always, after.misuses), None)
        if sure is not None and self._is_reached() and not self._before.misuses:
            yield OutputComparison("lifetimes", DIFFERENT, f"after: {after.text(sure)}")
        elif after.misuses:
            first = next((each for each in after.misuses if each.certain), after.misuses[0])
            may = "" if first.certain else "perhaps, "
            yield OutputComparison("lifetimes", UNKNOWN, f"after: {may}{after.text(first)}")
        if (found := self._frees()) is not None:
            reason, is_sure = found
            verdict = DIFFERENT if is_sure and self._is_reached() else UNKNOWN
            yield OutputComparison("arguments", verdict, f"after: {reason}")

    def _frees(self) -> tuple[str, bool] | None:
        """What AFTER frees, perhaps, and BEFORE perhaps does not: an argument or global; if that is sure."""
        if self._after.frees_unknown:
            return "memory is freed, and it is not known which", False
        old = self._before.frees
        new = [key for key in self._after.frees if not (old.get(key, False) or self._is_freed(key, old))]
        if not new:
            return None
        is_free_before = self._before.frees_unknown or new[0] in old
        is_sure = self._after.frees[new[0]] and not (is_free_before or self._after.misuses)
        if isinstance(new[0], str):
            return f"the global @{new[0]} is freed", is_sure
        return f"an argument is freed: number {new[0]}", is_sure

    def _is_freed(self, key: int | str, old: Mapping[int | str, bool]) -> bool:
        return isinstance(key, int) and key in old and self._freed_as_before(key)

    def left(self, freed_as_after: Callable[[int], bool]) -> list[int | str | None]:
        """The arguments and globals that BEFORE frees and AFTER may not; None: it is not known which.

        No caller of BEFORE may use that memory any more, nor free it: to leave it allocated changes nothing
        that one can compute, but it leaks.
        """
        new = self._after.frees
        missing = [key for key in self._before.frees if not new.get(key)]
        arguments = sorted(key for key in missing if isinstance(key, int))
        symbols = sorted(key for key in missing if isinstance(key, str))
        unknown = [None] * self._before.frees_unknown
        return [*(k for k in arguments if k not in new or not freed_as_after(k)), *symbols, *unknown]


def _may_end(op: Operation) -> bool:
    return is_while(op) or is_assertion(op) or has_unknown_effects(op) or bool(op.successors)
