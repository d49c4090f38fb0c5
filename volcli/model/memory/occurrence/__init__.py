"""Whether something that sets describe happens in an execution: for all arguments, for some, or perhaps
never.

Guarantees: "for some" comes with arguments; a doubt names the value that no caller chooses.

Imports: `language`, `model.memory.buffers`, `model.memory.dependences`, `model.memory.domains`,
`model.values`, `presburger`.
"""
