"""The house: which file stands on which floor and may import what, and one slug per chapter everywhere."""

import ast
import pathlib
import re
import shutil
import subprocess
import sys
from functools import cache

import pytest

from linmodels.book import ledger, notebooks

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "linmodels"
TOP = set(
    ".ci .devcontainer .binder .gitattributes .github .gitignore .pre-commit-config.yaml LICENSE "
    "README.md CHANGELOG.md CITATION.cff book.txt test.txt constraints.txt pyproject.toml figures linmodels "
    "notebooks tests".split()
)

# An arrow points down only: book and plotting, then chapters, solvers, tools, guards.
GUARDS = ("checks", "shapes")
TOOLS = ("special", "derivatives", "datasets", "design", "optimize", "pictures", "page")
SOLVERS = (
    ("units",),
    ("moments", "cholesky"),
    ("least_squares", "sparse", "distances", "interior_point", "families", "mistakes"),
    ("scatter", "penalized", "pairwise"),
    ("likelihood", "separation"),
    ("likelihood_l1",),
    ("machines",),
)
WITH_MODULE = [c for c in ledger.CHAPTERS if c.number not in ("00", "13", "14")]
CHAPTERS = [c.slug for c in WITH_MODULE]
ALGORITHMS = ("svm_algorithms",)  # the iterations of a chapter that is too long with them
ROOMS = ("kernels", *(slug for slug in CHAPTERS if slug != "kernels"))  # chapter 12 is a tool of four earlier ones
FLOORS = (
    *((f"guards.{name}",) for name in GUARDS),
    TOOLS[:3],
    TOOLS[3:],
    *(tuple(f"solvers.{name}" for name in floor) for floor in SOLVERS),
    ALGORITHMS,
    *((room,) for room in ROOMS),
)
BELOW_THE_ROOF = [name for floor in FLOORS for name in floor]
PACKAGES = {f"linmodels{folder}" for folder in ("", ".book", ".exercises", ".exercises.grading", ".guards", ".solvers")}


def name_of(path):
    """ "lda", "solvers.scatter"."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


FILES = [path for folder in ("", "solvers", "guards") for path in sorted((PACKAGE / folder).glob("[!_]*.py"))]
FILES = [path for path in FILES if path.stem != "plotting"]


def test_the_top_level_holds_what_the_design_lists():
    """What git keeps there: a site that was built, or a reader's own file, is nobody's fault."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no clone: what belongs to the book, git knows")
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    there = {name.partition("/")[0] for name in kept}
    assert not there - TOP, f"{there - TOP} at the top: move it into a room of the house, or name it in TOP, above"
    assert not TOP - there, f"{TOP - there} is gone from the top: bring it back, or take it out of TOP, above"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_module_has_a_floor(path):
    assert name_of(path) in BELOW_THE_ROOF, (
        f"linmodels/{path.relative_to(PACKAGE).as_posix()} is new to the house. Name it in this file, where it may be "
        "imported from: a solver in SOLVERS, a tool of several chapters in TOOLS; an equation goes into the module of "
        "its chapter"
    )


def test_a_floor_has_its_modules_and_beside_the_chapters_lie_the_tools_they_share_and_nothing_else():
    """What a reader imports; no import path of a reader leads into a folder."""
    gone = set(BELOW_THE_ROOF) - {name_of(path) for path in FILES}
    assert not gone, f"{gone} is gone from linmodels/: take it out of SOLVERS, TOOLS or ALGORITHMS, above"
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {"book", "data", "exercises", "guards", "solvers"}
    there = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__", "plotting"}
    others = there ^ {*CHAPTERS, *ALGORITHMS, *TOOLS}
    assert not others, f"{others}: a module beside the chapters is one of CHAPTERS (book/ledger.py) or of TOOLS, above"


@cache
def imports(source, package="linmodels"):
    """Full names of what a file of the package imports: "linmodels.special", "numpy", ..."""
    found = set()
    for node in ast.walk(ledger.parsed(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            found |= {f"{module}.{alias.name}" for alias in node.names} if module in PACKAGES else {module}
    return found


def allowed(name):
    """What a module of the floors may import: NumPy, the standard library and the floors below."""
    floor = next((i for i, names in enumerate(FLOORS) if name in names), 0)  # without one: nothing of ours
    return {f"linmodels.{below}" for names in FLOORS[:floor] for below in names}


def wrong_imports(name, source):
    """Imports that lead upwards or out of the house."""
    every = imports(source, ".".join(["linmodels", *name.split(".")[:-1]]))
    ours = {full for full in every if full.startswith("linmodels")}
    outside = every - ours
    known = sys.stdlib_module_names | {"numpy"} | ({"PIL", "IPython", "ipywidgets"} if name == "pictures" else set())
    foreign = {full for full in outside if full.split(".")[0] not in known}
    return (ours - allowed(name)) | foreign


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_imports_only_from_the_floors_below(path):
    wrong = wrong_imports(name_of(path), path.read_text(encoding="utf-8"))
    assert not wrong, (
        f"{name_of(path)} imports {wrong}: an arrow points down only, to a floor that stands before its own in FLOORS, "
        "above; of the world outside, the library needs NumPy alone"
    )


@pytest.mark.parametrize(
    "name, source, wrong",
    [
        ("svm", "import numpy as np\nfrom linmodels import kernels, perceptron\nfrom .guards import checks", set()),
        ("solvers.scatter", "from ..guards import checks\nfrom . import moments\nfrom .units import TINY", set()),
        ("solvers.scatter", "from .. import lda\nfrom ..svm import fit", {"linmodels.lda", "linmodels.svm"}),
        ("solvers.moments", "from . import scatter", {"linmodels.solvers.scatter"}),
        ("special", "from linmodels import derivatives", {"linmodels.derivatives"}),
        ("guards.checks", "from . import shapes", {"linmodels.guards.shapes"}),
        ("lda", "def f():\n    import matplotlib.pyplot, scipy.linalg", {"matplotlib.pyplot", "scipy.linalg"}),
        (
            "lda",
            "from . import plotting\nfrom .book.ledger import load",
            {"linmodels.plotting", "linmodels.book.ledger"},
        ),
    ],
)
def test_an_import_from_above_is_found(name, source, wrong):
    assert wrong_imports(name, source) == wrong


def roof(folder, word):
    """What each file that has the word imports: to parse is what takes time."""
    files = sorted(path for path in folder.rglob("*.py") if ".ipynb_checkpoints" not in path.parts)
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    package = lambda path: ".".join(path.parent.relative_to(ROOT).parts)  # noqa: E731
    return {path: imports(source, package(path)) for path, source in sources.items() if word in source}


def test_only_plotting_draws_for_notebooks_and_the_book():
    """The runner asks Matplotlib where it keeps its cache, so that no chapter has to say so; it draws nothing."""
    imported = roof(PACKAGE, "matplotlib")
    drawing = {path.stem: {n for n in imported[path] if n.split(".")[0] == "matplotlib"} for path in imported}
    users = {name: used for name, used in drawing.items() if used}
    assert set(users) == {"plotting", "runner"} and users["runner"] == {"matplotlib"}
    of_plotting = imports((PACKAGE / "plotting.py").read_text(encoding="utf-8"))
    assert {name for name in of_plotting if "linmodels" in name} == {"linmodels.pictures", "linmodels.guards.shapes"}
    for folder, word in ((PACKAGE, "plotting"), (PACKAGE / "exercises", "book")):  # nor know exercises of the book
        for path, names in roof(folder, word).items():
            assert not [name for name in names if name.startswith(f"linmodels.{word}")], path


def test_a_chapter_needs_numpy_alone():
    """Of NumPy, what `import numpy` loads anyway: numpy.random takes as long to load as all of ours."""
    chapters = f"from linmodels import {', '.join(CHAPTERS)}"
    code = f"import sys, numpy\nold = set(sys.modules)\n{chapters}\nprint(*set(sys.modules) - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    packages = {name.split(".")[0] for name in done.stdout.split()}
    assert packages - {"linmodels"} <= sys.stdlib_module_names


@pytest.mark.parametrize("chapter", ledger.CHAPTERS[1:], ids=lambda chapter: chapter.stem)
def test_a_chapter_has_one_name_and_one_title_everywhere(chapter):
    for folder in ("linmodels/", "linmodels/exercises/", "tests/test_") if chapter in WITH_MODULE else ():
        assert (ROOT / f"{folder}{chapter.slug}.py").is_file(), folder
    first = notebooks.read(ROOT / "notebooks" / f"{chapter.stem}.ipynb")["cells"][0]
    title = f"{chapter.title} ({chapter.zh})"
    assert notebooks.text(first["source"]).startswith(f"# {int(chapter.number)} {title}\n")
    assert f"| [{title}](notebooks/{chapter.stem}.ipynb) |" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_lists_every_chapter():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\d) \| \[.*?\]\(notebooks/(\w+)\.ipynb\) \|", text, re.MULTILINE)
    assert rows == [(f"{k:02}", chapter.stem) for k, chapter in enumerate(ledger.CHAPTERS)]
    assert [chapter.number for chapter in ledger.CHAPTERS] == [number for number, _ in rows]


def test_no_file_is_named_after_another_chapter():
    stems = [chapter.stem for chapter in ledger.CHAPTERS]
    assert {path.stem for path in (ROOT / "notebooks").iterdir() if path.suffix == ".ipynb"} == set(stems)
    slugs = {chapter.slug for chapter in ledger.CHAPTERS}
    assert {path.stem for path in (PACKAGE / "exercises").glob("[!_]*.py")} <= slugs
    owners = ("README.md", ".", "benchmarks_", *(f"{stem}_" for stem in stems))  # . of .DS_Store
    assert [path.name for path in (ROOT / "figures").iterdir() if not path.name.startswith(owners)] == []


@pytest.mark.parametrize("chapter", ledger.CHAPTERS, ids=lambda chapter: chapter.stem)
def test_a_notebook_looks_ahead_in_text_only(chapter):
    later = {f"linmodels.{c.slug}" for c in ledger.CHAPTERS if c.number > chapter.number and c.slug in ROOMS[1:]}
    for cell in notebooks.read(ROOT / "notebooks" / f"{chapter.stem}.ipynb")["cells"]:
        source = notebooks.text(cell["source"])
        if cell["cell_type"] == "code" and "import" in source:  # to parse is what takes time
            assert not later & imports(source), cell["id"]


def test_a_plain_import_finds_the_chapters():
    code = "import linmodels; linmodels.svm.fit; linmodels.no_such_thing"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stderr
    assert told.endswith(
        "linmodels has no 'no_such_thing': `linmodels find no_such_thing` says where the book has it\n"
    )


def test_the_contributions_shown_stand_in_the_files():
    """Each block of CONTRIBUTING names its file, and stands there word for word: so a newcomer copies what works."""
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = re.findall(r"```(?:python|text)\n# (\S+)\n(.*?)```", text, re.DOTALL)
    assert len(shown) == 4
    for file, block in shown:
        block = block if file.endswith(".py") else block.rstrip("\n")  # one line of a cell
        assert block in (ROOT / file).read_text(encoding="utf-8"), (
            f"{file} has changed: change the block in .github/CONTRIBUTING.md, too"
        )
