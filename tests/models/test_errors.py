"""Errors cross process borders whole, and tell whether trying later makes sense."""

import pickle

import httpx2
import pytest

from dataflow_ext import models
from dataflow_ext.errors import OptionError
from dataflow_ext.models import ModelError, Reply
from dataflow_ext.rejects import Failure

ERRORS = [
    each
    for each in (getattr(models, name) for name in models.__all__)
    if isinstance(each, type) and issubclass(each, ModelError)
]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_goes_through_pickle(kind):
    error = kind("words")
    error.reply, error.retry_after, error.attempts = Reply("no"), 2.5, 3
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.__dict__) == (kind, "words", error.__dict__)


def test_all_may_pass_but_a_few_that_are_known_to_be_final():
    assert sorted(kind.__name__ for kind in ERRORS if not kind.transient) == [
        "BadPictureError",
        "RefusedError",
        "RejectedRequestError",
        "ScriptError",
        "TruncatedReplyError",
        "UnreadableReplyError",
    ]


class Timeout(OSError):
    """As some libraries call it."""


@pytest.mark.parametrize(
    "error", [ConnectionResetError(), TimeoutError(), Timeout(), httpx2.ReadError("cut"), httpx2.PoolTimeout("late")]
)
def test_what_an_operators_own_library_says_of_the_network_may_pass(error):
    assert Failure.of(0, error).transient


@pytest.mark.parametrize(
    "error", [ValueError("odd"), FileNotFoundError("a.png"), OSError("truncated"), OptionError("odd")]
)
def test_what_other_libraries_say_of_a_row_is_final(error):
    assert not Failure.of(0, error).transient
