"""Messages between programs."""

from types import SimpleNamespace

from walking_robots.ars_magna.agent.radio import Radio


def test_all_hear_all_messages_of_a_tick_in_the_same_order_from_the_next_tick_on():
    clock = SimpleNamespace(now=5)
    anna, bert = (Radio(name, lambda: clock.now) for name in ('anna', 'bert'))
    bert.channel = anna.channel
    bert.send('b')
    anna.send('a')
    assert anna.hear() == bert.hear() == []
    clock.now = 6
    heard = anna.hear()
    assert [(one.tick, one.sender, one.content) for one in heard] == [
        (5, 'anna', 'a'),
        (5, 'bert', 'b'),
    ]
    assert anna.hear() == []
    assert bert.hear() == heard
    bert.send('c')
    clock.now = 9
    assert [one.content for one in anna.hear()] == ['c']
