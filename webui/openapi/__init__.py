"""The OpenAPI description of the API: every path, what goes in, what comes out, where one goes from there."""

from webui.openapi.document import document
from webui.openapi.operations import OPERATIONS

__all__ = ["OPERATIONS", "document"]
