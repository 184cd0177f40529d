"""A teacher's door: an exercise of one's own is tried, a chapter is handed out, solved exercises are counted."""

import json
import re
import sys
from pathlib import Path

import pytest

from linmodels.book import cli, notebooks, teaching
from linmodels.book.map import EXERCISES
from linmodels.exercises import check, listing

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and names are other ones there")
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "linmodels" / "exercises" / "README.md").read_text("utf-8")
MINE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]  # the exercise that the teachers' page shows


@pytest.fixture
def mine(tmp_path):
    def written(text=MINE):
        (tmp_path / "mine.py").write_text(text, "utf-8")
        return tmp_path / "mine.py"

    return written


def ask(capsys, *words):
    status = cli.main(["exercises", *map(str, words)])
    return status, capsys.readouterr().out


def test_a_good_exercise_passes_and_its_next_step_is_said(mine, capsys):
    status, told = ask(capsys, "--try", mine())
    assert status == 0 and told.startswith("count_mistakes (write): passes")
    assert "next: check.add(count_mistakes=count_mistakes)" in told and "def count_mistakes(w, b, X, y):" in told


def test_cases_that_cannot_tell_a_mistake_are_named(mine, capsys):
    """The reading's own example: an answer without b passes where every b is 0."""
    status, told = ask(capsys, "--try", mine(MINE.replace("(np.ones(d), 1.0,", "(np.ones(d), 0.0,")))
    assert status == 1 and "a mistake passes, so a case is missing that shows it: 'b is missing'" in told


def test_small_changes_that_pass_are_shown_as_code(mine, capsys):
    unseen = MINE.replace('        (" + b)", ")", "b is missing"),\n', "").replace("1.0, X", "0.0, X")
    unseen = unseen.replace('"y is missing"),', '"y is missing"),\n        ("np.sum", "np.mean", "that is a share"),')
    status, told = ask(capsys, "--try", mine(unseen))
    assert status == 0 and re.search(r"let these answers pass.*X @ w - b", told, re.DOTALL)


def test_a_file_without_exercises_and_no_file_are_told(mine, tmp_path, capsys):
    assert ask(capsys, "--try", mine("x = 3"))[0] == 2
    assert cli.main(["exercises", "--try", str(tmp_path / "none.py")]) == 2


CASES = "return [one(30, 2), one(41, 3), one(12, 1)]"
WHOLE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]  # the derivation and the proof


@pytest.mark.parametrize(
    ("right", "slip", "told"),
    [
        ("np.ones(d), 1.0, X", "np.ones(d), X", "its own answer stops on the case '30 samples': TypeError"),
        (CASES, "return one(30, 2)", "cases must return a list: [Case(label, arguments), ...]"),
        (CASES, "return []", "cases must return a list"),
        ("_cases(rng)", "_cases()", "cases is called with a random generator, and stops: TypeError"),
        ("=_count,", "=lambda w, b, X, y: np.sum(y * (X @ w + b) <= 0),", "a function that is written with def"),
        ("=_count,", "=np.sum,", "a function that is written with def"),
        ('"A 5.2"', '"Z 99.9"', "notes must name a place of the notes A to E"),
        ('        ("y * (", "(", "y is missing"),\n', "", "1 fault\n  - list at least 4 mistakes, not 3"),
        ('("<= 0", "> 0",', '("<= 0", "> > 0",', "with the mistake '> > 0' the answer is no Python: "),
        ('        ("y * (", "(", "y is missing"),\n', '("y * (", "("),', "it cannot be tested: "),
    ],
)
def test_a_slip_in_an_exercise_is_a_sentence(mine, capsys, right, slip, told):
    assert MINE.count(right) == 1
    status, found = ask(capsys, "--try", mine(MINE.replace(right, slip)))
    assert status == 1 and told in found and "passes\n" not in found


@pytest.mark.parametrize(
    ("right", "slip", "told"),
    [
        ('("open", "zero")', '("zerro",)', "the line 'best' needs ['zerro'], and no line is called so"),
        ("slips=((3,", "slips=((9,", "a slip is in line 9, and `lines` has the lines 1 to 4"),
        ('        "2*X.T @', '        "3*X.T @', "1 fault\n  - seed 0: its own lines are refused: "),
    ],
)
def test_a_slip_in_a_derivation_or_a_proof_is_told_once(mine, capsys, right, slip, told):
    status, found = ask(capsys, "--try", mine(WHOLE.replace(right, slip, 1)))
    assert status == 1 and told in found and found.count("  - ") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MINE.replace("stars=1,", "stars=1"), r"mine\.py cannot be read: .*line \d+"),
        (re.sub(r"    hints=.*\n", "", MINE), r"mine\.py stops in line \d+, count_mistakes.*'hints'"),
        ("import no_such_module_here", r"mine\.py stops in line 1, import.*No module named"),
        ("raise SystemExit(3)", r"mine\.py stops in line 1, raise"),
    ],
)
def test_a_file_that_cannot_be_run_is_a_sentence(mine, capsys, text, told):
    status, found = ask(capsys, "--try", mine(text))
    assert status == 2 and re.search(told, found) and len(found.splitlines()) == 1


def test_a_file_may_import_what_lies_beside_it_and_hold_a_dataclass(mine, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "helper_of_mine.py").write_text("shift = 1.0")
    record = (
        "from dataclasses import dataclass\n\nfrom helper_of_mine import shift\n\n\n@dataclass\nclass A:\n    x: int\n"
    )
    text = MINE.replace("import numpy", f"{record}\nimport numpy").replace("(np.ones(d), 1.0,", "(np.ones(d), shift,")
    status, told = ask(capsys, "--try", mine(f"from __future__ import annotations\n\n{text}"))
    assert status == 0 and "count_mistakes (write): passes" in told


def test_a_file_is_tried_whole_and_alone(mine, tmp_path, capsys):
    assert cli.main(["exercises", "09", "--try", str(mine())]) == 2
    assert "--try takes all exercises of its file, and no chapter; found '09'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["exercises", "--hand-out", str(tmp_path / "class.ipynb"), "--try", str(mine())])


def test_a_notebook_is_not_tried(tmp_path, capsys):
    (tmp_path / "mine.ipynb").write_text("{}")
    assert cli.main(["exercises", "--try", str(tmp_path / "mine.ipynb")]) == 2
    assert "must be a Python file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("precious.txt", "must end with .ipynb"),
        ("mine.ipynb", "is there already"),
        ("nofolder/x.ipynb", "there is no folder"),
        (ROOT / "notebooks" / "07_lda.ipynb", "lies among the chapters of the book"),
        (ROOT / "notebooks" / "15_class.ipynb", "lies among the chapters of the book"),
    ],
)
def test_a_hand_out_replaces_nothing(out, told, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    written = []
    monkeypatch.setattr(teaching, "write_atomically", lambda *given: written.append(given))
    for name in ("precious.txt", "mine.ipynb"):
        (tmp_path / name).write_text("mine")
    assert cli.main(["exercises", "07", "--hand-out", str(tmp_path / out)]) == 2 and not written
    assert told in capsys.readouterr().err


def test_the_map_has_nothing_to_hand_out(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert cli.main(["exercises", "0", "--hand-out", str(tmp_path / "class.ipynb")]) == 2
    assert "00_map has no exercises to hand out" in capsys.readouterr().err and not any(tmp_path.iterdir())


@POSIX
def test_neither_a_link_that_leads_nowhere_is_replaced_nor_a_name_written_that_is_no_text(tmp_path):
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "nowhere")
    assert "is there already" in teaching.why_not(tmp_path / "link.ipynb", ROOT)
    assert "is no name in UTF-8" in teaching.why_not(tmp_path / "caf\udce9.ipynb", ROOT)


def answered(source, k):
    """The cell of an exercise or of a question with something in the place of its dots, at times with a slip."""
    given = ("7, 77)", '\n    "77",\n)', "x := 77)")[k % 3]
    told = re.sub(r"^( *)\.\.\.$", r"\1return 77 +", source, flags=re.MULTILINE).replace("...)", given)
    assert told != source
    return told


def test_what_was_answered_in_the_clone_is_not_handed_out(tmp_path):
    (chapter,) = notebooks.select(notebooks.chapters(ROOT), ["09"])
    teaching.hand_out(chapter, tmp_path / "before.ipynb")
    book = notebooks.read(chapter)
    for k, cell in enumerate(book["cells"]):
        if teaching.ASKED.search(source := notebooks.text(cell["source"])):
            cell["source"] = answered(source, k)
    (tmp_path / chapter.name).write_text(json.dumps(book))
    teaching.hand_out(tmp_path / chapter.name, tmp_path / "after.ipynb")
    before, after = (notebooks.read(tmp_path / f"{name}.ipynb")["cells"] for name in ("before", "after"))
    assert [cell["source"] for cell in before[1:]] == [cell["source"] for cell in after[1:]]  # the first names the file


def test_the_command_that_opens_a_file_holds_its_name_together(tmp_path):
    (chapter,) = notebooks.select(notebooks.chapters(ROOT), ["09"])
    teaching.hand_out(chapter, tmp_path / "class 9.ipynb")
    assert '`jupyter lab "class 9.ipynb"`' in notebooks.read(tmp_path / "class 9.ipynb")["cells"][0]["source"]


@pytest.mark.parametrize("stem", [path.stem for path in notebooks.chapters(ROOT)[1:]])
def test_a_chapter_that_is_handed_out_has_no_answers_and_asks_everything(stem, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    out = tmp_path / "class.ipynb"
    assert ask(capsys, stem, "--hand-out", out)[0] == 0
    cells = json.loads(out.read_text("utf-8"))["cells"]
    text = "\n".join(cell["source"] for cell in cells)
    assert "An answer</summary>" not in text and "fold(" not in text and "answers exercise" not in text
    assert [task.name for task in listing() if task.chapter == stem[:2] and task.stub not in text] == [], "no cell asks"
    assert all(cell["source"].strip() for cell in cells)
    assert "jupyter lab class.ipynb" in text and "check.me(..., keep=True)" in text and ".ipynb)" not in text
    assert "00_map" not in text and all(line in text for line in EXERCISES.splitlines())
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code")


def test_an_exercise_is_no_chapter_to_hand_out(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert cli.main(["exercises", "5.2", "--hand-out", str(tmp_path / "class.ipynb")]) == 2
    assert "say which chapter, a whole one" in capsys.readouterr().err


def test_what_a_packed_answer_makes_is_there_for_later_cells():
    cells = [
        {"cell_type": "code", "source": "# answers exercise 1\nx = 3", "outputs": [1], "execution_count": 1},
        {
            "cell_type": "markdown",
            "source": "Try.\n\n<details><summary>An answer</summary>\n\n3\n\n</details>\n\nGo on.",
        },
    ]
    code, text = teaching._without_answers(cells)
    namespace = {}
    exec(code["source"], namespace)
    assert code["source"].startswith("# an answer of the book, hidden on purpose: it runs for the cells below\n")
    assert namespace["x"] == 3 and "x = 3" not in code["source"] and text["source"] == "Try.\n\nGo on."


def test_the_list_says_who_has_solved_what_and_what_is_next(tmp_path, monkeypatch, capsys):
    kept = {"ann": {"add_bias": {"tries": 1, "solved": "2026-11-01"}, "gd_step": {"tries": 4}}}
    (tmp_path / "kept.json").write_text(json.dumps(kept))
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "kept.json"))
    _, told = ask(capsys)
    assert told.rstrip().endswith(
        f"ann: 1 of {len(listing())} solved; next after the last one solved: 1.2 gradient_of_squares"
    )
    kept["ann"]["gd_step"]["solved"] = "2026-11-02"
    (tmp_path / "kept.json").write_text(json.dumps(kept))
    names = [task.name for task in listing()]
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "kept.json"))
    assert ask(capsys)[1].rstrip().endswith(f" {names[names.index('gd_step') + 1]}")
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "none.json"))
    assert ask(capsys)[1].endswith(f"\n{tmp_path / 'none.json'}, which LINMODELS_READER names, is not there\n")


def test_exercises_of_a_teacher_and_a_folder_of_files_are_counted(tmp_path, monkeypatch, capsys):
    done = {"tries": 1, "solved": "2026-11-01"}
    for file, kept in (("one", {"ann": {"add_bias": done, "count_mistakes": done}}), ("two", {"bob": {"mine": done}})):
        (tmp_path / f"{file}.json").write_text(json.dumps(kept))
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path))
    ann, bob = ask(capsys)[1].splitlines()[-2:]
    assert ann == f"ann (one.json): 1 of {len(listing())} solved, and 1 from outside the book"
    assert bob == f"bob (two.json): 0 of {len(listing())} solved, and 1 from outside the book"


def test_of_a_chapter_the_list_says_what_was_tried(tmp_path, monkeypatch, capsys):
    kept = {"bob": {"softmax": {"tries": 3}, "add_bias": {"tries": 1, "solved": "2026-11-01"}}}
    (tmp_path / "kept.json").write_text(json.dumps(kept))
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "kept.json"))
    count = sum(task.chapter == "05" for task in listing())
    assert ask(capsys, "05")[1].endswith(f"\nbob: 0 of {count} in 05 solved; tried, not solved: softmax (3)\n")


def test_the_list_shows_copies_shared_numbers_and_what_cannot_be_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path))
    assert ask(capsys)[1].endswith("names, holds no file *.json\n")
    done = {"tries": 1, "solved": "2026-11-01"}
    many = dict.fromkeys(("add_bias", "softmax", "gram", "sigmoid", "gd_step"), done)
    of_ann = {"odds_and_back": done | {"numbers": "ann"}}
    for file, kept in {"a": {"ann": many}, "b": {"bob": many}, "c": {"cat": of_ann}, "d": {"cat": {}}}.items():
        (tmp_path / f"{file}.json").write_text(json.dumps(kept))
    (tmp_path / "fay.json").write_text("{")
    damaged, ann, bob, cat, other = ask(capsys)[1].splitlines()[-5:]
    assert damaged == "fay.json: no verdicts can be read"
    assert ann.endswith("; the same verdicts, tries and days as bob (b.json)") and "as ann (a.json)" in bob
    assert cat.endswith("; with the numbers of 'ann'; this name stands in d.json, too") and "in c.json, too" in other


def test_no_name_and_no_entry_ends_the_list_or_forges_a_line(tmp_path, monkeypatch, capsys):
    done = {"tries": 1, "solved": "2026-11-01"}
    files = {
        "a": {"ann": {"gram": done | {"solved": 3}, "add_bias": done}},
        "b": {"b\nCarl: 210 of 210": {"gram": done}},
    }
    for file, kept in files.items():
        (tmp_path / f"{file}.json").write_text(json.dumps(kept))
    (tmp_path / "c.json").write_text("[" * 100_000)
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path))
    count = len(listing())
    assert ask(capsys)[1].splitlines()[-3:] == [
        "c.json: no verdicts can be read",
        f"ann (a.json): 1 of {count} solved",
        f"'b\\nCarl: 210 of 210' (b.json): 1 of {count} solved",
    ]


def test_an_exercise_is_added_with_its_name():
    with pytest.raises(TypeError, match=r"check\.add\(name=exercise\)"):
        check.add(check.add_bias)


def test_the_first_page_counts_the_exercises():
    told = f" {len(listing())} 道习题"
    assert told in (ROOT / "README.md").read_text("utf-8"), f"README.md counts the exercises otherwise than{told}"


def test_the_derivation_and_the_proof_of_the_page_pass(mine, capsys):
    status, told = ask(capsys, "--try", mine(WHOLE))
    assert status == 0 and "ridge_gradient (derive): passes" in told and "mean_is_best (prove): passes" in told


def test_the_page_names_every_kind():
    """Every class and exercise that the teachers' page names is there, and no kind is missing."""
    rows = re.findall(r"\| `(\w+)` \| (.*) \|", PAGE)
    assert {kind for kind, _ in rows} == {type(task).__name__ for task in listing()}
    for kind, names in rows:
        for name in re.findall(r"`(\w+)`", names):
            assert type(check.__getattr__(name)).__name__ == kind
