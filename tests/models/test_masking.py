"""A key that a server repeats, in whatever form, is masked before anybody sees or keeps it."""

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.models.untrusted import MASK, masked, masked_bytes

KEY = "sk-a/b+c=0123456789"


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        quote(KEY),
        quote(KEY, safe=""),
        quote(KEY, safe="").replace("%2F", "%2f").replace("%2B", "%2b").replace("%3D", "%3d"),
        json.dumps(KEY)[1:-1],
        KEY.replace("/", "\\/"),
    ],
)
def test_no_form_of_a_key_is_left(form):
    assert masked(f"before {form} after {form}", KEY) == f"before {MASK} after {MASK}"
    assert masked_bytes(f"before {form} after".encode(), KEY) == f"before {MASK} after".encode()


@given(
    before=st.binary(max_size=9),
    after=st.binary(max_size=9),
    encode=st.sampled_from(["b64encode", "urlsafe_b64encode"]),
)
def test_the_key_is_found_in_base64_wherever_it_stands(before, after, encode):
    text = getattr(base64, encode)(before + KEY.encode() + after).decode()
    left = masked(text, KEY)
    assert MASK in left
    assert len(left) <= len(text) - len(KEY)


def test_a_few_letters_are_no_key():
    assert (masked("none of it", "none"), masked("a", ""), masked("a", None)) == ("none of it", "a", "a")
