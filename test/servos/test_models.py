"""Data of servo models, and the file of one more."""

import math
from pathlib import Path

import pytest

from walking_robots.servos.model_files import find_model, parse_model
from walking_robots.servos.models import MODELS, ServoModel

MORE = """
servo_schema: 1
name: XC330-M288
like: XM430-W350
number: 1240
stall_torque: 0.93
no_load_speed: 486deg/s
voltage: [3.7, 6.0]
registers:
  load: {address: 126, size: 2, unit: 0.000555, code: signed}
"""


@pytest.mark.parametrize('model', MODELS.values(), ids=str)
def test_values_go_to_bytes_and_back(model: ServoModel) -> None:
    for name in ('goal', 'position', 'velocity', 'load'):
        register = model[name]
        for count in (-300, -1, 0, 1, 300):
            value = count * register.unit
            data = register.encode(value)
            assert len(data) == register.size
            assert register.decode(data) == pytest.approx(value)


@pytest.mark.parametrize('model', MODELS.values(), ids=str)
def test_its_travel_fits_its_register(model: ServoModel) -> None:
    for angle in (-model.travel, model.travel):
        count = int.from_bytes(model['goal'].encode(angle), 'little', signed=True)
        assert -1 <= count <= 4096


def test_known_counts() -> None:
    x, ax = MODELS['XL430-W250'], MODELS['AX-12A']
    assert x['goal'].encode(0.0) == (2048).to_bytes(4, 'little')
    assert x['velocity'].decode(b'\xff\xff\xff\xff') == pytest.approx(-0.229 * math.tau / 60.0)
    assert ax['load'].decode((1024 + 512).to_bytes(2, 'little')) == pytest.approx(-0.512)
    assert x.words(0b100100) == ('overheating', 'overload')
    assert MODELS['XL-320'].words(0b11) == ('overload', 'overheating')


def test_one_more_model_is_like_a_known_one(tmp_path: Path) -> None:
    path = tmp_path / 'more.yaml'
    path.write_text(MORE)
    model = find_model(str(path))
    assert (model.number, model.voltage, model.rated) == (1240, (3.7, 6.0), 12.0)
    assert model['load'].unit == 0.000555
    assert model['goal'] == MODELS['XM430-W350']['goal']


@pytest.mark.parametrize(
    ('old', 'new', 'why'),
    [
        ('like: XM430-W350', 'like: XQ-1', 'most similar known model'),
        ('number: 1240', 'number: x', 'model number'),
        ('address: 126, ', '', 'address'),
        ('voltage: [3.7, 6.0]', 'voltage: 5', 'least and the greatest'),
    ],
)
def test_a_wrong_file_is_one_sentence(old: str, new: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        parse_model(MORE.replace(old, new), 'more.yaml')
    assert 'more.yaml, line' in str(refused.value)


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(ValueError, match='XL430-W250'):
        find_model('XL430')
