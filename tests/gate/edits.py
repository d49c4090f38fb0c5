"""Random edits of a large file, as somebody makes them who works on it between two runs of the gate.

A document is chunks of blocks (functions, aliases, globals, comments, empty lines), each of which is a list of
lines. An edit changes it in place; most leave a valid program, a few do not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.gate.edited_parts import (
    ALIASES,
    BROKEN,
    CALL,
    COMMENTS,
    COUNTED,
    GLOBAL,
    KINDS,
    OF_FILE,
    PADDING,
    UNUSED,
)

Block = list[str]


@dataclass
class Document:
    """A text that is edited; NUMBER is that of the next new function."""

    choice: random.Random
    chunks: list[list[Block]] = field(default_factory=list[list[Block]])
    number: int = 0
    wrapped: bool = False
    dumped: bool = False
    ending: str = "\n"
    typed: tuple[Block, Block] | None = None
    """The function in which somebody is typing, and as it was before."""

    @classmethod
    def made(cls, seed: int) -> Document:
        """A document of three groups and more, with functions that call each other across them."""
        found = cls(random.Random(seed))
        chunk: list[Block] = [[ALIASES[0]], [GLOBAL]]
        found.chunks = [chunk]
        for position in range(60):
            chunk.append(found.new_function(chunk) if position % 2 else found.padding())
            if found.choice.random() < 0.5:
                chunk.append([""])
        return found

    def text(self) -> str:
        parts = ["\n".join("\n".join(block) for block in chunk) for chunk in self.chunks]
        if self.wrapped and len(parts) == 1:
            parts = [f"module {{\n{parts[0]}\n}}"]
        marker = "// -----// IR Dump After SomePass (some-pass) //----- //" if self.dumped else "// -----"
        text = f"\n{marker}\n".join(parts) + "\n"
        return text.replace("\n", self.ending)

    def name(self) -> str:
        self.number += 1
        return f"f{self.number}"

    def padding(self) -> Block:
        inside = [f"  // line {n}" for n in range(self.choice.randrange(PADDING))]
        return [f"func.func @{self.name()}() {{", *inside, "  return", "}"]

    def new_function(self, chunk: list[Block]) -> Block:
        """A function of some kind, or one that calls another one of CHUNK."""
        text = self.choice.choice([*KINDS.values(), CALL, COUNTED])
        kind = "(%m: memref<9xf32>) -> f32" if text is CALL else "(%n: index) -> index"
        callees = [name for block in chunk if (name := symbol(block)) and any(kind in line for line in block)]
        if text in (CALL, COUNTED) and not callees:
            text = KINDS["load" if text is CALL else "bound"]
        called = self.choice.choice(callees) if callees else ""
        return text.replace("NAME", self.name()).replace("CALLED", called).split("\n")

    def edit(self) -> str:
        """Change something; what was done."""
        each = self.choice.choice(EDITS)
        each(self)
        self._drop_calls_of_nothing()
        return each.__name__

    def _drop_calls_of_nothing(self) -> None:
        """Remove functions that call what is not in their chunk any more: what is invalid is done as a whole."""
        for chunk in self.chunks:
            size = -1
            while size != len(chunk):
                size, there = len(chunk), {symbol(block) for block in chunk}
                chunk[:] = [b for b in chunk if there.issuperset(re.findall(r"call @(\w+)", "\n".join(b)))]

    def chunk(self) -> list[Block]:
        return self.choice.choice(self.chunks)

    def function(self) -> Block:
        """A function of more than comments."""
        every = [block for chunk in self.chunks for block in chunk if symbol(block)]
        real = [block for block in every if any("memref" in line or "index" in line for line in block)]
        return self.choice.choice(real or every)


def symbol(block: Block) -> str | None:
    """The name of the function that BLOCK is."""
    found = next(
        (match for line in block if (match := re.match(r"func\.func (?:private )?@(\w+)", line))), None
    )
    return None if found is None else found[1]


def comment_inside(document: Document) -> None:
    block = document.function()
    block.insert(document.choice.randrange(len(block) + 1), document.choice.choice(COMMENTS))


def comment_behind(document: Document) -> None:
    block = document.function()
    at = document.choice.randrange(len(block))
    if block[at].strip() and "//" not in block[at]:
        block[at] += " " + document.choice.choice(COMMENTS)


def comment_removed(document: Document) -> None:
    for chunk in document.chunks:
        for block in chunk:
            for at in [at for at, line in enumerate(block) if "volcli" in line]:
                if document.choice.random() < 0.4:
                    block[at] = block[at].partition("//")[0].rstrip()


def comment_between(document: Document) -> None:
    chunk = document.chunk()
    lines = [document.choice.choice(COMMENTS), *[""] * document.choice.randrange(3)]
    chunk.insert(document.choice.randrange(len(chunk) + 1), lines)


def comment_of_file(document: Document) -> None:
    for chunk in document.chunks:
        chunk[:] = [block for block in chunk if not any("ignore-file" in line for line in block)]
    if document.choice.random() < 0.5:
        document.chunk().insert(0, [document.choice.choice(OF_FILE)])


def blank_lines(document: Document) -> None:
    chunk = document.chunk()
    chunk.insert(document.choice.randrange(len(chunk) + 1), [""] * document.choice.randrange(1, 4))
    block = document.function()
    block.insert(document.choice.randrange(1, len(block) + 1), "")


def renamed_function(document: Document) -> None:
    old, new = symbol(document.function()), document.name()
    _replace(document, rf"@{old}\b", f"@{new}")


def renamed_value(document: Document) -> None:
    block, new = document.function(), document.choice.choice(("v", "w", "long_name"))
    block[:] = [re.sub(r"%(c|x|t)\b", f"%{new}", line) for line in block]


def moved_function(document: Document) -> None:
    chunk = document.chunk()
    if chunk:
        block = chunk.pop(document.choice.randrange(len(chunk)))
        chunk.insert(document.choice.randrange(len(chunk) + 1), block)


def added_function(document: Document) -> None:
    chunk = document.chunk()
    chunk.insert(document.choice.randrange(len(chunk) + 1), document.new_function(chunk))


def removed_function(document: Document) -> None:
    chunk = document.chunk()
    functions = [block for block in chunk if symbol(block)]
    if len(functions) > 30:
        chunk.remove(document.choice.choice(functions))


def changed_number(document: Document) -> None:
    block = document.function()
    number = str(document.choice.choice((1, 3, 7, 8, 9, 31, 33)))
    block[:] = [re.sub(r"(constant |\+ |to |n, |%a\[)\d+", rf"\g<1>{number}", line) for line in block]


def private_or_public(document: Document) -> None:
    block = document.function()
    for at, line in enumerate(block):
        if "func.func private " in line:
            block[at] = line.replace("func.func private ", "func.func ")
        elif "func.func " in line:
            block[at] = line.replace("func.func ", "func.func private ")


def line_endings(document: Document) -> None:
    document.ending = "\r\n" if document.ending == "\n" else "\n"


def wrapped(document: Document) -> None:
    document.wrapped = not document.wrapped


def dumped(document: Document) -> None:
    """The parts are dumps after passes, or not any more."""
    document.dumped = not document.dumped


def split(document: Document) -> None:
    """A marker between two functions, or one less."""
    if len(document.chunks) > 1 and document.choice.random() < 0.6:
        at = document.choice.randrange(len(document.chunks) - 1)
        second = [block for block in document.chunks[at + 1] if not _is_shared(block)]
        document.chunks[at : at + 2] = [document.chunks[at] + second]
        return
    at = document.choice.randrange(len(document.chunks))
    chunk = document.chunks[at]
    middle = document.choice.randrange(len(chunk) + 1)
    shared = [[*block] for block in chunk[:middle] if _is_shared(block)]
    document.chunks[at : at + 1] = [chunk[:middle], shared + chunk[middle:]]


def _is_shared(block: Block) -> bool:
    """Whether BLOCK is the alias or the global that functions refer to."""
    return any(line.startswith("#shift") or line == GLOBAL for line in block)


def changed_alias(document: Document) -> None:
    new = document.choice.choice(ALIASES)
    _replace(document, r"^#shift = .*$", new)


def unused_alias(document: Document) -> None:
    """Something that nothing refers to, perhaps wrong, or it is gone again."""
    for chunk in document.chunks:
        chunk[:] = [block for block in chunk if not any(line in UNUSED for line in block)]
    if document.choice.random() < 0.5:
        chunk = document.chunk()
        chunk.insert(0, [document.choice.choice((UNUSED[0], *UNUSED))])


def broken_function(document: Document) -> None:
    """A function that cannot be read, or it is gone again."""
    for chunk in document.chunks:
        chunk[:] = [block for block in chunk if not any("%y : index" in line for line in block)]
    if document.choice.random() < 0.2:
        chunk = document.chunk()
        chunk.append(BROKEN.replace("NAME", document.name()).split("\n"))


def typing(document: Document) -> None:
    """A character is missing in a function, such as the bracket that ends a loop, or it is there again."""
    if document.typed is not None:
        (block, before), document.typed = document.typed, None
        block[:] = before
        return
    block = document.function()
    document.typed = block, block.copy()
    text = "\n".join(block)
    at = document.choice.choice([found.start() for found in re.finditer(r"[][(){}:,%=]", text)])
    block[:] = (text[:at] + text[at + 1 :]).split("\n")


def _replace(document: Document, old: str, new: str) -> None:
    for chunk in document.chunks:
        for block in chunk:
            block[:] = [re.sub(old, new, line) for line in block]


EDITS: tuple[Callable[[Document], None], ...] = (
    *[comment_inside, comment_behind, comment_between, comment_removed, comment_removed] * 2,
    *[changed_number, moved_function, added_function, private_or_public, renamed_function] * 2,
    comment_of_file, blank_lines, renamed_value, removed_function, removed_function, line_endings, wrapped,
    split, split, dumped, changed_alias, unused_alias, broken_function, *[typing] * 4,
)  # fmt: skip
