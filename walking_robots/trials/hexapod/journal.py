"""Write down why: one line of JSON for every step in which something was decided."""

import json
from typing import TextIO

from walking_robots.trials.hexapod.loop import LoopStep
from walking_robots.trials.hexapod.referee import state_number


class Journal:
    """Writes the decisions of a walk, each with the rule that made it, to a text stream."""

    def __init__(self, stream: TextIO) -> None:
        """Write to ``stream``, which stays the caller's to close."""
        self._stream = stream

    def __call__(self, step: LoopStep, count: int) -> None:
        """Write a step that changed something; ``count`` is its number, from 1."""
        gait = step.gait
        if not gait.decisions and not gait.stop_reason:
            return
        record = {
            'step': count,
            'time_s': round(count * 0.1, 6),
            'x_m': round(step.after.position[0], 6),
            'y_m': round(step.after.position[1], 6),
            'mode': gait.mode,
            'ditch_state': state_number(gait.cycle, gait.state),
            'fired': [firing.rule for firing in gait.fired],
            'why': [firing.sentence for firing in gait.fired],
            'decisions': [
                {
                    'kind': decision.kind.name.lower(),
                    'leg': decision.leg,
                    'partner': decision.partner or None,
                    'foothold_m': decision.foothold,
                }
                for decision in gait.decisions
            ],
            'stopped_because': gait.stop_reason or None,
            'margin_m': gait.margin,
        }
        print(json.dumps(record), file=self._stream)
