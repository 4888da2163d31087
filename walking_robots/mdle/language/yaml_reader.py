"""The notation in YAML: says the same as the text, one to one (mdle.md §4.18).

Expressions, types, actions, causes and filters are strings in the words of the text notation;
a quantity is a string with its unit. Where one value stands for a list, the list may be left out.

    mdle: 1
    imports: [std.body2, std.scout as scout]
    constants: {g: 9.8 m/s^2, n: {type: num, value: 3}}
    groups: {pair: [alpha, beta]}
    interrupts:
      contact: y.bumper.any
      near: {params: {r: m = 1 m}, if: y.range < r, with: [hold 0.2 s, stale false]}
    laws:
      go: {params: {v: m/s}, on: body2, u: [v, 0 rad/s]}
      far: {on: body2, extern: name}
    atoms:
      go_to:
        params: {p: point, speed: m/s = 0.2 m/s}
        outs: {q: point}
        on: body2
        control: pursue(y.pose, p, speed)     # or a vector: [0, 1 rad/s], or segments:
                                              # {segments: [{u: [1 m/s, 0], for: 2 s}]}
        until: near(1 m)                      # or [{if: near(1 m), then: done}, ...]
        timeout: 60 s
        on_timeout: fail too late             # the text of fail may stand without quotes
        emit: {q: p}
        needs: [y@alpha.pose]
        irreversible: true
    behaviors, plans:
      NAME:
        params, outs, until, timeout, on_timeout: as of an atom
        loop: forever                         # or a number, or while CONDITION
        on: [{cause: fail("contact"), do: run back_off(0.2 m) then restart}]
        finally: [stop()]
        requires: [near]
        do: a list of steps

    steps:
      {call: go_to, args: {p: $target}}       # args in order: [1 m, {speed: 0.1 m/s}]
      {run: go_to}                            # an element without parentheses
      {do: [...]}                             # steps in parentheses
      any of these with as (the label), out, scale: {alpha: [2, 2], beta: 0.5}, until, timeout,
      on_timeout, times (forever, or a number)
      {par: {mode: all, do: [...]}}, {if: x, then: [...], else: [...]}, {reverse: last}, each
      with as

A mapping of names can also be a list of mappings with one key each, where a name stands twice
(which is wrong, and is for the checker to say). ``$name`` as an argument is the value of a name.
"""

from walking_robots.mdle.language.ast import Program
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, ProgramError
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.polarity import Polarity, with_polarity
from walking_robots.mdle.language.values import Misuse
from walking_robots.mdle.language.yaml_nodes import read_nodes
from walking_robots.mdle.language.yaml_reading import Reading


def parse_yaml(source: str, file: str = 'program', *, polarity: Polarity = 'end') -> Program:
    """Read a program in YAML; comments are not kept.

    file: its name in messages; polarity: 'run_while' where the conditions of ``until`` are true
    as long as an element runs. Raises ProgramError with all that is wrong: E101 for wrong YAML
    and wrong expressions, E102 for the version, E103 for keys unknown or twice.
    """
    reading = Reading()
    try:
        program = reading.program(read_nodes(source))
    except Misuse as misuse:
        raise ProgramError([misuse.diagnostic], file) from None
    large = excess(program)
    if polarity != 'end' and not large:
        program = with_polarity(program, polarity)
        large = excess(program)
    found = [*reading.found, *([large] if large else [])]
    if found:
        found.sort(key=lambda diagnostic: diagnostic.place)
        raise ProgramError(found[:MOST_DIAGNOSTICS], file)
    return program
