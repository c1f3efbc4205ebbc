"""What a user gives for MinerU and what goes to its command: no secret is kept, repeated or passed on."""

import argparse
import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from dataflow_ext.cli.models import told_settings
from operators.pdf.mineru.command import MinerUCommand, tool_environment
from operators.pdf.mineru.parsers import ParserMissing, split_options
from operators.pdf.mineru.server import MinerUServer


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("api_key=S3CRET", "api_key"),
        ("--api-key=S3CRET", "--api-key"),
        ("api-keys=S3CRET", "api-keys"),
        ("apikey=S3CRET", "apikey"),
        ("access_key_id=S3CRET", "access_key_id"),
        ("--api-token S3CRET", "--api-token"),
        ("authorization=S3CRET", "authorization"),
        ("http_auth=S3CRET", "http_auth"),
        ("--bearer=S3CRET", "--bearer"),
        ("passwd=S3CRET", "passwd"),
        ("--pass S3CRET", "--pass"),
        ("pwd=S3CRET", "pwd"),
        ("github-pat=S3CRET", "github-pat"),
        ("--header='Authorization: S3CRET'", "--header"),
        ("-H X-Api-Key:S3CRET", "-H"),
        ("-HS3CRET", "-H"),
        ("--vlm-url=http://user:S3CRET@host", "--vlm-url"),
        ("-u http://S3CRET@host", "-u"),
        ("-u 'http://host/?api_key=S3CRET'", "-u"),
        ("""'--more={"api_key": "S3CRET"}'""", "--more"),
        ("sk-key1-S3CRET", "such a value"),
        ("'Bearer S3CRET'", "such a value"),
    ],
)
def test_options_that_hold_a_secret_are_refused_by_name_alone(option, told):
    with pytest.raises(ValidationError) as error:
        MinerUCommand(options=(option,))
    assert error.value.errors()[0]["msg"] == (
        f"Value error, {told} does not belong among the options, which are written to the run's records: "
        "it seems to hold a key or a password"
    )
    assert "S3CRET" not in str(error.value)


def test_options_that_only_look_a_little_like_secrets_are_taken():
    options = (
        *("--path=/secret/books", "tokenizer=a", "max_new_tokens=9", "--author=a", "--passes=2", "keyword=a"),
        *("--url=http://host:1/v1?page=1", "lang_list=en", "--tier=standard"),
    )
    assert split_options(options) == options


def test_words_that_are_no_options_are_not_repeated():
    for options in (("S3CRET",), ("--tier='S3CRET",)):
        with pytest.raises(ValidationError, match=r"is not a parameter of a server|without a closing one") as error:
            MinerUServer(url="http://host", options=options)
        assert "S3CRET" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:S3CRET@host:8000",
        "http://S3CRET@host",
        "http://host/?key=S3CRET",
        "http://host/v1/tasks?S3CRET",
        "http://host/#S3CRET",
        "user:S3CRET@host",
    ],
)
def test_addresses_with_more_than_a_place_are_refused_and_not_repeated(url):
    with pytest.raises(ValidationError, match="takes an address without user name, password or query") as error:
        MinerUServer(url=url)
    assert "S3CRET" not in str(error.value)


@pytest.mark.parametrize(
    "url", ["host:8000", "ftp://host", "http://", "http://host:99999", "http://[host", "http://a b"]
)
def test_addresses_that_are_none_are_refused(url):
    with pytest.raises(ValidationError, match="is not an address such as http://localhost:8000"):
        MinerUServer(url=url)


def test_a_key_given_for_the_name_of_its_variable_is_not_repeated(monkeypatch):
    with pytest.raises(ParserMissing, match=r"--parser-key-env names the variable .* there is no such one\.$") as error:
        MinerUServer(url="http://host", key_env="sk-S3CRET").identity()
    assert "S3CRET" not in str(error.value)
    monkeypatch.setenv("EMPTY", " ")
    with pytest.raises(ParserMissing, match=r"and the variable EMPTY is empty\.$"):
        MinerUServer(url="http://host", key_env="EMPTY").identity()


def test_the_settings_of_a_run_tell_no_names_of_keys():
    args = argparse.Namespace(
        model="m", api_key_env="A", judge_api_key_env="B", parser_key_env="C", parser_url="http://host", extra_body=None
    )
    assert told_settings(args) == {"model": "m", "parser_url": "http://host", "extra_body": None}


def test_only_variables_that_a_tool_may_need_go_to_it():
    passed = [
        *("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "XDG_CACHE_HOME", "MINERU_MODEL_SOURCE", "CUDA_VISIBLE_DEVICES"),
        *("HF_HOME", "HF_HUB_OFFLINE", "MODELSCOPE_CACHE", "https_proxy", "NO_PROXY", "OMP_NUM_THREADS", "SystemRoot"),
        *("LD_LIBRARY_PATH", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "ROCR_VISIBLE_DEVICES"),
    ]
    held = [
        *("OPENAI_API_KEY", "PGPASSWORD", "SSHPASS", "MYSQL_PWD", "GITHUB_PAT", "OPENAI_API_KEY_2", "DEEPSEEK"),
        *("DATABASE_URL", "AWS_ACCESS_KEY_ID", "AUTHORIZATION", "HTTP_AUTH", "HF_TOKEN", "GH_TOKENS", "WANDB_AUTH"),
        *("MINERU_API_KEY", "MINERU_TOKEN", "HF_HUB_TOKEN", "MINERU_PASSWORD", "CUDA_SECRET", "MINERU_ACCESS_KEYS"),
        *("PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX", "MY_HOME", "HOMEWORK"),
    ]
    got = tool_environment(dict.fromkeys([*passed, *held], "x") | {"PATH": "/bin"}, Path("/tool"))
    assert got == dict.fromkeys(passed, "x") | {
        "PATH": f"/tool{os.pathsep}/bin",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }
