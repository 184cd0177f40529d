"""How long the library takes beside its peers: `python -m tests.benchmarks` measures, prints and draws.

A reader who looks for one thing:

regression, likelihoods, classifiers, margins, kernel_methods
    what is raced: a small function per task; below them LINES, their sizes, rivals and limits
problems, peers
    the random data of the tasks; scikit-learn and statsmodels, if they are there
lines, race, table
    who is raced at which sizes; how; what is printed
measured, pictures
    what is kept, in measured.json; what is drawn from it
book
    what the import of the library and the run of the chapters are made of

Nothing is asserted about time. The peers are an extra of their own: `pip install -e ".[bench]"`.
"""

import os

# One thread for everyone, set before anything imports NumPy: times of two threads on a busy machine are noise.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
