"""What a robot may know of its own sensors."""

import math
from dataclasses import replace
from random import Random

import pytest

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD, Substance
from walking_robots.ars_magna.sensing.noise import read
from walking_robots.ars_magna.sensing.sensor_model import SensorModel

MODEL = SensorModel(STANDARD, Parameters())


def test_a_model_crosses_as_text():
    assert SensorModel.from_json(MODEL.to_json()) == MODEL


@pytest.mark.parametrize('text', ['{}', 'nothing', '[1]'])
def test_other_text_is_no_model(text):
    with pytest.raises(ValueError):
        SensorModel.from_json(text)


def test_a_word_counts_by_how_often_it_is_read():
    wanted = MODEL.constraints({'color': 'red'})
    hit, miss = (MODEL.log_ratios(wanted, {'color': color}, 0.0)[0] for color in ('red', 'blue'))
    assert hit == pytest.approx(math.log(0.475 / 0.075))
    assert miss == pytest.approx(math.log(0.525 / 0.925))


@pytest.mark.parametrize(
    ('what', 'right', 'wrong'),
    [
        ({'color': 'red'}, 'red', 'blue'),
        ({'size': 2}, 2.0, 5.0),
        ({'size': (1, 3)}, 1.5, 6.0),
        ({'substance': 'wood'}, Substance('wood', 120.0), Substance('metal', 60.0)),
    ],
)
def test_readings_of_the_right_thing_speak_for_it(what, right, wrong):
    wanted, (name,) = MODEL.constraints(what), what
    for value, sign in ((right, 1.0), (wrong, -1.0)):
        random = Random(5)
        readings = [read(STANDARD[name], value, 0.0, MODEL.parameters, random) for _ in range(200)]
        total = sum(MODEL.log_ratios(wanted, {name: one}, 0.0)[0] for one in readings)
        assert sign * total > 20.0


def test_without_noise_one_look_decides():
    clean = replace(MODEL, parameters=Parameters().cleaned())
    wanted = clean.constraints({'color': 'red'})
    assert clean.log_ratios(wanted, {'color': 'red'}, 0.0)[0] > 10.0
    assert clean.log_ratios(wanted, {'color': 'blue'}, 0.0)[0] < -10.0
