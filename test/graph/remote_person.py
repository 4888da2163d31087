"""A person on another host: reads commands from stdin and writes what the robot does to stdout.

``drive SPEED`` publishes a velocity ten times a second until ``release``; ``plan TEXT`` runs a
program until ``cancel``. Lines are ``pose TIME X SPEED`` by the emulator's truth,
``command TIME SPEED`` and ``status TIME PHASE OUTCOME MESSAGE``.
"""

import sys
import threading
import time
from typing import Any

import rclpy
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.action import ActionClient
from rclpy.node import Node
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import PlanStatus


class Person(Node):
    """Drives, watches and runs programs."""

    def __init__(self) -> None:
        super().__init__('person')
        self.speed: float | None = None
        self.goal: Any = None
        self.stick = self.create_publisher(TwistStamped, 'cmd_vel', 10)
        self.plans = ActionClient(self, RunPlan, 'mdle_executor/run_plan')
        self.create_subscription(Odometry, 'ground_truth/odom', self._moved, 10)
        self.create_subscription(TwistStamped, 'cmd_vel', self._commanded, 10)
        self.create_subscription(PlanStatus, 'mdle_executor/status', self._changed, 10)
        self.create_timer(0.1, self._push)

    def _moved(self, message: Any) -> None:
        x, speed = message.pose.pose.position.x, message.twist.twist.linear.x
        _say('pose', f'{x:.4f}', f'{speed:.4f}')

    def _commanded(self, message: Any) -> None:
        _say('command', f'{message.twist.linear.x:.4f}')

    def _changed(self, message: Any) -> None:
        _say('status', message.phase, message.outcome or '-', message.message)

    def _push(self) -> None:
        if self.speed is not None:
            message = TwistStamped()
            message.header.stamp = self.get_clock().now().to_msg()
            message.twist.linear.x = self.speed
            self.stick.publish(message)

    def _accepted(self, future: Any) -> None:
        self.goal = future.result()

    def obey(self) -> None:
        for line in sys.stdin:
            word, _, rest = line.strip().partition(' ')
            if word == 'drive':
                self.speed = float(rest)
            elif word == 'release':
                self.speed = None
            elif word == 'plan':
                self.plans.wait_for_server()
                goal = RunPlan.Goal(source=rest)
                self.plans.send_goal_async(goal).add_done_callback(self._accepted)
            elif word == 'cancel' and self.goal is not None:
                self.goal.cancel_goal_async()


def _say(word: str, *values: str) -> None:
    print(word, f'{time.monotonic():.4f}', *values, flush=True)


rclpy.init()
person = Person()
threading.Thread(target=person.obey, daemon=True).start()
rclpy.spin(person)
