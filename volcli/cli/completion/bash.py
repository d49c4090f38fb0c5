"""Completion in bash, which divides words at `:` and `=`: the whole word is completed, and its rest inserted.

volcli explain a.mlir:1|      bash completes the word `1`; the word is `a.mlir:1`
"""

from __future__ import annotations

import os

from click.shell_completion import BashComplete, CompletionItem, add_completion_class

_SOURCE = """\
%(complete_func)s() {
    local type value
    COMPREPLY=()
    while IFS=',' read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("$value")
                [[ $value == *[=:{] ]] && compopt -o nospace ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORD="${COMP_WORDS[COMP_CWORD]}" \
%(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_END = "\x01"
"""Behind the line: the last word is the one that has it, an empty one, too."""


class Bash(BashComplete):
    """As click's, but with the line as it was typed, where the shell gives it."""

    source_template = _SOURCE

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that."""
        self._typed = 0
        if "COMP_LINE" not in os.environ:
            return super().get_completion_args()
        os.environ |= {"COMP_WORDS": os.environ["COMP_LINE"] + _END, "COMP_CWORD": "-1"}
        words, last = super().get_completion_args()
        del os.environ["COMP_WORDS"], os.environ["COMP_CWORD"]
        last = last.partition(_END)[0]
        part = os.environ.get("COMP_WORD", "").lstrip("'\"")
        part = "" if part in ("=", ":") else part
        value = last.partition("=")[2] if last.startswith("--") else last
        self._typed = len(value) - len(part) if value.endswith(part) else 0
        return words, last

    def format_completion(self, item: CompletionItem) -> str:
        """ITEM without what bash takes for words before it."""
        return f"{item.type},{item.value[self._typed :] if item.type == 'plain' else item.value}"


def register() -> None:
    """Let click complete bash so."""
    add_completion_class(Bash)
