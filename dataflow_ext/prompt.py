"""Prompts: a template file each, which a folder of the user's can override, and the class that fills it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.files import write_text
from dataflow_ext.operator import explain

if TYPE_CHECKING:
    from jinja2 import Environment, Template

#: A filled prompt is not longer, in characters; the largest context windows hold some 4 million.
MOST_CHARACTERS = 20_000_000


class Prompt(BaseModel):
    """A prompt's text: ``text`` itself, or the file ``template`` in ``package`` that a class of it names.

    ``folder`` may hold another file of that name, which is read instead.

    The text is a Jinja template, filled in Jinja's sandbox: a folder of prompts that somebody shares can
    neither run anything nor change the values it is given. A prompt without variables is its file, byte
    for byte, so that the static part of a request never changes within a run and servers can reuse its prefix.

    >>> Prompt(text="Greet {{ name }}.").fill(name="Ada")
    'Greet Ada.'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,), defer_build=True)

    package: ClassVar[str] = "prompts"
    template: ClassVar[str] = ""

    given: str | None = Field(default=None, alias="text")
    folder: Path | None = None

    def __init__(self, **options: Any) -> None:
        try:
            super().__init__(**options)
        except ValidationError as error:
            raise OptionError(explain(type(self), error)) from None
        if self.given is None and not self.template:
            raise OptionError(f"A {type(self).__name__} needs its text: give text=…, or name a template in its class.")
        if self.folder is not None and not self.folder.is_dir():
            raise OptionError(f"There is no folder of prompts {self.folder}.")

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        return [("folder", self.folder)] if self.given is None else [("text", self.given)]

    @cached_property
    def text(self) -> str:
        """The text that was given, else the template's: the user's if there is one, else the built-in one."""
        if self.given is not None:
            return self.given
        own = None if self.folder is None else self.folder / self.template
        if own is not None and own.is_file():
            try:
                return own.read_text(encoding="utf-8").strip()
            except UnicodeDecodeError:
                raise InputError(f"The prompt {own} is not UTF-8 text; save it as UTF-8.") from None
        return built_in(self.package, self.template)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of what has to be filled in, sorted."""
        from jinja2 import TemplateSyntaxError, meta

        try:
            return tuple(sorted(meta.find_undeclared_variables(_sandbox().parse(self.text))))
        except TemplateSyntaxError as error:
            raise OptionError(f"{self._name} is no template: {error}") from None

    def fill(self, **values: Any) -> str:
        """The text with its variables filled; :class:`OptionError` names one that is missing."""
        parts, length = list[str](), 0
        try:
            for part in _compiled(self.text).generate(**values):
                parts.append(part)
                length += len(part)
                if length > MOST_CHARACTERS:
                    raise OverflowError(f"it comes to more than {MOST_CHARACTERS:,} characters")
        except Exception as error:  # a template is somebody's program: it may fail in any way
            raise OptionError(f"{self._name} cannot be filled: {error}") from None
        return "".join(parts)

    @property
    def _name(self) -> str:
        return f"The prompt {self.template}" if self.given is None else f"The prompt {self.given[:60]!r}"

    def identity(self) -> Mapping[str, object]:
        """What decides the text: the bytes themselves, wherever they lie."""
        return {"template": self.template, "text": hashlib.sha256(self.text.encode()).hexdigest()}


@cache
def _sandbox() -> Environment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)


@lru_cache(maxsize=128)
def _compiled(text: str) -> Template:
    """A template ready to be filled: making it takes a millisecond, filling it a few hundredths of one."""
    return _sandbox().from_string(text)


def built_in(package: str, template: str) -> str:
    """The text of a template that came with the package."""
    return resources.files(package).joinpath(template).read_text(encoding="utf-8").strip()


def export(folder: Path, package: str = "prompts", names: Sequence[str] | None = None) -> list[Path]:
    """Write the built-in templates, or those of ``names``, into a folder, to be changed there for ``--prompts``.

    Files that are there already are kept: they may hold someone's work.
    """
    written = []
    for entry in sorted(resources.files(package).iterdir(), key=lambda e: e.name):
        target = folder / entry.name
        wanted = entry.name.endswith(".md") if names is None else entry.name in names
        if wanted and not target.exists():
            written.append(write_text(target, entry.read_text(encoding="utf-8")))
    return written
