"""The ledger against the project, and proof on a tiny project that a gap or a dead link does not pass."""

import ast
import dataclasses
import json
import pathlib
import pydoc
import re
import subprocess
import sys
from functools import cache

import pytest
from cases import slow

import linmodels
from linmodels.book import answers, figures, find, index, ledger, notebooks, walk, words
from linmodels.book import map as book_map
from linmodels.exercises import listing
from linmodels.exercises.grading.derive import Derivation

ROOT = pathlib.Path(__file__).parents[1]


@pytest.fixture(scope="module", autouse=True)
def read_once():
    """Who cites what in this book, and the map of it, for all tests here."""
    links, links_once, build, build_once = ledger.links, cache(ledger.links), book_map.build, cache(book_map.build)

    def read(root, *wanted):
        return (links if wanted or root != ROOT else links_once)(root, *wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "links", read)
        patch.setattr(book_map, "build", lambda root: (build if root != ROOT else build_once)(root))
        yield


def test_nothing_is_owed():
    owed = ledger.problems(ROOT)
    told = "\n".join(owed)
    assert not owed, (
        f"{len(owed)} to mend:\n{told}\n"
        "An id in the last brackets of a docstring, or in a mark of a test, is one of linmodels/book/ledger.json "
        "(`linmodels find` shows it); what is owed is a cell of the chapter that names the id in its <small> line, a "
        'function whose docstring does, or a test marked @pytest.mark.equation("...")'
    )


def test_the_ledger_is_consistent():
    book = ledger.load()
    assert f" {len(book.items)} 条陈述" in (ROOT / "README.md").read_text("utf-8"), f"{len(book.items)} statements"
    for item in book.items.values():
        assert ledger.ID.fullmatch(item.id) and item.id.startswith(f"{item.section}-"), item.id
        assert set(item.same_as) <= set(book.items) and set(item.erratum) <= set(book.errata), item.id
        assert 1 <= int(item.chapter) <= 12 and ledger.chapter_of(item).number == item.chapter
        assert item.kind in ledger.KINDS, f"{item.id} is of the kind {item.kind!r}; there are {', '.join(ledger.KINDS)}"
        assert item.section in book.sections and book.sections[item.section].title, item.id
    for erratum in book.errata.values():
        assert ledger.errata_in(erratum.id) == [erratum.id] and erratum.kind in "MHTONW"
        assert erratum.items and all(erratum.id in book.items[id].erratum for id in erratum.items), erratum.id


def test_an_erratum_is_recognised_in_prose():
    text = "see erratum A50, errata A43, A44 and C07; ERR-D16. Erratum of class M; A12 alone is none"
    assert ledger.errata_in(text) == ["ERR-A50", "ERR-A43", "ERR-A44", "ERR-C07", "ERR-D16"]


# A book of five statements and five errata: its ledger and three ways to answer, in a project of its own.

ITEMS = {"D": "definition", "A": "algorithm", "T": "theorem", "C": "claim", "F": "figure"}
ERRATA = {kind: f"ERR-A0{i}" for i, kind in enumerate("MHTNWO", start=1)}
IDS = [f"A-1-{i}" for i in range(1, 6)]


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A project that cites nothing."""
    section = ledger.Section("A-1", "Beginnings", "开端")
    items = {
        id: ledger.Item(id, "A", "A-1", kind, "", kind, "x|y", "09", [], list(ERRATA.values()))
        for id, kind in zip(IDS, ITEMS.values(), strict=True)
    }
    errata = {id: ledger.Erratum(id, "A", kind, ["A-1-1"]) for kind, id in ERRATA.items()}
    sides = {"zh": "错了。", "printed": "x|y", "right": "$x$ 或 $y$", "right en": "$x$ or $y$"}
    texts = {id: walk.Told(id, "开端", sides) for id in (*items, *errata)}
    for name in ("of", "written"):
        monkeypatch.setattr(walk, name, lambda note: texts)
    term = ledger.Term(["machine"], ["机器"], "m", "ch09-0")
    monkeypatch.setattr(ledger, "load", lambda: ledger.Ledger({"A-1": section}, items, errata, [term], [], []))
    forget_the_glossary()
    for folder in ("linmodels", "tests", "notebooks"):
        (tmp_path / folder).mkdir()
    yield tmp_path
    forget_the_glossary()


def forget_the_glossary():
    for cached in (find._glossary, find._known_names):
        cached.cache_clear()


def write_chapter(root, *sources, stem="09_perceptron"):
    number = stem[:2]
    cells = [
        {"cell_type": "markdown", "id": f"ch{number}-{i}", "metadata": {}, "source": s} for i, s in enumerate(sources)
    ]
    (root / "notebooks" / f"{stem}.ipynb").write_text(json.dumps({"cells": cells}))


FUNCTION = 'def f(x):\n    """Its docstring  [A-1-1, A-1-2, A-1-3]."""\n'
TESTS = """
import pytest
pytestmark = [pytest.mark.slow, pytest.mark.equation("A-1-3")]

@pytest.mark.erratum("A01", "ERR-A02", "A06")
class TestIt:
    @pytest.mark.equation("A-1-3")
    def test_a(self): pass

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.equation("A-1-4"))])
@pytest.mark.erratum("A03")
def test_b(x): pass
"""


@pytest.fixture
def whole(tiny):
    """A project that owes nothing."""
    (tiny / "linmodels" / "perceptron.py").write_text(FUNCTION)
    (tiny / "tests" / "published").mkdir()
    (tiny / "tests" / "published" / "test_it.py").write_text(TESTS)
    write_chapter(tiny, "[A-1-1, A-1-2]", ["[A-1-3, A-1-4, A-1-5]\n", "errata A01, A02, A03", "; | A04 | A05 | A06 |"])
    write_chapter(tiny, "# Errata\n\nERR-A01, errata A02, A03 and A06", stem="14_errata")
    return tiny


def owed(root):
    """What is owed: {id: [last words of the problems]}."""
    found = {}
    for problem in ledger.problems(root):
        found.setdefault(problem.split()[0].rstrip(":"), []).append(problem.rpartition(": ")[2])
    return found


NO_CELL, NO_PROOF = "told by no cell of chapter 09", "proved by no test"
NO_CODE, BOTH = "cited by no function, and no reason why", "cited by a function, and a reason why there is none"
NOT_TOLD, NOT_LISTED = "told by no cell of chapters 01 to 12", "told by no cell of chapter 14"
NOT_SHOWN = "shown by no test"


def test_a_whole_project_owes_nothing(whole):
    assert ledger.problems(whole) == []


def test_an_empty_project_owes_what_each_kind_needs(tiny):
    assert owed(tiny) == {
        "A-1-1": [NO_CELL, NO_CODE],
        "A-1-2": [NO_CELL, NO_CODE],
        "A-1-3": [NO_CELL, NO_PROOF, NO_CODE],
        "A-1-4": [NO_CELL],
        "A-1-5": [NO_CELL],
        **{ERRATA[kind]: [NOT_TOLD, NOT_LISTED, NOT_SHOWN] for kind in "MHTO"},
        **{ERRATA[kind]: [NOT_TOLD] for kind in "NW"},
    }


@pytest.mark.parametrize(
    "file, then",
    [
        ("notebooks/09_perceptron.ipynb", {id: [NO_CELL] for id in IDS} | {id: [NOT_TOLD] for id in ERRATA.values()}),
        ("notebooks/14_errata.ipynb", {ERRATA[kind]: [NOT_LISTED] for kind in "MHTO"}),
        ("linmodels/perceptron.py", {id: [NO_CODE] for id in IDS[:3]}),
        ("tests/published/test_it.py", {"A-1-3": [NO_PROOF]} | {ERRATA[kind]: [NOT_SHOWN] for kind in "MHTO"}),
    ],
)
def test_without_a_file_what_it_alone_tells_computes_or_proves_is_owed(whole, file, then):
    (whole / file).unlink()
    assert owed(whole) == then


def give_a_reason(id, reason="It is a name."):
    items = ledger.load().items
    items[id] = dataclasses.replace(items[id], no_function=reason)


def test_a_reason_pays_for_a_function_that_is_not_there_and_for_no_other(whole):
    give_a_reason("A-1-2")
    give_a_reason("A-1-5")
    assert owed(whole) == {"A-1-2": [BOTH]}
    (whole / "linmodels" / "perceptron.py").write_text('def g(x):\n    """A claim  [A-1-5]."""\n')
    assert owed(whole) == {"A-1-1": [NO_CODE], "A-1-3": [NO_CODE], "A-1-5": [BOTH]}


def test_the_reasons_of_the_ledger_name_what_is_there():
    """Each is a sentence; a dotted name in it, as `lda.direction`, is one of the library or of NumPy."""
    for item in ledger.load().items.values():
        assert item.no_function == item.no_function.strip() and item.no_function[-1:] in ("", "."), item.id
        for name in re.findall(r"`(\w+\.\w{2,}[\w.]*)`", item.no_function):
            full = re.sub(r"^np\.", "numpy.", name)
            assert callable(pydoc.locate(full if full != name else f"linmodels.{name}")), (item.id, name)


@pytest.mark.parametrize("id", [*IDS, *ERRATA.values()])
@pytest.mark.parametrize("stem", ["00_map", "10_svm", "13_one_line_many_losses", "14_errata"])
def test_another_chapter_cannot_stand_in(whole, id, stem):
    """A statement is told by its own chapter; an erratum by any from 01 to 12."""
    path = whole / "notebooks" / "09_perceptron.ipynb"
    path.write_text(path.read_text().replace(id.removeprefix("ERR-"), "elsewhere"))
    write_chapter(whole, f"{id}: here", *(["errata A01, A02, A03, A06"] if stem == "14_errata" else []), stem=stem)
    where = [] if stem == "10_svm" and id in ERRATA.values() else [NO_CELL if id in IDS else NOT_TOLD]
    assert owed(whole) == ({id: where} if where else {})


def test_functions_are_found_by_the_brackets_in_docstrings_of_functions_and_methods(tiny):
    docstring = '"""As A-1-5 [of the notes]  [A-1-1, A-1-2; A-1-3 and A-1-4: errata A01, A02, A03, A04]."""'
    (tiny / "linmodels" / "perceptron.py").write_text(f"class Model:\n    def f(x):\n        {docstring}\n")
    place = ledger.Place("perceptron.Model.f", "linmodels/perceptron.py", 2)
    assert ledger.links(tiny).functions == {id: [place] for id in [*IDS[:4], *list(ERRATA.values())[:4]]}


def test_markers_are_read_on_functions_classes_parameters_and_modules(whole):
    found = ledger.links(whole).tests
    file = "tests/published/test_it.py"
    assert found["A-1-3"] == [ledger.Place("test_it", file, 3), ledger.Place("TestIt::test_a", file, 8)]
    assert found["A-1-4"] == [ledger.Place("test_b", file, 12)]
    assert found["ERR-A01"] == [ledger.Place("TestIt", file, 6)]


def test_only_files_of_tests_that_name_a_wanted_id_are_read(whole):
    (whole / "tests" / "test_other.py").write_text('@pytest.mark.equation("A-1-5")\ndef test_other(): pass\n')
    everything, some = ledger.links(whole), ledger.links(whole, ["A-1-5", "ERR-A09"])
    assert dict(some.tests) == {"A-1-5": everything.tests["A-1-5"]} and "A-1-3" in everything.tests
    assert (some.functions, some.cells) == (everything.functions, everything.cells)


def test_dead_links_are_reported_from_everywhere(tiny):
    (tiny / "linmodels" / "perceptron.py").write_text('def f(x):\n    """No  [A-9-1]."""\n')
    (tiny / "tests" / "test_it.py").write_text('@pytest.mark.equation("A-9-2")\ndef test_it(): pass\n')
    write_chapter(tiny, "[A-9-3], erratum E99")
    dead = [problem for problem in ledger.problems(tiny) if "not in the ledger" in problem]
    assert [problem.partition(":")[0] for problem in dead] == ["A-9-1", "A-9-2", "A-9-3", "ERR-E99"]
    assert dead[0] == "A-9-1: cited by perceptron.f in linmodels/perceptron.py, but not in the ledger"


@pytest.mark.parametrize("marker", ["equation(*IDS)", "erratum(ID)", "equation()"])
def test_a_marker_that_cannot_be_read_is_reported(whole, marker):
    (whole / "tests" / "test_it.py").write_text(f"@pytest.mark.{marker}\ndef test_it(): pass\n")
    (problem,) = ledger.problems(whole)
    assert problem.startswith("tests/test_it.py:1: ") and "literal" in problem


# What the ledger knows beside the statements.


def test_every_term_is_explained_where_the_glossary_says():
    """The cell has one of its names, or at least the last word of one, or its symbol."""
    cells = {cell["id"]: notebooks.text(cell["source"]) for cell in markdown_cells(ROOT)}
    for term in ledger.load().terms:
        words = [*term.zh, *(re.split("[ -]", name)[-1] for name in term.en), *filter(None, [term.symbol])]
        assert any(word.casefold() in cells[term.cell].casefold() for word in words), term


def markdown_cells(root):
    for path in notebooks.chapters(root):
        yield from (cell for cell in notebooks.read(path)["cells"] if cell["cell_type"] == "markdown")


def test_a_name_belongs_to_one_term():
    named = [(name, k) for k, term in enumerate(ledger.load().terms) for name in {*map(words.fold, term.names)}]
    assert len(named) == len(dict(named))


def test_the_notation_has_a_field_for_every_note_and_the_books_is_what_the_code_writes():
    """Each name in it is a module, a function, an argument or a field of the library, or a letter of its docstring."""
    known = {"N", "d", "f", "decision_function"} | set(re.findall(r"\w+", linmodels.__doc__))
    for path in ledger.modules(ROOT):
        nodes = list(ast.walk(ledger.parsed(path.read_text(encoding="utf-8"))))
        known |= {path.stem, *(getattr(node, key, None) for node in nodes for key in ("name", "arg"))}
        known |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign)}
    for row in ledger.load().notation:
        assert [name for name in row if not name.endswith(" zh")] == ["concept", *"ABCDE", "book"], row["concept"]
        assert any(row[note] for note in "ABCDE"), row["concept"]
        code = re.findall(r"`([^`]+)`", row["book"])
        assert code or row["book"] == "", row["concept"]
        strangers = {name for text in code for name in re.findall(r"[A-Za-z_]\w*", text)} - known - {"i", "j"}
        assert not strangers, (row["concept"], strangers)


# The map and the gallery.


def test_the_committed_map_says_what_the_ledger_says_today():
    assert not book_map.is_stale(ROOT), "a link of the map has changed: run `linmodels run 00`, and commit the map"


def test_the_gallery_shows_what_the_chapters_show():
    assert (ROOT / "figures" / "README.md").read_text(encoding="utf-8") == figures.gallery(ROOT), "run `linmodels run`"


def test_a_figure_of_the_gallery_has_its_text_once_its_name_and_its_cell(tiny):
    write_chapter(tiny, "# 9 The perceptron", "## Updates [one]", "no heading")
    path = tiny / "notebooks" / "09_perceptron.ipynb"
    chapter = notebooks.read(path)
    chapter["cells"][2] |= {"outputs": [{"data": {"text/plain": "[figure 09_perceptron_a: Dots * and <lines>]"}}]}
    path.write_text(json.dumps(chapter))
    assert figures.gallery(tiny).splitlines()[4:] == [
        "## [09 The perceptron (感知机)](../notebooks/09_perceptron.ipynb)",
        "",
        r"![Dots \* and \<lines>](09_perceptron_a.png)",
        "",
        "`09_perceptron_a`, from [Updates [one]](../notebooks/09_perceptron.ipynb#cell-id=ch09-2)",
    ]


def test_the_map_becomes_stale_when_a_link_changes(tiny):
    assert book_map.is_stale(tiny)
    path = tiny / "notebooks" / book_map.FILE
    path.write_bytes(notebooks.to_bytes(book_map.build(tiny)))
    assert not book_map.is_stale(tiny)
    source = '\n\ndef f(x):\n    """No  [A-1-1]."""\n'
    (tiny / "linmodels" / "perceptron.py").write_text(source)
    assert book_map.is_stale(tiny)
    path.write_bytes(notebooks.to_bytes(book_map.build(tiny)))
    (tiny / "linmodels" / "perceptron.py").write_text(f"import numpy{source}")
    assert not book_map.is_stale(tiny), "a line further down is the same function"


def source_of(root, name):
    return next(cell["source"] for cell in book_map.build(root)["cells"] if cell["id"] == f"ch00-{name}")


def test_a_cell_of_the_map_links_all_there_is_and_leaves_out_what_is_not(whole):
    assert source_of(whole, "section-a-1") == "### A 1 Beginnings (开端)"
    cells = ["14_errata.ipynb#cell-id=ch14-0"] * 3 + ["09_perceptron.ipynb#cell-id=ch09-1"] * 2
    cells += ["14_errata.ipynb#cell-id=ch14-0"]
    kinds = ["wrong", "a hypothesis is missing", "misprint", "notation", "wording", "left open"]
    errata = ", ".join(f"[A0{i}]({cell}) ({kind})" for i, (cell, kind) in enumerate(zip(cells, kinds, strict=True), 1))
    assert source_of(whole, "a-1-1").splitlines() == [
        "**A-1-1** *definition*",
        "",
        r"$\displaystyle x\vert y$",
        "",
        "function [perceptron.f](../linmodels/perceptron.py) "
        f"· cell [ch09-0](09_perceptron.ipynb#cell-id=ch09-0) · erratum {errata}",
    ]
    file = "../tests/published/test_it.py"
    assert f" · test [test_it]({file}), [TestIt::test_a]({file}) · " in source_of(whole, "a-1-3")
    items = ledger.load().items
    items["A-1-1"] = dataclasses.replace(items["A-1-1"], title="1/|x|<1", zh="数", formula="", erratum=["ERR-A04"])
    assert source_of(whole, "a-1-1").startswith("**A-1-1** 1/|x|\\<1 (数)\n\nfunction ")


def test_a_chapter_of_the_map_has_the_parts_of_the_notes_that_it_tells():
    rows = dict(re.findall(r"^\| \[(\d\d) .*?\) \| .*? \| (.*?) \| \d* \|$", source_of(ROOT, "chapters"), re.MULTILINE))
    assert rows["09"] == "A 5, B, C 2, D 4" and rows["05"] == "A 3.3, C 3.2, D 3"  # a whole note, whole sections, parts
    assert rows["10"] == "D 5, E (the optimal margin classifier)" and rows["14"] == "all errata"
    assert "→ [01](01_linear_regression.ipynb), [02](02_regularization.ipynb)" in source_of(ROOT, "notes")


def test_the_map_tells_what_exercises_there_are_and_how_a_derivation_is_typed():
    told = source_of(ROOT, "exercises")
    kinds = {"kill the mutants": "mend", "loop": "write", "construct": "build"}  # as the map calls them
    assert {kinds.get(task.kind, task.kind) for task in listing()} <= set(
        re.findall(r"^\| ([a-z ]+) \(", told, re.MULTILINE)
    )
    start, lines = re.search(r"`(d\(.*?\))` is given:\n\n```text\n(.*?)```", told, re.DOTALL).groups()
    texts = {"notes": "A 1", "ask": "", "hints": (), "start": start, "letters": {"a": "number", "b": "number"}}
    typed = Derivation(stars=0, **texts, free_of=("d",), lines=tuple(lines.splitlines()))
    typed.name = "typed"
    assert typed(lines).status == "ok"


def test_a_copy_that_jupyterlab_keeps_of_an_opened_test_is_no_second_test(whole):
    source, cell = whole / "tests" / "published" / "test_it.py", source_of(whole, "a-1-3")
    copy = source.parent / ".ipynb_checkpoints" / "test_it-checkpoint.py"
    copy.parent.mkdir()
    copy.write_text(source.read_text())
    assert "test_it.py" in cell and source_of(whole, "a-1-3") == cell


def test_links_of_the_own_chapter_come_first_and_the_rest_is_counted(whole):
    for stem in ("01_linear_regression", "02_regularization", "10_svm"):
        write_chapter(whole, "[A-1-1]", stem=stem)
    cells = source_of(whole, "a-1-1").split(" · ")[1]
    assert re.findall(r"\[(.*?)\]", cells) == ["ch09-0", "ch01-0"] and cells.endswith(", +2")


def test_every_table_of_the_map_has_fields_as_its_header():
    for cell in book_map.build(ROOT)["cells"]:
        rows = [line for line in cell["source"].splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 1, cell["id"]


def test_the_map_has_every_statement_once_under_its_section_in_the_order_of_the_notes_with_what_the_ledger_says():
    book, found, section = ledger.load(), [], ""
    for cell in book_map.build(ROOT)["cells"]:
        if heading := re.match(r"##+ (?:Note )?(.*)", cell["source"]):
            section = heading[1]
        elif statement := re.match(r"\*\*([A-E]-.*?)\*\* ", cell["source"]):
            found.append((section, statement[1], cell["id"]))
            item, (names, *rest) = book.items[statement[1]], cell["source"].split("\n\n")
            assert item.title in names.replace("\\<", "<").replace("*", "") and item.zh in names, item.id
            assert [text for text in rest if "$" in text] == ([rest[0]] if item.formula else []), item.id
            assert ("no function (" in rest[-1]) == bool(item.no_function) and item.no_function in rest[-1], item.id
    titles = {id: f"{section.label} {section.title} ({section.zh})" for id, section in book.sections.items()}
    assert found == [(titles[item.section], id, book_map.statement_cell(id)) for id, item in book.items.items()]
    ids = [cell["id"] for cell in book_map.build(ROOT)["cells"]]
    assert len(ids) == len(set(ids)) and {"ch00-a-3-1", "ch00-section-a-3-1"} <= set(ids)  # of, of A-3-1


def test_the_sections_stand_in_the_order_of_the_statements_under_their_parents():
    book = ledger.load()
    used = list(dict.fromkeys(item.section for item in book.items.values()))
    assert [id for id in book.sections if id in used] == used
    for id, section in book.sections.items():
        above = id.rpartition(".")[0] or id.partition("-")[0]
        assert above in book.sections and list(book.sections).index(above) <= list(book.sections).index(id), id
        assert section.title and section.zh, id
    assert [book.sections[id].label for id in ("A-5.3.1", "A-0", "B-sep", "C")] == ["A 5.3.1", "A", "B", "C"]


def test_the_links_of_the_map_into_itself_name_a_cell_of_it_and_no_file():
    """With a file before the sign #, a page made of the map would leave itself for the notebook."""
    cells = book_map.build(ROOT)["cells"]
    sources = "".join(cell["source"] for cell in cells)
    assert book_map.FILE not in sources
    inside = re.findall(r"\]\(#cell-id=(.*?)\)", sources)
    sections = [cell["id"] for cell in cells if cell["id"].startswith("ch00-section-")]
    asked = [f"ch00-{name}" for name in ("exercises", "notation", "letters")]
    assert inside == [*asked, *sections, "ch00-notation", "ch00-letters", "ch00-glossary"]
    assert set(inside) <= {cell["id"] for cell in cells}
    assert len(sections) == len(ledger.load().sections)


# What MathJax and KaTeX can set between dollars, and in a table's cell.

PAIRS = (("{", "}"), (r"\\left\b", r"\\right\b"), (r"\\begin\b", r"\\end\b"))


def faults_of(latex):
    """What keeps a formula between dollars from being set."""
    bare = re.sub(r"\\[{}|$\\]", "", latex)
    found = [sign for sign in "|<>$\n" if sign in bare]
    found += [a for a, b in PAIRS if len(re.findall(a, bare)) != len(re.findall(b, bare))]
    depth = 0
    for sign in bare:
        depth += (sign == "{") - (sign == "}")
        found += ["}"] if depth < 0 else []
    found += [word for word in re.findall(r"\\[A-Za-z]+$", bare) if word in (r"\frac", r"\tilde", r"\mathbf")]
    return found + (["spaces at an end"] if latex != latex.strip() else [])


def test_every_formula_of_the_map_can_be_set():
    for cell in book_map.build(ROOT)["cells"]:
        for line in cell["source"].splitlines() if cell["id"] not in ("ch00-title", "ch00-find") else []:
            text = re.sub(r"`[^`]*`", "", line)
            assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0, line
            for latex in re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", text):
                assert faults_of(latex) == [], (latex, line)
            outside = re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", text)
            assert not re.search(r"\\[A-Za-z]|(?<!\\)<", outside), line


@pytest.mark.parametrize("latex", ["a|b", "a<b", r"\frac{1}{2", "}{", r"\left(x\leftarrow y)", "a$b", r"x\tilde", " x"])
def test_a_formula_that_cannot_be_set_is_found(latex):
    assert faults_of(latex) and not faults_of(r"\frac1N\sum_n\{x\}")


def test_the_signs_of_a_table_and_of_html_are_written_as_commands():
    assert book_map.formula(r"\|a|<b>c") == r"$\Vert a\vert \lt b\gt c$" and book_map.formula("") == ""


# Searching.


def first(text, root=ROOT):
    found = find.search(text, root)
    return found[0].name if found else None


CALLED = {
    "a-5.3.1-2": "A-5.3.1-2",
    "A 5.3": "A-5.3-1",
    "5.3.1": "A-5.3.1-1",
    "erratum A50": "A-5.3.2-1",
    "9.1": next(task.name for task in listing() if task.chapter == "09"),
    "ch09-nearer": "ch09-nearer",
    "09_perceptron_updates": "09_perceptron_updates",
    "perceptron.updat": "perceptron.update",
    "zebra": None,
    "zebra kernel": "ch11-trick",
    "gausian kernel": "ch12-gaussian",
    "高斯内核": "ch12-gaussian",
    "学 习 率": "ch01-step",
    "margin": "ch10-which",
}
QUESTIONS = {
    "not separable": "ch09-separable",
    "separable": "ch09-separable",
    "why does newton diverge": "ch04-damped",
    "what is the difference between ridge and lasso?": "ch02-prices",
    "how many mistakes does the perceptron make": "ch09-improves",
    "should the bias be penalised?": "ch02-bias",
    "why does the lasso give zeros": "ch02-corner",
    "为什么 Lasso 会得到零": "ch02-corner",
    "what if XᵀX is singular": "ch01-rows",
    "what if X^TX is singular": "ch01-rows",
    "is my matrix a kernel": "ch12-necessary",
    "which model should I use": "ch13-when",
    "what is wrong in the notes": "ch14-title",
    "什么是支持向量": "ch10-kkt",
    "梯度下降为什么不收敛": "ch01-step",
    "记号": "ch00-notation",
    "y must hold -1 and +1 only": "checks.signs",
    "found shape (38,); give one per sample": "shapes",
}


@pytest.mark.parametrize("text, name", [*CALLED.items(), *slow(QUESTIONS.items())])
def test_what_is_called_so_or_else_where_a_teacher_would_point_comes_first(text, name):
    assert first(text) == name


@pytest.mark.parametrize("text, name", [("ridge", "regularization.ridge"), ("gaussian", "kernels.gaussian")])
def test_a_function_called_exactly_so_is_the_first_function(text, name):
    functions = [entry.name for entry in find.search(text, ROOT)[1:] if entry.kind == "function"]
    called = [function.rpartition(".")[2] == text for function in functions]
    assert name in functions and called == sorted(called, reverse=True)
    assert f"functions\n  {functions[0]}" in answers.report(text, ROOT)


@pytest.mark.parametrize("text", ["outliers", "核"])
def test_chapters_that_review_come_after_what_they_review(text):
    """The first three answers stand in chapters 01 to 12, or in the notes."""
    assert not [entry.name for entry in find.search(text, ROOT)[:3] if re.search("^ch1[34]|^1[34]_", entry.name)]


def test_words_in_bold_and_headings_are_names_but_not_in_a_review_nor_where_the_glossary_names_another_cell(tiny):
    for stem in ("01_linear_regression", "13_one_line_many_losses"):
        write_chapter(tiny, "## Why wheels\n\nA **gnu** is no **machine**.", stem=stem)
    names = {entry.name: entry.names for entry in index.entries(tiny) if entry.kind == "cell"}
    assert {words.form(name) for name in ("Why wheels", "wheels", "gnu")} <= names["ch01-0"]
    assert names["ch01-0"].isdisjoint([words.form("machine")])
    assert names["ch13-0"].isdisjoint(map(words.form, ("Why wheels", "wheels", "gnu", "machine")))


def test_of_the_map_only_its_title_its_lists_and_tables_are_found():
    """A statement is a place itself: its cell in the map would be the same place again."""
    found = [entry.name for entry in index.entries(ROOT) if entry.name.startswith("ch00-")]
    names = ("title", "notes", "chapters", "exercises", "teacher", "notation", "letters", "glossary")
    assert found == [f"ch00-{name}" for name in names]


def test_the_index_of_the_book_names_every_section_that_explains_something_and_no_other_cell():
    cells = {entry.name: entry for entry in index.entries(ROOT) if entry.kind == "cell"}
    own = [name for name, entry in cells.items() if entry.heads and not entry.reviews]
    told = [name for name in own if not re.search("-(title|doors|answer)$", name)]
    assert [name for name in told if name not in index.subjects()] == [
        "ch00-notes", "ch06-pencil", "ch06-triangle", "ch07-pencil"
    ]  # fmt: skip
    assert all(cells[name].heads for name in index.subjects()) and set(index.questions()) <= set(cells)
    for texts in [*index.subjects().values(), *index.questions().values()]:
        assert all(texts) and len(set(texts)) == len(texts), texts


@pytest.mark.parametrize("every", [48, *slow([1])])
def test_a_subject_leads_to_a_section_that_has_it(every):
    """One of the first three answers; some subjects have several sections."""
    for subject in sorted({subject for subjects in index.subjects().values() for subject in subjects})[::every]:
        found = find.search(subject, ROOT)[:3]
        assert any(subject in index.subjects().get(entry.name, ()) for entry in found), subject


def test_no_function_is_found_by_the_code_of_its_example():
    found = {entry.name: entry for entry in index.entries(ROOT) if entry.kind == "function"}
    assert [name for name, entry in found.items() if ">>>" in entry.text + entry.summary] == []
    assert "a label, never 0" in found["special.sign"].summary


def test_the_exercises_are_read_as_they_are_listed():
    found = [(e.name, e.line.partition(" ")[2], e.text, e.where) for e in index.entries(ROOT) if e.kind == "exercise"]
    assert found == [(task.name, task.ask, " ".join(task.hints), task.chapter) for task in listing()]


@pytest.mark.slow
def test_to_find_in_the_book_needs_no_numpy():
    code = f"import pathlib, sys; from linmodels.book import find; find.search('hinge', pathlib.Path({str(ROOT)!r}))"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'numpy' not in sys.modules"], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["newton diverge", "支持向量"])
def test_stop_words_do_not_change_the_answer(text):
    plain = find.search(text, ROOT)
    for wrap in ("Why do the {}", "how can I use {} in this", "为什么{}?"):
        assert find.search(wrap.format(text), ROOT) == plain != [], wrap


@pytest.mark.slow
@pytest.mark.parametrize(
    "one, other",
    [
        ("感知机", "perceptron"),
        ("分离超平面", "分割超平面"),
        ("核", "內核"),
        ("朴素贝叶斯", "Naïve Bayes"),
        ("l2 正则化", "L2 正 则 化"),
        ("学习率", "learning rates"),
        ("λ", "lambda"),
        ("regularisation", "regularization"),
    ],
)
def test_synonyms_find_the_same(one, other):
    assert find.search(one, ROOT) == find.search(other, ROOT) != []


@pytest.mark.parametrize("every", [64, *slow([2])])
def test_all_are_found_by_their_own_names(every):
    """Statements by id, title and term; exercises and figures by name; a term of the glossary at its cell."""
    items, entries = ledger.load().items, index.entries(ROOT)
    called = [(text, item.id) for item in items.values() for text in (item.id, item.title, item.zh) if text]
    called += [(entry.name, entry.name) for entry in entries if entry.kind in ("exercise", "figure")]
    called += [(name, term.cell) for term in ledger.load().terms for name in term.names]
    for text, name in called[::every]:
        found = [entry.name for entry in find.search(text, ROOT)]
        assert name in found and (text not in items or found[0] == name), (text, name)


@pytest.mark.parametrize("asked", ["ch12-cost", "ch12-cost-before"])
def test_a_cell_that_explains_nothing_is_found_by_the_one_above_it(asked):
    found = find.answer(asked, ROOT)
    assert [entry.name for entry in found.entries] == ["ch12-square"] and not found.ranked
    assert found.remarks == [f"the cell {asked} stands below this one:"]
    assert find.answer("ch12-costs", ROOT).entries == []


@pytest.mark.parametrize("asked", ["glm.categorical", "glm.poisson", "softmax_regression.centred"])
def test_a_value_of_a_module_is_found_in_it(asked):
    found = find.answer(asked, ROOT)
    assert found.entries[0].name == asked.partition(".")[0] and not found.remarks


def test_what_no_place_has_is_said():
    assert find.answer("zebra kernel", ROOT).remarks == ["nothing on 'zebra'; without it:"]
    assert find.answer("gausian kernel", ROOT).remarks == ["nothing on 'gausian', read as 'gaussian':"]
    assert find.answer("what does the dual form gain", ROOT).remarks == [
        "no place has all of these words; the best without 'gain':"
    ]
    assert find.answer("duality gap", ROOT).remarks == []
    assert "nothing on 'wie'; without it:" in find.answer("wie kernel", ROOT).remarks  # three letters are no misprint


@pytest.mark.parametrize("text", ["zebra 核", "gausian 核", "对偶形式 zebras 好处"])
def test_who_asks_in_chinese_is_told_in_chinese_what_no_place_has(text):
    remarks = find.answer(text, ROOT).remarks
    assert remarks and all(re.match("没有 ", remark) or remark.startswith("没有一处") for remark in remarks)


def test_a_rare_word_counts_more_than_a_common_one(tiny):
    write_chapter(tiny, *["## sample"] * 9, "## sample zebra", "## zebra", "## sample gnu")
    (tiny / "linmodels" / "perceptron.py").write_text("")
    assert [entry.name for entry in find.search("sample zebra gnu", tiny)][:2] == ["ch09-11", "ch09-9"]
    assert first("sample zebra", tiny) == "ch09-9"
    assert find.answer("zebra of the sample yak", tiny).remarks == ["nothing on 'yak'; without it:"]


def test_the_report_names_function_cell_test_and_erratum(whole):
    assert answers.report("A-1-1", whole).splitlines()[:9] == [
        "A-1-1  definition",
        "  definition of note A, chapter 09 The perceptron (感知机)",
        "  formula   x|y",
        "  function  perceptron.f  linmodels/perceptron.py:1",
        "  cell      ch09-0 in notebooks/09_perceptron.ipynb",
        "  erratum   A01, printed: x|y",
        "            right: x or y",
        "            cells: ch09-1, ch14-0",
        "            test: tests/published/test_it.py::TestIt",
    ]


def test_who_asks_in_chinese_is_answered_in_chinese(whole):
    links, item = ledger.links(whole), ledger.load().items["A-1-1"]
    told = list(answers._full_statement(item, links, "a01", True))
    assert told[:3] == ["A-1-1  开端", "    错了。", "  公式      x|y"]
    erratum = told.index("  勘误      A01，原文 x|y")
    assert told[erratum + 1 : erratum + 4] == [
        f"{' ' * 12}{line}" for line in ("更正 x 或 y", "错了。", "讲解: ch09-1, ch14-0")
    ]


def test_a_question_in_chinese_gets_the_first_statement_in_whole_sentences():
    report = answers.report("学习率", ROOT).splitlines()
    at = report.index("笔记中的条目")
    assert report[at + 1].startswith("  D-1-12       梯度下降法: ch01-") and "学习率" in report[at + 2] + report[at + 3]
    assert "梯度" in report[at + 2] and "各章的单元" in report and not any("](#" in line for line in report)


def test_chinese_is_broken_after_a_hundred_columns_and_not_before_a_stop():
    lines = list(answers._wrapped("梯" * 47 + "，" + "下降", "  "))
    assert lines == ["  " + "梯" * 47 + "，" + "下", "  降"]
    assert list(answers._wrapped("梯" * 49 + "，下", "  ")) == ["  " + "梯" * 49 + "，", "  下"]
    assert list(answers._wrapped("梯" * 48 + "gradient", "  "))[1] == "  gradient"


def test_the_map_and_the_report_say_why_there_is_no_function(whole):
    (whole / "linmodels" / "perceptron.py").unlink()
    give_a_reason("A-1-1", "A name for `x`, as " + "long " * 20 + "sentences say.")
    told = source_of(whole, "a-1-1").split("\n\n")[-1]
    assert told.startswith(f"no function ({ledger.load().items['A-1-1'].no_function}) · cell ")
    report = answers.report("A-1-1", whole).splitlines()
    assert report[3].startswith("  function  none: A name for `x`, as long ") and len(report[3]) <= 100
    assert report[4].startswith(" " * 12) and report[4].endswith("sentences say.")


def test_the_best_place_is_told_in_full_and_the_next_ones_in_a_line(whole):
    write_chapter(whole, "## The wheel\n\nIt **turns** [A-1-1].", "A wheel again", stem="01_linear_regression")
    (whole / "linmodels" / "perceptron.py").write_text('def f(x):\n    """A wheel  [A-1-1]."""\n')
    assert answers.report("ch01-0", whole).splitlines() == [
        "ch01-0  notebooks/01_linear_regression.ipynb",
        "  The wheel",
        "  It turns [A-1-1]. A wheel again",
        "  about A-1-1",
    ]
    report = answers.report("wheel", whole).splitlines()
    assert report[0] == "ch01-0  notebooks/01_linear_regression.ipynb"
    assert "  perceptron.f  linmodels/perceptron.py:1  A wheel [A-1-1]." in report
    assert [line for line in report if line in dict(answers.HEADINGS.values())] == [
        "cells of the chapters",
        "functions",
    ]


@pytest.mark.slow
def test_a_long_answer_is_cut_and_says_so():
    found, lines = find.search("感知机", ROOT), answers.report("感知机", ROOT).splitlines()
    more = sum(entry.kind == "statement" for entry in found) - answers.LIMITS["statement"]
    assert f"  ... 另有 {more} 处；可换更具体的词" in lines and len(lines) < 50


def test_nothing_found_suggests_what_is_spelled_alike():
    assert answers.report("gaussche Verteilung", ROOT) is None
    assert "Gaussian distribution" in answers.suggestions("gaussische distribution")
    assert find.search("", ROOT) == [] == find.search("  ", ROOT) == find.search("what is the", ROOT)


@pytest.mark.parametrize(
    "name, near", [("A-5.3.1-9", "A-5.3.1-2"), ("a 5.9", "A-5.2-9"), ("ch09-updat", "ch09-update")]
)
def test_what_looks_like_a_name_and_is_none_finds_nothing_and_suggests_names(name, near):
    """Not places that share its digits or letters: a misspelled id is no question."""
    assert find.search(name, ROOT) == [] and near in answers.suggestions(name, ROOT)


def test_a_table_is_told_row_by_row():
    cell = "## When\n\n| you have | take |\n|---|---|\n| counts | Poisson |\n| a $|x|$ | " + "long " * 40 + "|\n\nEnd."
    lines = [*answers._excerpt(cell.partition("\n\n")[2])]
    assert lines[:2] == ["  you have; take", "  counts; Poisson"] and len(lines) == 3
    assert lines[2].startswith("  a |x|; long long") and lines[2].endswith("long ...") and len(lines[2]) < 115


def test_chapter_14_computes_every_wrong_claim_and_every_missing_hypothesis():
    """Its lines say of each erratum that the printed claim fails and the right one holds."""
    chapter = notebooks.read(ROOT / "notebooks" / f"{ledger.CHAPTERS[14].stem}.ipynb")
    printed = "".join(
        notebooks.text(output.get("text", "")) for cell in chapter["cells"] for output in cell.get("outputs", [])
    )
    verdicts = re.findall(r"^([A-E]\d\d)  (.*?)   ", printed, re.MULTILINE)
    assert {verdict for _, verdict in verdicts} == {"printed fails, right holds"}
    owed = {id.removeprefix("ERR-") for id, erratum in ledger.load().errata.items() if erratum.kind in "MH"}
    assert owed <= {number for number, _ in verdicts}


def test_chapter_14_has_a_row_for_every_erratum_with_its_class():
    chapter = notebooks.read(ROOT / "notebooks" / f"{ledger.CHAPTERS[14].stem}.ipynb")
    text = "\n".join(notebooks.text(cell["source"]) for cell in chapter["cells"] if cell["cell_type"] == "markdown")
    rows = re.findall(r"^\| \[([A-E]\d\d)\]\([^)]*\) · (\w) \|", text, re.MULTILINE)
    kinds = {id.removeprefix("ERR-"): erratum.kind for id, erratum in ledger.load().errata.items()}
    assert sorted(rows) == sorted(kinds.items())
    items = ledger.load().items.values()
    touched = [
        sum(any(kinds[id[4:]] in some for id in item.erratum) for item in items) for some in ("MHT", "MH", "MHTONW")
    ]
    told = re.search(r"the (\d+) statements, (\d+) have a .* \((\d+) without .* of any class stands at (\d+)\.", text)
    assert [int(number) for number in told.groups()] == [len(items), *touched], f"chapter 14 says: {told[0]}"


def test_the_teachers_table_of_chapter_14_says_how_many_wrong_claims_it_leaves_out():
    chapter = notebooks.read(ROOT / "notebooks" / f"{ledger.CHAPTERS[14].stem}.ipynb")
    source = next(notebooks.text(cell["source"]) for cell in chapter["cells"] if cell["id"] == "ch14-teacher")
    shown = {f"ERR-{number}" for number in re.findall(r"\[([A-E]\d\d)\]", source)}
    left_out = [id for id, erratum in ledger.load().errata.items() if erratum.kind in "MH" and id not in shown]
    assert f"lack a condition, {len(left_out)} are not here" in source
