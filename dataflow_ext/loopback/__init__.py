"""An OpenAI-compatible server on this machine, for tests and demos, with a switch for each way to fail."""

from dataflow_ext.loopback.exchange import Call
from dataflow_ext.loopback.replies import Body, Fault, limited, prompt_of
from dataflow_ext.loopback.server import Brain, Loopback, Routes

__all__ = ["Body", "Brain", "Call", "Fault", "Loopback", "Routes", "limited", "prompt_of"]
