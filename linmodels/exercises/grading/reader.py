"""Who answers: a name gives a reader numbers of his own, and, if he says so, a file keeps his verdicts.

Nothing is written before `check.me(name, keep=True)`. `check.me` and `linmodels exercises` read the file, and no
command that runs the book does.
"""

import json
import os
import sys
import unicodedata
import zlib
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any


def path() -> Path:
    """Where the verdicts lie: the reader's home, or the file that LINMODELS_READER names."""
    return Path(os.environ.get("LINMODELS_READER") or Path.home() / ".linmodels-exercises.json").expanduser()


# By exercise: tries until it was right, the word that made its numbers, the last verdict, when it was right.
Verdicts = dict[str, dict[str, Any]]
FIELDS: dict[str, Any] = {"tries": int, "numbers": str, "last": str, "solved": str, "best": (int, float)}


class Reader:
    """The reader of this session."""

    def __init__(self) -> None:
        self.name = ""
        self.numbers = ""  # a word that several readers share, if they want the same numbers
        self.keeps = False
        self.verdicts: Verdicts = {}

    @property
    def word(self) -> str:
        """What makes the reader's own numbers."""
        return self.numbers or self.name

    @property
    def seed(self) -> int:
        """The number of this word: 0 for the numbers that the book prints."""
        return zlib.crc32(self.word.encode("utf-8", "replace")) if self.word else 0

    def is_called(self, name: str, keep: bool, numbers: str = "") -> str:
        """Another reader, who keeps his verdicts if he says so now, or has said so before; what is to be told."""
        name, self.numbers = _normal(name), _normal(numbers)
        on_a_page = sys.platform == "emscripten"  # whose files are gone with it
        keep = keep and not on_a_page
        told = put_aside() if keep else ""
        kept = stored()
        self.name, self.keeps = name, keep or name in kept
        self.verdicts = kept.get(name, {}) if self.keeps else {}
        if on_a_page:
            return "on a page the browser keeps what you write and what is solved: the list of all exercises shows it"
        if not self.keeps:
            return "nothing is kept; keep=True keeps your verdicts"
        failed = self._store()
        return f"{told}verdicts are kept in {path()}; delete the file to forget them" if not failed else failed

    def brings(self, verdicts: Verdicts) -> None:
        """What this reader has answered before he gave his name."""
        self.verdicts = _merged(self.verdicts, verdicts)
        self._store()

    def note(self, name: str, status: str, text: str, score: float | None = None, whose: str = "") -> None:
        """One verdict."""
        if status == "  ":
            return
        known = self.verdicts.setdefault(name, {"tries": 0})
        known["last"] = text
        if "solved" not in known:
            known["tries"] += 1
            known |= {"numbers": whose} if whose else {}
        if status == "ok":
            known.setdefault("solved", date.today().isoformat())
        if score is not None:
            known["best"] = min(score, known.get("best", score))
        self._store()

    def _store(self) -> str:
        """Write what is known now, beside what another session has written; why not, where it cannot be."""
        if not self.keeps:
            return ""
        kept = stored()
        self.verdicts = _merged(kept.get(self.name, {}), self.verdicts)
        try:
            new = path().with_name(f"{path().name}.{os.getpid()}")
            new.write_text(json.dumps({**kept, self.name: self.verdicts}, indent=1, ensure_ascii=False), "utf-8")
            os.replace(new, path())
        except OSError as problem:  # a full disk costs the record, not the verdict
            return f"nothing is kept: {path()} cannot be written ({problem.strerror})"
        return ""


def _normal(word: str) -> str:
    """However a keyboard has made it."""
    return unicodedata.normalize("NFC", word.strip()).encode("utf-8", "replace").decode()


def _merged(one: Verdicts, two: Verdicts) -> Verdicts:
    """What two sessions of a reader know together."""
    both = {**one, **two}
    for name in one.keys() & two.keys():
        a, b = one[name], two[name]
        both[name] = {**a, **b, "tries": max(a["tries"], b["tries"])}
        for key in ("solved", "best"):
            found = [known[key] for known in (a, b) if key in known]
            if found:
                both[name][key] = min(found)
    return both


def stored(file: Path | None = None) -> dict[str, Verdicts]:
    """The verdicts of all readers of this machine, or file, by name; none where the file is missing or damaged."""
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads((file or path()).read_text("utf-8-sig"))
        if isinstance(found, dict):
            return {name: _sound(verdicts) for name, verdicts in found.items() if isinstance(verdicts, dict)}
    return {}


def _sound(verdicts: dict[str, Any]) -> Verdicts:
    """The entries of the right form."""
    entries = {name: entry for name, entry in verdicts.items() if isinstance(entry, dict) and "tries" in entry}
    return {
        name: entry
        for name, entry in entries.items()
        if all(isinstance(entry[key], FIELDS[key]) for key in entry.keys() & FIELDS)
    }


def put_aside() -> str:
    """A file that cannot be read, the last one, is kept under another name; what is to be told of it."""
    with suppress(OSError):
        if path().is_file() and path().stat().st_size and not stored():
            aside = path().with_name(f"{path().name}.damaged")
            os.replace(path(), aside)
            return f"the file of verdicts could not be read and is now {aside}; "
    return ""


reader = Reader()
