"""The local checks of a row: each in a module of its own, all of them in :func:`checks_of`."""

from operators.onevision.checking.all_checks import checks_of

__all__ = ["checks_of"]
