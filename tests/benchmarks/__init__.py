"""How long the library takes beside its peers: `python -m tests.benchmarks` prints the table; nothing is asserted.

The peers (scikit-learn, statsmodels) are an extra of their own: `pip install -e '.[bench]'`.
"""

import os

# One thread for everyone, set before anything imports NumPy: times of two threads on a busy machine are noise.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
