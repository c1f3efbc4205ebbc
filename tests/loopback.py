"""The library's loopback server, under the name that the tests use."""

from dataflow_ext.loopback import Body, Brain, Call, Fault, Loopback, limited, prompt_of

__all__ = ["Body", "Brain", "Call", "Fault", "Loopback", "limited", "prompt_of"]
