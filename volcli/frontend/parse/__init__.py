"""From text to operations: xDSL's parser, what it lacks, and recovery from what cannot be read.

Imports: `diagnostics`, `frontend.check`, `frontend.parse.constants`, `frontend.text`, `frontend.unread`,
`language`, `runtime`.
"""
