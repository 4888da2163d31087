"""What goes wrong with servos and their bus, for a while and by intention."""

import math
from random import Random

FAULTS = {
    'cut_cable': 'nothing gets through either way, and the terminal hangs up',
    'power_off': 'all servos are without power',
    'noise': 'a third of all packets is damaged, and there are random bytes between them',
    'lost_replies': 'a third of all replies is lost',
    'doubled_replies': 'a third of all replies comes twice',
    'hot': 'a servo is too hot',
    'undervolted': 'a servo gets too little voltage',
    'dead': 'a servo has neither power nor a line',
    'stuck': 'a servo does not turn',
    'other_model': 'a servo was replaced by one of another model',
    'twin': 'two servos have the same id',
}
"""Each fault and what it does; those of one servo are written as in ``hot:7``."""
OF_BUS = ('cut_cable', 'power_off', 'noise', 'lost_replies', 'doubled_replies')
SHARE = 1.0 / 3.0


class BusFaults:
    """Which faults there are until when, and what becomes of packets; times in s."""

    def __init__(self, rng: Random) -> None:
        """Begin with a sound bus."""
        self._rng = rng
        self._until: dict[tuple[str, int], float] = {}

    def inject(self, fault: str, duration: float, now: float, servos: tuple[int, ...]) -> str:
        """Begin a fault for a time, s, or end it with 0, and return it in words.

        Raises ValueError for one that is not known, for a servo that there is not, and for a time
        that is negative.
        """
        kind, _, servo = fault.partition(':')
        if kind not in FAULTS:
            raise ValueError(f'{kind!r} is not a fault; known are {", ".join(FAULTS)}')
        if not duration >= 0.0:
            raise ValueError('the duration of a fault must not be negative, s')
        number = -1
        if kind not in OF_BUS:
            if not servo.isdigit() or int(servo) not in servos:
                raise ValueError(f'{kind} needs the id of a servo, such as {kind}:{servos[0]}')
            number = int(servo)
        self._until[kind, number] = now + duration
        return f'{fault} for {duration:g} s: {FAULTS[kind]}' if duration else f'{fault} has ended'

    def active(self, fault: str, now: float, servo: int = -1) -> bool:
        """Return whether there is a fault."""
        return now < self._until.get((fault, servo), -math.inf)

    def names(self, now: float) -> tuple[str, ...]:
        """Return all faults that there are."""
        found = [key for key, until in self._until.items() if now < until]
        return tuple(kind if servo < 0 else f'{kind}:{servo}' for kind, servo in found)

    def heard(self, now: float) -> bool:
        """Return whether an instruction gets to the servos."""
        return not (self.active('noise', now) and self._rng.random() < SHARE)

    def spoil(self, reply: bytes, now: float) -> bytes:
        """Return what of a reply gets on the line."""
        rng = self._rng
        if self.active('lost_replies', now) and rng.random() < SHARE:
            return b''
        if self.active('doubled_replies', now) and rng.random() < SHARE:
            return reply + reply
        if self.active('noise', now) and rng.random() < SHARE:
            place = rng.randrange(len(reply))
            damaged = bytes((reply[place] ^ rng.randrange(1, 256),))
            noise = rng.randbytes(rng.randrange(8))
            return noise + reply[:place] + damaged + reply[place + 1 :]
        return reply
