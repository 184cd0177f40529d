"""measured.json: what the last full run has measured, and on which machine."""

import datetime
import json
import os
import pathlib
import platform
import re
from importlib import metadata
from typing import Any

import numpy as np

from linmodels.pictures import write_atomically

from .race import Row

FILE = pathlib.Path(__file__).with_name("measured.json")
PACKAGES = ("numpy", "scikit-learn", "statsmodels", "scipy")


def save(rows: list[Row], machine: dict[str, Any], pictures: dict[str, str], file: pathlib.Path = FILE) -> None:
    """pictures: what is drawn from the rows, by name, with its alternative text, for the gallery."""
    lines = ",\n  ".join(json.dumps(rounded(row._asdict()), ensure_ascii=False) for row in rows)
    head = f'"machine": {json.dumps(machine)},\n "pictures": {json.dumps(pictures, ensure_ascii=False)}'
    write_atomically(file, f'{{{head},\n "rows": [\n  {lines}]}}\n'.encode())


def load(file: pathlib.Path = FILE) -> tuple[list[Row], dict[str, Any]]:
    """The rows, and the machine they were measured on."""
    found = json.loads(file.read_text(encoding="utf-8"))
    rows = [Row(**row | {key: tuple(row[key]) for key in ("quartiles", "reached", "memory")}) for row in found["rows"]]
    return rows, found["machine"]


def rounded(value: Any) -> Any:
    """Four digits of every number: more are noise."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [rounded(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def this_machine() -> dict[str, Any]:
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": 1,
        "python": platform.python_version(),
        "BLAS": f"{blas['name']} {blas['version']}",
        **{name: version(name) for name in PACKAGES},
    }


def processor() -> str:
    """Its name where the system tells one."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    named = re.search(r"model name\s*: (.*)", text)
    return named[1].strip() if named else platform.processor() or platform.machine()


def version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
