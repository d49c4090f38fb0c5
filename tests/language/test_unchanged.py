"""What is asked of operations is kept where nothing changes them, and nowhere else."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.language.interface import Interface
from volcli.language.unchanged import operations_in, unchanged


class Answers:
    """A question that is answered 1, 2, 3, ..."""

    def __init__(self) -> None:
        self.question = Interface[int]("number", kept=True)
        self.count = 0
        self.question.case(ModuleOp)(self.answer)

    def answer(self, op: Operation) -> int:
        self.count += 1
        return self.count


def test_an_answer_is_kept_within_and_not_behind() -> None:
    answers, module = Answers(), ModuleOp([])
    with unchanged():
        assert [answers.question(module) for _ in range(3)] == [1, 1, 1]
        with unchanged():
            assert answers.question(module) == 1
        assert answers.question(module) == 1
    assert [answers.question(module) for _ in range(2)] == [2, 3]


def test_operations_follow_as_in_the_text() -> None:
    module = ModuleOp([ModuleOp([ModuleOp([]), ModuleOp([])]), ModuleOp([])])
    assert list(operations_in(module)) == list(module.walk())
    with unchanged():
        before = operations_in(module)
        assert operations_in(module) is before
    module.body.block.add_op(ModuleOp([]))
    assert list(operations_in(module)) == list(module.walk())
