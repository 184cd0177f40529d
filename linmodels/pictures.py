"""A figure as committed bytes: what `save` shows and writes, when two pictures are one, where the book lies.

A picture may move: then it is an animated PNG, whose default image, shown by what knows no motion, is the last frame.
Only the figures handed in know matplotlib; nothing here imports it.
"""

from __future__ import annotations

import base64
import io
import json
import os
import pathlib
import re
import struct
import time
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np

MATPLOTLIB = "matplotlib " + ".".join(version("matplotlib").split(".")[:2])  # pictures of one minor version compare
SECONDS = 4.0  # of a moving picture: what moves for more than five needs a way to stop it (WCAG 2.2.2)
TOLERANCE = 0.2  # RMS of 255: another CPU gives 0.02, a line of one small panel moved by 0.005 of its axis 2 or more
NAME = re.compile(r"\d\d_[a-z][a-z0-9]*(_[a-z0-9]+)+")
SAVED = re.compile(r"^plotting\.save\([^\"']*[\"'](\d\d_\w+)[\"']", re.MULTILINE)  # in a chapter, its cell's last line
METADATA: dict[str, dict[str, Any]] = {  # nothing that changes from run to run
    "png": {"Software": MATPLOTLIB},
    "svg": {"Creator": MATPLOTLIB, "Date": None},
    "pdf": {"Creator": MATPLOTLIB, "Producer": MATPLOTLIB, "CreationDate": None},
}

Comparison = Literal["same", "close", "changed", "damaged", "other matplotlib"]


@dataclass(frozen=True)
class Picture:
    """What `save` returns: as the last line of a cell it shows the figure, and below it number and caption."""

    name: str
    alt: str
    width: int
    png: bytes = field(repr=False)
    caption: str = ""

    def __repr__(self) -> str:
        return f"[figure {self.name}: {self.alt}]"

    def _ipython_display_(self) -> None:
        from IPython.display import display  # only a notebook asks for this

        # a browser plays a moving picture again only if its bytes are new; a run must give the same bytes every time
        again = b"acTL" in self.png[:60] and not os.environ.get("LINMODELS_FIGURES")
        png = _with_remark(self.png, str(time.time_ns())) if again else self.png
        data = {"text/plain": repr(self), "image/png": base64.b64encode(png).decode("ascii")}
        display(data, metadata={"image/png": {"alt": self.alt, "width": self.width}}, raw=True)
        if self.caption:  # an output of its own: with a picture and a text in one, JupyterLab shows the text only
            number = figure_number(self.name)
            title = f"Figure {number}." if number else "Figure."
            text = {"text/plain": f"{title} {self.caption}", "text/markdown": f"**{title}** {self.caption}"}
            display(text, raw=True)


def figure_number(name: str) -> str:
    """As "9.3" for the third figure that the stored chapter 09 saves; "" where it saves none of this name.

    It is the place in the file, not a count of what has run: a cell that runs alone keeps its number.
    """
    root = find_root()
    for path in sorted((root / "notebooks").glob(f"{name[:2]}_*.ipynb")) if root else ():
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):  # a file that is being written, or broken: the picture is shown anyway
            continue
        code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        names = list(dict.fromkeys(found for source in code for found in SAVED.findall(source)))
        if name in names:
            return f"{int(name[:2])}.{names.index(name) + 1}"
    return ""


def save(fig: Any, name: str, alt: str, caption: str = "") -> Picture:
    """Show ``fig`` as the book's figure ``name`` ("09_perceptron_updates"), described by ``alt``, with a ``caption``.

    A list of figures of one size becomes a moving picture: its frames, played once. Writes nothing
    unless LINMODELS_FIGURES names a folder, as `linmodels run` and the tests do. The picture shown is the committed one
    where the redraw equals it up to CPU rounding, and otherwise what you have just drawn.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            f"name: found {name!r}; expected chapter number, chapter and subject, as '09_perceptron_updates'"
        )
    for what, text in {"alt": alt, "caption": caption or "-"}.items():
        if not text.strip() or "\n" in text:
            raise ValueError(f"{what}: found {text!r}; expected one line that says what the figure of {name} shows")
    figs = list(fig) if isinstance(fig, Sequence) else [fig]
    if not figs:
        raise ValueError(f"{name}: found no frame; a moving picture has some")
    fresh = render(figs[0], "png") if len(figs) == 1 else _animated(figs)
    folder = os.environ.get("LINMODELS_FIGURES")
    if folder:
        write_atomically(pathlib.Path(folder) / f"{name}.png", fresh)
        other = os.environ.get("LINMODELS_FIGURE_FORMAT", "png")
        if other != "png":  # paper does not move: the last frame
            write_atomically(pathlib.Path(folder) / f"{name}.{other}", render(figs[-1], other))
    shown = _shown_png(name, fresh, running=bool(folder))
    return Picture(name, alt, round(100 * figs[-1].get_figwidth()), shown, caption)


def render(fig: Any, format: str) -> bytes:
    """The bytes of the figure as png, svg or pdf; they depend on the picture and on matplotlib's minor version only."""
    out = io.BytesIO()
    fig.savefig(out, format=format, metadata=METADATA[format])
    return out.getvalue()


def _animated(figs: Sequence[Any]) -> bytes:
    """The figures, one after the other, as an animated PNG of 256 colors that is played once."""
    from PIL import Image  # comes with matplotlib
    from PIL.PngImagePlugin import PngInfo

    drawn = [Image.open(io.BytesIO(render(fig, "png"))).convert("RGB") for fig in _of_one_layout(figs)]
    if len({image.size for image in drawn}) > 1:
        raise ValueError(f"frames: found the sizes {sorted({image.size for image in drawn})}; expected one for all")
    remark, out = PngInfo(), io.BytesIO()
    remark.add_text("Software", MATPLOTLIB)
    frames = _to_palette(drawn)
    pace = round(1000 * SECONDS / len(frames))
    frames[-1].save(
        out, "png", save_all=True, append_images=frames, default_image=True, optimize=True, duration=pace, loop=1,
        pnginfo=remark,
    )  # fmt: skip
    data = out.getvalue()
    at = data.find(b"acTL") - 4  # the 20 bytes that say it moves belong behind the header, before 256 colors
    return data[:33] + data[at : at + 20] + data[33:at] + data[at + 20 :] if at > 0 else data  # equal frames: a still


def _of_one_layout(figs: Sequence[Any]) -> Iterator[Any]:
    """The figures, their panels where they are in the first: what stands still must not tremble."""
    for fig in figs:
        if fig is not figs[0]:  # which has been drawn, and so has its layout
            fig.set_layout_engine("none")
            for ax, first in zip(fig.axes, figs[0].axes, strict=True):
                ax.set_position(first.get_position(original=True))
        yield fig


def _to_palette(images: Sequence[Any]) -> list[Any]:
    """The images in the 256 colors that they hold most often, each pixel in the nearest: a third of the bytes.

    (Pillow's own quantize changes the picture: it looks colors up in a coarse table, and white is no longer white.)
    """
    import numpy as np
    from PIL import Image

    r, g, b = np.moveaxis(np.stack([np.asarray(image, np.int32) for image in images]), -1, 0)
    codes = r << 16 | g << 8 | b
    count = np.bincount(codes.ravel(), minlength=1 << 24)
    held = np.flatnonzero(count)
    colors = np.stack([held >> 16, held >> 8 & 255, held & 255], axis=1)
    kept = colors[np.sort(np.argsort(-count[held], kind="stable")[:256])]
    nearest = np.zeros(1 << 24, np.uint8)
    nearest[held] = [np.argmin(np.sum((kept - color) ** 2, axis=1)) for color in colors]
    frames = [Image.fromarray(frame) for frame in nearest[codes]]
    for frame in frames:
        frame.putpalette(kept.astype(np.uint8).tobytes())
    return frames


def _with_remark(png: bytes, text: str) -> bytes:
    """The same picture with a remark in it, behind its header of 33 bytes."""
    chunk = b"tEXtShown\0" + text.encode("ascii")
    return png[:33] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[33:]


def without_remark(png: bytes) -> bytes:
    """The same picture as it is committed: without the remark that lets a browser play it again."""
    marked = png[37:47] == b"tEXtShown\0"
    return png[:33] + png[33 + 12 + struct.unpack(">I", png[33:37])[0] :] if marked else png


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
    """Are two PNGs one picture, frame by frame? "close" is equal up to CPU rounding.

    Pictures of two matplotlibs are not comparable. "damaged" says that the second is no whole PNG.
    """
    if a == b:
        return "same"
    import numpy as np  # not above: a command that looks for the book's root does without

    frames_a, timing_a, by_a = _read_png(a)
    try:
        frames_b, timing_b, by_b = _read_png(b)
    except (OSError, SyntaxError, ValueError):  # all three are how Pillow says that a file is cut off or no picture
        return "damaged"
    if by_a != by_b:
        return "other matplotlib"
    if timing_a != timing_b or [f.shape for f in frames_a] != [f.shape for f in frames_b]:
        return "changed"
    # the largest difference of a frame: the mean over all would hide one frame of twelve
    rms = max(np.sqrt(np.mean((f - g) ** 2)) for f, g in zip(frames_a, frames_b, strict=True))
    return "close" if rms <= TOLERANCE else "changed"


def _read_png(data: bytes) -> tuple[list[np.ndarray], list[Any], str]:
    """The frames of a picture (of one that does not move: one), their times and how often they play, its maker."""
    import numpy as np
    from PIL import Image, ImageSequence

    with Image.open(io.BytesIO(data)) as image:
        read = [(f.info.get("duration"), np.asarray(f.convert("RGB"), float)) for f in ImageSequence.Iterator(image)]
        timing = [image.info.get("loop"), *(duration for duration, _ in read)]
        return [frame for _, frame in read], timing, str(image.info.get("Software"))


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
