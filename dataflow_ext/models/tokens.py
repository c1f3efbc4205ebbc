"""What a call will about cost in tokens, before a server has counted them, and what one cost that counts none."""

from __future__ import annotations

from dataclasses import replace

from dataflow_ext.models.full import FullModel
from dataflow_ext.models.pictures import picture_tokens
from dataflow_ext.models.request import Model, Reply, Request

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
