"""Tokens that the reply to each kind of request will about have, for estimates, budgets and the line on costs."""

from __future__ import annotations

#: Type, caption and objects of a picture: once a picture.
IMAGE_TOKENS = 400
#: Formal description and formal code of a picture: once a picture.
DESCRIBE_TOKENS = 500
#: The reasoning of a row, written anew.
REWRITE_TOKENS = 350
#: A question solved again, blind.
BLIND_TOKENS = 200
#: What a judge says of a row.
JUDGE_TOKENS = 220
