"""Random programs that compute through memory, and what each element of it is computed from, by an execution.

`programs` draws them: loops, affine branches, values that loops carry, views, copies, structured operations and
calls of private functions. `truth` executes them on terms, so that each element says what it is computed from.
"""
