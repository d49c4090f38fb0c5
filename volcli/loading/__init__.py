"""From a file to an analysed program: dialects and plug-ins are composed with the analysis here only.

Guarantees: one unreadable operation or faulty plug-in is reported and does not lose the rest of the file.

Imports: `api`, `diagnostics`, `execution`, `frontend`, `language`, `model`, `passes`, `presburger`,
`runtime`, `volcli_dialects`.
"""
