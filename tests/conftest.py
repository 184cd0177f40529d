"""Set before anything is imported: where figures go, and one thread, style and IPython profile for every kernel."""

import gc
import os
import shutil
import sys
import tempfile

import hypothesis
import pytest
import sites


def pytest_configure(config):
    gc.disable()  # until pytest_collection_finish: what is read and rewritten stays
    sys.modules.setdefault("rfc3987_syntax", None)  # as linmodels.book.cli does: seconds for a grammar of URLs
    folder = tempfile.mkdtemp(prefix="linmodels-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    drawn = os.path.join(folder, "figures")
    os.mkdir(drawn)
    os.environ["LINMODELS_FIGURES"] = drawn  # what the notebooks draw under nbval, for test_figures to compare
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(folder, "matplotlib"))
    os.environ.update(OPENBLAS_NUM_THREADS="1", MPLBACKEND="agg")
    os.environ.update(IPYTHONDIR=os.path.join(folder, "ipython"), PYTHONSTARTUP="")  # not the reader's
    # a shared machine is slow at times, and the same commit must give the same result: only `-m slow` draws at random
    hypothesis.settings.register_profile("the same", deadline=None, database=None, derandomize=True, max_examples=4)
    hypothesis.settings.register_profile("drawn", deadline=None, database=None, print_blob=True, max_examples=60)
    hypothesis.settings.load_profile("drawn" if draws(config) else "the same")


def draws(config):
    return config.option.markexpr == "slow" or "LINMODELS_DRAW" in os.environ


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items if draws(config) else ():
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("slow")


def pytest_collection_finish():
    gc.freeze()
    gc.set_threshold(100_000)  # to look for garbage after every 700 new objects is a tenth of all the time
    gc.enable()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site; with Python in it, where a folder with it is named."""
    return sites.build(tmp_path_factory.mktemp("built"), *(["--python", sites.PYODIDE] if sites.PYODIDE else []))


@pytest.fixture(scope="module")
def browser():
    """The browser that is there."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_api.sync_playwright() as play:
        try:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        except sync_api.Error as problem:
            pytest.skip(f"no browser here: {problem}")
        yield browser
        browser.close()
