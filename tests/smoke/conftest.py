"""The real server: one that is running already, or one that is built and started for these tests."""

import os

import pytest

from tests.smoke.serve import Server, built, folder


@pytest.fixture(scope="session")
def real():
    """The address and the model's name."""
    if url := os.environ.get("DATAFLOW_SMOKE_URL"):
        yield url, os.environ.get("DATAFLOW_SMOKE_MODEL", "smollm2-135m")
        return
    if "SMOKE_DIR" not in os.environ:
        pytest.skip("needs a real model: run `make smoke-model`, or set DATAFLOW_SMOKE_URL (docs/real_model.md)")
    if not built(folder()):
        pytest.skip(f"no server is built in {folder()}: run `python tests/smoke/serve.py --build`")
    with Server(folder()) as server:
        yield server.url, server.name
