"""The command line as a reader meets it, in a small book that is thrown away; kernels, kills and limits are slow."""

import gc
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from cases import slow

from linmodels import pictures, plotting
from linmodels.book import answers, cli, runner

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and pipes are other ones there")


LINE = """\
from linmodels import plotting
fig, ax = plotting.figure(3, 2)
plotting.line(ax, [1, 1], {b})
plotting.save(fig, "{name}", "A line")"""
NAP = """\
import os, pathlib, time
pathlib.Path("pid").write_text(str(os.getpid()))
time.sleep(60)"""


class Book:
    """A folder that is a book, and the command in it."""

    def __init__(self, root, monkeypatch=None, capsys=None):
        self.root, self.started, self.patch, self.printed = root, [], monkeypatch, capsys
        (root / "pyproject.toml").write_text('[project]\nname = "linmodels"\n')
        (root / "notebooks").mkdir()

    def write(self, stem, *sources):
        code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        cells = [code | {"id": f"cell-{i}", "source": source} for i, source in enumerate(sources)]
        stored = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (self.root / "notebooks" / f"{stem}.ipynb").write_text(json.dumps(stored))

    def start(self, *arguments, cwd=None, command=("-m", "linmodels"), stdout=subprocess.PIPE, **env):
        command = [sys.executable, *command, *map(str, arguments)]
        pipes = {"stdout": stdout, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        place = {"cwd": cwd or self.root, "env": os.environ | env, "start_new_session": True}
        self.started.append(subprocess.Popen(command, **place, **pipes))
        return self.started[-1]

    def call(self, *arguments, **kw):
        process = self.start(*arguments, **kw)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def ask(self, *arguments, cwd=None):
        """The same in this process, which is quicker: the status and what it prints."""
        self.patch.chdir(cwd or self.root)
        self.patch.setattr(cli, "_forget_stdout", lambda: None)
        self.printed.readouterr()
        try:
            status = cli.main([*map(str, arguments)])
        except SystemExit as stop:  # argparse
            status = stop.code
        gc.enable()  # `find` does without, as its process ends
        return status, *self.printed.readouterr()

    def files(self):
        """Everything on disk with its bytes and its time of writing."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    def names(self):
        """Everything on disk with its bytes."""
        return {name: data for name, (data, _) in self.files().items()}

    def napping(self):
        """The process of the kernel, once it is in its NAP."""
        note = self.root / "notebooks" / "pid"
        wait_until(lambda: note.is_file() and note.read_text())
        kernel = int(note.read_text())
        note.unlink()
        return kernel

    def outputs(self, stem):
        stored = json.loads((self.root / "notebooks" / f"{stem}.ipynb").read_text())
        return [cell.get("outputs") for cell in stored["cells"]]


def wait_until(done):
    for _ in range(600):
        if done():
            return
        time.sleep(0.05)
    pytest.fail("waited for half a minute")


@pytest.fixture
def book(tmp_path, monkeypatch, capsys):
    book = Book(tmp_path, monkeypatch, capsys)
    yield book
    for process in book.started:  # of a test that failed
        process.kill()
        process.communicate()


@pytest.fixture
def ctrl_c():
    """A shell that runs these tests in the background lets them and their children ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield signal.SIGINT
    signal.signal(signal.SIGINT, before)


PRINTS = ["x = 20", "print(x + 1)\nprint(x + 2)"]


def test_without_a_way_to_the_kernel_none_is_waited_for(book, monkeypatch):
    def shut(*address, **options):
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("socket.create_connection", shut)
    monkeypatch.setattr(runner.Kernels, "at_work", lambda *given: pytest.fail("a kernel was started"))
    book.write("09_perceptron", *PRINTS)
    status, out, err = book.ask("run", "9")
    assert status == 1 and "no kernel can be reached at 127.0.0.1 (Network is unreachable); the network" in out + err
    assert "device lo must be up" in out + err


def test_run_says_which_chapters_hold_answers(book):
    asked = ["from linmodels.exercises import check", "check.five_visits(3)"]
    book.write("09_perceptron", *asked)
    assert "your answers, and what they showed, stand in 09_perceptron now" in book.ask("run", "9")[1]
    book.write("09_perceptron", asked[0], "check.five_visits(...)")
    assert "your answers" not in book.ask("run", "9")[1]


def test_run_executes_and_shows_progress(book):
    book.write("09_perceptron", *PRINTS, LINE.format(name="09_perceptron_line", b=0))
    before = book.names()
    status, out, err = book.ask("run", "perceptron")
    assert (status, err) == (0, "")
    *progress, following = re.sub(r" +\d+\.\d s", " S", out).splitlines()
    assert progress == [
        "1 chapter on 1 core",
        "        ...  09_perceptron",
        "[ 1/ 1] ok   09_perceptron S",
        "1 chapter, 1 figure (1 changed) in S",
    ]
    assert "linmodels lab" in following
    _, (printed,), (shown,) = book.outputs("09_perceptron")
    assert printed["text"] == ["21\n", "22\n"]
    assert shown["data"]["text/plain"] == ["[figure 09_perceptron_line: A line]"]
    written = book.names()
    assert b"![A line](09_perceptron_line.png)" in written["figures/README.md"]
    assert written.keys() - before.keys() == {"figures/README.md", "figures/09_perceptron_line.png"}


@pytest.mark.slow
def test_a_second_run_writes_nothing(book):
    for stem in ("04_logistic_regression", "09_perceptron"):
        book.write(stem, *PRINTS, LINE.format(name=f"{stem}_line", b=0))
    assert "2 chapters, 2 figures (2 changed)" in book.call("run", 4, 9)[1]
    before = book.files()
    status, out, _ = book.call("run", "04", "09_perceptron.ipynb", cwd=book.root / "notebooks")
    assert status == 0 and "2 figures (0 changed)" in out and book.files() == before


@pytest.mark.slow
def test_run_of_everything_writes_the_map_too(book):
    status, out, _ = book.call("run")
    assert status == 0 and "ok   00_map" in out
    assert b"A-5.3.1-2" in book.names()["notebooks/00_map.ipynb"]
    found = next(outputs for outputs in book.outputs("00_map") if outputs)  # its only cell of code
    assert "".join(found[0]["text"]).startswith("A-5.3.1-1    ")


DRAWN = LINE.format(name="07_lda_line", b=0)
FAILING = [
    (
        "02_regularization",
        ["def f():\n    return 1 / 0", "x = 1\n\nf()  # here"],
        ", cell cell-1, line 3: ZeroDivisionError: division by zero\n            f()  # here\n",
    ),
    ("03_glm", [LINE.format(name="03_glm_line", b=0), "import os\nos._exit(3)"], ", cell cell-1: the kernel died"),
    ("06_least_squares_classifier", [DRAWN], ": figure 07_lda_line must be named 06_least_squares_classifier_..."),
    ("07_lda", [DRAWN + ";\n"], ": figure 07_lda_line is shown by no cell"),
    ("08_naive_bayes", ["1 +"], ", cell cell-0, line 1: SyntaxError: invalid syntax\n            1 +\n"),
]


@pytest.mark.parametrize("chapters", [[], pytest.param(FAILING, marks=pytest.mark.slow)], ids=["unreadable", "all"])
def test_failing_chapters_are_explained_and_stay_as_they_were(book, chapters):
    for stem, sources, _ in chapters:
        book.write(stem, *sources)
    (book.root / "notebooks" / "09_perceptron.ipynb").write_text("{oops")
    before, stems = book.files(), [*(stem for stem, _, _ in chapters), "09_perceptron"]
    status, out, err = book.ask("run", *stems)
    assert status == 1 and out.count("FAIL") == len(stems) and book.files() == before
    for stem, _, message in [*chapters, ("09_perceptron", [], " cannot be read as a notebook")]:
        assert f"        notebooks/{stem}.ipynb{message}" in err
    again = rf"once mended: .* run {' '.join(stems)}$"
    assert re.search(rf"{len(stems)} chapters? failed and stayed as before; {again}", out, re.M)


@pytest.mark.slow
def test_a_cell_that_takes_too_long_is_named(book):
    book.write("04_logistic_regression", "1", "import time\ntime.sleep(60)")
    before = book.files()
    status, _, err = book.call("run", "--timeout", "2", 4)
    assert status == 1 and "notebooks/04_logistic_regression.ipynb, cell cell-1: still running after 2 s" in err
    assert before.items() <= book.files().items()


@pytest.mark.slow
@POSIX
def test_ctrl_c_ends_at_once_and_leaves_nothing_behind(book, ctrl_c):
    book.write("04_logistic_regression", LINE.format(name="04_logistic_regression_line", b=0), NAP)
    for stem in ("05_softmax_regression", "06_least_squares_classifier", "07_lda"):
        book.write(stem, "import time\ntime.sleep(60)")
    before = book.files()
    process = book.start("run", 4, 5, 6, 7)
    kernel = book.napping()
    start = time.monotonic()
    process.send_signal(ctrl_c)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130 and time.monotonic() - start < 6
    assert err.split("\n", 2)[:2] == ["", "stopping ..."]
    assert err.split("\n", 2)[2].strip() == (
        "stopped (0 of 4 chapters had finished); finished chapters are in place, the others untouched: start again"
    )
    with pytest.raises(ProcessLookupError):
        os.kill(kernel, 0)
    assert book.files() == before


def test_ctrl_c_says_nothing_of_chapters_where_none_runs(book, monkeypatch):
    def stop(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(answers, "report", stop)
    assert book.ask("find", "hinge") == (130, "", "\nstopped\n")


# The power goes, the disk is full, a folder is closed: the book stays whole, and a run puts right what is left to do.

HALF_WRITTEN = """\
import os, pathlib, signal, sys
from linmodels.book.cli import main
whole, replace, left = pathlib.Path.write_bytes, os.replace, int(sys.argv.pop())
def step(act, *at):
    global left
    left -= 1
    if not left:
        at[0].write_text("ha") if act is whole else None
        os.kill(os.getpid(), signal.SIGKILL)
    return act(*at)
pathlib.Path.write_bytes, os.replace = lambda *a: step(whole, *a), lambda *a: step(replace, *a)
main(sys.argv[1:])"""


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    "moment, drafts_left, taken_in",
    [
        (1, 1, []),  # a draft is half written
        (3, 2, []),
        (4, 1, ["figures/04_logistic_regression_a.png"]),
        (5, 1, ["figures/04_logistic_regression_a.png", "notebooks/04_logistic_regression.ipynb"]),
    ],
)
def test_killed_while_it_writes(book, moment, drafts_left, taken_in):
    """Two drafts, two files to replace, and the gallery: whichever is cut short, what has a name is whole."""
    book.write("04_logistic_regression", LINE.format(name="04_logistic_regression_a", b=0))
    before = book.names()
    status, _, _ = book.call("run", 4, moment, command=("-c", HALF_WRITTEN))
    assert status == -signal.SIGKILL
    changed = {name for name, data in book.names().items() if data != before.get(name)}
    drafts = [name for name in changed if name.endswith(".part")]
    assert changed - {*drafts} == set(taken_in) and len(drafts) == drafts_left
    for draft in drafts:
        os.utime(book.root / draft, (0, 0))
    young = book.root / "figures" / ".another_run.png.1.part"
    young.write_bytes(b"half")
    assert book.call("run", 4)[0] == 0
    after = book.names()
    assert after.pop(young.relative_to(book.root).as_posix()) == b"half"
    assert set(after) == {
        "pyproject.toml",
        "figures/README.md",
        "figures/04_logistic_regression_a.png",
        "notebooks/04_logistic_regression.ipynb",
    }
    assert book.outputs("04_logistic_regression") != [[]]


@pytest.mark.slow
@POSIX
def test_killed_at_work_its_kernels_end(book):
    book.write("04_logistic_regression", LINE.format(name="04_logistic_regression_line", b=0), NAP)
    before = book.files()
    process = book.start("run", 4)
    kernel = book.napping()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    assert book.files() == before
    wait_until(lambda: not is_alive(kernel))


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = pathlib.Path(f"/proc/{process}/stat")  # where nobody waits for an orphan it stays as a zombie
    return not (state.is_file() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.slow
@POSIX
def test_a_disk_that_is_full(book):
    book.write("04_logistic_regression", "print('x' * 9000)")
    before = book.files()
    limited = ["sh", "-c", 'ulimit -f 4; exec "$@"', "sh", sys.executable, "-m", "linmodels", "run", "4"]
    done = subprocess.run(limited, cwd=book.root, capture_output=True, encoding="utf-8")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "04_logistic_regression.ipynb ran, but cannot be taken in: [Errno 27] File too large" in done.stderr
    assert {name: data for name, data in book.files().items() if name != "figures/README.md"} == before


@pytest.mark.parametrize("arguments", [["run", "4"], ["figures", "4", "--out", "pyproject.toml/here"]], ids=" ".join)
def test_a_folder_that_cannot_be_written_is_named(book, arguments):
    book.write("04_logistic_regression", LINE.format(name="04_logistic_regression_line", b=0))
    (book.root / "figures").write_text("a file, not a folder")
    before = book.files()
    status, out, err = book.ask(*arguments)
    assert (status, out) == (1, "") and book.files() == before
    assert re.fullmatch(r"linmodels: \[.*\] .*: '.*(figures|pyproject\.toml.{1,2}here)'\n", err)


@pytest.mark.skipif(not pathlib.Path("/proc/self").exists(), reason="a folder that is closed to writing, even to root")
@pytest.mark.parametrize("arguments", [["run", "4"], ["figures", "4", "--out", "figures"]], ids=" ".join)
def test_a_folder_that_is_closed_to_writing_is_told_before_the_run(book, arguments):
    book.write(
        "04_logistic_regression", "import time\ntime.sleep(60)", LINE.format(name="04_logistic_regression_a", b=0)
    )
    (book.root / "figures").symlink_to("/proc")
    status, out, err = book.ask(*arguments)
    assert (status, out) == (1, "") and "figures" in err


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="a device of Linux")
def test_output_that_cannot_be_written_is_told_and_output_that_nobody_reads_is_not(book):
    with open("/dev/full", "w") as full:
        status, _, err = book.call("find", "A-5.3.1-2", stdout=full)
    assert (status, err) == (1, "linmodels: [Errno 28] No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        status, _, err = book.call("find", "A-5.3.1-2", stdout=pipe)
    assert (status, err) == (141, "")


@pytest.mark.slow
def test_neither_the_profile_of_the_reader_nor_a_closed_home_shows_in_a_chapter(book):
    """His IPython may show every value of a cell, his start-up file print; Matplotlib warns where it keeps nothing."""
    profile = book.root / "ipython" / "profile_default"
    profile.mkdir(parents=True)
    (profile / "ipython_config.py").write_text("get_config().InteractiveShell.ast_node_interactivity = 'all'")
    (book.root / "start.py").write_text("zero = 0")
    book.write("04_logistic_regression", "1\n2", "print('zero' in globals())", "import matplotlib.pyplot\n1")
    nowhere = str(book.root / "pyproject.toml" / "home")
    places = dict.fromkeys(["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"], nowhere)
    mine = {"IPYTHONDIR": str(book.root / "ipython"), "PYTHONSTARTUP": str(book.root / "start.py"), "MPLCONFIGDIR": ""}
    status, _, err = book.call("run", 4, **places, **mine)
    assert (status, err) == (0, "")
    (two,), (no,), (one,) = book.outputs("04_logistic_regression")
    assert (two["data"]["text/plain"], no["text"], one["data"]["text/plain"]) == (["2"], ["False\n"], ["1"])


@pytest.mark.slow
def test_figures_checks_and_redraws(book):
    names = ["09_perceptron_good", "09_perceptron_missing", "09_perceptron_stale"]
    book.write("09_perceptron", *(LINE.format(name=name, b=-0.5) for name in names))
    book.write("04_logistic_regression", "no figure here: this chapter must not run")
    folder = book.root / "figures"
    folder.mkdir()
    for name, b in [("good", -0.5), ("stale", -0.505), ("stray", -0.5)]:
        fig, ax = plotting.figure(3, 2)
        plotting.line(ax, [1, 1], b)
        folder.joinpath(f"09_perceptron_{name}.png").write_bytes(pictures.render(fig, "png"))
    shutil.copy(folder / "09_perceptron_stray.png", folder / "08_naive_bayes_stray.png")

    before = book.files()
    status, out, _ = book.ask("figures", "--check")
    assert status == 1 and book.files() == before
    verdicts = dict(line.split("  ", 1) for line in out.splitlines() if line.startswith("0"))
    assert {name.strip(): verdict.strip().split(":")[0] for name, verdict in verdicts.items()} == {
        **dict(zip(names, ("ok", "missing", "stale"), strict=True)),
        **dict.fromkeys(["09_perceptron_stray", "08_naive_bayes_stray"], "stray"),
    }
    assert out.splitlines()[-1] == "5 figures, 4 wrong; `linmodels figures` redraws them"

    status, out, _ = book.ask("figures", "stale")
    assert out.startswith("1 figure: 09_perceptron_stale\n1 chapter on 1 core\n")
    after = book.files()
    assert status == 0 and "3 figures (2 changed)" in out and "figures/09_perceptron_stray.png: no chapter" in out
    assert "09_perceptron_stale  written: it was stale" in out
    changed = {"figures/09_perceptron_stale.png", "notebooks/09_perceptron.ipynb"}
    assert {name for name in before if after[name] != before[name]} == changed


@pytest.mark.slow
def test_figures_as_svg_elsewhere(book, tmp_path):
    book.write("09_perceptron", *(LINE.format(name=f"09_perceptron_{n}", b=0) for n in "ab"))
    before, drawn = book.files(), []
    for folder in ("one", "two"):
        status, out, _ = book.ask("figures", "09_perceptron_b", "--format", "svg", "--out", tmp_path / folder)
        assert status == 0 and out.endswith(f"1 file in {tmp_path / folder}\n")
        (file,) = (tmp_path / folder).iterdir()
        assert file.name == "09_perceptron_b.svg"
        drawn.append(file.read_bytes())
        file.unlink()
    assert drawn[0] == drawn[1] and pictures.MATPLOTLIB.encode() in drawn[0]
    assert book.files() == before


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["run", "regression"], "no chapter is called 'regression'; there are 00_map to 09_perceptron; a number"),
        (["figures", "nope"], "no figure is called 'nope'; figures/README.md shows them all"),
        (
            ["figures", "09_perceptron_lime"],
            "no figure is called '09_perceptron_lime'; did you mean 09_perceptron_line?\n",
        ),
        (["lab", "nope"], "no chapter is called 'nope'"),
        (["run", "perzeptron"], "no chapter is called 'perzeptron'; did you mean 09_perceptron?\n"),
        (["run", "感知机"], "a part of the name is enough; `linmodels find` looks for any other word\n"),
        (["exercises", "nope"], "`linmodels find nope` looks into their texts"),
        (["exercises", "_"], "no exercise and no chapter is called '_'; `linmodels exercises` lists all"),
        (["exercises", ""], "no exercise and no chapter is called ''; `linmodels exercises` lists all"),
        (["run", "_"], "no chapter is called '_'"),
        (["lab", "--port", "8889", "09"], "of an option that has a value, write both in one: --port=8889\n"),
        (["exercises", "9.99"], "this chapter has 9.1 to 9."),
        (["exercises", "perceptron_stap"], "did you mean perceptron_step (9.1)"),
        (["find"], "what do you look for?"),
        (["find", " "], "what do you look for?"),
        (["figures", "--format", "svg"], "--out DIR"),
        (["figures", "--check", "--out", "x"], "--out DIR"),
    ],
)
def test_what_is_asked_wrongly_is_answered_with_what_there_is(book, arguments, message):
    book.write("09_perceptron", LINE.format(name="09_perceptron_line", b=0))
    status, out, err = book.ask(*arguments)
    assert status == 2 and out == "" and err.startswith("linmodels: ") and message in err


def test_outside_of_a_clone_there_is_nothing_to_run_but_the_installed_package_is_searched_and_its_exercises_stated(
    book,
):
    (book.root / "pyproject.toml").write_text('[project]\nname = "another"\n')
    for verb in ("run", "figures", "lab"):
        status, out, err = book.ask(verb)
        assert (status, out) == (2, "") and err.startswith("linmodels: this needs the chapters: run it in a clone")
    status, out, err = book.ask("find", "A-5.3.1-2")
    assert (status, err) == (0, "") and "  function  perceptron.update  linmodels/perceptron.py:" in out
    status, out, err = book.ask("exercises", "9.1")
    assert (status, err) == (0, "") and "perceptron_step" in out


def first(folder):
    """A PYTHONPATH that begins with the folder."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


@pytest.mark.parametrize("verb, module", [("run", "nbformat"), *slow([("lab", "jupyterlab")])])
def test_without_the_extra(book, verb, module):
    fake = book.root / "fake" / module
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text(f"raise ModuleNotFoundError('No module named {module}', name='{module}')")
    status, out, err = book.call(verb, PYTHONPATH=first(book.root / "fake"))
    assert (status, out) == (1, "")
    needs = 'this needs the notebooks extra: pip install -c constraints.txt -e ".[notebooks]"'
    assert err == f"linmodels: No module named {module}; {needs}\n"


@pytest.mark.parametrize(
    "asked, opened",
    [
        ("--no-browser --port=8889 9", "09_perceptron"),
        *slow([("ch09-dual --no-browser", "09_perceptron"), ("", "00_map")]),
    ],
)
def test_lab_opens_a_chapter_or_the_map_where_their_links_lead_to_the_library_and_the_tests(book, asked, opened):
    """In place of JupyterLab a module runs that prints its folder and its arguments."""
    book.write("00_map"), book.write("09_perceptron")
    fake = book.root / "fake" / "jupyterlab"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("")
    (fake / "__main__.py").write_text("import os, sys\nprint(os.getcwd(), *sys.argv[1:])")
    status, out, _ = book.call("lab", *asked.split(), PYTHONPATH=first(book.root / "fake"), cwd=book.root / "notebooks")
    assert status == 0 and out.split()[:2] == [str(book.root.resolve()), "--ServerApp.root_dir=."]
    options = [option for option in asked.split() if option.startswith("--")]
    assert out.split()[-1 - len(options) :] == [*options, str(pathlib.Path("notebooks", f"{opened}.ipynb"))]


def test_the_entry_point_is_the_module():
    text = (pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'linmodels = "linmodels.book.cli:main"' in text


@pytest.mark.parametrize(
    "asked, told",
    [
        ("figures --no-browser --port=8889 9", "unrecognized arguments: --no-browser --port=8889"),
        ("run --foo 9", "usage: linmodels run [-h]"),
        ("run --timeout=0", "found '0'; a whole number of seconds > 0 is expected"),
        ("run --timeout=soon", "found 'soon'; a whole number of seconds > 0 is expected"),
    ],
)
def test_an_option_of_another_verb_and_a_timeout_that_is_none_are_refused(book, asked, told):
    status, _, err = book.ask(*asked.split())
    assert status == 2 and told in err


def test_find_answers_or_suggests(book):
    status, out, err = book.ask("find", "A-5.3.1-2")
    assert (status, err) == (0, "") and out.startswith("A-5.3.1-2  Stochastic update") and "  formula   w←w+η" in out
    _, out, _ = book.ask("find", "gausian", "kernel")
    assert out.startswith("nothing on 'gausian', read as 'gaussian':\nE-sim-2  ")
    for asked, told in [
        ("A-9.9.9", "nothing found for 'A-9.9.9'; did you mean A-"),
        ("qqqqqqqq", "; try a section (5.3.1), an id (A-5.3.1-2) or a term (感知机)\n"),
    ]:
        status, out, err = book.ask("find", asked)
        assert (status, out) == (1, "") and told in err


def test_exercises_by_chapter_with_stars_and_statements(book):
    _, out, _ = book.ask("exercises")
    assert out.startswith("01 Linear regression (线性回归)\n  1.1       add_bias\n")
    _, out, _ = book.ask("exercises", "perceptron")
    assert out.startswith("09 The perceptron (感知机)\n\n  9.1       perceptron_step") and "01 " not in out
    assert "\n  9.2  *    why_it_helps" in out
    assert book.ask("exercises", "notebooks/09_perceptron.ipynb") == (0, out, "")
    status, one, _ = book.ask("exercises", "gram")
    number = re.search(r"(9\.\d+) +\** +gram\b", one)[1]
    assert (status, one) == book.ask("exercises", number)[:2] and status == 0
    assert one.startswith("09 The perceptron (感知机)\n\n") and one.partition("\n")[2] in out


def test_help_names_the_verbs_and_imports_little(book):
    status, out, _ = book.ask()
    assert status == 0 and all(verb in out for verb in ("run", "figures", "find", "exercises", "lab"))
    heavy = "{'numpy', 'matplotlib', 'nbclient'}"
    code = f"import sys; from linmodels.book.cli import main; main([]); print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.endswith("set()\n")


def test_a_terminal_without_chinese_gets_an_answer(book):
    status, out, _ = book.call("find", "A-5.3.1-2", PYTHONIOENCODING="ascii")
    assert status == 0 and "A-5.3.1-2" in out and "\\u" in out
