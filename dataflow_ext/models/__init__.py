"""How operators talk to models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names, offered

if TYPE_CHECKING:
    from dataflow_ext.errors import ModelError as ModelError
    from dataflow_ext.models.azure_model import AzureOpenAIModel as AzureOpenAIModel
    from dataflow_ext.models.batch.model import BatchModel as BatchModel
    from dataflow_ext.models.budget import Budget as Budget
    from dataflow_ext.models.budget import Ledger as Ledger
    from dataflow_ext.models.budget import Usage as Usage
    from dataflow_ext.models.errors import AccessError as AccessError
    from dataflow_ext.models.errors import BadPictureError as BadPictureError
    from dataflow_ext.models.errors import BudgetError as BudgetError
    from dataflow_ext.models.errors import CacheError as CacheError
    from dataflow_ext.models.errors import ConnectionFailedError as ConnectionFailedError
    from dataflow_ext.models.errors import GarbledReplyError as GarbledReplyError
    from dataflow_ext.models.errors import LeftOutError as LeftOutError
    from dataflow_ext.models.errors import NotAskedError as NotAskedError
    from dataflow_ext.models.errors import PictureError as PictureError
    from dataflow_ext.models.errors import QuotaError as QuotaError
    from dataflow_ext.models.errors import RateLimitedError as RateLimitedError
    from dataflow_ext.models.errors import RefusedError as RefusedError
    from dataflow_ext.models.errors import RejectedRequestError as RejectedRequestError
    from dataflow_ext.models.errors import RetryableError as RetryableError
    from dataflow_ext.models.errors import ScriptError as ScriptError
    from dataflow_ext.models.errors import ServerDownError as ServerDownError
    from dataflow_ext.models.errors import ServerFailedError as ServerFailedError
    from dataflow_ext.models.errors import TimedOutError as TimedOutError
    from dataflow_ext.models.errors import TruncatedReplyError as TruncatedReplyError
    from dataflow_ext.models.errors import UnreadableReplyError as UnreadableReplyError
    from dataflow_ext.models.gate import Gate as Gate
    from dataflow_ext.models.openai_model import OpenAIModel as OpenAIModel
    from dataflow_ext.models.prices import Prices as Prices
    from dataflow_ext.models.request import Model as Model
    from dataflow_ext.models.request import Origin as Origin
    from dataflow_ext.models.request import Reply as Reply
    from dataflow_ext.models.request import Request as Request
    from dataflow_ext.models.request_cache import RequestCache as RequestCache
    from dataflow_ext.models.request_cache import request_key as request_key
    from dataflow_ext.models.scripted import Recorder as Recorder
    from dataflow_ext.models.scripted import ScriptedModel as ScriptedModel
    from dataflow_ext.models.session import Session as Session
    from dataflow_ext.models.session import complete as complete
    from dataflow_ext.models.session import current_session as current_session
    from dataflow_ext.models.session import in_step as in_step
    from dataflow_ext.models.structured.ask import Answer as Answer
    from dataflow_ext.models.structured.ask import ask as ask
    from dataflow_ext.models.structured.ask import ask_again as ask_again
    from dataflow_ext.models.structured.ask import numbered as numbered
    from dataflow_ext.models.structured.extract import extract_json as extract_json
    from dataflow_ext.models.structured.reply_schema import reply_schema as reply_schema

#: Clients and servers are loaded when they are used: each process of a run begins by importing this.
_HOME = offered(__spec__)

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
