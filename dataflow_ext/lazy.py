"""Names that a package offers without loading what they live in until one of them is used."""

# By itself and light, as each package of ours begins with it.
from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

#: An import for type checkers, which says that a package offers a name.
_OFFERED = re.compile(r"^    from (\S+) import (\w+) as \2$", re.MULTILINE)


def offered(spec: ModuleSpec | None) -> dict[str, str]:
    """The names that a package offers, by its ``__spec__``, each with the module that it lives in.

    They are those that its file imports ``X as X`` for type checkers, so that each stands there once.
    """
    if spec is None or spec.origin is None:
        return {}
    source = spec.loader.get_data(spec.origin).decode()  # type: ignore[union-attr] # as all loaders of source have it
    return {name: home for home, name in _OFFERED.findall(source.replace("\r\n", "\n"))}


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's ``__getattr__``: each name is fetched from its home, a module, when it is first used."""

    def fetch(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from dataflow_ext.garbage_collection import seldom_collecting

        try:
            with seldom_collecting(lasting=True):  # to collect among what modules make took a tenth of the time
                home = import_module(homes[name])
        except ImportError:
            from dataflow_ext.packages import must_not_be_hidden

            must_not_be_hidden()
            raise
        value = getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return fetch
