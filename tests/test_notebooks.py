"""What holds of every committed notebook, read as a file; what holds of a page that teaches; and proof that each rule
bites."""

import ast
import base64
import copy
import inspect
import json
import math
import pathlib
import re
import textwrap
from collections import Counter
from functools import cache

import numpy as np
import pytest

from linmodels import pictures
from linmodels.book import ledger, notebooks
from linmodels.book.map import FILE, neighbors, statement_cell
from linmodels.exercises import listing

ROOT = pathlib.Path(__file__).parents[1]
PATHS = notebooks.chapters(ROOT)
PRIVATE = re.compile(r"/home/|/root/|/tmp/|/work/|/Users/|[A-Z]:\\|ipykernel_\d+| at 0x[0-9a-f]{6,}")
MAGIC = re.compile(r"^\s*[%!]", re.MULTILINE)
CHECK = re.compile(r"\bcheck\.(?!before\b)(\w+)\(")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TASKS = listing()


def faults(notebook, stem, root):
    """Every sentence is one broken rule."""
    found, ids = [], {cell["id"] for cell in notebook["cells"]}
    for cell in notebook["cells"]:
        rules = markdown_faults(cell, root, ids) if cell["cell_type"] == "markdown" else code_faults(cell, root)
        found += [f"{cell['id']}: {rule}" for rule in rules]
        if not re.fullmatch(rf"ch{stem[:2]}-[a-z0-9][a-z0-9-]*", cell["id"]):
            found.append(f"{cell['id']}: id is not of the form ch{stem[:2]}-what")
    return [*found, *whole_faults(notebook, stem)]


def markdown_faults(cell, root, ids):
    text = notebooks.text(cell["source"])
    for target in dead_links(text, root / "notebooks", ids):
        yield f"dead link {target}"
    if re.search(r"(?<!\\)~", re.sub(r"`.*?`|(\$+).*?\1", "", text, flags=re.DOTALL)):
        yield "a bare ~, and what stands between two of them is struck out: \\~"


def dead_links(text, folder, own=()):
    """The relative links that lead to no file, or with a fragment to no cell of it; #... must be one of ``own``."""
    for target in LINK.findall(text):
        name, _, fragment = target.partition("#")
        path, cell = folder / name, fragment.removeprefix("cell-id=")
        if "://" in target or (not name and cell in own):
            continue
        if not name or not path.exists() or (fragment and (cell == fragment or cell not in cell_ids(path))):
            yield target


@cache
def cell_ids(path):
    return {cell["id"] for cell in notebooks.read(path)["cells"]}


def code_faults(cell, root):
    source = notebooks.text(cell["source"])
    if source.rstrip().endswith(";"):
        yield "a trailing semicolon, which nbval ignores"
    if MAGIC.search(source):
        yield "a magic, which fails silently under nbval"
    before_saving = re.split(r"^plotting\.(?:save|live)\(", source, flags=re.M)[0]  # whose texts may take three lines
    lines = [line for line in before_saving.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    tags, jupyter = set(cell["metadata"].get("tags", [])), cell["metadata"].get("jupyter", {})
    folded = "source_hidden" in jupyter
    if len(lines) > 12 and not CHECK.search(source) and not folded:
        yield f"{len(lines)} lines of code; at most 12 can be taken in at a glance"
    if PRIVATE.search(source):
        yield "a path of somebody's machine"
    if not tags <= set(notebooks.FOLDS):
        yield f"tags {sorted(tags)}; there are hide-input and hide-output, which fold"
    elif set(jupyter) != {notebooks.FOLDS[tag] for tag in tags & set(notebooks.FOLDS)}:
        yield "folded in JupyterLab (source_hidden, outputs_hidden) or on a page (hide-input, hide-output), not in both"
    if folded and not re.match(r"# (draws|defines|answers|asks for) ", source):
        yield "folded; its first line, which is still seen, does not say what it draws, defines, answers or asks for"
    for output in cell["outputs"]:
        yield from output_faults(output, root)


def output_faults(output, root):
    if output["output_type"] == "error":
        yield "a traceback: use try and print the message"
    if output.get("name") == "stderr":
        yield "writes to stderr"
    data = output.get("data", {})
    text = notebooks.text(output.get("text", data.get("text/plain", "")))
    if PRIVATE.search(text):
        yield "output holds a path or an address"
    if set(data) not in ({"text/plain"}, {"text/plain", "image/png"}, {"text/plain", "text/markdown"}, set()):
        yield f"output of type {sorted(data)}"
    if "image/png" in data:
        name = notebooks.FIGURE.fullmatch(text)
        files = [root / "figures" / f"{name[1]}{end}.png" for end in (pictures.SHEET, "")] if name else []
        kept = next((file.read_bytes() for file in files if file.is_file()), None)  # of a film: its sheet
        if kept != base64.b64decode(notebooks.text(data["image/png"])):
            yield "an image that is not the committed figure"


def whole_faults(notebook, stem):
    cells, tasks = notebook["cells"], [task.name for task in TASKS if task.chapter == stem[:2]]
    title = notebooks.text(cells[0]["source"]) if cells else ""
    if not cells or cells[0]["cell_type"] != "markdown" or not title.startswith("# "):
        yield "does not begin with its title"
    asked = [
        name for cell in cells if cell["cell_type"] == "code" for name in CHECK.findall(notebooks.text(cell["source"]))
    ]
    asked, tasks = Counter(asked), Counter(tasks)
    if asked != tasks:
        more, fewer = (", ".join(one - other) or "none" for one, other in ((asked, tasks), (tasks, asked)))
        yield f"asks exercises that are not listed: {more}; does not ask: {fewer}"


# A page that teaches.

SMALL_PRINT = re.compile(r"<small>In the notes: .*</small>")
ANSWER = re.compile(r"<details><summary>[^$<>]+</summary>\n\n.+?\n\n</details>", re.DOTALL)


def page_faults(notebook, stem, folder):
    """What a reader of the page would miss; each sentence is one."""
    yield from (fault for cell in notebook["cells"] for fault in reading_faults(cell))
    yield from drawing_faults(notebook, stem, folder)
    yield from order_faults(notebook, stem)
    answers = sum(len(ANSWER.findall(source)) for source in prose(notebook))
    if answers < 4:
        yield f"asks {answers} questions with a folded answer; at least four"


def prose(notebook):
    return [notebooks.text(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def reading_faults(cell):
    """Ids stand in small print, each a link to its statement; of errata only quotations, tables and exercises speak."""
    if cell["cell_type"] != "markdown":
        return
    text = notebooks.text(cell["source"])
    if text.count("<details") != len(ANSWER.findall(text)):
        yield f"{cell['id']}: a folded answer without a blank line around its text, or with a formula in its summary"
    for id, target in re.findall(r"\[([A-E]-[^\]]*)\]\(([^)]*)\)", text):
        if target != f"{FILE}#cell-id={statement_cell(id)}":
            yield f"{cell['id']}: {id} is linked to {target}"
    flow = [
        line
        for line in text.splitlines()
        if not SMALL_PRINT.fullmatch(line) and not re.match(r"[>|]", line) and not text.startswith("**Exercise")
    ]
    named = [id for line in flow for id in [*ledger.ID.findall(line), *ledger.errata_in(line)]]
    if named:
        yield f"{cell['id']}: {named} in the middle of a sentence"
    bare = [
        line
        for line in text.splitlines()
        if SMALL_PRINT.fullmatch(line) and ledger.ID.search(re.sub(r"\[.*?\)", "", line))
    ]
    if bare:
        yield f"{cell['id']}: an id in small print without a link"
    told = [line for line in text.splitlines() if not SMALL_PRINT.fullmatch(line) and not line.startswith("#")]
    if SMALL_PRINT.search(text) and len(re.findall(r"[A-Za-z]{2,}", " ".join(told))) < 12:
        yield f"{cell['id']}: ids in a cell that explains nothing; move them to the cell that does"


def drawing_faults(notebook, stem, folder):
    """Each picture has its caption and its number, in order, and its code is folded; one of them moves."""
    captions, moving = [], False
    for cell in filter(notebooks.is_run, notebook["cells"]):
        names = [name for name, _ in notebooks.figures({"cells": [cell]})]
        told = [notebooks.text(o["data"].get("text/markdown", "")) for o in cell["outputs"] if "data" in o]
        captions += [match[1] for text in told if (match := re.match(r"\*\*Figure (\S+)\.\*\* \S", text))]
        folded = "source_hidden" in cell["metadata"].get("jupyter", {})
        if names and folded == notebooks.text(cell["source"]).startswith("plotting.live("):
            yield f"{cell['id']}: draws, and is not folded; or is live, and its positions are not seen"
        moving |= any(pictures.is_film((folder / f"{name}.png").read_bytes()) for name in names)
    shown = [f"{int(stem[:2])}.{k}" for k in range(1, len(notebooks.figures(notebook)) + 1)]
    if captions != shown:
        yield f"captions {captions} for the figures {shown}"
    if not moving:
        yield "no picture moves"


def order_faults(notebook, stem):
    """Nobody reads the answer of an exercise above it, or below it without unfolding it; and what is shown can be seen:
    only a last line displays it."""
    tried = set()
    answers = {task.name: getattr(task.answer, "__name__", "").lstrip("_") for task in TASKS if hasattr(task, "answer")}
    tasks = {task.name for task in TASKS if task.chapter == stem[:2]}
    for cell in filter(notebooks.is_run, notebook["cells"]):
        source = notebooks.text(cell["source"])
        tried |= {name for name in CHECK.findall(source) if name in tasks}
        if re.search(r"^show\([^)]*\)(?!\s*\Z)", source, re.MULTILINE):
            yield f"{cell['id']}: a function is shown in the middle of a cell, where nobody sees it"
        shown = {name for call in re.findall(r"\bshow\(([^)]*)\)", source) for name in re.findall(r"\.(\w+)", call)}
        for name in sorted(tasks - tried):
            if answers.get(name) in shown:
                yield f"{cell['id']}: shows {answers[name]} above the exercise {name}"
    places = {cell["id"]: pieces_of_code(open_code(cell)) for cell in notebook["cells"]}
    for task in TASKS:
        if task.chapter == stem[:2] and task.kind == "write":
            lines = lines_of_the_answer(task.answer)
            yield from (f"{id}: the answer of {task.name} stands open" for id, code in places.items() if lines <= code)


DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)


def is_hidden(cell, what):
    """Is its source (input) or its output folded, in JupyterLab and on a page?"""
    tag, key = ("hide-input", "source_hidden") if what == "input" else ("hide-output", "outputs_hidden")
    return tag in cell["metadata"].get("tags", []) and bool(cell["metadata"].get("jupyter", {}).get(key))


def open_code(cell):
    """The pieces of text of a cell that may be code and that are seen without unfolding anything."""
    source = notebooks.text(cell["source"])
    if cell["cell_type"] == "markdown":
        text = DETAILS.sub("", source)
        return [*re.findall(r"```\w*\n(.*?)```", text, re.DOTALL), *re.findall(r"(?<!`)`([^`\n]+)`", text)]
    found = [] if is_hidden(cell, "input") else [source]
    for output in [] if is_hidden(cell, "output") else cell["outputs"]:
        data = output.get("data", {})
        texts = [notebooks.text(t) for t in (output.get("text", ""), data.get("text/plain", ""))]
        marked = DETAILS.sub("", notebooks.text(data.get("text/markdown", "")))
        found += [*texts, *(line for text in texts for line in text.splitlines())]
        found += re.findall(r"```\w*\n(.*?)```", marked, re.DOTALL)
    return found


def pieces_of_code(texts):
    """All statements and expressions in what can be read as Python, each written as one writes it without thinking."""
    found = set()
    for text in texts:
        try:
            tree = ast.parse(textwrap.dedent(text))
        except (SyntaxError, ValueError):
            continue
        found |= {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)}
    return found


def lines_of_the_answer(f):
    """What must stand in one place to give f away: its statements; of a return that says more than a name or a call
    its value, in whatever statement."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(f))).body[0]
    body = definition.body[1:] if ast.get_docstring(definition) else definition.body
    texts = {ast.unparse(s.value if isinstance(s, ast.Return) and len(ast.unparse(s)) > 32 else s) for s in body}
    return {text for text in texts if len(text) > 16} or texts


by_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@pytest.mark.parametrize("path", PATHS[1:], ids=lambda path: path.stem)  # the map is made, and teaches nothing
def test_the_page_teaches(path):
    assert list(page_faults(notebooks.read(path), path.stem, ROOT / "figures")) == []


@by_chapter
def test_it_keeps_the_rules_and_below_its_title_stand_links_to_its_neighbors(path):
    chapter = notebooks.read(path)
    assert faults(chapter, path.stem, ROOT) == []
    assert notebooks.text(chapter["cells"][0]["source"]).split("\n\n")[1] == neighbors(path.stem[:2])


@by_chapter
def test_it_is_in_normal_form_and_has_run(path):
    """Counts 1..n, stable ids, no times, no versions: what `linmodels run` writes, byte for byte. A cell that prints or
    shows has output: a chapter whose outputs were cleared must not pass for executed."""
    chapter = notebooks.read(path)
    for cell in filter(notebooks.is_run, chapter["cells"]):
        shows = re.search(r"^(print|plotting\.(save|live))\(", notebooks.text(cell["source"]), re.MULTILINE)
        assert cell["outputs"] or not shows, cell["id"]
    normal = notebooks.to_bytes(notebooks.normalize(chapter, path.stem[:2]))
    assert path.read_bytes() == normal, f"run `linmodels run {path.stem}`"


@pytest.mark.parametrize("file", ["README.md", "figures/README.md"])
def test_the_links_of_a_page_lead_somewhere(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    assert len(LINK.findall(text)) > 10
    assert list(dead_links(text, (ROOT / file).parent)) == []


# Each rule on a notebook that breaks it.

PNG = b"a picture"
CODE = {"cell_type": "code", "id": "ch00-a", "metadata": {}, "execution_count": 1, "outputs": [], "source": "1"}
GOOD = {"cells": [{"cell_type": "markdown", "id": "ch00-title", "metadata": {}, "source": "# Map"}, CODE]}


FOLDED_CODE = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
FOLDED_OUTPUT = {"tags": ["hide-output"], "jupyter": {"outputs_hidden": True}}


def output(**data):
    return {"outputs": [{"output_type": "display_data", "data": data}]}


def shown(png, text="[figure 00_map_a: A]"):
    return output(**{"text/plain": text, "image/png": base64.b64encode(png).decode()})


def printed(text, name="stdout"):
    return {"outputs": [{"output_type": "stream", "name": name, "text": text}]}


def told(text):
    return {"cell_type": "markdown", "source": text}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "notebooks").mkdir()
    for name in ("a", "film_sheet"):
        (tmp_path / "figures" / f"00_map_{name}.png").write_bytes(PNG)
    (tmp_path / "figures" / "00_map_film.png").write_bytes(b"a film")
    (tmp_path / "notebooks" / "09_perceptron.ipynb").write_text('{"cells": [{"id": "ch09-a"}]}')
    return tmp_path


@pytest.mark.parametrize(
    "change, rule",
    [
        (shown(PNG, "[figure 00_map_film: A]"), None),
        (shown(b"a film", "[figure 00_map_film: A]"), "not the committed figure"),
        (shown(PNG, "<Figure>"), "not the committed figure"),
        (output(**{"text/html": "x"}), "output of type"),
        ({"outputs": [{"output_type": "error"}]}, "traceback"),
        (printed("x", name="stderr"), "stderr"),
        (printed("<f at 0x7f12ab34>"), "address"),
        ({"id": "ch13-a"}, "not of the form ch00-what"),
        ({"source": "f(x);\n"}, "semicolon"),
        ({"source": "x = 1\n%timeit x"}, "magic"),
        ({"source": ["x = 1\n"] * 13}, "13 lines of code"),
        ({"source": "open('/ho" + "me/ann/x')"}, "somebody's machine"),
        (
            {"source": "check.perceptron_loss(...)"},
            "asks exercises that are not listed: perceptron_loss; does not ask: none",
        ),
        ({"metadata": FOLDED_CODE, "source": ["# draws it\n"] + ["x = 1\n"] * 13}, None),
        ({"metadata": FOLDED_CODE, "source": "1"}, "first line"),
        ({"metadata": {"tags": ["hide-input"]}}, "not in both"),
        ({"metadata": {"tags": ["nbval-skip"]}}, "tags"),
        (told("‖X~w~ - y‖²"), "a bare ~"),
        (told("[x](09_perceptron.ipynb#cell-id=ch09-a), [y](https://a.b/c#d)"), None),
        (told("[x](00_maps.ipynb)"), "dead link 00_maps.ipynb"),
        (told("[x](09_perceptron.ipynb#cell-id=ch09-b)"), "dead link 09_perceptron"),
        (told("[x](#cell-id=ch09-nowhere)"), "dead link #cell-id=ch09-nowhere"),
    ],
)
def test_a_broken_rule_is_found(root, change, rule):
    notebook = copy.deepcopy(GOOD)
    notebook["cells"][1] |= change
    found = faults(notebook, "00_map", root)
    assert len(found) == (rule is not None) and all(rule in fault for fault in found)


def test_a_chapter_without_title_or_exercises_is_found(root):
    assert faults({"cells": [CODE]}, "00_map", root) == ["does not begin with its title"]
    chapter = json.loads(json.dumps(GOOD).replace("ch00", "ch09"))
    assert [fault.split()[0] for fault in faults(chapter, "09_perceptron", root)] == ["asks"]


SAVED = shown(PNG) | {"metadata": FOLDED_CODE, "source": "# draws\nsave()"}
SAVED["outputs"] += output(**{"text/markdown": "**Figure 9.1.** It."})["outputs"]


def a_page():
    """A chapter 09 that keeps the rules of a page that teaches."""
    text = "# The perceptron\n\nIt turns.\n\n> Note A has no minus. (Erratum A41.)\n\n" + 4 * "x?\n\n{0}\n\n"
    text = text.format("<details><summary>An answer</summary>\n\n$x$.\n\n</details>")
    text += "<small>In the notes: [A-5.2-4](00_map.ipynb#cell-id=ch00-a-5-2-4)</small>"
    stub, after = "def f(w): ...\n\n\ncheck.perceptron_loss(f)", "show(perceptron.margin, perceptron.loss)"
    step = "### A step\n\nWe differentiate the loss by the weights and find what each sample adds to it.\n\n"
    step += "<small>In the notes: [A-5.2-4](00_map.ipynb#cell-id=ch00-a-5-2-4)</small>"
    cells = [told(text), SAVED, {"source": stub}, {"source": after}, told(step)]
    return {"cells": [CODE | {"id": f"ch09-{k}"} | cell for k, cell in enumerate(cells)]}


@pytest.mark.parametrize(
    "k, old, new, fault",
    [
        (0, "$x$.\n\n</d", "$x$.\n</d", "asks 0 questions"),
        (0, "An answer", "$x$", "with a formula in its summary"),
        (0, "It turns.", "It turns (A-5.2-4).", "in the middle of a sentence"),
        (0, "It turns.", "It turns (erratum A41).", "in the middle of a sentence"),
        (0, "ch00-a-5-2-4", "ch00-a-5-2-5", "A-5.2-4 is linked to"),
        (0, "notes: [", "notes: A-5.2-3, [", "without a link"),
        (4, "We differentiate the loss by the weights and", "We", "explains nothing"),
        (3, "loss)", "loss)\nprint(1)", "shown in the middle of a cell"),
        (2, "check.perceptron_loss(f)", "f", "shows loss above the exercise perceptron_loss"),
        (1, "**Figure 9.1.** It.", "**Figure 9.2.** It.", "captions ['9.2'] for the figures ['9.1']"),
        (1, "source_hidden", "collapsed", "draws, and is not folded"),
    ],
)
def test_a_fault_of_a_page_is_found(tmp_path, k, old, new, fault):
    page = a_page()
    changed = json.dumps(page["cells"][k]).replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    page["cells"][k] = json.loads(changed)
    (tmp_path / "00_map_a.png").write_bytes(b"...acTL")
    found = list(page_faults(page, "09_perceptron", tmp_path))
    assert any(fault in each for each in found)


LOSS = "def f(w, b, X, y):\n    return np.sum(np.maximum(0, -y * (X @ w + b)))"
BEHIND = f"<details><summary>x</summary>\n\n```python\n{LOSS}\n```\n\n</details>"


@pytest.mark.parametrize(
    "cell, is_open",
    [
        ({"source": "a = np.sum(np.maximum(0,-y*(X@w+b)))"}, True),
        ({"source": "a = np.sum(np.maximum(0, y * (X @ w + b)))"}, False),
        ({"source": LOSS, "metadata": FOLDED_CODE}, False),
        (output(**{"text/plain": LOSS}), True),
        (output(**{"text/plain": LOSS}) | {"metadata": FOLDED_OUTPUT}, False),
        (output(**{"text/plain": "[folded]", "text/markdown": BEHIND}), False),
        (told(f"```python\n{LOSS}\n```"), True),
        (told(BEHIND), False),
    ],
)
def test_an_answer_that_stands_open_above_or_below_its_exercise_is_found(cell, is_open):
    stub = CODE | {"id": "ch09-stub", "source": "check.perceptron_loss(f)"}
    cells = [CODE | {"id": "ch09-above"} | cell, stub, CODE | {"id": "ch09-below"} | cell]
    open_ones = ["ch09-above", "ch09-below"] if is_open else []
    expected = [f"{id}: the answer of perceptron_loss stands open" for id in open_ones]
    assert list(order_faults({"cells": cells}, "09_perceptron")) == expected


def test_a_page_on_which_nothing_moves_is_found(tmp_path):
    (tmp_path / "00_map_a.png").write_bytes(b"...IDAT")
    assert list(page_faults(a_page(), "09_perceptron", tmp_path)) == ["no picture moves"]


# The normal form.

FIRST = {
    "id": "a1b2c3d4",
    "metadata": {
        "execution": {"iopub.status.busy": "2024-03-04"},
        "tags": ["hide-output"],
        "jupyter": {"outputs_hidden": False, "source_hidden": True},  # a reader opened a fold, and made another
    },
    "execution_count": 17,
    "source": ["print(1)\n", "2"],
    "outputs": [
        *printed("1")["outputs"],
        *printed("\n")["outputs"],
        {"output_type": "execute_result", "execution_count": 17, "metadata": {"x": 1}, "data": {"text/plain": "2"}},
    ],
}
LIVE = output(**{"text/plain": "[f]", notebooks.WIDGET: {}})
MESSY = {
    "cells": [CODE | FIRST, CODE | {"id": "ch09-live"} | LIVE, CODE | {"id": "ch09-b", "execution_count": 18}],
    "metadata": {"kernelspec": {"name": "py312"}, "language_info": {"version": "3.12.1"}, "widgets": {}},
    "nbformat": 4,
    "nbformat_minor": 4,
}


def test_the_normal_form_forgets_what_changes_from_run_to_run():
    normal = notebooks.normalize(copy.deepcopy(MESSY), "09")
    first, live, _ = normal["cells"]
    assert (first["id"], first["source"]) == ("ch09-a1b2c3d4", "print(1)\n2")
    assert first["metadata"] == {"tags": ["hide-output"], "jupyter": {"outputs_hidden": True}}
    assert first["outputs"] == [
        {"output_type": "stream", "name": "stdout", "text": "1\n"},
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2"}},
    ]
    assert [output["data"] for output in live["outputs"]] == [{"text/plain": "[f]"}]
    assert [cell["execution_count"] for cell in normal["cells"]] == [1, 2, 3]
    assert normal["metadata"] == {"kernelspec": notebooks.KERNEL, "language_info": {"name": "python"}}
    assert notebooks.normalize(normal, "09") == normal


def test_a_live_cell_has_few_states_since_the_site_draws_them_all():
    """How many pictures its sliders can ask for: the positions stand in the cell."""
    states = []
    for cell in (cell for path in PATHS for cell in notebooks.read(path)["cells"] if cell["id"].endswith("-live-code")):
        call = ast.parse(notebooks.text(cell["source"])).body[-1].value
        sliders = [k.value for k in call.keywords if k.arg not in ("alt", "caption")]
        states.append(math.prod(len(eval(ast.unparse(each), {"np": np})) for each in sliders))
    assert len(states) == 13 and max(states) <= 72 and sum(states) <= 380


def test_the_file_is_written_as_nbformat_writes_it():
    nbformat = pytest.importorskip("nbformat")
    normal = notebooks.normalize(copy.deepcopy(MESSY), "09")
    stored = notebooks.to_bytes(normal)
    assert stored.decode() == nbformat.writes(nbformat.from_dict(normal)) + "\n"
    assert notebooks.to_bytes(notebooks.normalize(nbformat.reads(stored.decode(), 4), "09")) == stored


@pytest.mark.parametrize(
    "words, chosen",
    [
        ([], "01 04 05 09"),
        (["09", "1"], "01 09"),
        (["regression"], "01 04 05"),
        (["softmax_regression", "./notebooks/09_perceptron.ipynb"], "05 09"),
        ([r"C:\book\notebooks\05_softmax_regression.ipynb"], "05"),
        (["LINEAR"], "01"),
    ],
)
def test_chapters_are_called_by_number_name_or_part_and_an_unknown_one_is_refused_with_the_list(words, chosen):
    stems = ["01_linear_regression", "04_logistic_regression", "05_softmax_regression", "09_perceptron"]
    paths = [pathlib.Path(f"{stem}.ipynb") for stem in stems]
    assert [path.stem[:2] for path in notebooks.select(paths, words)] == chosen.split()
    for word in ("2", "svm", ""):
        with pytest.raises(notebooks.UnknownChapter, match=r"no chapter is called .*; there are 01_linear_regression"):
            notebooks.select(paths, [*words, word])


@pytest.mark.parametrize("stored", ["[]", "{}", '{"cells": 5}', "not json"])
def test_a_file_that_is_no_notebook_is_named(tmp_path, stored):
    path = tmp_path / "09_perceptron.ipynb"
    path.write_text(stored)
    with pytest.raises(notebooks.Unreadable, match=r"notebooks/09_perceptron\.ipynb cannot be read as a notebook: "):
        notebooks.read(path)
