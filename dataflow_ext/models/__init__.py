"""How operators talk to models."""

from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ScriptError,
    ServerDownError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.gate import Gate
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.request import Model, Origin, Reply, Request
from dataflow_ext.models.request_cache import CacheStats, RequestCache, request_key
from dataflow_ext.models.scripted import ScriptedModel
from dataflow_ext.models.session import Session, Usage, complete, current_session

__all__ = [
    "AccessError",
    "CacheStats",
    "ConnectionFailedError",
    "GarbledReplyError",
    "Gate",
    "Model",
    "ModelError",
    "OpenAIModel",
    "Origin",
    "QuotaError",
    "RateLimitedError",
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
    "Usage",
    "complete",
    "current_session",
    "request_key",
]
