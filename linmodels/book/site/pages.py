"""What Sphinx reads: the executed chapters with their links turned into its own, and pages made from the ledger.

The folder has the shape of the clone, so that a link from one file to another holds as it is. What changes: a cell, a
statement, an erratum and a test each get a label, and every mention of one becomes a link to its label; a picture and
its caption become a figure; a page of statements takes the place of each note's part of the map.
"""

from __future__ import annotations

import ast
import json
import pathlib
import posixpath
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import groupby, pairwise
from typing import Any

import linmodels
from linmodels import pictures
from linmodels.book import figures, index, ledger, notebooks, walk
from linmodels.book import map as book_map
from linmodels.book.ledger import CHAPTERS, Links
from linmodels.book.site import leads, walks
from linmodels.book.site.python import MEGABYTES
from linmodels.book.words import HAN
from linmodels.exercises import Task, listing

MOVED = {  # files of the clone that have another page, or none but their own text
    "notebooks/00_map.ipynb": "notes/index.md",
    ".github/CONTRIBUTING.md": "contributing.md",
    "linmodels/exercises/README.md": "teaching.md",
    "tests/benchmarks/README.md": "speed.md",
    "tests/benchmarks/measured.json": "speed.md",
    "tests/benchmarks/__init__.py": "speed.md",
    "LICENSE": "license.md",
    "README.md": "index.md",
    "linmodels/data/README.md": "data.md",
}
CELL_LINK = re.compile(r"\]\((?:\.\./)?(?:notebooks/)?(?:\w+\.ipynb)?#cell-id=([\w-]+)\)")
MODULE_LINK = re.compile(r"\]\((?:\.\./)?linmodels/((?:\w+/)*\w+)\.py\)")
KEPT = re.compile(  # what no id is looked for in: headings, code, formulas, links, pictures, tags
    r"(^#+ .*?$|```.*?```|~~~.*?~~~|``[^`\n]+``|`[^`\n]+`|\$\$.*?\$\$|\$[^$\n]+\$"
    r"|!?\[[^\]\n]*\]\([^)\n]*\)|</?[a-z][^>\n]*>)",
    re.DOTALL | re.MULTILINE,
)
MENTION = re.compile(r"\b[A-E]-[0-9a-z.]+-\d+\b|\b[A-E]\d\d\b")
WHERE = """\
```{note}
The cells run on this page: press Run below one, or Edit to change it. What it may need from the cells above, as far
as its lines tell, runs first. The first Run loads Python into your browser (%s MB, once). What you write stays in
this browser. In an editor, Shift and Enter run the cell; Escape and then Tab leaves it.
```"""
ELSEWHERE = {  # sentences of README.md that a reader of the pages does not need, and what stands in their place
    "You can read the chapters here. As pages, which you build yourself (below; they have no public address yet), "
    "they answer: each": "They answer: each",
    "A code host shows the chapters as they are, with nothing to press. To run them in JupyterLab, and to build the "
    "pages, install the book.": "To run the chapters in JupyterLab, install the book.",
}
EXERCISES = """\
# The exercises (习题)

%d questions. A link leads to the chapter that asks, where you answer and the page checks it. Hints and a solution stand
here, one behind the other.

<p id="solved"></p>"""
CARDS = """\
# The cards (公式卡)

The model, the loss, the step, what is sure and what can go wrong: a card for each of the chapters 01 to 13, with the
letters of this book. Printed, they fill at most four sheets."""


def write(root: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Fill ``folder`` with the sources of the site; the names of its pages, without their endings."""
    links = ledger.links(root)
    _copy_pictures(root, folder)
    pages = {
        "index": _front_page(root),
        "figures/README": _moved("figures/README.md", figures.gallery(root)),
        "contributing": _file(root, ".github/CONTRIBUTING.md"),
        "teaching": _file(root, "linmodels/exercises/README.md"),
        "speed": _file(root, "tests/benchmarks/README.md"),
        "data": _file(root, "linmodels/data/README.md"),
        "license": f"---\norphan: true\n---\n\n# License\n\n{(root / 'LICENSE').read_text(encoding='utf-8')}",
        "exercises": _exercises(root),
        "cards": _cards(root),
        "subjects": _subjects(),
        "library/index": _library(root),
        **{f"library/{name}": _module(name) for name in _module_names(root)},
        "notes/index": _notes(root),
        **{f"notes/{note.lower()}": _note(note, links, root) for note in book_map.NOTES},
        **{f"tests/{file.stem}": _tests(file, links, root) for file in _test_files(links, root)},
    }
    for name, text in pages.items():
        target = folder / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(linked(text), encoding="utf-8")
    chapters = [path for path in notebooks.chapters(root) if path.name != book_map.FILE]
    (folder / "notebooks").mkdir()
    for path in chapters:
        (folder / "notebooks" / path.name).write_text(json.dumps(chapter(path)), encoding="utf-8")
    _sheets(folder)
    return [*pages, *(f"notebooks/{path.stem}" for path in chapters)]


# A chapter.


def chapter(path: pathlib.Path) -> notebooks.Notebook:
    """The executed notebook as the site shows it: labels, links, and figures in the place of pictures."""
    stored = notebooks.read(path)
    places = Counter[str]()
    cells: list[dict[str, Any]] = []
    for section, cell in notebooks.sections(stored):
        places[section] += 1
        place = f"at-{int(path.name[:2])}-{_slug(section)}-x{places[section]}"
        if cell["cell_type"] == "code" and not any(each["cell_type"] == "code" for each in cells):
            cells.append(_markdown(f"{cell['id']}-how", WHERE % MEGABYTES))
        if cell["cell_type"] == "markdown":
            cell = cell | {"source": walk.with_labels(path, cell["id"], notebooks.text(cell["source"]))}
        cells += _site_cells(cell, path.name[:2], place)
    return stored | {"cells": cells}


def _site_cells(cell: dict[str, Any], number: str, place: str) -> Iterator[dict[str, Any]]:
    """The cell with its label; below a drawing its figure."""
    name, source = cell["id"], notebooks.text(cell["source"])
    if cell["cell_type"] == "markdown":
        asked = leads.EXERCISE.match(source)
        subjects = _names_of_exercise(asked[1]) if asked else _subjects_of(name)
        head = f"{leads.searched(subjects, place)}\n\n({name})=" if subjects else f"({name})="
        source = source.replace(", so run them from the top.", ", and the page runs what a cell needs.")
        if asked:
            source = source.replace("** ", f'** <span data-exercise="{subjects[1]}"></span>', 1)
        if source.startswith("<"):  # a label before HTML leaves no anchor
            head = f'{head}\n<div id="{name}"></div>\n'
        yield _markdown(name, f"{head}\n{linked(_moved(f'notebooks/{number}', source))}")
        return
    yield _markdown(f"{name}-label", f"({name})=")
    shown, caption = _picture(cell["outputs"])
    outputs = [output for output in cell["outputs"] if output not in (shown, caption)]
    yield cell | {"outputs": outputs, "metadata": cell["metadata"] | _label_of_the_fold(cell)}
    if shown:
        yield _markdown(f"{name}-picture", _figure(shown, caption))


def cells_to_run(path: pathlib.Path) -> list[dict[str, Any]]:
    """The code cells of a chapter as its page runs them; with an exercise its name, number and hints."""
    found = []
    for cell in notebooks.read(path)["cells"]:
        if cell["cell_type"] == "code":
            source = notebooks.text(cell["source"])
            called = re.search(r"^check\.(\w+)\(", source, re.MULTILINE)
            name = called[1] if called else ""
            asked = {"exercise": _exercise(name)} if name in _names() else {}
            found.append({"id": cell["id"], "source": source} | asked)
    return found


def _names() -> set[str]:
    return {task.name for task in listing()}


def _exercise(name: str) -> dict[str, Any]:
    """What the page of a chapter knows of an exercise."""
    number, task = next((number, task) for number, task in _numbered() if task.name == name)
    return {
        "name": name,
        "number": number,
        "hints": list(task.hints),
        "page": f"../exercises.html#exercise-{_slug(name)}",
    }


def _numbered() -> list[tuple[str, Task]]:
    """The exercises of the book with their numbers, as 9.1."""
    groups = groupby(listing(), key=lambda task: task.chapter)
    return [(f"{int(of)}.{k}", task) for of, its in groups for k, task in enumerate(its, start=1)]


def _label_of_the_fold(cell: dict[str, Any]) -> dict[str, Any]:
    """What a reader presses to open a cell: the first line of its code, unless that draws what is seen below."""
    first = notebooks.text(cell["source"]).partition("\n")[0].removeprefix("# ")
    tags = cell["metadata"].get("tags", [])
    if "hide-input" in tags and not first.startswith("draws "):
        return {"mystnb": {"code_prompt_show": f"Show the code that {first}"}}
    if "hide-output" in tags:
        return {"mystnb": {"code_prompt_show": "Show what it prints", "code_prompt_hide": "Hide it"}}
    return {}


def _picture(outputs: list[dict[str, Any]]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The output that is a picture, and the one below it, its caption."""
    for output, below in pairwise([*outputs, {}]):
        if "image/png" in output.get("data", {}):
            return output, below if "text/markdown" in below.get("data", {}) else None
    return None, None


def _drawn(root: pathlib.Path) -> dict[str, tuple[dict[str, Any], dict[str, Any] | None]]:
    """The pictures of the chapters with their captions, by name."""
    found = {}
    for path in notebooks.chapters(root):
        for cell in notebooks.read(path)["cells"]:
            shown, caption = _picture(cell.get("outputs", []))
            if shown and (name := notebooks.FIGURE.fullmatch(notebooks.text(shown["data"]["text/plain"]))):
                found[name[1]] = shown, caption
    return found


def _figure(shown: dict[str, Any], caption: dict[str, Any] | None, zh: str = "", en: str = "") -> str:
    """A figure; with a Chinese caption it is one that stands in a chapter, too, where it has its label.

    There it may have an English caption of its own, in the place of the book's.
    """
    found = notebooks.FIGURE.fullmatch(notebooks.text(shown["data"]["text/plain"]))
    if found is None:
        raise ValueError(f"a picture that was not made by plotting.save: {shown['data']['text/plain']}")
    width = shown["metadata"]["image/png"]["width"]
    told = notebooks.text(caption["data"]["text/markdown"]) if caption else ""
    label = "" if zh else f":name: fig-{found[1]}\n"
    options = f"{label}:alt: {found[2]}\n:width: {width}px"
    if zh:
        number = re.match(r"\*\*Figure (\S+)\.\*\*", told)
        english = f"{number[0]} {en}" if number and en else en or told
        told = walks.words(f"**图 {number[1]}** {zh}" if number else zh, english)
    return f"````{{figure}} ../figures/{found[1]}.png\n{options}\n\n{linked(told)}\n````"


def _markdown(name: str, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


# Links.


def linked(markdown: str) -> str:
    """Links to cells and files become links to labels; an id or an erratum that is none yet becomes one."""
    markdown = CELL_LINK.sub(r"](#\1)", markdown)
    markdown = MODULE_LINK.sub(lambda match: f"](#module-linmodels.{match[1].replace('/', '.')})", markdown)
    pieces = KEPT.split(markdown)
    return "".join(_code(piece) if k % 2 else MENTION.sub(_mention, piece) for k, piece in enumerate(pieces))


def _mention(match: re.Match[str]) -> str:
    label = label_of(match[0])
    return f"[{match[0]}](#{label})" if label else match[0]


def _code(piece: str) -> str:
    """The name of a function, as code in a sentence, becomes a link to it."""
    called = re.fullmatch(r"`((\w+)\.\w+)(?:\(.*\))?`", piece)
    return f"[{piece}](#linmodels.{called[1]})" if called and called[1] in _functions_of(called[2]) else piece


@cache
def _functions_of(module: str) -> set[str]:
    """The public functions of a module of the library, or none."""
    file = pathlib.Path(linmodels.__file__).with_name(f"{module}.py")
    body = ast.parse(file.read_text(encoding="utf-8")).body if file.is_file() else []
    return {f"{module}.{node.name}" for node in body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}


def _slug(heading: str) -> str:
    """Its English words, for an anchor."""
    return "-".join(re.findall("[a-z0-9]+", heading.lower()))


@cache
def _names_of_exercise(number: str) -> tuple[str, ...]:
    """ "exercise 9.1", and what `check` calls it."""
    return f"exercise {number}", dict(_numbered())[number].name


@cache
def _subjects_of(cell: str) -> tuple[str, ...]:
    """What a section is about, by the index, and the terms that a cell explains."""
    terms = [name for term in ledger.load().terms if term.cell == cell for name in term.names]
    return tuple(dict.fromkeys([*terms, *index.subjects().get(cell, ())]))


def label_of(id: str) -> str | None:
    """The label of a statement ("A-5.3.1-2") or of an erratum ("A50"); None for what only looks like one."""
    book = ledger.load()
    if id in book.items:
        return book_map.statement_cell(id)
    return f"erratum-{id.lower()}" if f"ERR-{id}" in book.errata else None


# The pages of the notes.


def _notes(root: pathlib.Path) -> str:
    """The map without its statements, which have pages of their own, and without its cell of code."""
    cells = {cell["id"]: notebooks.text(cell["source"]) for cell in book_map.build(root)["cells"]}
    cells = {name: text.replace(book_map.WRITTEN, "") for name, text in cells.items()}
    parts = [f"({name})=\n{_moved(f'notebooks/{book_map.FILE}', cells[name])}" for name in index.MAP_CELLS]
    pages = "\n".join(["```{toctree}", ":hidden:", "", *(note.lower() for note in book_map.NOTES), "```"])
    return "\n\n".join([*parts, pages])


def _note(note: str, links: Links, root: pathlib.Path) -> str:
    """A walk through the note, with the figures of the chapters."""
    drawn = _drawn(root)
    return walks.write(note, links, root, lambda name, zh, en: _figure(*drawn[name], zh, en))


# The pages of the code.


def _test_files(links: Links, root: pathlib.Path) -> list[pathlib.Path]:
    return sorted({root / place.file for places in links.tests.values() for place in places})


def _tests(file: pathlib.Path, links: Links, root: pathlib.Path) -> str:
    """The tests of a file that prove a statement or show an erratum, each under its name."""
    name = file.relative_to(root).as_posix()
    source = file.read_text(encoding="utf-8")
    proved = defaultdict(list)
    for id, places in links.tests.items():
        for place in places:
            if place.file == name:
                proved[place].append(id.removeprefix("ERR-"))
    code = {node.name: node for node in ast.walk(ast.parse(source)) if isinstance(node, ledger.Definition)}
    no_links = "```{eval-rst}\n.. autolink-skip:: file\n```"  # in this code: a minute's work for Sphinx
    parts = ["---\nnosearch: true\norphan: true\n---", f"# {name}", no_links]
    for place, ids in sorted(proved.items(), key=lambda pair: pair[0].line):
        node = code.get(place.name.rpartition("::")[2])
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) if node else place.line
        lines = source.splitlines()[first - 1 : (node.end_lineno if node else place.line)]
        parts.append(f"({leads.test_label(place)})=\n## {leads.escaped(place.name)}\n\nproves {', '.join(ids)}")
        parts.append("\n".join(["~~~python", *lines, "~~~"]))
    return "\n\n".join(parts)


def _module_names(root: pathlib.Path) -> list[str]:
    files = (path.relative_to(root / "linmodels").with_suffix("") for path in ledger.modules(root))
    return [".".join(file.parts) for file in files if file.name[0] != "_"]


def _module(name: str) -> str:
    options = [":members:", ":ignore-module-all:", ":member-order: bysource"]
    told = "\n   ".join([f".. automodule:: linmodels.{name}", *options])
    return f"# {name}\n\n```{{eval-rst}}\n{told}\n```"


def _library(root: pathlib.Path) -> str:
    """The chapters' modules in the order of the book, then the others; the letters above them."""
    names = _module_names(root)
    of_chapters = [chapter.slug for chapter in CHAPTERS if chapter.slug in names]
    tools = [name for name in names if name not in of_chapters and "." not in name]
    below = [name for name in names if "." in name]
    parts = ["# The functions (函数)", "```{eval-rst}\n.. automodule:: linmodels\n```"]
    for title, group in (
        ("The chapters", of_chapters),
        ("What they share", tools),
        ("Below: what makes them fast", below),
    ):
        parts += [
            f"## {title}",
            "\n".join(f"- [{name}]({name}.md): {leads.escaped(_about(root, name))}" for name in group),
        ]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *of_chapters, *tools, *below, "```"])
    return "\n\n".join([*parts, tree])


def _about(root: pathlib.Path, name: str) -> str:
    """The first line of what a module says of itself."""
    file = root / "linmodels" / f"{name.replace('.', '/')}.py"
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _exercises(root: pathlib.Path) -> str:
    """The questions by chapter, each a link to the cell that asks it, with its hints and a solution behind folds."""
    tasks = dict(_numbered())
    parts = [EXERCISES % len(tasks)]
    for path in notebooks.chapters(root):
        asked = []
        for cell in notebooks.read(path)["cells"]:
            found = leads.EXERCISE.match(notebooks.text(cell["source"]))
            if found:
                name = tasks[found[1]].name
                link = f'[Exercise {found[1]}](#{cell["id"]}) {found[2]} <span data-exercise="{name}"></span>'
                asked.append(f"(exercise-{_slug(name)})=\n{link}{found[3].strip()}")
                asked += _helps(tasks[found[1]])
        told = next(chapter for chapter in CHAPTERS if chapter.stem == path.stem)
        parts += [f"## {told.number} {told.title} ({told.zh})", *asked] if asked else []
    return "\n\n".join(parts)


def _helps(task: Task) -> list[str]:
    """The hints of an exercise and its solution, each behind a fold in the one before."""
    names = [f"Hint {k} of {len(task.hints)}" for k in range(1, len(task.hints) + 1)]
    language = "text" if task.kind in ("derive", "prove") else "python"
    solution = f"~~~{language}\n{str(task.solution()).strip()}\n~~~"
    texts = dict(zip([*names, "Solution"], [*task.hints, solution], strict=True))
    return [
        *(f"<details><summary>{name}</summary>\n\n{text}" for name, text in texts.items()),
        "</details>" * len(texts),
    ]


def _cards(root: pathlib.Path) -> str:
    """The cards of all chapters, each a section under the name of its chapter."""
    parts = [CARDS]
    for path in notebooks.chapters(root):
        told = next(chapter for chapter in CHAPTERS if chapter.stem == path.stem)
        for cell in notebooks.read(path)["cells"]:
            if cell["id"].endswith("-card"):
                _, _, card = notebooks.text(cell["source"]).partition("\n")
                head = f"## {told.number} [{told.title}](#{cell['id']}) ({told.zh})"
                parts.append(f"{head}\n\n{_moved(f'notebooks/{told.number}', card.strip(), '.')}")
    return "\n\n".join(parts)


def _subjects() -> str:
    """The index of the book: subjects in the order of the alphabet, then the Chinese ones, each with its chapters."""
    found = defaultdict(list)
    cells = [*index.subjects(), *(term.cell for term in ledger.load().terms)]
    for cell in dict.fromkeys(cells):
        for subject in _subjects_of(cell):
            found[subject].append(f"[{cell[2:4]}](#{cell})")
    groups = defaultdict(list)
    for subject in sorted(found, key=lambda subject: (re.search(HAN, subject) is not None, subject.casefold())):
        first = subject[0].upper()
        group = "中文" if re.search(HAN, subject) else first if first.isalpha() else "0-9"
        groups[group].append(f"- {subject}: {', '.join(found[subject])}")
    parts = ["# Index (索引)", "Subjects, and the chapters that treat them. A number leads to the section."]
    for group, lines in groups.items():
        parts += [f"## {group}", "\n".join(lines)]
    return "\n\n".join(parts)


# Files taken as they are.


def _front_page(root: pathlib.Path) -> str:
    """README.md without how to build the site; and below it, unseen, the contents that the sidebar shows."""
    text = _file(root, "README.md")
    for sentence, here in ELSEWHERE.items():
        text = text.replace(sentence, here)
    chapters = [f"notebooks/{chapter.stem}" for chapter in CHAPTERS[1:]]
    trees = [("Chapters", chapters), ("The notes", ["notes/index"])]
    trees += [
        (
            "Beside them",
            [
                "exercises",
                "cards",
                "subjects",
                "library/index",
                "figures/README",
                "data",
                "speed",
                "teaching",
                "contributing",
            ],
        )
    ]
    parts = [re.sub("^## As a site$.*?(?=^## )", "", text, flags=re.DOTALL | re.MULTILINE)]
    for caption, pages in trees:
        parts.append("\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"]))
    return "\n\n".join(parts)


def _file(root: pathlib.Path, path: str) -> str:
    return _moved(path, (root / path).read_text(encoding="utf-8"))


def _moved(path: str, text: str, page: str = "") -> str:
    """The text of a file of the clone, whose links lead to the pages of the site, from where its own page is, or from
    the folder ``page``."""
    here = posixpath.dirname(path)
    page = page or posixpath.dirname(MOVED.get(path, path)) or "."

    def turn(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, match[1]))
        return f"]({posixpath.relpath(MOVED.get(target, target), page)})"

    return re.sub(r"\]\(([\w./-]+)\)", turn, text)


def _copy_pictures(root: pathlib.Path, folder: pathlib.Path) -> None:
    """All of them; and the frames of the films, one by one."""
    shutil.copytree(root / "figures", folder / "figures", ignore=shutil.ignore_patterns("*.md"))
    (folder / ".github").mkdir()
    shutil.copy(root / ".github" / "page.png", folder / ".github")
    (folder / "frames").mkdir()
    for file in (folder / "figures").glob("*.png"):
        if pictures.is_film(film := file.read_bytes()):
            for k, frame in enumerate(pictures.frames(film), start=1):
                frame.save(folder / "frames" / f"{file.stem}_{k}.png", optimize=True)


def _sheets(folder: pathlib.Path) -> None:
    """In all sources, a film gives way to its sheet, which the pages play (static/films.js) and print."""
    found = (folder / "figures").glob(f"*{pictures.SHEET}.png")
    films = "|".join(file.stem.removesuffix(pictures.SHEET) for file in found)
    for source in (*folder.rglob("*.md"), *folder.rglob("*.ipynb")):
        text = source.read_text(encoding="utf-8")
        source.write_text(re.sub(rf"\b({films})\.png", rf"\1{pictures.SHEET}.png", text), encoding="utf-8")
