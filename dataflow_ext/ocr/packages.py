"""Whether an engine's packages are installed, and which version."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from dataflow_ext.errors import OptionError
from dataflow_ext.packages import install_hint

#: By package: the engine's name, and the extra that brings it.
_ENGINES = {"rapidocr": ("RapidOCR", "ocr"), "paddleocr": ("PaddleOCR", "paddleocr"), "easyocr": ("EasyOCR", "easyocr")}


def installed_version(package: str) -> str | None:
    """The installed version of a package, None without one; the package is not imported."""
    try:
        return _found(package, version)
    except PackageNotFoundError:
        return None


@cache
def _found(package: str, find: Callable[[str], str]) -> str:
    """Looked up once a process, as files of a distribution are searched for it; one that is missing may come."""
    return find(package)


def must_be_installed(package: str) -> None:
    """Raise OptionError, which says how it is installed, if the package of an engine of ours is not."""
    if installed_version(package) is None:
        name, extra = _ENGINES[package]
        raise OptionError(f"{name} is not installed; install it with: {install_hint(extra)}")
