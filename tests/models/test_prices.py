"""Prices: the user's own first, else the list price of a server known by its URL, else none."""

import json
import pickle
import subprocess
import sys
import time

import pytest
from genai_prices import Usage, calc_price

from dataflow_ext.errors import OptionError
from dataflow_ext.models import Reply
from dataflow_ext.models.prices import Price, Prices, Rates

OPENAI = "https://api.openai.com/v1"
HERE = "http://localhost:8000/v1"
REPLY = Reply("", prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=100_000, reasoning_tokens=90_000)
BATCH = Reply("", prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=100_000, batch=True)
OWN = {"qwen3": {"input": 0.2, "cached_input": 0.1, "output": 0.6, "batch": 0.25}}


def test_tokens_are_charged_by_kind_and_a_batch_reply_at_its_share():
    prices = Prices(OWN)
    assert prices.cost("qwen3", HERE, REPLY) == pytest.approx(0.6 * 0.2 + 0.4 * 0.1 + 0.1 * 0.6)
    assert prices.cost("qwen3", HERE, BATCH) == pytest.approx(0.25 * (0.6 * 0.2 + 0.4 * 0.1 + 0.1 * 0.6))


def test_cached_tokens_cost_like_others_and_a_batch_reply_half_where_nothing_else_is_said():
    prices = Prices({"m": {"input": 2, "output": 0}})
    assert (prices.cost("m", HERE, REPLY), prices.cost("m", HERE, BATCH)) == (2.0, 1.0)


def test_the_list_price_is_what_its_own_package_says():
    usage = Usage(input_tokens=100_000, cache_read_tokens=40_000, output_tokens=10_000)
    reply = Reply("", prompt_tokens=100_000, cached_tokens=40_000, completion_tokens=10_000)
    servers = {
        "gpt-4o": OPENAI,
        "gpt-5.4": OPENAI,
        "gpt-4o-mini": "https://my.openai.azure.com/openai/v1",
        "qwen/qwen3-32b": "https://openrouter.ai/api/v1",
    }
    for name, server in servers.items():
        expected = float(calc_price(usage, name, provider_api_url=server).total_price)
        assert Prices().cost(name, server, reply) == pytest.approx(expected)
        assert expected > 0


def test_a_long_prompt_is_charged_at_its_own_rate():
    long = Reply("", prompt_tokens=300_000, completion_tokens=1_000)
    usage = Usage(input_tokens=300_000, output_tokens=1_000)
    expected = float(calc_price(usage, "gpt-5.4", provider_api_url=OPENAI).total_price)
    assert Prices().cost("gpt-5.4", OPENAI, long) == pytest.approx(expected)
    assert [rates.above for rates in Prices().of("gpt-5.4", OPENAI).usual] == [0, 272_000]


def test_a_batch_reply_costs_what_the_table_says_else_half():
    tokens = {"prompt_tokens": 1_000_000, "completion_tokens": 100_000}
    whole, batch = Reply("", **tokens), Reply("", **tokens, batch=True)
    listed, unlisted = ("gpt-4o", OPENAI), ("gpt-4o", "https://my.openai.azure.com/openai/v1")
    for name, server in (listed, unlisted):
        assert Prices().cost(name, server, batch) == pytest.approx(Prices().cost(name, server, whole) / 2)
    # The table lists no batch price for cached tokens of this model, so they cost as ever.
    assert Prices().of("gpt-4.1-mini", OPENAI).batch[0] == Rates(0.2, 0.1, 0.8)


@pytest.mark.parametrize(
    "server",
    [HERE, "http://127.0.0.1:9/v1", "https://10.0.0.7/v1", "http://[::1]:8000/v1", "http://vllm:8000/v1", "scripted",
     "https://models.example.org/v1", "file:///etc", ""],
)  # fmt: skip
def test_a_model_on_a_server_of_ones_own_has_no_listed_price(server):
    assert Prices().cost("gpt-4o", server, REPLY) is None
    assert not Prices().known("gpt-4o", server)


def test_a_name_that_nobody_lists_has_no_price_unless_the_reply_tells_another():
    deployment = "https://my.openai.azure.com/openai/v1"
    assert Prices().of("our-deployment", deployment) is None
    assert Prices().cost("our-deployment", deployment, Reply("", prompt_tokens=1)) is None
    told = Reply("", prompt_tokens=1_000_000, model="gpt-4o-2024-08-06")
    assert Prices().cost("our-deployment", deployment, told) == 2.5


def test_a_free_model_is_free_and_one_without_a_price_is_unknown():
    router = "https://openrouter.ai/api/v1"
    assert Prices().cost("agentica-org/deepcoder-14b-preview:free", router, REPLY) == 0.0
    assert Prices().cost("qwen-3-coder-480b", "https://api.cerebras.ai/v1", REPLY) is None


def test_an_exact_name_wins_over_a_pattern_and_both_win_over_the_table():
    prices = Prices({"gpt-*": {"input": 1, "output": 0}, "gpt-4o*": {"input": 2, "output": 0},
                     "gpt-4o": {"input": 3, "output": 0}})  # fmt: skip
    costs = [prices.cost(name, OPENAI, Reply("", prompt_tokens=1_000_000)) for name in ("gpt-4o", "gpt-4o-mini")]
    assert costs == [3.0, 1.0]
    assert prices.cost("o3", OPENAI, REPLY) == Prices().cost("o3", OPENAI, REPLY) > 0


def test_prices_are_read_from_toml_and_json(tmp_path):
    toml, other = tmp_path / "p.toml", tmp_path / "p.json"
    toml.write_text("[qwen3]\ninput = 0.2\ncached_input = 0.1\noutput = 0.6\nbatch = 0.25\n")
    other.write_text(json.dumps(OWN))
    wanted = Price((Rates(0.2, 0.1, 0.6),), (Rates(0.05, 0.025, 0.15),))
    assert [Prices(path).of("qwen3", HERE) for path in (toml, str(other))] == [wanted, wanted]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.json", '{"m": {"input": -1, "output": 1}}', "'m': input must be a number from 0 on; got -1"),
        ("p.json", '{"m": {"input": NaN, "output": 1}}', "'m': input must be a number from 0 on; got nan"),
        ("p.json", '{"m": {"input": true, "output": 1}}', "'m': input must be a number from 0 on; got True"),
        ("p.json", '{"m": {"input": "2", "output": 1}}', "'m': input must be a number from 0 on; got '2'"),
        ("p.json", '{"m": {"input": 1, "output": 1, "batch": 2}}', "'m': batch must be a share from 0 to 1; got 2"),
        ("p.json", '{"m": {"input": 1, "outptu": 1}}', "'m': there is no 'outptu', only input"),
        ("p.json", '{"m": {"input": 1}}', "'m': output is missing"),
        ("p.json", '{"m": 1}', "'m': wanted input"),
        ("p.json", "[1]", "must hold an object with a key for each model"),
        ("p.json", "{", "is no JSON"),
        ("p.toml", "[gpt-4.1]\ninput = 1\noutput = 1", 'A name with a dot needs quotes: ["gpt-4.1"]'),
        ("p.toml", "x = = 1", "is no TOML"),
        ("p.yaml", "x: 1", "must end in .toml or .json"),
        ("p.toml", None, "cannot be read: No such file"),
    ],
)  # fmt: skip
def test_a_wrong_file_gives_one_clear_sentence(tmp_path, name, text, said):
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(OptionError) as error:
        Prices(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"The price file {path}")
    assert "\n" not in str(error.value)


def test_prices_can_be_pickled_after_use():
    prices = Prices(OWN)
    before = prices.of("qwen3", HERE)
    assert pickle.loads(pickle.dumps(prices)).of("qwen3", HERE) == before


def test_asking_again_takes_microseconds():
    prices = Prices()
    prices.cost("gpt-4o", OPENAI, REPLY)
    best = min(_seconds_for_1000(prices) for _ in range(5))
    assert best / 1000 < 20e-6


def _seconds_for_1000(prices):
    began = time.perf_counter()
    for _ in range(1000):
        prices.cost("gpt-4o", OPENAI, REPLY)
    return time.perf_counter() - began


WATCHED = """
import socket, sys, threading
from dataflow_ext.models.prices import Prices
assert "genai_prices" not in sys.modules, "loaded before a price was wanted"
Prices({"m": {"input": 1, "output": 1}}).of("m", "http://localhost/v1")
Prices().of("gpt-4o", "http://localhost/v1")
assert "genai_prices" not in sys.modules, "loaded for a server of one's own"
def refuse(*_, **__): raise AssertionError("network access")
socket.socket.connect = socket.getaddrinfo = refuse
assert Prices().known("gpt-4o", "https://api.openai.com/v1")
print([thread.name for thread in threading.enumerate()])
"""


def test_the_table_is_loaded_when_it_is_needed_without_network_or_threads():
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, check=True)
    assert done.stdout == "['MainThread']\n"
