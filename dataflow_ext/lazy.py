"""Names that a package offers without loading what they live in until one of them is used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's ``__getattr__``: each name is fetched from its home, a module, when it is first used."""

    def fetch(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            home = import_module(homes[name])
        except ImportError:
            from dataflow_ext.own_packages import must_not_be_hidden

            must_not_be_hidden()
            raise
        value = getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return fetch
