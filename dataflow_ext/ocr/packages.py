"""Whether an engine's packages are installed, and which version."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from dataflow_ext.errors import OptionError


def installed_version(package: str) -> str | None:
    """The installed version of a package, None without one; the package is not imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def must_be_installed(package: str, otherwise: str) -> None:
    """Raise OptionError with the sentence ``otherwise`` if the package is not installed."""
    if installed_version(package) is None:
        raise OptionError(otherwise)
