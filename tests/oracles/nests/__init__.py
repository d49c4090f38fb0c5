"""A brute-force oracle for what may be done with loops, in plain Python: it shares no code with what it judges.

programs: what programs are made of, and their text. run: one run of them, in bytes of memory; who wrote what each
access reads. rewritings: the same statements in another order. draw: random programs. ask: volcli's answers, and
what they are worth. Arguments are run with memory of their own, with shared memory, and with layouts that overlap:
an answer has to hold in each run that its assumptions do not exclude.
"""
