"""A figure as committed bytes: what `save` shows and writes, when two pictures are one, where the book lies.

A picture may move: a film, an animated PNG whose default image, shown by what knows no motion, is the last frame.
Beside it lies its sheet: all frames side by side, each with its number, for the places where nothing plays.
Only the figures handed in know matplotlib; nothing here imports it.
"""

from __future__ import annotations

import base64
import html
import io
import json
import os
import pathlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np

MATPLOTLIB = "matplotlib " + ".".join(version("matplotlib").split(".")[:2])  # pictures of one minor version compare
SECONDS = 4.0  # of a moving picture: what moves for more than five needs a way to stop it (WCAG 2.2.2)
TOLERANCE = 0.2  # RMS of 255: another CPU gives 0.02, a line of one small panel moved by 0.005 of its axis 2 or more
SCALE = 1.3  # pixels of a file for one on a page: figures are drawn with 130 for an inch
SHEET = "_sheet"  # ends the name of the sheet of a film
NAME = re.compile(r"\d\d_[a-z][a-z0-9]*(_[a-z0-9]+)+")
SAVED = re.compile(
    r"^plotting\.(?:save|live)\([^\"']*[\"'](\d\d_\w+)[\"']", re.MULTILINE
)  # in a chapter, its cell's last line
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
    sheet: bytes = field(default=b"", repr=False)  # of a film

    def __repr__(self) -> str:
        return f"[figure {self.name}: {self.alt}]"

    def _ipython_display_(self) -> None:
        from IPython.display import display  # only a notebook asks for this

        data = {"text/plain": repr(self), "image/png": base64.b64encode(self.sheet or self.png).decode("ascii")}
        moving = {} if os.environ.get("LINMODELS_FIGURES") else self._moving()  # what is stored does not move
        display(moving | data, metadata={"image/png": {"alt": self.alt, "width": self.width}}, raw=True)
        if self.caption:  # an output of its own: with a picture and a text in one, JupyterLab shows the text only
            number = figure_number(self.name)
            title = f"Figure {number}." if number else "Figure."
            text = {"text/plain": f"{title} {self.caption}", "text/markdown": f"**{title}** {self.caption}"}
            display(text, raw=True)

    def _moving(self) -> dict[str, Any]:
        """What a notebook with a kernel shows instead: of a film a player, of `plotting.live` sliders, else nothing."""
        return _player(self) if self.sheet else {}


def _player(film: Picture) -> dict[str, Any]:
    """A slider over the frames, which takes the place of the sheet as long as a kernel runs; {} without ipywidgets."""
    try:
        import ipywidgets
    except ImportError:
        return {}
    shots = frames(film.png)
    look = f'alt="{html.escape(film.alt)}" width="{round(shots[0].width / SCALE)}" style="max-width: 100%"'
    codes = [base64.b64encode(_png(shot)).decode("ascii") for shot in shots]
    shown = [f'<img {look} src="data:image/png;base64,{code}">' for code in codes]
    picture = ipywidgets.HTML(shown[0], layout={"width": "100%"})
    play = ipywidgets.Play(min=1, max=len(shown), interval=round(1000 * SECONDS / len(shown)), show_repeat=False)
    slider = ipywidgets.IntSlider(min=1, max=len(shown), description="frame")
    ipywidgets.jslink((play, "value"), (slider, "value"))
    slider.observe(lambda change: setattr(picture, "value", shown[change["new"] - 1]), "value")
    bar = ipywidgets.HBox([play, slider, ipywidgets.Label(f"of {len(shown)}")])
    return ipywidgets.VBox([bar, picture])._repr_mimebundle_()


def figure_number(name: str) -> str:
    """As "9.3" for the third figure that the stored chapter 09 saves; "" where it saves none of this name.

    It is the place in the file, not a count of what has run: a cell that runs alone keeps its number.
    """
    root = find_root()
    for path in sorted((root / "notebooks").glob(f"{name[:2]}_*.ipynb")) if root else ():
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (OSError, ValueError, KeyError, TypeError):  # being written, or no notebook: the picture is shown anyway
            continue
        names = list(dict.fromkeys(found for source in code for found in SAVED.findall(source)))
        if name in names:
            return f"{int(name[:2])}.{names.index(name) + 1}"
    return ""


def save(fig: Any, name: str, alt: str, caption: str = "") -> Picture:
    """Show ``fig`` as the book's figure ``name`` ("09_perceptron_updates"), described by ``alt``, with a ``caption``.

    A list of figures of one size becomes a film, and where nothing plays a sheet of its frames. Writes nothing
    unless LINMODELS_FIGURES names a folder, as `linmodels run` and the tests do. The picture shown is the committed one
    where the redraw equals it up to CPU rounding, and otherwise what you have just drawn. While the book is run with
    another Matplotlib than that of the committed pictures, which draws all a little otherwise, those are shown.
    """
    _check_words(name, alt, caption)
    figs = list(fig) if isinstance(fig, Sequence) else [fig]
    if not figs:
        raise ValueError(f"{name}: found no frame; a moving picture has some")
    for each in figs:
        if not hasattr(each, "savefig"):
            raise TypeError(f"{name}: found {each!r:.60}; expected a figure, as fig of fig, ax = plotting.figure()")
    fresh = render(figs[0], "png") if len(figs) == 1 else _animated(figs)
    folder = os.environ.get("LINMODELS_FIGURES")
    shown = _shown_png(name, fresh, running=bool(folder))
    sheet = _sheet(shown, figs[0]) if is_film(shown) else b""
    if folder:
        write_atomically(pathlib.Path(folder) / f"{name}.png", fresh)
        if sheet:
            write_atomically(pathlib.Path(folder) / f"{name}{SHEET}.png", sheet)
        other = os.environ.get("LINMODELS_FIGURE_FORMAT", "png")
        if other != "png":  # paper does not move: the last frame
            write_atomically(pathlib.Path(folder) / f"{name}.{other}", render(figs[-1], other))
    sheet = sheet and _shown_png(name + SHEET, sheet, running=bool(folder))
    width = int.from_bytes((sheet or shown)[16:20])  # of what a page shows, in pixels of the file
    return Picture(name, alt, round(width / SCALE), shown, caption, sheet)


def _check_words(name: str, alt: str, caption: str) -> None:
    if not NAME.fullmatch(name) or name.endswith(SHEET):
        raise ValueError(
            f"name: found {name!r}; expected chapter number, chapter and subject, as '09_perceptron_updates'"
        )
    for what, text in {"alt": alt, "caption": caption or "-"}.items():
        if not text.strip() or "\n" in text:
            raise ValueError(f"{what}: found {text!r}; expected one line that says what the figure of {name} shows")


def render(fig: Any, format: str) -> bytes:
    """The figure as png, svg or pdf: bytes of the picture, of matplotlib's minor version and of a CPU's rounding."""
    out = io.BytesIO()
    fig.savefig(out, format=format, metadata=METADATA[format])
    return out.getvalue()


def _animated(figs: Sequence[Any]) -> bytes:
    """The figures, one after the other, as an animated PNG of 256 colors that is played once: a film."""
    from PIL import Image  # comes with matplotlib

    drawn = []
    for fig in figs:
        hold_panels(fig, figs[0])
        drawn.append(Image.open(io.BytesIO(render(fig, "png"))).convert("RGB"))
    if len({image.size for image in drawn}) > 1:
        raise ValueError(f"frames: found the sizes {sorted({image.size for image in drawn})}; expected one for all")
    shots = _to_palette(drawn)
    how = {"duration": round(1000 * SECONDS / len(shots)), "loop": 1, "blend": _blends(shots)}
    data = _png(shots[-1], save_all=True, append_images=shots, default_image=True, **how)
    at = data.find(b"acTL") - 4  # the 20 bytes that say it moves belong behind the header, before 256 colors
    return data[:33] + data[at : at + 20] + data[33:at] + data[at + 20 :]


def _blends(shots: Sequence[Any]) -> list[int]:
    """How each frame is laid over the one before: 0 and 1 look alike, as no color is transparent.

    Pillow makes one frame of equal neighbors of one blend; here the second has the other blend, and each figure stays
    a frame with a number of its own.
    """
    same = [a.tobytes() == b.tobytes() for a, b in pairwise(shots)]
    return [count % 2 for count in accumulate(same, initial=0)]


def hold_panels(fig: Any, first: Any) -> None:
    """Put the panels of ``fig`` where as many of ``first`` are: what stands still must not tremble."""
    if fig is not first and len(fig.axes) == len(first.axes):
        fig.set_layout_engine("none")
        for ax, still in zip(fig.axes, first.axes, strict=True):
            ax.set_position(still.get_position(original=True))


def _png(image: Any, **how: Any) -> bytes:
    from PIL.PngImagePlugin import PngInfo

    remark, out = PngInfo(), io.BytesIO()
    remark.add_text("Software", MATPLOTLIB)
    image.save(out, "png", optimize=True, pnginfo=remark, **how)
    return out.getvalue()


def is_film(png: bytes) -> bool:
    """Does this PNG move? `_animated` says so behind its header."""
    return b"acTL" in png[:60]


def frames(film: bytes) -> list[Any]:
    """The frames of a film as images; without its default image, which repeats the last one."""
    from PIL import Image, ImageSequence

    with Image.open(io.BytesIO(film)) as image:
        return [frame.copy() for frame in ImageSequence.Iterator(image)][1:]


def _sheet(film: bytes, fig: Any) -> bytes:
    """The frames of a film side by side in its colors, wide ones two in a row and others three, each below its number.

    The numbers are drawn as the film is, with figures of the class of ``fig``.
    """
    import numpy as np
    from PIL import Image

    shots, head, gap = frames(film), 52, 26
    width, height = shots[0].size
    strips = [type(fig)(figsize=(width / SCALE / 100, head / SCALE / 100)) for _ in shots]
    for k, strip in enumerate(strips, start=1):
        strip.text(0, 0.5, f" {k}", fontsize=20, weight="bold", va="center")
    drawn = [Image.open(io.BytesIO(render(strip, "png"))).convert("RGB") for strip in strips]
    colors = np.reshape(shots[0].getpalette(), (-1, 3))
    columns = 2 if width > 1.5 * height else 3
    size = columns * (width + gap) - gap, -(-len(shots) // columns) * (head + height)
    sheet = Image.new("P", size, int(np.argmax(colors.sum(axis=1))))  # white
    sheet.putpalette(colors.ravel().tolist())
    for k, (number, shot) in enumerate(zip(_to_palette(drawn, colors), shots, strict=True)):
        across, down = k % columns * (width + gap), k // columns * (head + height)
        sheet.paste(number, (across, down))
        sheet.paste(shot, (across, down + head))
    return _png(sheet)


def _to_palette(images: Sequence[Any], kept: np.ndarray | None = None) -> list[Any]:
    """The images in the 256 colors that they hold most often, each pixel in the nearest: a third of the bytes.

    Colors that are ``kept`` already take their place. (Pillow's own quantize changes the picture: it looks colors up in
    a coarse table, and white is no longer white.)
    """
    import numpy as np
    from PIL import Image

    r, g, b = np.moveaxis(np.stack([np.asarray(image, np.int32) for image in images]), -1, 0)
    codes = r << 16 | g << 8 | b
    held, place, count = np.unique(codes, return_inverse=True, return_counts=True)
    colors = np.stack([held >> 16, held >> 8 & 255, held & 255], axis=1)
    if kept is None:
        kept = colors[np.sort(np.argsort(-count, kind="stable")[:256])]
    nearest = np.array([np.argmin(np.sum((kept - color) ** 2, axis=1)) for color in colors], np.uint8)
    frames = [Image.fromarray(frame) for frame in nearest[place].reshape(codes.shape)]
    for frame in frames:
        frame.putpalette(kept.astype(np.uint8).tobytes())
    return frames


def in_few_colors(png: bytes) -> bytes:
    """The picture in 256 colors: a third of its bytes."""
    from PIL import Image

    out = io.BytesIO()
    _to_palette([Image.open(io.BytesIO(png)).convert("RGB")])[0].save(out, "png", optimize=True)
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
    """Write several files, each of them whole: none takes its place before the drafts of all are written."""
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
    try:  # the name is asked for, so that `linmodels run` never rewrites the notebooks of another project
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return (folder / "notebooks").is_dir() and project["name"] == "linmodels"
    except (OSError, ValueError, KeyError, TypeError):  # no such file, or one of another kind
        return False
