"""The text of a pipeline, `infer-shapes{refine-types},sparsity-regions{of=%x}`, read into passes.

    pipeline := [ element { "," element } ]
    element  := name [ "{" options "}" ]  |  anchor "(" pipeline ")"
    options  := { option ("," | space)* }      option := name [ "=" value { "," value } ]

An anchor is an op's name (`builtin.module`, `func.func`, `any`), as in mlir-opt's pipelines; it is read and
means nothing here: every pass sees the whole unit. A value is a word, or text in single or double quotes;
brackets inside a word keep together what is between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.passes.base import Option, Pass, options_of
from volcli.passes.table import closest, find
from volcli.passes.texts import PIPELINE

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_ANCHORS = (
    "builtin.module", "func.func", "gpu.module", "gpu.func", "llvm.func", "spirv.module", "any",
)  # fmt: skip
"""What mlir-opt's pipelines nest passes in."""
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def parse_pipeline(text: str) -> list[Pass]:
    """The passes that TEXT names, in order, each with its options.

    Raises UsageError with V001 (no such pass), V002 (no such option, or not of this value) or V003
    (malformed), placed in the pipeline's text.
    """
    return _Reader(text).pipeline()


def with_option(pipeline: str, name: str, value: str) -> str:
    """PIPELINE with option NAME set to VALUE in each pass that has it; the other passes as they are."""
    passes = parse_pipeline(pipeline)
    spelled: list[str] = []
    for each in passes:
        chosen = [o for o in options_of(type(each)) if o.differs(each) and o.name != name]
        words = [o.spell(getattr(each, o.field)) for o in chosen]
        words += [
            o.spell(items(value) if o.kind == "list" else value)
            for o in options_of(type(each))
            if o.name == name
        ]
        spelled.append(each.name + (f"{{{' '.join(words)}}}" if words else ""))
    return ",".join(spelled)


def items(text: str) -> list[str]:
    """The items of a list, between the commas that stand in no parentheses: `%a`, `dim(%t, 0)`."""
    return [item.strip() for item in re.split(r",(?![^(]*\))", text)]


@dataclass
class _Reader:
    """A recursive-descent reader of one pipeline; `at` is the offset of the next unread character."""

    text: str
    at: int = 0

    def pipeline(self) -> list[Pass]:
        passes = self.elements("")
        if self.at < len(self.text):
            raise self.error("V003", f"expected ',' or the end, found '{self.text[self.at]}'")
        return passes

    def elements(self, closing: str) -> list[Pass]:
        """Elements up to CLOSING (not consumed); none at all is an empty pipeline."""
        if self.peek() == closing:
            return []
        passes = self.element()
        while self.peek() == ",":
            self.at += 1
            passes += self.element()
        return passes

    def element(self) -> list[Pass]:
        self.peek()
        start = self.at
        name = self.word("a pass's name")
        if self.peek() == "(":
            return self.anchored(name, start)
        try:
            kind = find(name)
        except UsageError as error:
            raise self.error("V001", error.diagnostic.message, start, error.diagnostic.note) from None
        return [self.options(kind) if self.peek() == "{" else kind()]

    def anchored(self, name: str, start: int) -> list[Pass]:
        if name != "any" and "." not in name:
            raise self.error("V003", f"'{name}' is not an operation to nest passes in", start,
                             note=f"write a pass's options in braces: '{name}{{option=value}}'")  # fmt: skip
        opened = self.at
        self.at += 1
        if name not in _ANCHORS:
            known = f"passes run on {', '.join(_ANCHORS)}"
            raise self.error("V003", f"no pass runs on '{name}'", start, note=known)
        passes = self.elements(")")
        if self.peek() != ")":
            raise self.error("V003", "this '(' is never closed", opened)
        self.at += 1
        return passes

    def options(self, kind: type[Pass]) -> Pass:
        opened = self.at
        self.at += 1
        known = {o.name: o for o in options_of(kind)}
        values: dict[str, object] = {}
        while self.separator() != "}":
            if self.at == len(self.text):
                raise self.error("V003", "this '{' is never closed", opened)
            start = self.at
            name = self.word(f"an option of {kind.name}")
            if name not in known:
                note = closest(name, known, "`volcli passes`") if known else f"{kind.name} has no options"
                raise self.error("V002", f"{kind.name} has no option '{name}'", start, note)
            if known[name].field in values:
                raise self.error("V002", f"{kind.name}: '{name}' is given twice", start)
            values[known[name].field] = self.value(known[name], known)
        self.at += 1
        return kind(**values)

    def value(self, option: Option, known: dict[str, Option]) -> object:
        """What stands after the option's name, as a value of its type; a bare name is `true`."""
        start = self.at
        if self.peek() != "=":
            self.at = start
            if option.kind != "bool":
                note = f"write '{option.name}=VALUE'"
                raise self.error("V002", f"'{option.name}' needs a value", note=note)
            return True
        self.at += 1
        self.peek()
        start = self.at
        words = [self.scalar()]
        while option.kind == "list" and self.continues(known):
            words.append(self.scalar())
        if option.kind == "list":
            return tuple(words)
        return self.converted(option, words[0], start)

    def converted(self, option: Option, word: str, start: int) -> object:
        if option.kind == "str":
            return word
        if option.kind == "bool" and word in _TRUTH:
            return _TRUTH[word]
        if option.kind == "int":
            try:
                return int(word, 0)
            except ValueError:
                pass
        wanted = {"bool": "true or false", "int": "an integer"}[option.kind]
        raise self.error("V002", f"'{option.name}' is {wanted}, not '{word}'", start)

    def continues(self, known: dict[str, Option]) -> bool:
        """Whether a ',' and another item of a list follow (and not the next option); consumes the ','."""
        rest = re.compile(r"\s*,\s*(?![\s,}])").match(self.text, self.at)
        if rest is None:
            return False
        name = _NAME.match(self.text, rest.end())
        if name is not None and name.group() in known:
            return False
        self.at = rest.end()
        return True

    def scalar(self) -> str:
        """One word, or a quoted text without its quotes."""
        start = self.at
        quote = self.text[start : start + 1]
        if quote in ("'", '"') and quote:
            end = self.text.find(quote, start + 1)
            if end < 0:
                raise self.error("V003", "this quote is never closed", start)
            self.at = end + 1
            return self.text[start + 1 : end]
        closers: list[str] = []
        while self.at < len(self.text):
            c = self.text[self.at]
            if closers and c == closers[-1]:
                closers.pop()
            elif c in _PAIRS:
                closers.append(_PAIRS[c])
            elif not closers and (c in ",}" or c.isspace()):
                break
            self.at += 1
        if self.at == start:
            raise self.error("V003", "expected a value")
        return self.text[start : self.at]

    def word(self, wanted: str) -> str:
        found = _NAME.match(self.text, self.at)
        if found is None:
            here = f"'{self.text[self.at]}'" if self.at < len(self.text) else "the end"
            raise self.error("V003", f"expected {wanted}, found {here}")
        self.at = found.end()
        return found.group()

    def peek(self) -> str:
        """The next character that is not a space; '' at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def separator(self) -> str:
        """As `peek`, over commas too: they and spaces both separate options."""
        while self.peek() == ",":
            self.at += 1
        return self.peek()

    def error(self, code: str, message: str, at: int | None = None, note: str | None = None) -> UsageError:
        column = (self.at if at is None else at) + 1
        return UsageError(Diagnostic(code, message, Place(PIPELINE, 1, column), note))
