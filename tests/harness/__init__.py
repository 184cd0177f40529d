"""Two versions of the package, answer by answer: what does a change of a solver change for a reader?

    git worktree add ../before v0.1.0                     # the package to compare with, at any commit
    python -m tests.harness --old ../before               # 200 problems a door
    python -m tests.harness --old ../before lda svm.fit --draws 5000 --seed 0
    python -m tests.harness --old ../before svm.fit --only 17  # one of them again
    python -m tests.harness --prove                       # is what the new package says optimal? No old one is needed
    python -m tests.harness --rank 20000                  # refused without full rank, answered with it

--new names another checkout than this one. The two packages lie side by side in one process, under names of their own.
Compared are the verdicts: converged or not, proved to have no minimum, separable or not, refused with which exception,
with a warning, without an end. Where both have a solution, so is the objective there, computed here in 80 bits: the
weights may differ where many are best. Each difference is a line with its door, its seed and its kind, `--only` repeats
it, and in Python `problems.problem(17)` is the problem. The command ends with 1 where there was one.

problems
    the problem of a seed, of eight kinds in turn; matrices with and without full rank
definitions
    objectives by their definition, and by how much an answer misses its condition
doors
    for each door the call, what is compared, what proves it; a new door is a line in DOORS
runs
    the three ways to run

The quick suite only sees to it that this runs and that three faults are found, in tests/test_harness.py.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # the same sums
