# mypy: disable-error-code="attr-defined, no-any-return"
"""Action clients that send goals for hours without growing."""

from typing import Any

from rclpy.action import ActionClient


class GoalClient(ActionClient):  # type: ignore[type-arg, unused-ignore]
    """An action client that keeps nothing of a goal that is over."""

    def send_goal_async(self, *arguments: Any, **options: Any) -> Any:
        """Send a goal; see `rclpy.action.ActionClient`."""
        before = len(self._futures)
        sent = super().send_goal_async(*arguments, **options)
        # rclpy 9.1 registers two futures for a goal and completes only the second.
        for future in self._futures[before:]:
            if future is not sent:
                self.remove_future(future)
        return sent
