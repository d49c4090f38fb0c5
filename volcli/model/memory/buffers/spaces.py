"""Memory spaces: which are plain memory, where a load gives what was stored to the same element last.

    memref<4xf32>, memref<4xf32, 3>, memref<4xf32, #gpu.address_space<workgroup>>          plain memory
    memref<4xf32, "stream">, memref<4xf32, #other.fifo>                                    perhaps not

The builtin dialect leaves memory spaces to whoever targets them. Numbers are address spaces, as in LLVM, and
so are those of MLIR's own dialects for GPUs. A string or an attribute of another dialect may stand for a
stream: a read takes an element out of it, an index means nothing, and no order can be changed. So whatever
goes to such a memref may read and write any of it. What a project declares of a space (`language.declared`)
is so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr, UnrankedMemRefType, UnregisteredAttr
from xdsl.ir import Attribute, SSAValue

from volcli.language.declared import is_declared_plain
from volcli.language.expressions import ANY
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.reads import rank_of

_ADDRESS_SPACES = (
    "amdgpu.address_space",
    "gpu.address_space",
    "llvm.address_space",
    "ptr.generic_space",
    "spirv.storage_class",
)


def foreign_space(value: SSAValue) -> str | None:
    """The memory space of VALUE, in words, if that may not be plain memory."""
    kind: Attribute = value.type
    if not isinstance(kind, MemRefType | UnrankedMemRefType):
        return None
    space: Attribute = kind.memory_space  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(space, NoneAttr):
        return None
    if (is_plain := is_declared_plain(value, space)) is not None:
        return None if is_plain else str(space)
    if isinstance(space, IntegerAttr):
        return None
    name = space.attr_name.data if isinstance(space, UnregisteredAttr) else space.name
    return None if name in _ADDRESS_SPACES else str(space)


def in_plain_memory(accesses: Sequence[MemoryAccess]) -> Iterator[MemoryAccess]:
    """ACCESSES; those to what may not be plain memory as reads and writes of anything in it."""
    seen: set[SSAValue] = set()
    for access in accesses:
        space = foreign_space(access.memref)
        if space is None:
            yield access
        elif access.memref not in seen:
            seen.add(access.memref)
            because = f"memory space {space} may not be plain memory"
            for effect in (Effect.READ, Effect.WRITE):
                index = (ANY,) * rank_of(access.memref)
                yield MemoryAccess(effect, access.memref, index, partial=because)
