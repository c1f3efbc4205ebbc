"""What calls cost: tokens before a server has counted them, and their prices, listed or the user's own."""

from __future__ import annotations

import json
import math
import os
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dataflow_ext.errors import OptionError
from dataflow_ext.models.pictures import picture_tokens
from dataflow_ext.models.request import FullModel, Model, Reply, Request

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

#: What a batch reply costs of the usual price, where nothing else is known.
BATCH = 0.5

#: Seconds for which a listed price is taken to hold: some change with the date or the time of day.
_HOLDS = 900

_FIELDS = ("input", "cached_input", "output", "batch")


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars for a million tokens, in calls whose prompt has more than ``above`` tokens."""

    input: float
    cached_input: float
    output: float
    above: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """What a model's calls cost: ``usual`` rates and those of the Batch API, the least ``above`` first.

    ``request`` is charged for each call besides its tokens, in US dollars.

    >>> rates = Rates(input=2.0, cached_input=1.0, output=8.0)
    >>> Price((rates,), (rates,)).cost(Reply("", prompt_tokens=1000, cached_tokens=500, completion_tokens=100))
    0.0023
    """

    usual: tuple[Rates, ...]
    batch: tuple[Rates, ...]
    request: float = 0.0

    def cost(self, reply: Reply) -> float:
        """US dollars for a reply; its reasoning tokens are among its completion tokens."""
        rates = self.batch if reply.batch else self.usual
        held = rates[0]
        for rate in rates[1:]:
            if reply.prompt_tokens > rate.above:
                held = rate
        cached = min(reply.cached_tokens, reply.prompt_tokens)
        prompt = (reply.prompt_tokens - cached) * held.input + cached * held.cached_input
        return (prompt + reply.completion_tokens * held.output) / 1e6 + self.request


class Prices:
    """Prices by model and server: the user's own, else the list price of a server that is known by its URL.

    ``overrides`` is a mapping, or the path of a TOML or JSON file: by model name ``input`` and ``output`` and,
    if they are not the same as for any token, ``cached_input``, all in US dollars for a million tokens;
    ``batch`` is the share of it that a batch reply costs, a half by default. A name may be a pattern
    (``gpt-4o*``); an exact one comes first, then the first pattern that fits. List prices are those of the
    package genai-prices as it is installed, without any network access. A model on a server of one's own has
    none, whatever its name. Raises :class:`~dataflow_ext.errors.OptionError` for overrides that make no sense.

    >>> prices = Prices({"qwen3*": {"input": 0.2, "output": 0.6}})
    >>> prices.cost("qwen3-8b", "http://localhost:8000/v1", Reply("", prompt_tokens=10_000, completion_tokens=1000))
    0.0026
    >>> prices.known("gpt-4o", "https://api.openai.com/v1"), prices.known("gpt-4o", "http://localhost:8000/v1")
    (True, False)
    """

    def __init__(self, overrides: str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | None = None) -> None:
        table: Mapping[str, object]
        if overrides is None or isinstance(overrides, Mapping):
            where, table = "prices", dict(overrides or {})
        else:
            where, table = f"The price file {Path(overrides)}", _read(Path(overrides))
        self._own = {name: _own_price(where, name, entry) for name, entry in table.items()}
        self._found: dict[tuple[str, str], tuple[int, Price | None]] = {}

    def __getstate__(self) -> dict[str, object]:
        return {"_own": self._own, "_found": {}}

    def cost(self, model: str, server: str, reply: Reply) -> float | None:
        """What a reply cost in US dollars, or None if no price is known.

        Where the model's name has none (a deployment's name on Azure), the name in the reply may have one.
        """
        price = self.of(model, server)
        if price is None and reply.model and reply.model != model:
            price = self.of(reply.model, server)
        return None if price is None else price.cost(reply)

    def known(self, model: str, server: str) -> bool:
        """Whether the model has a price."""
        return self.of(model, server) is not None

    def of(self, model: str, server: str) -> Price | None:
        """The model's price on that server (its URL) as of now, None if none is known."""
        slot = int(time.time() // _HOLDS)
        found = self._found.get((model, server))
        if found is None or found[0] != slot:
            own = self._own_or_none(model)
            found = slot, own if own is not None else _listed(model, server, slot)
            self._found[model, server] = found
        return found[1]

    def by_name(self, model: str) -> Price | None:
        """The model's price where its server is not known: the user's own, else its maker's list price."""
        own = self._own_or_none(model)
        return own if own is not None else _listed(model, None, int(time.time() // _HOLDS))

    def _own_or_none(self, model: str) -> Price | None:
        if model in self._own:
            return self._own[model]
        return next((price for name, price in self._own.items() if fnmatchcase(model, name)), None)


def _read(path: Path) -> Mapping[str, object]:
    endings = {".toml": tomllib.loads, ".json": json.loads}
    parse = endings.get(path.suffix.lower())
    if parse is None:
        raise OptionError(f"The price file {path} must end in .toml or .json.")
    try:
        table = parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"The price file {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # no UTF-8, or not in the format
        raise OptionError(f"The price file {path} is no {path.suffix[1:].upper()}: {error}.") from None
    if not isinstance(table, Mapping):
        raise OptionError(f"The price file {path} must hold an object with a key for each model.")
    return table


def _own_price(where: str, name: str, entry: object) -> Price:
    form = "input, cached_input and output in US dollars for a million tokens, and batch as a share"
    if not isinstance(entry, Mapping):
        raise OptionError(f"{where}, {name!r}: wanted {form}; got {entry!r}.")
    for field, value in entry.items():
        if field not in _FIELDS:
            hint = f' A name with a dot needs quotes: ["{name}.{field}"].' if isinstance(value, Mapping) else ""
            raise OptionError(f"{where}, {name!r}: there is no {field!r}, only {form}.{hint}")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value < 0 or (field == "batch" and value > 1):
            wanted = "a share from 0 to 1" if field == "batch" else "a number from 0 on"
            raise OptionError(f"{where}, {name!r}: {field} must be {wanted}; got {value!r}.")
    missing = [field for field in ("input", "output") if field not in entry]
    if missing:
        raise OptionError(f"{where}, {name!r}: {' and '.join(missing)} is missing; wanted {form}.")
    rates = Rates(float(entry["input"]), float(entry.get("cached_input", entry["input"])), float(entry["output"]))
    return Price((rates,), (_times(rates, float(entry.get("batch", BATCH))),))


def _times(rates: Rates, factor: float) -> Rates:
    return replace(
        rates,
        input=rates.input * factor,
        cached_input=rates.cached_input * factor,
        output=rates.output * factor,
    )


@lru_cache(maxsize=1024)
def _listed(model: str, server: str | None, slot: int) -> Price | None:
    """The list price; ``slot`` makes it be looked up anew from time to time."""
    if server is not None and not _is_public(server):
        return None
    # 0.3 s, so not before a price is wanted; it reads its own table and starts neither thread nor connection.
    from genai_prices import Usage, calc_price

    nothing = Usage(input_tokens=0, output_tokens=0)
    try:
        usual = calc_price(nothing, model, provider_api_url=server).model_price
        batch = calc_price(nothing, model, provider_api_url=server, price_context={"processing": "batch"}).model_price
    except LookupError:
        return None
    rates = _rates(usual, free=model.endswith(":free"))
    if not rates:
        return None
    halves = tuple(_times(rate, BATCH) for rate in rates)
    fee = usual.requests_kcount
    return Price(
        rates,
        halves if batch == usual else _rates(batch, free=False),
        0.0 if fee is None else _at(fee, 0) / 1000,
    )


def _rates(price: ModelPrice, *, free: bool) -> tuple[Rates, ...]:
    """The table's rates by size of prompt; none for a model that is not paid by the token."""
    if price.input_mtok is None or price.output_mtok is None:
        return (Rates(0.0, 0.0, 0.0),) if free else ()
    cached = price.input_mtok if price.cache_read_mtok is None else price.cache_read_mtok
    parts = (price.input_mtok, cached, price.output_mtok)
    starts = sorted({0, *(tier.start for part in parts for tier in getattr(part, "tiers", ()))})
    return tuple(Rates(_at(parts[0], start), _at(parts[1], start), _at(parts[2], start), start) for start in starts)


def _at(price: Decimal | TieredPrices, start: int) -> float:
    """A price of the table for prompts of more than ``start`` tokens."""
    if isinstance(price, Decimal):
        return float(price)
    held = price.base
    for tier in price.tiers:
        if tier.start <= start:
            held = tier.price
    return float(held)


def _is_public(server: str) -> bool:
    """Whether the server may be in a list of providers: it has a URL, and not one of this house."""
    host = urlsplit(server).hostname if server.startswith(("https://", "http://")) else None
    if host is None or "." not in host:
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False


#: Tokens that a reply is taken to have before the first one is there.
_UNKNOWN = 256


def text_tokens(text: str) -> int:
    """UTF-8 bytes / 4, which is within a tenth for whole books in English and Chinese.

    >>> text_tokens("已知函数"), text_tokens("")
    (3, 0)
    """
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


def prompt_tokens(request: Request, max_image_side: int | None = None) -> int:
    """Tokens of everything that is sent with a request, its pictures no larger than that."""
    texts = (request.system, request.prompt, *request.follow_up)
    return sum(map(text_tokens, texts)) + sum(picture_tokens(image, max_image_side) for image in request.images)


class Forecast:
    """Expects of a model's replies what its replies so far were like.

    >>> from dataflow_ext.models import ScriptedModel
    >>> forecast, model = Forecast(), ScriptedModel([])
    >>> forecast.learn(model, Reply("…", completion_tokens=40))
    >>> forecast.expected(model, Request("How many?")).tokens
    43
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int]] = {}

    def learn(self, model: Model, reply: Reply) -> None:
        """Take a reply into the mean."""
        replies, tokens = self._seen.get(model.name, (0, 0))
        self._seen[model.name] = (replies + 1, tokens + reply.completion_tokens)

    def expected(self, model: Model, request: Request) -> Reply:
        """A reply without text that has the tokens which the real one will about have."""
        if FullModel(model).tokenless:
            return Reply("")
        replies, tokens = self._seen.get(model.name, (0, 0))
        expect = request.expect if request.expect is not None else tokens // replies if replies else _UNKNOWN
        most = request.max_tokens or FullModel(model).max_tokens or expect
        return Reply(
            "",
            prompt_tokens=prompt_tokens(request, FullModel(model).max_image_side),
            completion_tokens=min(expect, most),
            batch=FullModel(model).queued,
        )


def counted(model: Model, reply: Reply, request: Request) -> Reply:
    """The reply with estimated tokens if its server counts none."""
    if reply.tokens or reply.origin != "remote" or FullModel(model).tokenless:
        return reply
    asked = prompt_tokens(request, FullModel(model).max_image_side)
    return replace(reply, prompt_tokens=asked, completion_tokens=text_tokens(reply.text))
