"""A figure as committed bytes: what `save` shows and writes, when two pictures are one, where the book lies.

Only the figure handed in knows matplotlib; nothing here imports it.
"""

from __future__ import annotations

import base64
import io
import os
import pathlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np

MATPLOTLIB = "matplotlib " + ".".join(version("matplotlib").split(".")[:2])  # pictures of one minor version compare
TOLERANCE = 0.2  # RMS of 255: another CPU gives 0.02, a line of one small panel moved by 0.005 of its axis 2 or more
NAME = re.compile(r"\d\d_[a-z][a-z0-9]*(_[a-z0-9]+)+")
METADATA: dict[str, dict[str, Any]] = {  # nothing that changes from run to run
    "png": {"Software": MATPLOTLIB},
    "svg": {"Creator": MATPLOTLIB, "Date": None},
    "pdf": {"Creator": MATPLOTLIB, "Producer": MATPLOTLIB, "CreationDate": None},
}

Comparison = Literal["same", "close", "changed", "other matplotlib"]


@dataclass(frozen=True)
class Picture:
    """What `save` returns: as the last line of a cell it shows the figure, with its alternative text."""

    name: str
    alt: str
    width: int
    png: bytes = field(repr=False)

    def __repr__(self) -> str:
        return f"[figure {self.name}: {self.alt}]"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, str], dict[str, Any]]:
        data = {"text/plain": repr(self), "image/png": base64.b64encode(self.png).decode("ascii")}
        return data, {"image/png": {"alt": self.alt, "width": self.width}}


def save(fig: Any, name: str, alt: str) -> Picture:
    """Show ``fig`` as the book's figure ``name`` ("09_perceptron_updates"), described by ``alt``.

    Writes nothing unless LINMODELS_FIGURES names a folder, as `linmodels run` and the tests do. The picture shown is
    the committed one where the redraw equals it up to CPU rounding, and otherwise what you have just drawn.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            f"name: found {name!r}; expected chapter number, chapter and subject, as '09_perceptron_updates'"
        )
    if not alt.strip() or "\n" in alt:
        raise ValueError(f"alt: found {alt!r}; expected one line that says what the figure of {name} shows")
    fresh = render(fig, "png")
    folder = os.environ.get("LINMODELS_FIGURES")
    if folder:
        write_atomically(pathlib.Path(folder) / f"{name}.png", fresh)
        other = os.environ.get("LINMODELS_FIGURE_FORMAT", "png")
        if other != "png":
            write_atomically(pathlib.Path(folder) / f"{name}.{other}", render(fig, other))
    return Picture(name, alt, round(100 * fig.get_figwidth()), _shown_png(name, fresh, running=bool(folder)))


def render(fig: Any, format: str) -> bytes:
    """The bytes of the figure as png, svg or pdf; they depend on the picture and on matplotlib's minor version only."""
    out = io.BytesIO()
    fig.savefig(out, format=format, metadata=METADATA[format])
    return out.getvalue()


def _shown_png(name: str, fresh: bytes, running: bool) -> bytes:
    root = find_root()
    committed = root / "figures" / f"{name}.png" if root else None
    if committed is None or not committed.is_file():
        return fresh
    kept = committed.read_bytes()
    state = same_picture(fresh, kept)
    # under another matplotlib the book is not rewritten, but a reader who bends a cell must see his own picture
    return kept if state in ("same", "close") or (running and state == "other matplotlib") else fresh


def same_picture(a: bytes, b: bytes) -> Comparison:
    """Are two PNGs one picture? "close" is equal up to CPU rounding; pictures of two matplotlibs are not comparable."""
    if a == b:
        return "same"
    import numpy as np  # not above: a command that looks for the book's root does without

    (pixels_a, by_a), (pixels_b, by_b) = _read_png(a), _read_png(b)
    if by_a != by_b:
        return "other matplotlib"
    if pixels_a.shape != pixels_b.shape:
        return "changed"
    return "close" if np.sqrt(np.mean((pixels_a - pixels_b) ** 2)) <= TOLERANCE else "changed"


def _read_png(data: bytes) -> tuple[np.ndarray, str]:
    import numpy as np
    from PIL import Image  # comes with matplotlib

    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"), dtype=float), str(image.info.get("Software"))


def write_atomically(target: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all: a broken-off run leaves the old one."""
    write_together({target: data})


def write_together(files: Mapping[pathlib.Path, bytes]) -> None:
    """Write several files, all of them or none: every draft is on disk before the first one takes its place."""
    drafts = {target.with_name(f".{target.name}.{os.getpid()}.part"): target for target in files}
    try:
        for draft, target in drafts.items():
            draft.write_bytes(files[target])
        for draft, target in drafts.items():
            os.replace(draft, target)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def find_root(start: pathlib.Path | None = None) -> pathlib.Path | None:
    """The clone of the book that holds ``start`` (default: the current folder), or None outside of one."""
    here = (start or pathlib.Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if _is_book(folder)), None)


def _is_book(folder: pathlib.Path) -> bool:
    project = folder / "pyproject.toml"
    if not (project.is_file() and (folder / "notebooks").is_dir()):
        return False
    try:  # the name is asked for, so that `linmodels run` never rewrites the notebooks of another project
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["name"] == "linmodels"
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return False
