"""Methods of dataclasses, made when they are first called.

`@dataclass` writes the text of five or six methods and has Python compile each by itself: a third of a short
run, in which one of ten is ever called. Here the class first gets a stub for each; the first call makes the
method, puts it in the stub's place, and calls it. So a method costs nothing until it is needed, and what it
always did from its second call on.

For `class Point: x: int`, `Point.__init__` is a stub, after `Point(3)` what `@dataclass` makes, and
`Point.__eq__` still a stub.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import wraps
from typing import Any

Make = Callable[..., Callable[..., Any]]
_MAKER = "_create_fn"
_ARGUMENTS = ("name", "args", "body", "globals", "locals", "return_type")


def postpone_methods() -> None:
    """From now on the methods of dataclasses are made at their first call, also those of other packages.

    Instances are what they were; only `inspect.signature` of such a class is different. This replaces a
    private function of the standard library, and so is for processes that are volcli's own. Where that
    function is another one, as from Python 3.13 on, nothing happens.
    """
    make: Make | None = getattr(dataclasses, _MAKER, None)
    code = getattr(make, "__code__", None)
    if make is not None and code is not None and code.co_varnames[: len(_ARGUMENTS)] == _ARGUMENTS:
        setattr(dataclasses, _MAKER, _postponed(make))


def _postponed(make: Make) -> Make:
    """As MAKE, a method's text being its arguments; but the method that it returns is a stub."""

    @wraps(make)
    def postponed(name: str, *text: Any, **names: Any) -> Callable[..., Any]:
        made: Callable[..., Any] | None = None

        def stub(*arguments: Any, **named: Any) -> Any:
            nonlocal made
            if made is None:
                made = make(name, *text, **names)
                made.__qualname__ = stub.__qualname__
            for kind in type(arguments[0]).__mro__:
                if kind.__dict__.get(name) is stub:
                    setattr(kind, name, made)
            return made(*arguments, **named)

        stub.__name__ = name
        return stub

    return postponed
