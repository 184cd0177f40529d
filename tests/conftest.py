"""Set before anything is imported: where figures go, and one thread, style and IPython profile for every kernel."""

import os
import shutil
import tempfile

import hypothesis


def pytest_configure(config):
    folder = tempfile.mkdtemp(prefix="linmodels-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    drawn = os.path.join(folder, "figures")
    os.mkdir(drawn)
    os.environ["LINMODELS_FIGURES"] = drawn  # what the notebooks draw under nbval, for test_figures to compare
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(folder, "matplotlib"))
    os.environ.update(OPENBLAS_NUM_THREADS="1", MPLBACKEND="agg")
    os.environ.update(IPYTHONDIR=os.path.join(folder, "ipython"), PYTHONSTARTUP="")  # not the reader's
    # a shared machine is slow at times, and the same commit must give the same result in CI
    hypothesis.settings.register_profile("local", deadline=None, database=None)
    hypothesis.settings.register_profile("ci", deadline=None, database=None, derandomize=True)
    hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")
