"""Services that answer when they can."""

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.task import Future


def create_deferred_service(
    node: Node, kind: Any, name: str, answer: Callable[[Any, Any], 'Future[Any]']
) -> None:
    """Offer a service; ``answer`` makes of request and response the future of a response."""
    service: Any = node.create_service(kind, name, answer)
    send = service.send_response

    def send_when_done(response: Any, header: Any) -> None:
        if isinstance(response, Future):
            response.add_done_callback(lambda future: send(future.result(), header))
        else:
            send(response, header)

    service.send_response = send_when_done
