"""The card of a data set of samples: what is in it, how it came about, what it took."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dataflow_ext.files import write_text

NAME = "README.md"


def write_card(figures: Mapping[str, Any], out: Path) -> Path:
    """The path of ``out/README.md``."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - Markdown, of figures and names of ours
    )
    return write_text(out / NAME, made.get_template("card.md").render(figures=figures) + "\n")
