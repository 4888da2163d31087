"""How diagnostics are shown: text, JSON and SARIF."""

import json

from mdle_marked import checked

TEXT = """plan p { until contact; loop forever;
  do { stop(); drive("far"); ahead() until contact; } }"""


def test_text_is_one_line_for_each_with_place_code_and_remedy():
    first, *rest = checked(TEXT).text('walk.mdle').splitlines()
    assert first == 'walk.mdle:4:22: E302 error: expected m, found str [p]'
    assert [line.split(': ')[1].split()[0] for line in rest] == ['W502', 'W603']
    assert checked('plan p { do { stop(); } }').text('walk.mdle') == ''


def test_json_holds_all_and_has_no_infinity():
    data = json.loads(json.dumps(checked(TEXT).to_json('walk.mdle'), allow_nan=False))
    assert (data['file'], data['ok'], data['entry']) == ('walk.mdle', False, 'p')
    error = data['diagnostics'][0]
    assert (error['line'], error['column'], error['code']) == (4, 22, 'E302')
    assert error['severity'] == 'error'
    assert data['bounds'] == {'p': {'time': None, 'path': None}}
    assert data['measures']['unbounded'] is True
    assert data['measures']['time'] is None


def test_sarif_names_the_rule_the_level_and_the_place():
    log = checked(TEXT).sarif('walk.mdle')
    assert json.loads(json.dumps(log)) == log
    assert log['version'] == '2.1.0'
    (run,) = log['runs']
    rules = [rule['id'] for rule in run['tool']['driver']['rules']]
    assert rules == ['E302', 'W502', 'W603']
    for result in run['results']:
        assert rules[result['ruleIndex']] == result['ruleId']
    first = run['results'][0]
    assert (first['ruleId'], first['level']) == ('E302', 'error')
    place = first['locations'][0]['physicalLocation']
    assert place['artifactLocation'] == {'uri': 'walk.mdle'}
    assert place['region'] == {'startLine': 4, 'startColumn': 22}
    assert first['locations'][0]['logicalLocations'] == [{'fullyQualifiedName': 'p'}]


def test_what_has_no_place_stands_at_the_beginning_and_information_is_a_note():
    (result,) = checked('atom stop() on none { timeout 1 s; }').sarif('f')['runs'][0]['results']
    assert result['level'] == 'note'


def test_elements_are_named_by_their_path():
    text = 'behavior b { do { (stop(); drive(1 m, speed=9 m/s)) times 2; } }\n'
    text += 'plan p { do { go: b(); } }'
    (error,) = checked(text).errors
    assert (error.code, error.element) == ('E403', 'p.go.group.drive')


def test_templates_of_the_texts():
    def said(text, code):
        return next(d.text for d in checked(text).diagnostics if d.code == code)

    assert said('plan p { do { spni(1 rad); } }', 'E201') == "'spni' is not defined; nearest: spin"
    assert said('const c = y.compass;', 'E202') == "robot 'scout' has no output 'compass'"
    assert said('const a = 1; const a = 2;', 'E203') == "'a' already defined at line 3, column 1"
    assert said('plan p { do { go_to(x); x = wait_motion(); } }', 'E204') == (
        "'x' may be unset here (path p)"
    )
    assert said('behavior a { do { b(); } } behavior b { do { a(); } }', 'E205') == (
        "'a' calls itself through b -> a; use loop"
    )
    assert said('plan p { do { drive(); } }', 'E301') == ("'drive' takes (d: m, speed: m/s = ...)")
    assert said('plan p { do { spin(90); } }', 'E303') == 'cannot use num where rad is required'
    assert said('atom a() on body2 { control [0 m/s] for 1 s; }', 'E401') == (
        "'a' on body2 needs 2 channels, found 1"
    )
    assert said('plan p { do { drive(1 m, 9 m/s); } }', 'E403').startswith('v = 9 m/s exceeds 0.')
    assert said('plan p { do { par all { drive(1 m); spin(1 rad); }; } }', 'E405') == (
        "'drive' and 'spin' both claim base"
    )
    assert said('plan p { do { hold(); } }', 'E501') == "'hold' can never end"
    assert said('plan p { do { ahead() until contact; } }', 'W502') == (
        "'ahead' ends only if contact"
    )
    assert said('plan p { until near(1 m); do { stop() until near(0.5 m); } }', 'W603') == (
        "'near(0.5 m)' is unreachable, shadowed by 'near(1 m)' at line 3, column 16"
    )
