"""Errors cross process borders whole, and tell whether trying later makes sense."""

import pickle

import pytest

from dataflow_ext import models
from dataflow_ext.models import ModelError, Reply

ERRORS = [each for each in vars(models).values() if isinstance(each, type) and issubclass(each, ModelError)]


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
