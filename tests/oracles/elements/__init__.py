"""A brute-force oracle for the volume model, in plain Python: it shares no code with what it judges.

values, bodies, layers: what operations are lowered to. nodes, tensors, structured, named: the
operations. programs: whole programs and their MLIR text. facts (with elements, visit, transport): what is
true of each element (reads, reaches, zero, labels, periods). execute: the numbers. strategies (with builder
and draw_*): random programs. examples: small versions of the layers that matter. compare: the judge. ask:
volcli's answers. reduce: smaller programs that show the same. numbers_of_loops, numbers_elsewhere,
loaded_subscripts: bodies that compute with indices, judged by perturbation (perturbed).
"""
