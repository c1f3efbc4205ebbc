"""What can go wrong between a request and its reply.

All may pass, so that nothing is remembered of them, but for those marked with a *: these are final.

ModelError (dataflow_ext.errors)     a model gave no usable reply
├── AccessError                       key, model or address is not accepted; mended, the same call may work
├── QuotaError                        the account has no credit left; waiting a little does not help
├── BudgetError                       the run's own budget is used up, so the call was not made
├── NotAskedError                     an estimate counts calls and makes none
├── CacheError                        the request cache cannot be read or written, so no call is made
├── LeftOutError                      a batch ended without this request
├── PictureError                      a picture of the request cannot be read at present
├── BadPictureError*                  a picture of the request is none, is damaged or too large
├── ServerDownError                   all calls to the server fail; this one was not even tried
├── RejectedRequestError*             the server will never accept this request as it stands
├── RefusedError*                     the model declined to answer
├── TruncatedReplyError*              the reply was cut off at its token limit
├── UnreadableReplyError*             the reply is not of the form that was asked for, even after a repair
├── ScriptError*                      a scripted model has no reply for the request
└── RetryableError                    the same call may work in a moment
    ├── RateLimitedError              too many calls (429)
    ├── ServerFailedError             the server's own trouble (408, 409, 5xx, and what is not understood)
    ├── TimedOutError                 no reply within the time allowed
    ├── ConnectionFailedError         the connection was refused, reset or cut
    └── GarbledReplyError             the reply is not what a chat completion looks like
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.errors import InputError, ModelError

if TYPE_CHECKING:
    from dataflow_ext.models.request import Model, Reply


class AccessError(ModelError):
    """The key is missing or not accepted (401, 403), or there is nothing at the address (404, 405, redirects)."""


class QuotaError(ModelError):
    """The account's credit is used up (402, or 429 with ``insufficient_quota``)."""


class BudgetError(ModelError):
    """The run's own budget is used up, so the call was not made."""


class NotAskedError(ModelError):
    """The call was counted by an estimate and not made."""


class CacheError(ModelError, InputError):
    """The request cache cannot be read or written (a full disk, a lock), so replies could not be kept."""


class LeftOutError(ModelError):
    """A batch ended without this request, which ``direct`` can make by a single call."""

    def __init__(self, message: str, *, direct: Model | None = None) -> None:
        super().__init__(message)
        self.direct = direct


class PictureError(ModelError):
    """A picture of the request is not there, cannot be read, or changed while it was asked about."""


class BadPictureError(ModelError):
    """A picture of the request is in no known format, is damaged, or has too many pixels."""

    transient = False


class ServerDownError(ModelError):
    """The calls before this one all failed, so it was not tried: nobody is there, or only errors come."""


class RejectedRequestError(ModelError):
    """The server will not accept this request as it stands; ``status`` and ``code`` are the server's."""

    transient = False

    def __init__(self, message: str, *, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class RefusedError(ModelError):
    """The model declined; ``reply`` holds its words and what they cost."""

    transient = False

    def __init__(self, message: str, *, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class TruncatedReplyError(ModelError):
    """The reply was cut off at its token limit; ``reply`` is what there is of it."""

    transient = False

    def __init__(self, message: str, *, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class UnreadableReplyError(ModelError):
    """The reply is not of the form that was asked for; ``reply`` is the last one, ``problem`` what is wrong."""

    transient = False

    def __init__(self, message: str, *, reply: Reply | None = None, problem: str = "") -> None:
        super().__init__(message)
        self.reply = reply
        self.problem = problem


class ScriptError(ModelError):
    """A scripted model has no reply for the request."""

    transient = False


class RetryableError(ModelError):
    """The same call may work in a moment.

    ``retry_after`` is the wait in seconds that the server asked for, if it did. ``overload`` tells that
    fewer calls at once would help.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, overload: bool | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.overload = self.means_overload if overload is None else overload

    means_overload = False


class RateLimitedError(RetryableError):
    """Too many calls or tokens a minute (429)."""

    means_overload = True


class ServerFailedError(RetryableError):
    """The server failed (408, 409, 5xx), or answered with a status that says nothing about the request."""


class TimedOutError(RetryableError):
    """No complete reply came within the time allowed."""

    means_overload = True


class ConnectionFailedError(RetryableError):
    """The connection was refused, reset or cut."""


class GarbledReplyError(RetryableError):
    """The server's reply cannot be read as a chat completion."""
