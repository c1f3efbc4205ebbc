"""The pages that runs leave behind: their look, their templates, and the pictures in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def page_templates(folder: Path, **filters: Callable[..., object]) -> Environment:
    """The templates of a folder, and those that all pages share.

    These are ``head.html`` (a macro: policy, title and look), ``style.html``, ``stopped.html`` (warnings of a run),
    ``steps.html`` (its steps) and ``rejects_of_reason.html``. The filter ``short`` is theirs too. Values are
    escaped, and a name that a template does not get is an error.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update({"short": short, **filters})
    return made


def short(text: str, length: int) -> str:
    """A text cut to so many characters, of which the last then tells that there was more.

    >>> short("abcdef", 4), short("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def printable(text: str) -> str:
    """A text without signs that would steer a terminal.

    >>> printable("a\\x1b[31mb")
    'a�[31mb'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
