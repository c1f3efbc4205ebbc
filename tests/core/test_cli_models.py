"""The command line's model flags: what they make, what they refuse, and that no key comes out again."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import RowOperator, cli
from dataflow_ext.background import run_async
from dataflow_ext.errors import OptionError
from dataflow_ext.models import Budget, Model, OpenAIModel, Request, complete
from dataflow_ext.models.azure_model import AzureOpenAIModel
from dataflow_ext.models.batch.model import BatchModel
from dataflow_ext.report import Report, Stop
from tests.loopback import Loopback

KEY = "sk-canary-0123456789"
HERE = "http://127.0.0.1:9/v1"
AZURE = "https://x.openai.azure.com"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("JUDGE_KEY", KEY + "-judge")


class Ask(RowOperator):
    """Asks the model each question."""

    inputs = {"question": str}  # noqa: RUF012
    outputs = {"answer": str}  # noqa: RUF012
    model: Model

    async def row(self, question: str) -> dict[str, object]:
        return {"answer": (await complete(self.model, Request(question))).text}


def flags(*arguments, judge=True):
    return cli.parser("books", "Books.", "  none", judge=judge).parse_args([str(a) for a in arguments])


def model(*arguments):
    return cli.model_of(flags(*arguments))


def judge(*arguments):
    return cli.judge_of(flags(*arguments))


def told(capsys, *arguments):
    """The sentence that the argument parser leaves with."""
    with pytest.raises(SystemExit) as left:
        flags(*arguments)
    assert left.value.code == 2
    return capsys.readouterr().err.strip().splitlines()[-1].split("error: ", 1)[1]


# -- the model


def test_without_a_model_there_is_none_and_nothing_is_needed():
    assert (model(), judge()) == (None, None)


def test_a_name_alone_means_openai_with_its_usual_settings():
    assert model("--model", "m") == OpenAIModel(name="m")


def test_every_setting_reaches_the_model():
    made = model(
        *("--model", "m", "--base-url", HERE, "--api-key-env", "MY_KEY", "--seed", 7, "--temperature", 0.5),
        *("--max-tokens", 900, "--extra-body", '{"top_k": 20}', "--timeout", 30, "--max-retries", 0),
        *("--max-image-side", 1568),
    )
    assert made == OpenAIModel(
        name="m",
        base_url=HERE,
        api_key_env="MY_KEY",
        seed=7,
        temperature=0.5,
        max_tokens=900,
        extra_body={"top_k": 20},
        timeout=30.0,
        max_retries=0,
        max_image_side=1568,
    )


def test_a_temperature_of_none_is_left_to_the_server():
    assert model("--model", "m", "--temperature", "none").temperature is None


def test_the_extra_body_can_stand_in_a_file(tmp_path):
    path = tmp_path / "extra.json"
    path.write_text('{"a": [1]}')
    assert model("--model", "m", "--extra-body", f"@{path}").extra_body == {"a": [1]}


def test_azure_is_a_provider():
    made = model("--model", "gpt", "--provider", "azure", "--base-url", AZURE, "--api-version", "2025-01-01")
    assert made == AzureOpenAIModel(name="gpt", endpoint=AZURE, api_version="2025-01-01")
    made = model("--model", "gpt", "--provider", "azure", "--base-url", AZURE, "--azure-auth", "token", "--seed", 1)
    assert made == AzureOpenAIModel(name="gpt", endpoint=AZURE, auth="token", seed=1)
    made = model("--model", "gpt", "--provider", "azure", "--base-url", AZURE, "--api-key-env", "MY_KEY")
    assert made.api_key_env == "MY_KEY"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--base-url", HERE], "--base-url needs --model: the name of the model at that server."),
        (["--batch"], "--batch needs --model; local rules have no use for it."),
        (["--budget", "5usd"], "--budget needs --model; local rules have no use for it."),
        (["--estimate"], "--estimate needs --model; local rules have no use for it."),
        (["--temperature", "0"], "--temperature needs --model; local rules have no use for it."),
        (["--max-retries", "0"], "--max-retries needs --model; local rules have no use for it."),
        (["--rpm", "60"], "--rpm needs --model; local rules have no use for it."),
        (["--provider", "azure"], "--provider needs --model; local rules have no use for it."),
        (["--model", ""], "--model: String should have at least 1 character"),
        (
            ["--model", "m", "--base-url", "localhost:8000"],
            "--base-url: A model server's address starts with http:// or https:// and names a host.",
        ),
        (
            ["--model", "m", "--base-url", "http://me:pass-phrase@host/v1"],
            "--base-url: A model server's address holds no user name, password or query; use api_key_env.",
        ),
        (
            ["--model", "m", "--provider", "azure"],
            "--provider azure needs --base-url: the resource, for example https://NAME.openai.azure.com.",
        ),
        (
            ["--model", "m", "--provider", "azure", "--base-url", AZURE + "/openai/v1"],
            "--base-url: An address that ends in /openai/v1 is for OpenAIModel(base_url=…), provider openai.",
        ),
        (
            ["--model", "m", "--provider", "azure", "--base-url", AZURE, "--api-version", "a b"],
            "--api-version: String should match pattern '^[\\w.-]+$'",
        ),
        (
            ["--model", "m", "--api-key-env", KEY],
            "--api-key-env: there is no environment variable of that name; it takes the name of the variable that "
            "holds the key, not the key.",
        ),
    ],
)
def test_flags_that_do_not_fit_get_one_sentence(arguments, sentence):
    with pytest.raises(OptionError) as caught:
        model(*arguments)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--temperature", "warm"], "argument --temperature: 'warm' is neither a number from 0 on nor none"),
        (["--temperature", "-1"], "argument --temperature: '-1' is neither a number from 0 on nor none"),
        (["--temperature", "nan"], "argument --temperature: 'nan' is neither a number from 0 on nor none"),
        (["--max-tokens", "0"], "argument --max-tokens: '0' is not a whole number from 1 on"),
        (["--max-image-side", "1.5"], "argument --max-image-side: '1.5' is not a whole number from 1 on"),
        (["--max-retries", "-1"], "argument --max-retries: '-1' is not a whole number from 0 on"),
        (["--timeout", "0"], "argument --timeout: '0' is not a number above 0"),
        (["--rpm", "inf"], "argument --rpm: 'inf' is not a number above 0"),
        (["--tpm", "many"], "argument --tpm: 'many' is not a number above 0"),
        (
            ["--budget", "5"],
            "argument --budget: A budget is an amount with its unit, such as 5usd, 2Mtok or 5usd,2Mtok; not '5'.",
        ),
        (["--extra-body", '{"key": "sk-canary'], "argument --extra-body: the text is not JSON"),
        (["--extra-body", '["sk-canary"]'], 'argument --extra-body: the JSON is not an object such as {"top_k": 20}'),
        (["--extra-body", "@gone.json"], "argument --extra-body: the file cannot be read: No such file or directory"),
    ],
)
def test_a_value_that_is_none_gets_one_sentence(arguments, sentence, capsys):
    assert told(capsys, *arguments) == sentence


# -- the judge


def test_the_model_judges_itself_unless_told_and_coolly():
    mine = ("--model", "m", "--base-url", HERE, "--api-key-env", "MY_KEY", "--temperature", 0.8)
    body = ("--extra-body", '{"top_k": 20}', "--max-tokens", 9)
    wanted = OpenAIModel(name="m", base_url=HERE, api_key_env="MY_KEY", extra_body={"top_k": 20}, max_tokens=9)
    assert judge(*mine, *body) == wanted
    assert judge("--model", "m", "--temperature", "none").temperature is None
    assert judge("--model", "m", "--judge-temperature", 0.3).temperature == 0.3


def test_a_judge_at_the_same_server_shares_key_seed_and_patience_but_no_taste():
    mine = ("--model", "m", "--base-url", HERE, "--api-key-env", "MY_KEY", "--seed", 7, "--timeout", 9)
    taste = ("--temperature", 0.8, "--extra-body", '{"top_k": 20}', "--max-tokens", 5)
    wanted = OpenAIModel(name="j", base_url=HERE, api_key_env="MY_KEY", seed=7, timeout=9)
    assert judge(*mine, *taste, "--judge-model", "j") == wanted
    assert judge(*mine, "--judge-model", "j", "--judge-base-url", HERE + "/").api_key_env == "MY_KEY"
    own = judge(*mine, "--judge-model", "j", "--judge-api-key-env", "JUDGE_KEY")
    assert (own.api_key_env, own.server) == ("JUDGE_KEY", HERE)


def test_a_judge_without_a_model_stands_alone():
    assert model("--judge-model", "j", "--budget", "1Mtok") is None
    assert judge("--judge-model", "j") == OpenAIModel(name="j")


def test_the_models_key_goes_to_no_other_server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Loopback(lambda body: "fine") as mine, Loopback(lambda body: "fine") as its:
        for key_flags in ((), ("--api-key-env", "MY_KEY")):
            arguments = ("--model", "m", "--base-url", mine.url, *key_flags)
            away = ("--judge-model", "j", "--judge-base-url", its.url)
            run_async(model(*arguments).complete(Request("a")))
            run_async(judge(*arguments, *away).complete(Request("a")))
        run_async(judge(*arguments, *away, "--judge-api-key-env", "JUDGE_KEY").complete(Request("a")))
    assert [call.authorization for call in mine.calls] == [f"Bearer {KEY}"] * 2
    assert [call.authorization for call in its.calls] == ["Bearer none", "Bearer none", f"Bearer {KEY}-judge"]


def test_a_judge_at_azure_or_back_at_openai_names_its_key():
    azure = ("--judge-model", "j", "--judge-provider", "azure", "--judge-base-url", AZURE)
    made = judge("--model", "m", *azure, "--judge-api-key-env", "JUDGE_KEY")
    assert made == AzureOpenAIModel(name="j", endpoint=AZURE, api_key_env="JUDGE_KEY")
    made = judge("--model", "m", *azure, "--azure-auth", "token")
    assert (made.auth, made.api_key_env) == ("token", "")
    home = ("--model", "m", "--provider", "azure", "--base-url", AZURE)
    assert judge(*home, "--judge-model", "j") == AzureOpenAIModel(name="j", endpoint=AZURE)
    made = judge(*home, "--judge-model", "j", "--judge-provider", "openai", "--judge-api-key-env", "JUDGE_KEY")
    assert made == OpenAIModel(name="j", api_key_env="JUDGE_KEY")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--judge-base-url", HERE], "--judge-base-url needs --judge-model: the name of the judge at that server."),
        (
            ["--judge-api-key-env", "JUDGE_KEY"],
            "--judge-api-key-env needs --judge-model: the name of the judge at that server.",
        ),
        (
            ["--judge-model", "j", "--judge-api-key-env", KEY],
            "--judge-api-key-env: there is no environment variable of that name; it takes the name of the variable "
            "that holds the key, not the key.",
        ),
        (
            ["--judge-model", "j", "--judge-base-url", "host"],
            "--judge-base-url: A model server's address starts with http:// or https:// and names a host.",
        ),
        (["--judge-model", ""], "--judge-model: String should have at least 1 character"),
        (
            ["--judge-model", "j", "--judge-provider", "azure"],
            "--provider azure needs --judge-base-url: the resource, for example https://NAME.openai.azure.com.",
        ),
        (
            ["--judge-model", "j", "--judge-base-url", "https://api.openai.com/v1/"],
            "The judge's server, https://api.openai.com/v1/, is not the model's and wants a key of its own: name the "
            "variable that holds it with --judge-api-key-env.",
        ),
        (
            ["--judge-model", "j", "--judge-provider", "azure", "--judge-base-url", AZURE],
            f"The judge's server, {AZURE}, is not the model's and wants a key of its own: name the variable that "
            "holds it with --judge-api-key-env.",
        ),
    ],
)
def test_judge_flags_that_do_not_fit_get_one_sentence(arguments, sentence):
    with pytest.raises(OptionError) as caught:
        judge("--model", "m", "--base-url", HERE, *arguments)
    assert str(caught.value) == sentence


# -- the session


def test_the_session_has_the_flags_limits_and_its_cache_where_it_is_told(tmp_path):
    session = cli.session_of(flags("--model", "m"), tmp_path)
    assert (session.max_in_flight, session.requests_per_minute, session.tokens_per_minute) == (64, None, None)
    assert (session.cache.path, session.fresh, session.purse) == (tmp_path / "requests.sqlite", False, None)
    limits = ("--max-in-flight", 8, "--rpm", 60, "--tpm", 1e6, "--budget", "2Mtok", "--fresh")
    session = cli.session_of(flags("--model", "m", *limits, judge=False), tmp_path)
    assert (session.max_in_flight, session.requests_per_minute, session.tokens_per_minute) == (8, 60.0, 1e6)
    assert (session.fresh, session.purse.budget) == (True, Budget(tokens=2_000_000))
    assert list(tmp_path.iterdir()) == []


def test_a_budget_in_dollars_needs_a_price_for_each_model(tmp_path):
    dollars = ("--model", "gpt-4o", "--budget", "5usd")
    assert cli.session_of(flags(*dollars), tmp_path).purse.budget == Budget(usd=5.0)
    for more, name, server in (
        (("--base-url", HERE), "gpt-4o", HERE),
        (("--judge-model", "j", "--judge-base-url", HERE), "j", HERE),
    ):
        with pytest.raises(OptionError) as caught:
            cli.session_of(flags(*dollars, *more), tmp_path)
        assert str(caught.value) == (
            f"--budget: no price is known for {name} at {server}, so dollars cannot be counted; give prices with "
            "--prices FILE, or a budget in tokens such as 2Mtok."
        )
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"gpt-4o": {"input": 1.0, "output": 2.0}}))
    assert cli.session_of(flags(*dollars, "--base-url", HERE, "--prices", prices), tmp_path).purse is not None


def test_a_price_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(OptionError, match=r"gone\.json"):
        cli.session_of(flags("--model", "m", "--prices", "gone.json"), tmp_path)


def test_a_batch_keeps_its_files_in_the_cache(tmp_path):
    inner = OpenAIModel(name="m")
    args = flags("--model", "m", "--batch", "--out", tmp_path)
    assert cli.batched(inner, args) == BatchModel(model=inner, folder=tmp_path / ".run" / "batches")
    assert (cli.batched(inner, flags("--model", "m")), cli.batched(None, args)) == (inner, None)
    with pytest.raises(OptionError, match=r"by its v1 address: --base-url https://NAME\.openai\.azure\.com/openai/v1"):
        cli.batched(AzureOpenAIModel(name="m", endpoint=AZURE), args)


def test_an_estimate_counts_the_calls_that_a_run_with_these_flags_would_make(tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000.0, "output": 0.0}}))
    args = flags("--model", "m", "--base-url", HERE, "--limit", 2, "--prices", prices)
    table = pa.table({"question": ["a" * 400, "b" * 400, "c" * 400]})
    total = cli.estimate_of(args, [Ask(model=cli.model_of(args))], table, tmp_path / "cache").total
    assert (total.requests, total.to_ask, total.prompt_tokens, total.usd) == (2, 2, 200, 0.2)


# -- what a person reads


def test_the_record_of_a_run_holds_no_secret(tmp_path):
    class Result:
        report = Report()

    secrets = ("--api-key-env", KEY, "--judge-api-key-env", KEY, "--extra-body", json.dumps({"b": KEY, "a": KEY}))
    cli.keep_record(Result(), flags("--model", "m", "--budget", "5usd,2Mtok", *secrets), tmp_path)
    told = json.loads((tmp_path / "config.json").read_text())
    assert (told["extra_body"], told["budget"], told["model"]) == (["a", "b"], "2,000,000 tokens and 5 USD", "m")
    assert [file.name for file in sorted(tmp_path.iterdir()) if KEY in file.read_text()] == []


def test_what_was_not_done_is_told_with_the_way_to_go_on(capsys):
    down, spent = Stop("AccessError", 1, "No key."), Stop("BudgetError", 3, "The budget is used up.")
    assert (cli.told_stops([down]), cli.told_stops([spent, down], fresh=True)) == (cli.STOPPED, cli.SPENT) == (3, 4)
    assert capsys.readouterr().err.splitlines() == [
        "error: not done: 1 row: No key.",
        "What was finished is kept; the same command goes on from there.",
        "error: not done: 3 rows: The budget is used up.",
        "error: not done: 1 row: No key.",
        "What was finished is kept; the same command with a larger budget without --fresh goes on from there.",
    ]


def test_the_help_names_common_flags_before_the_fine_tuning_and_fits_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = cli.parser("books", "Books.", "  none").format_help()
    order = ["--out", "--model", "--base-url", "--budget", "--workers", "--provider", "--rpm", "examples:", "models:"]
    assert sorted(order, key=lambda word: text.index(f"\n{word}" if word[-1] == ":" else f"\n  {word} ")) == order
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) < 75
    assert "--judge-model" not in text
    assert "--judge-model" in cli.parser("books", "Books.", "  none", judge=True).format_help()


def test_the_names_that_pipelines_use_are_there():
    assert cli.RUN_FOLDER == ".run"
    assert {name for name in cli.__all__ if not hasattr(cli, name)} == set()
    assert Path(cli.__file__).read_text().count("\n") < 180
