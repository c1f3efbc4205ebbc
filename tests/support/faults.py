"""The catalogue of faults: what servers, proxies and enemies send in place of a reply."""

from tests.support.content_faults import CONTENT_FAULTS
from tests.support.http_faults import HTTP_FAULTS

FAULTS = [*HTTP_FAULTS, *CONTENT_FAULTS]
