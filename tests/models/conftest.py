"""Short waits and a key that no output may hold."""

import pytest

KEY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return KEY
