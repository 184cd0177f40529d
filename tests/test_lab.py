"""What `linmodels lab` asks of JupyterLab: to save as the book keeps its chapters, and settings for one session."""

import copy
import json
import pathlib

import pytest

from linmodels.book import lab, notebooks

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHAPTER = ROOT / "notebooks" / "09_perceptron.ipynb"


def as_jupyterlab_saves_it(notebook):
    """With what JupyterLab adds when a chapter is opened, run as a whole, and its slider is moved."""
    opened = copy.deepcopy(notebook)
    opened["metadata"]["language_info"] |= {"version": "3.12.1", "file_extension": ".py"}
    opened["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}
    opened["cells"][2]["metadata"] |= {"execution": {"iopub.status.busy": "2024-03-04"}, "scrolled": True}
    for count, cell in enumerate((cell for cell in opened["cells"] if cell["cell_type"] == "code"), start=40):
        cell["execution_count"] = count
    for cell, output in notebooks.displays(opened):
        if cell["id"].endswith("-live-code") or "image/png" in output["data"]:  # a film is played by a widget, too
            output["data"][notebooks.WIDGET] = {"model_id": "17"}
    return opened


def saved(content, path="notebooks/09_perceptron.ipynb"):
    model = {"type": "notebook" if content else "directory", "content": copy.deepcopy(content)}
    lab.save_in_normal_form(model, path=path, contents_manager=None)
    return model["content"]


def test_the_hook_leaves_nothing_of_the_session_in_a_chapter():
    kept = notebooks.read(CHAPTER)
    assert notebooks.to_bytes(saved(as_jupyterlab_saves_it(kept))) == CHAPTER.read_bytes() == notebooks.to_bytes(kept)


@pytest.mark.parametrize("path", ["mine.ipynb", "notebooks/mine.ipynb", "other/09_perceptron.ipynb"])
def test_the_hook_leaves_the_readers_own_notebooks_and_folders_alone(path):
    opened = as_jupyterlab_saves_it(notebooks.read(CHAPTER))
    assert saved(opened, path) == opened and saved(None) is None


def test_what_the_reader_has_typed_and_run_is_saved():
    opened = as_jupyterlab_saves_it(notebooks.read(CHAPTER))
    asks = ("check." in notebooks.text(c["source"]) and c["cell_type"] == "code" for c in opened["cells"])
    at = [*asks].index(True)
    opened["cells"][at] |= {"source": "check.mine", "outputs": [{"output_type": "stream", "name": "x", "text": "[ok]"}]}
    opened["cells"].insert(at, opened["cells"][at] | {"id": "a1b2", "source": "my own cell"})
    mine, answer = saved(opened)["cells"][at : at + 2]
    assert (mine["source"], answer["source"]) == ("my own cell", "check.mine")
    assert answer["outputs"][0]["text"] == "[ok]"


@pytest.mark.slow
def test_jupyter_server_saves_a_chapter_unedited_as_the_same_bytes(tmp_path):
    manager = pytest.importorskip("jupyter_server.services.contents.filemanager")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / CHAPTER.name).write_bytes(CHAPTER.read_bytes())
    contents = manager.FileContentsManager(root_dir=str(tmp_path), pre_save_hook=lab.HOOK)
    model = contents.get(f"notebooks/{CHAPTER.name}")
    model["content"]["metadata"]["language_info"]["version"] = "3.12.1"
    contents.save(model, f"notebooks/{CHAPTER.name}")
    assert (tmp_path / "notebooks" / CHAPTER.name).read_bytes() == CHAPTER.read_bytes()


def test_the_settings_are_those_that_let_links_arrive():
    asked = lab.command(pathlib.PurePath("notebooks/00_map.ipynb"), ["--no-browser"])
    assert asked[-2:] == ["--no-browser", "notebooks/00_map.ipynb"]
    (folder,) = (option.partition("=")[2] for option in asked if option.startswith("--LabApp.app_settings_dir="))
    settings = json.loads((pathlib.Path(folder) / "overrides.json").read_text())
    assert settings["@jupyterlab/notebook-extension:tracker"] == {"windowingMode": "defer"}
