"""What the command line's model flags name: the model, the judge, and the session with its limits and budget."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from dataflow_ext import progress
from dataflow_ext.cli.flags import KEY_ENV
from dataflow_ext.errors import OptionError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.models import Model, OpenAIModel, Prices, RequestCache, Session
from dataflow_ext.models.azure_model import AzureOpenAIModel

if TYPE_CHECKING:
    import pyarrow as pa

    from dataflow_ext.estimates import Estimate
    from dataflow_ext.operator import Operator

_OPENAI = "https://api.openai.com/v1"

#: Flags that make no sense while local rules do all the work.
_FOR_MODELS = (
    *("base_url", "provider", "azure_auth", "api_version", "temperature", "max_tokens", "extra_body", "timeout"),
    *("max_retries", "max_image_side", "max_in_flight", "rpm", "tpm", "budget", "prices", "estimate", "batch"),
)

_log = logging.getLogger(__name__)


def model_of(args: argparse.Namespace) -> OpenAIModel | None:
    """The model that the flags name, None if they name none; :class:`OptionError` for flags that do not fit."""
    if args.model is None:
        _refuse_idle(args)
        return None
    place = _Place(args.provider or "openai", args.base_url, args.api_key_env)
    temperature = {} if args.temperature is None else {"temperature": _or_none(args.temperature)}
    return place.model(args, args.model, temperature | _given(args, "max_tokens", "extra_body"))


def judge_of(args: argparse.Namespace) -> OpenAIModel | None:
    """The judge that the flags name: the model itself, but at the judge's temperature, if they name none.

    At the model's server it uses the model's key, at another one that of ``--judge-api-key-env`` or none.
    Of the other settings it shares those that have nothing to do with the model: seed, time-out, retries
    and size of pictures.
    """
    given = args.judge_temperature
    if args.judge_model is None:
        for name in ("judge_base_url", "judge_api_key_env", "judge_provider"):
            if getattr(args, name) is not None:
                raise OptionError(f"{_flag(name)} needs --judge-model: the name of the judge at that server.")
        model = model_of(args)
        if model is None:
            return None
        # A model that takes no temperature takes none when it judges.
        usual = None if model.temperature is None else 0.0
        return model.model_copy(update={"temperature": usual if given is None else _or_none(given)})
    home = _Place(args.provider or "openai", args.base_url, args.api_key_env)
    provider = args.judge_provider or home.provider
    moved = provider != home.provider or (args.judge_base_url and _bare(args.judge_base_url) != _bare(home.address))
    if not moved:
        place = _Place(provider, home.base_url, args.judge_api_key_env or home.api_key_env, "judge-")
    else:
        # Not None, for which the provider's usual variable would be taken, and that may be the model's.
        place = _Place(provider, args.judge_base_url, args.judge_api_key_env or "", "judge-")
        by_key = args.azure_auth != "token" if provider == "azure" else _bare(place.address) == _OPENAI
        if by_key and place.address and not place.api_key_env:
            raise OptionError(
                f"The judge's server, {place.address}, is not the model's and wants a key of its own: "
                "name the variable that holds it with --judge-api-key-env."
            )
    return place.model(args, args.judge_model, {} if given is None else {"temperature": _or_none(given)})


def session_of(args: argparse.Namespace, cache: Path) -> Session:
    """The session of a run that keeps its replies in the folder ``cache``, with the flags' limits and budget.

    Raises :class:`OptionError` for a budget in dollars if a model of the run has no known price.
    """
    if not args.batch and any((cache / "batches").glob("job-*")):
        _log.warning("Batches of an earlier run are under way; without --batch their requests are paid for again.")
    prices = Prices(args.prices)
    models = [model_of(args), judge_of(args) if hasattr(args, "judge_model") else None]
    if args.budget is not None and args.budget.usd is not None:
        for model in filter(None, models):
            if not prices.known(model.name, model.server):
                raise OptionError(
                    f"--budget: no price is known for {model.name} at {model.server}, so dollars cannot be "
                    "counted; give prices with --prices FILE, or a budget in tokens such as 2Mtok."
                )
    return Session(
        RequestCache(cache / "requests.sqlite"),
        requests_per_minute=args.rpm,
        tokens_per_minute=args.tpm,
        fresh=args.fresh,
        budget=args.budget,
        prices=prices,
        **_given(args, "max_in_flight"),
    )


def estimate_of(args: argparse.Namespace, steps: Sequence[Operator], table: pa.Table, cache: Path) -> Estimate:
    """What a run with these flags would ask of models and what that would cost; ``str()`` of it is a table."""
    from dataflow_ext.estimates import estimate

    return estimate(
        steps,
        table,
        cache_dir=cache,
        limit=args.limit,
        workers=args.workers,
        prices=Prices(args.prices),
        fresh=args.fresh,
        listener=progress.for_stream(sys.stderr),
    )


def cache_of(args: argparse.Namespace) -> Path:
    """Where a run with these flags remembers its work."""
    cache: Path = args.cache_dir or args.out / RUN_FOLDER
    return cache


def batched(model: OpenAIModel | None, args: argparse.Namespace) -> Model | None:
    """The model as steps ask it: with ``--batch`` by way of its server's Batch API, its requests kept in the cache."""
    from dataflow_ext.models.batch.model import BatchModel

    if model is None or not args.batch:
        return model
    if isinstance(model, AzureOpenAIModel):
        raise OptionError(
            "--batch: Azure's batches go by its v1 address: --base-url https://NAME.openai.azure.com/openai/v1 "
            "without --provider azure."
        )
    return BatchModel(model=model, folder=cache_of(args) / "batches")


def told_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The flags' values as a record may hold them: no names of keys, and of the extra body only its fields."""
    told = {name: value for name, value in vars(args).items() if not name.endswith("key_env")}
    if told.get("extra_body") is not None:
        told["extra_body"] = sorted(told["extra_body"])
    return told


@dataclass(frozen=True)
class _Place:
    """A server and the variable that holds its key; ``prefix`` is that of the flags which named it."""

    provider: str
    base_url: str | None
    api_key_env: str | None
    prefix: str = ""

    @property
    def address(self) -> str:
        usual = "" if self.provider == "azure" else os.environ.get("OPENAI_BASE_URL") or _OPENAI
        return self.base_url or usual

    def model(self, args: argparse.Namespace, name: str, more: Mapping[str, Any]) -> OpenAIModel:
        if self.api_key_env and self.api_key_env != KEY_ENV[self.provider] and self.api_key_env not in os.environ:
            # The name is not repeated: it may be the key itself, given by mistake.
            raise OptionError(
                f"--{self.prefix}api-key-env: there is no environment variable of that name; it takes the name of "
                "the variable that holds the key, not the key."
            )
        settings = {"name": name, "seed": args.seed, **_given(args, "timeout", "max_retries", "max_image_side"), **more}
        if self.api_key_env is not None:
            settings["api_key_env"] = self.api_key_env
        try:
            if self.provider == "azure":
                return AzureOpenAIModel(**self._azure(args), **settings)
            return OpenAIModel(base_url=self.base_url, **settings)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise OptionError(f"{self._flag(first['loc'])}: {first['msg'].removeprefix('Value error, ')}") from None

    def _azure(self, args: argparse.Namespace) -> dict[str, Any]:
        if not self.base_url:
            raise OptionError(
                f"--provider azure needs --{self.prefix}base-url: the resource, for example "
                "https://NAME.openai.azure.com."
            )
        auth = {} if args.azure_auth is None else {"auth": args.azure_auth}
        return {"endpoint": self.base_url, **auth, **_given(args, "api_version")}

    def _flag(self, where: tuple[int | str, ...]) -> str:
        name = {"name": "model", "endpoint": "base-url"}.get(str(where[0]), str(where[0]).replace("_", "-"))
        return f"--{self.prefix}{name}" if name in ("model", "base-url") else f"--{name}"


def _refuse_idle(args: argparse.Namespace) -> None:
    if getattr(args, "judge_model", None) is not None:
        return
    for name in _FOR_MODELS:
        if getattr(args, name) is not None and getattr(args, name) is not False:
            what = (
                ": the name of the model at that server." if name == "base_url" else "; local rules have no use for it."
            )
            raise OptionError(f"{_flag(name)} needs --model{what}")


def _bare(url: str) -> str:
    return url.rstrip("/").lower()


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _given(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def _or_none(value: float | str) -> float | None:
    return None if isinstance(value, str) else value
