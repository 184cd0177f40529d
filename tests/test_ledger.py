"""The ledger against the project, and proof on a tiny project that a gap or a dead link does not pass."""

import json
import pathlib
import re

import pytest

from linmodels.book import figures, find, ledger, notebooks
from linmodels.book import map as book_map

ROOT = pathlib.Path(__file__).parents[1]


def test_nothing_is_owed():
    assert ledger.problems(ROOT) == []


def test_the_ledger_is_consistent():
    book = ledger.load()
    assert (len(book.items), len(book.errata)) == (387, 162)
    for item in book.items.values():
        assert ledger.ID.fullmatch(item.id) and item.id.startswith(f"{item.section}-"), item.id
        assert set(item.same_as) <= set(book.items) and set(item.erratum) <= set(book.errata), item.id
        assert 1 <= int(item.chapter) <= 12 and ledger.chapter_of(item).number == item.chapter
    for erratum in book.errata.values():
        assert ledger.errata_in(erratum.id) == [erratum.id] and erratum.kind in "MHTNW"
        assert erratum.items and all(erratum.id in book.items[id].erratum for id in erratum.items), erratum.id


def test_chapters_are_numbered_in_order():
    assert [chapter.number for chapter in ledger.CHAPTERS] == [f"{i:02}" for i in range(15)]


def test_an_erratum_is_recognised_in_prose():
    text = "see erratum A50, errata A43, A44 and C07; ERR-D16. Erratum of class M; A12 alone is none"
    assert ledger.errata_in(text) == ["ERR-A50", "ERR-A43", "ERR-A44", "ERR-C07", "ERR-D16"]


# A chapter of five statements: its ledger and three ways to answer, in a project of its own.

ITEMS = {"D": "definition", "A": "algorithm", "T": "theorem", "C": "claim", "F": "figure"}
ERRATA = {"M": "ERR-A01", "H": "ERR-A02", "T": "ERR-A03", "N": "ERR-A04"}


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    items = {
        f"A-1-{i}": ledger.Item(f"A-1-{i}", "A", "A-1", kind, "", kind, "x|y", "09", [], list(ERRATA.values()))
        for i, kind in enumerate(ITEMS.values(), start=1)
    }
    items["A-2-1"] = ledger.Item("A-2-1", "A", "A-2", "later", "", "theorem", "", "10", [], [])
    errata = {id: ledger.Erratum(id, "A", kind, ["A-1-1"], "wrong", "right") for kind, id in ERRATA.items()}
    errata["ERR-A05"] = ledger.Erratum("ERR-A05", "A", "M", ["A-1-1", "A-2-1"], "wrong in 10", "right")
    monkeypatch.setattr(ledger, "load", lambda: ledger.Ledger(items, errata, []))
    for folder in ("linmodels", "tests", "notebooks"):
        (tmp_path / folder).mkdir()
    return tmp_path


def write_chapter(root, *sources, stem="09_perceptron"):
    cells = [{"cell_type": "markdown", "id": f"ch09-{i}", "metadata": {}, "source": s} for i, s in enumerate(sources)]
    (root / "notebooks" / f"{stem}.ipynb").write_text(json.dumps({"cells": cells}))


def ids(problems):
    return [problem.split()[0].rstrip(":") for problem in problems]


def test_an_unwritten_chapter_owes_nothing(tiny):
    assert ledger.problems(tiny) == []


def test_a_written_chapter_owes_what_each_kind_needs(tiny):
    write_chapter(tiny, "no ids here")
    assert ids(ledger.problems(tiny)) == ["A-1-1", "A-1-2", "A-1-3", "A-1-4", "A-1-5", *ERRATA.values()]


def test_cells_answer_all_but_theorems_and_errata_that_matter(tiny):
    write_chapter(tiny, "[A-1-1, A-1-2]", ["[A-1-3, A-1-4, A-1-5]\n", "errata A01, A02, A03", "; | A04 |"])
    assert ids(ledger.problems(tiny)) == ["A-1-3", "ERR-A01", "ERR-A02"]


def test_the_map_answers_nothing(tiny):
    write_chapter(tiny, "")
    write_chapter(tiny, "[A-1-1, A-9-9]", stem="00_map")
    assert ids(ledger.problems(tiny))[0] == "A-1-1"


def test_functions_answer_definitions_and_algorithms_only(tiny):
    write_chapter(tiny, "")
    docstring = '"""All of it  [A-1-1, A-1-2; A-1-3, A-1-4 and A-1-5: errata A01, A02, A03, A04]."""'
    (tiny / "linmodels" / "perceptron.py").write_text(f"class Model:\n    def f(x):\n        {docstring}\n")
    assert ids(ledger.problems(tiny)) == ["A-1-3", "A-1-4", "A-1-5", *ERRATA.values()]
    place = ledger.Place("perceptron.Model.f", "linmodels/perceptron.py", 2)
    assert ledger.links(tiny).functions["A-1-1"] == [place]


def test_an_id_outside_of_brackets_is_no_citation(tiny):
    (tiny / "linmodels" / "perceptron.py").write_text('def f(x):\n    """As A-1-1 [of the notes]."""\n')
    assert not ledger.links(tiny).functions


TESTS = """
import pytest
pytestmark = [pytest.mark.slow, pytest.mark.equation("A-1-4")]

@pytest.mark.erratum("A01", "ERR-A02")
class TestIt:
    @pytest.mark.equation("A-1-3")
    def test_a(self): pass

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.equation("A-1-5"))])
@pytest.mark.erratum("A03", "A04")
def test_b(x): pass
"""


def test_tests_answer_by_markers_on_functions_classes_parameters_and_modules(tiny):
    write_chapter(tiny, "")
    (tiny / "tests" / "published").mkdir()
    (tiny / "tests" / "published" / "test_it.py").write_text(TESTS)
    assert ids(ledger.problems(tiny)) == ["A-1-1", "A-1-2"]
    found = ledger.links(tiny).tests
    assert found["A-1-3"] == [ledger.Place("TestIt::test_a", "tests/published/test_it.py", 8)]
    assert found["ERR-A01"] == [ledger.Place("TestIt", "tests/published/test_it.py", 6)]


def test_an_erratum_of_two_chapters_is_owed_when_both_are_written(tiny):
    write_chapter(tiny, "")
    assert "ERR-A05" not in ids(ledger.problems(tiny))
    write_chapter(tiny, "", stem="10_svm")
    assert "ERR-A05" in ids(ledger.problems(tiny))


def test_dead_links_are_reported_from_everywhere(tiny):
    (tiny / "linmodels" / "perceptron.py").write_text('def f(x):\n    """No  [A-9-1]."""\n')
    (tiny / "tests" / "test_it.py").write_text('@pytest.mark.equation("A-9-2")\ndef test_it(): pass\n')
    write_chapter(tiny, "[A-9-3], erratum E99")
    dead = [problem for problem in ledger.problems(tiny) if "not in the ledger" in problem]
    assert ids(dead) == ["A-9-1", "A-9-2", "A-9-3", "ERR-E99"]
    assert dead[0] == "A-9-1: cited by perceptron.f in linmodels/perceptron.py, but not in the ledger"


@pytest.mark.parametrize("marker", ["equation(*IDS)", "erratum(ID)", "equation()"])
def test_a_marker_that_cannot_be_read_is_reported(tiny, marker):
    (tiny / "tests" / "test_it.py").write_text(f"@pytest.mark.{marker}\ndef test_it(): pass\n")
    (problem,) = ledger.problems(tiny)
    assert problem.startswith("tests/test_it.py:1: ") and "literal" in problem


# The map and the gallery.


def written_map(root):
    return (root / "notebooks" / book_map.FILE).is_file()


@pytest.mark.skipif(not written_map(ROOT), reason="the map is not written yet: linmodels run 00")
def test_the_committed_map_says_what_the_ledger_says_today():
    assert not book_map.is_stale(ROOT), "run `linmodels run 00`"


@pytest.mark.skipif(not notebooks.chapters(ROOT), reason="no chapter is written yet")
def test_the_gallery_shows_what_the_chapters_show():
    assert (ROOT / "figures" / "README.md").read_text(encoding="utf-8") == figures.gallery(ROOT), "run `linmodels run`"


def test_the_map_becomes_stale_when_a_link_changes(tiny):
    assert book_map.is_stale(tiny)
    path = tiny / "notebooks" / book_map.FILE
    path.write_bytes(notebooks.to_bytes(book_map.build(tiny)))
    assert not book_map.is_stale(tiny)
    (tiny / "linmodels" / "perceptron.py").write_text('\n\ndef f(x):\n    """No  [A-1-1]."""\n')
    assert not book_map.is_stale(tiny), "its chapter is not written"
    write_chapter(tiny, "")
    assert book_map.is_stale(tiny)


def test_a_row_of_the_map_links_all_there_is_and_survives_a_pipe(tiny):
    write_chapter(tiny, "[A-1-1]")
    (tiny / "linmodels" / "perceptron.py").write_text('def f(x):\n    """No  [A-1-1]."""\n')
    (tiny / "tests" / "test_it.py").write_text('@pytest.mark.equation("A-1-1")\ndef test_it(): pass\n')
    table = next(cell["source"] for cell in book_map.build(tiny)["cells"] if cell["id"] == "ch00-chapter-09")
    assert table.splitlines()[4] == (
        "| A-1-1 | *definition* | $x\\vert y$ | [perceptron.f](../linmodels/perceptron.py) "
        "| [ch09-0](09_perceptron.ipynb) | [test_it](../tests/test_it.py) | A01, A02, A03, A04 |"
    )


def test_the_map_of_the_real_ledger_names_every_statement_once_as_row_or_as_waiting():
    text = "\n".join(cell["source"] for cell in book_map.build(ROOT)["cells"] if "chapter-" in cell["id"])
    rows = [
        re.split(r"(?<!\\)\|", line)
        for line in text.splitlines()
        if line.startswith("| ") and not line.startswith("| id")
    ]
    assert all(len(row) == 9 for row in rows), [row for row in rows if len(row) != 9]
    waiting = [id for line in text.splitlines() if line.startswith("Not written") for id in ledger.ID.findall(line)]
    assert sorted([row[1].strip() for row in rows] + waiting) == sorted(ledger.load().items)


# Searching.


@pytest.mark.parametrize(
    "text, first",
    [
        ("A-5.3.1-2", "A-5.3.1-2"),
        ("a-5.3.1-2", "A-5.3.1-2"),
        ("5.3.1", "A-5.3.1-1"),
        ("A-5.3", "A-5.3-1"),
        ("ERR-A50", "A-5.3.2-1"),
        ("a50", "A-5.3.2-1"),
        ("normal equation", "A-1.2-8"),
        ("Gaussian kernel", "E-sim-2"),
        ("高斯内核", "E-sim-2"),
        ("学 习 率", "A-5.3.1-2"),
        ("岭回归", "A-1.2-15"),
        ("regularization", "A-1.2-14"),
        ("zebra kernel", None),
    ],
)
def test_find_puts_the_best_first(text, first):
    found = find.search(text)
    assert (found[0].id if found else None) == first


@pytest.mark.parametrize(
    "one, other",
    [
        ("感知机", "感知器"),
        ("逻辑回归", "对数几率回归"),
        ("判别函数", "判决函数"),
        ("分离超平面", "分割超平面"),
        ("特征映射", "特征地图"),
        ("核", "内核"),
        ("核", "內核"),
        ("朴素贝叶斯", "Naïve Bayes"),
        ("l2 正则化", "L2 正 则 化"),
    ],
)
def test_synonyms_find_the_same(one, other):
    assert find.search(one) and find.search(one) == find.search(other)


@pytest.mark.parametrize("term", ["迭代重加权最小二乘", "过拟合", "降维", "先验概率", "样本矩阵", "内积矩阵"])
def test_terms_that_the_notes_do_not_print_are_found(term):
    assert find.search(term)


def test_every_item_is_found_by_its_own_id_title_and_term():
    for item in ledger.load().items.values():
        for text in filter(None, (item.id, item.title, item.zh)):
            assert item in find.search(text), (item.id, text)
        assert find.search(item.id)[0] == item


def test_the_report_names_function_cell_test_and_erratum(tiny):
    write_chapter(tiny, "[A-1-1]")
    (tiny / "linmodels" / "perceptron.py").write_text('\ndef f(x):\n    """No  [A-1-1]."""\n')
    (tiny / "tests" / "test_it.py").write_text('@pytest.mark.equation("A-1-1")\ndef test_it(): pass\n')
    assert find.report("A-1-1", tiny).splitlines()[:8] == [
        "A-1-1  definition",
        "  definition of note A, chapter 09 The perceptron (感知机)",
        "  formula   x|y",
        "  function  perceptron.f  linmodels/perceptron.py:2",
        "  cell      ch09-0 in notebooks/09_perceptron.ipynb",
        "  test      tests/test_it.py::test_it",
        "  erratum   ERR-A01: printed: wrong",
        "            right: right",
    ]


def test_a_long_answer_is_cut_and_says_so():
    found, answer = find.search("感知机"), find.report("感知机", ROOT)
    assert answer.endswith(f"... and {len(found) - find.AT_MOST} more: add a word")
    assert answer.count("\n  formula ") <= find.IN_FULL and f"\n  {found[find.IN_FULL].id} " in answer


def test_a_cell_is_found_by_its_id():
    cell = ledger.links(ROOT).cells["A-5.3.2-1"][0].name
    assert find.report(cell, ROOT).startswith("A-5.3.2-1  ")


def test_a_function_is_found_by_its_name():
    assert "A-5.3.1-2  " in find.report("perceptron.update", ROOT)


def test_a_section_is_found_as_the_chapters_write_it():
    assert find.search("A 5.3.1") == find.search("A-5.3.1") != []


def test_nothing_found_suggests_what_is_spelled_alike():
    assert find.report("perceptrn", ROOT) is None
    assert "perceptron" in find.suggestions("perceptrn")
    assert find.search("") == [] == find.search("  ")
