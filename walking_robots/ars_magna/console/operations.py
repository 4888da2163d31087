"""All operations of the command line, by name."""

from collections.abc import Mapping

from walking_robots.ars_magna.console.handling import HANDLING
from walking_robots.ars_magna.console.looking import LOOKING
from walking_robots.ars_magna.console.moving import MOVING_AND_TURNING
from walking_robots.ars_magna.console.session import Operation

OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation for operation in (*MOVING_AND_TURNING, *LOOKING, *HANDLING)
}
