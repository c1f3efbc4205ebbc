"""How operators talk to models."""

from dataflow_ext.errors import ModelError
from dataflow_ext.models.azure_model import AzureOpenAIModel
from dataflow_ext.models.batch.model import BatchModel
from dataflow_ext.models.budget import Budget
from dataflow_ext.models.cache.request_cache import CacheStats, RequestCache, request_key
from dataflow_ext.models.errors import (
    AccessError,
    BadPictureError,
    BudgetError,
    CacheError,
    ConnectionFailedError,
    GarbledReplyError,
    LeftOutError,
    NotAskedError,
    PictureError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ScriptError,
    ServerDownError,
    ServerFailedError,
    TimedOutError,
    TruncatedReplyError,
    UnreadableReplyError,
)
from dataflow_ext.models.gate.gate import Gate
from dataflow_ext.models.ledger import Ledger, Usage
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.prices import Prices
from dataflow_ext.models.recorder import Recorder
from dataflow_ext.models.request import Model, Origin, Reply, Request
from dataflow_ext.models.scripted import ScriptedModel
from dataflow_ext.models.session import Session, complete, current_session, in_step
from dataflow_ext.models.structured.ask import Answer, ask, ask_again, numbered
from dataflow_ext.models.structured.extract import extract_json
from dataflow_ext.models.structured.reply_schema import reply_schema

__all__ = [
    "AccessError",
    "Answer",
    "AzureOpenAIModel",
    "BadPictureError",
    "BatchModel",
    "Budget",
    "BudgetError",
    "CacheError",
    "CacheStats",
    "ConnectionFailedError",
    "GarbledReplyError",
    "Gate",
    "Ledger",
    "LeftOutError",
    "Model",
    "ModelError",
    "NotAskedError",
    "OpenAIModel",
    "Origin",
    "PictureError",
    "Prices",
    "QuotaError",
    "RateLimitedError",
    "Recorder",
    "RefusedError",
    "RejectedRequestError",
    "Reply",
    "Request",
    "RequestCache",
    "RetryableError",
    "ScriptError",
    "ScriptedModel",
    "ServerDownError",
    "ServerFailedError",
    "Session",
    "TimedOutError",
    "TruncatedReplyError",
    "UnreadableReplyError",
    "Usage",
    "ask",
    "ask_again",
    "complete",
    "current_session",
    "extract_json",
    "in_step",
    "numbered",
    "reply_schema",
    "request_key",
]
