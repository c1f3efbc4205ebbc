"""Requests as values."""

import pickle

from dataflow_ext.models import Request


def test_context_is_neither_compared_nor_hashed_nor_shown_nor_pickled():
    request = Request("a", json_schema={"type": "object"}, context=open)
    assert request == Request("a", json_schema={"type": "object"}, context=1)
    assert hash(request) == hash(Request("a", json_schema={"type": "object"}))
    assert "open" not in repr(request)
    assert pickle.loads(pickle.dumps(request)).context is None


def test_pickling_keeps_everything_else():
    request = Request("p", "s", (b"i", "u"), 1, 0.5, 2, {"a": 1}, "n")
    assert pickle.loads(pickle.dumps(request)) == request
