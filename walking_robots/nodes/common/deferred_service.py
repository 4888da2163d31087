"""Services that answer when they can, and not before they go on."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from rclpy.node import Node

Answer = Callable[[Any, Any], Awaitable[Any]]


def create_deferred_service(node: Node, kind: Any, name: str, answer: Answer) -> Any:
    """Offer a service whose answer is a coroutine of request and response, and give it.

    The events executor of Jazzy takes the coroutine for the response; it is awaited here then.
    """
    service: Any = node.create_service(kind, name, answer)
    send = service.send_response

    def send_when_there(response: Any, header: Any) -> None:
        if not inspect.iscoroutine(response):
            send(response, header)
            return

        async def wait() -> None:
            send(await response, header)

        executor: Any = node.executor
        executor.create_task(wait)

    service.send_response = send_when_there
    return service
