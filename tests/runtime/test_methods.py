"""Methods that are made at their first call do what those of `dataclasses` do."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import copy, pickle, sys
from dataclasses import FrozenInstanceError, dataclass, field, replace
from volcli.runtime.methods import postpone_methods

if sys.argv[1] == "postponed":
    postpone_methods()


@dataclass
class Base:
    x: int
    y: list[int] = field(default_factory=list)

    def __post_init__(self):
        self.seen = True


@dataclass
class Derived(Base):
    z: int = 3

    def __init__(self, x):
        super().__init__(x)


@dataclass(frozen=True, order=True)
class Frozen:
    a: int
    b: str = "b"


@dataclass(frozen=True, slots=True)
class Slotted(Frozen):
    c: float = 0.5


@dataclass(init=False, eq=False)
class Bare:
    n: int


def tried(work):
    try:
        return work()
    except Exception as error:
        return type(error).__name__, str(error)


def state(one):
    one.n = 4
    return one


for _ in range(2):  # the second time the methods are there
    print(Base(1), Base(1) == Base(1), Base(1).seen, Derived(2), Derived(2) == Base(2), Derived(2).z)
    print(Frozen(1), Frozen(1) < Frozen(2), hash(Frozen(1)) == hash(Frozen(1, "b")), {Frozen(1): 2}[Frozen(1)])
    print(Slotted(1), replace(Slotted(1), c=2.0), Slotted(1) == Frozen(1), sorted([Slotted(2), Slotted(1)]))
    print(tried(lambda: setattr(Frozen(1), "a", 2)), tried(lambda: delattr(Slotted(1), "a")))
    print(tried(lambda: Frozen()), tried(lambda: Frozen(1, 2, 3)), tried(lambda: Base(z=1)), tried(lambda: hash(Base(1))))
    print(pickle.loads(pickle.dumps(Slotted(3))), copy.deepcopy(Base(1, [2])), state(Bare()))
print(Frozen.__init__.__qualname__, Derived.__eq__.__qualname__, Slotted.__hash__.__name__)
print(Frozen.__init__.__code__.co_name)
"""


def said(how: str) -> list[str]:
    ran = subprocess.run([sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_classes_are_what_they_were_at_the_first_call_and_later() -> None:
    assert said("postponed") == said("at once")


def test_a_method_that_nobody_calls_is_not_made() -> None:
    script = (
        "import dataclasses, builtins\n"
        "from volcli.runtime.methods import postpone_methods\n"
        "make, made = getattr(dataclasses, '_create_fn', None), []\n"
        "if make is None: raise SystemExit('another Python')\n"
        "def counted(name, args, body, *, globals=None, locals=None, return_type=dataclasses.MISSING):\n"
        "    made.append(name)\n"
        "    return make(name, args, body, globals=globals, locals=locals, return_type=return_type)\n"
        "dataclasses._create_fn = counted\n"
        "postpone_methods()\n"
        "@dataclasses.dataclass(frozen=True)\n"
        "class Point:\n"
        "    x: int\n"
        "Point(1), Point(2)\n"
        "print(*made)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["__init__"] or ran.stderr.strip() == "another Python"
