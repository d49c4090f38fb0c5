"""The kernel of the oracles, in plain Python: it shares no code with what they judge.

arithmetic: integers of any width. affine: affine expressions over loops, and boxes of points. storage: who wrote
what a read reads. nodes: operations inside operations. judgement: what an answer is worth, smaller programs that
show the same, and campaigns of random programs. Each oracle adds the programs of its question, and what it tracks.
"""
