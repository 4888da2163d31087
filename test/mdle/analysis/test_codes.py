"""AC-32: for every code a program that has it, at its place, and one that just has it not."""

import pytest
from mdle_marked import MARK, SCOUT, checked, found, marked, program_of

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.analysis.expression_types import STATES
from walking_robots.mdle.runtime.executor import RunPhase
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec

SIMULATION = scout_spec(real=False)
ONE_WAY = twist_spec(can_reverse=False)

# The code; a program with it, the place marked; near misses, which must not have it.
MEASURE = 'atom m(k: num = 1) -> (v: m) on none { timeout k * 1 s; emit v = 1 m; }\n'
CASES = {
    'E201 element': ('E201', 'plan p { do { »nowhere(); } }', 'plan p { do { stop(); } }'),
    'E201 module': (
        'E201',
        'plan p { do { »body2.nowhere(); } }',
        'plan p { do { body2.stop(); } }',
    ),
    'E201 name': (
        'E201',
        'plan p { do { drive(»way); } }',
        'const way = 1 m; plan p { do { drive(way); } }',
        'plan p(way: m = 1 m) { do { drive(way); } }',
    ),
    'E201 guard': (
        'E201',
        'plan p { until »bumped; do { stop(); } }',
        'plan p { until contact; do { stop(); } }',
    ),
    'E201 cause': (
        'E201',
        'plan p { until contact; »on interrupt(bumped) => done; do { stop(); } }',
        'plan p { until contact; on interrupt(contact) => done; do { stop(); } }',
    ),
    'E201 emit': (
        'E201',
        'atom a() on none { timeout 1 s; »emit x = 1; }',
        'atom a() -> (x: num) on none { timeout 1 s; emit x = 1; }',
    ),
    'E202': (
        'E202',
        'plan p { until »y.compass < 1 rad; do { stop(); } }',
        'plan p { until y.pose.x < 1 m; do { stop(); } }',
        'plan p { until y@other.compass < 1 rad; do { stop(); } }',
    ),
    'E202 of a module': (
        'E202',
        'plan p { do { drive(1 m) until »tilt(1 deg); } }',
        'plan p { until contact; do { stop() until near(1 m); } }',
    ),
    'E203 twice': (
        'E203',
        'const a = 1;\n»const a = 2;',
        'const a = 1;\nconst b = 2;',
    ),
    'E203 kinds': ('E203', 'const a = 1;\n»plan a { do { stop(); } }', 'const a = 1;'),
    'E203 parameters': (
        'E203',
        'plan p(a: m = 1 m, »a: m = 1 m) { do { drive(a); } }',
        'plan p(a: m = 1 m, b: m = 1 m) { do { drive(a); } }',
    ),
    'E203 imports': (
        'E203',
        'import one; import other; plan p { do { »twice(); } }',
        'import one; import other; plan p { do { lone(); } }',
        'import one; import other; plan p { do { other.twice(); } }',
    ),
    'E203 aliases': (
        'E203',
        'import one as a; »import other as a;',
        'import one as a; import other as b;',
    ),
    'E204 order': (
        'E204',
        'plan p { do { go_to(»target); target = wait_motion(); } }',
        'plan p { do { target = wait_motion(); go_to(target); } }',
    ),
    'E204 branch': (
        'E204',
        'plan p { do { if contact { target = wait_motion(); }; go_to(»target); } }',
        'plan p { do { if contact { target = wait_motion(); }'
        ' else { target = wait_motion(); }; go_to(target); } }',
    ),
    'E204 cut': (
        'E204',
        'plan p { do { (stop(); target = wait_motion()) until contact; go_to(»target); } }',
        'plan p { do { (target = wait_motion(); stop()) timeout 9 s => next; go_to(target); } }',
        'plan p { do { (stop(); target = wait_motion()) until contact => fail; go_to(target); } }',
    ),
    'E204 step': (
        'E204',
        'plan p { do { target = wait_motion() until contact; go_to(»target); } }',
        'plan p { do { target = wait_motion() until contact => fail; go_to(target); } }',
        'plan p { do { target = wait_motion() timeout 2 s; go_to(target); } }',
        'plan p { do { target = wait_motion() until contact => retry 2; go_to(target); } }',
    ),
    'E204 Python': (
        'E204',
        'plan p { do { a = ask_operator("?") timeout 9 s; log(»a); } }',
        'plan p { do { a = ask_operator("?") timeout 9 s => fail; log(a); } }',
    ),
    'E204 behavior': (
        'E204',
        'behavior b -> (target: point) { do { wait_motion(); } }\n'
        'plan p { do { a = b() timeout 2 s => next; go_to(»a); } }',
        'behavior b -> (target: point) { do { wait_motion(); } }\n'
        'plan p { do { a = b() timeout 2 s; go_to(a); } }',
    ),
    'E204 par any': (
        'E204',
        'plan p { do { par any { target = wait_motion(); log("x"); }; go_to(»target); } }',
        'plan p { do { par all { target = wait_motion(); log("x"); }; go_to(target); } }',
        'plan p { do { par any { target = wait_motion(); }; go_to(target); } }',
    ),
    'E204 handled': (
        'E204',
        'behavior b -> (target: point) { timeout 9 s; do { wait_motion(); } }\n'
        'plan p { on fail => next; do { a = b(); go_to(»a); } }',
        'behavior b -> (target: point) { timeout 9 s; do { wait_motion(); } }\n'
        'plan p { on fail => restart; timeout 9 s => done; do { a = b(); go_to(a); } }',
        'plan p { on fail => next; do { a = wait_motion(); go_to(a); } }',
    ),
    'E204 ended': (
        'E204',
        'behavior b -> (»target: point) { until contact => done; do { wait_motion(); } }',
        'behavior b -> (target: point) { until contact => fail; do { wait_motion(); } }',
        'behavior b -> (target: point) { timeout 9 s => done; do { wait_motion(); } }',
        'behavior b(target: point) -> (target: point) { until contact; do { wait_motion(); } }',
    ),
    'E204 while': (
        'E204',
        'behavior b -> (»target: point) { loop while contact; do { wait_motion(); } }',
        'behavior b -> (target: point) { loop 2; do { wait_motion(); } }',
    ),
    'E204 guard': (
        'E204',
        'plan p { until at(»target); do { target = wait_motion(); } }',
        'plan p { do { target = wait_motion(); drive(1 m) until at(target); } }',
    ),
    'E204 emit': (
        'E204',
        'atom a() -> (»x: num) on none { timeout 1 s; }',
        'atom a() -> (x: num) on none { timeout 1 s; emit x = 1; }',
    ),
    'E204 outputs': (
        'E204',
        'behavior b -> (»target: point) { do { stop(); } }',
        'behavior b -> (target: point) { do { wait_motion(); } }',
    ),
    'E204 blackboard': (
        'E204',
        'plan p { do { drive(1 m) until »bb.found > 0; } }',
        'plan p { do { set("found", 1); drive(1 m) until bb.found > 0; } }',
        'plan p { do { x = wait_motion(); drive(1 m) until at(bb.x); } }',
    ),
    'E205': (
        'E205',
        'behavior a { do { stop(); »b(); } }\nbehavior b { do { a(); } }',
        'behavior a { do { stop(); b(); } }\nbehavior b { do { stop(); } }',
    ),
    'E205 itself': (
        'E205',
        'plan a { do { stop(); »a(); } }',
        'plan a { loop 3; do { stop(); } }',
    ),
    'E205 interrupts': (
        'E205',
        'interrupt a = »b;\ninterrupt b = not a;',
        'interrupt a = b;\ninterrupt b = not contact;',
    ),
    'E205 name of an output': (
        'E205',
        'plan target { do { »target(); } }',
        'plan target { do { target = wait_motion(); go_to(target); } }',
    ),
    'E206': ('E206', '»import absent;', 'import one;'),
    'E206 circle': ('E206', '»import hen;', 'import other;'),
    'E206 inside': ('E206', '»import broken;', 'import one;'),
    'E301 many': ('E301', 'plan p { do { stop(»1 m); } }', 'plan p { do { stop(); } }'),
    'E301 name': (
        'E301',
        'plan p { do { drive(1 m, »spede=1 m/s); } }',
        'plan p { do { drive(1 m, speed=0.1 m/s); } }',
    ),
    'E301 twice': (
        'E301',
        'plan p { do { drive(1 m, »d=1 m); } }',
        'plan p { do { drive(d=1 m); } }',
    ),
    'E301 missing': ('E301', 'plan p { do { »drive(); } }', 'plan p { do { drive(1 m); } }'),
    'E301 function': ('E301', 'const a = »sat();', 'const a = sat(3);'),
    'E302': (
        'E302',
        'plan p { do { drive(»"far"); } }',
        'plan p { do { drive(0); } }',
        'plan p { do { go_to(y.pose); } }',
    ),
    'E302 kind': ('E302', 'plan p { do { »contact(); } }', 'plan p { do { stop(); } }'),
    'E302 function': ('E302', 'plan p { do { »sat(1); } }', 'plan p { do { stop(); } }'),
    'E302 condition': (
        'E302',
        'plan p { do { if »y.battery { stop(); }; } }',
        'plan p { do { if y.battery < 0.5 { stop(); }; } }',
    ),
    'E302 no output': (
        'E302',
        'plan p { do { »x = stop(); } }',
        'plan p { do { x = wait_motion(); } }',
    ),
    'E302 part': ('E302', 'const a = »y.pose.z;', 'const a = y.pose.x;'),
    'E302 law': (
        'E302',
        'atom a(p: point) on wheels2 { control »pursue(y.pose, p, 0.2 m/s); timeout 1 s; }',
        'atom a(p: point) on body2 { control pursue(y.pose, p, 0.2 m/s); timeout 1 s; }',
    ),
    'E302 type': (
        'E302',
        'plan p(»v: m/h = 0) { do { stop(); } }',
        'plan p(v: m/s = 0) { do { stop(); } }',
    ),
    'E302 word of the library': (
        'E302',
        'plan p { do { align_wall(0.5 m, »"lft") timeout 9 s; } }',
        'plan p(s: wall_side = "left") { do { align_wall(0.5 m, s) timeout 9 s; } }',
        'plan p(s: str = "left") { do { if s == "left" { trace("left") timeout 9 s; }; } }',
        'plan p { do { align_wall(0.5 m, "right") timeout 9 s; } }',
        'atom a(side: mine = "lft") on none { timeout 1 s; }',
    ),
    'E302 word of a constant': (
        'E302',
        'const s = "up"; plan p { do { trace(»s) timeout 9 s; } }',
        'const s = "left"; plan p { do { trace(s) timeout 9 s; } }',
    ),
    'E302 word of a law': (
        'E302',
        'atom a() on body2 { control align_to_wall(0.5 m, »"up"); timeout 9 s; }',
        'atom a(s: wall_side) on body2 { control align_to_wall(0.5 m, s); timeout 9 s; }',
    ),
    'E302 word of a state': (
        'E302',
        'plan p { until y@alpha.state == »"dne"; do { stop(); } }',
        'plan p(s: str = "dne") { until y@alpha.state == s; do { stop(); } }',
        'plan p { until "done" == y@alpha.state; do { stop(); } }',
    ),
    'E303': (
        'E303',
        'plan p { do { spin(»90); } }',
        'plan p { do { spin(90 deg); } }',
        'plan p { do { spin(0); } }',
        'plan p { timeout inf; do { spin(-0); } }',
    ),
    'E303 sum': ('E303', 'const a = 1 m + »1 s;', 'const a = 1 m + 2 cm - 0;'),
    'E303 comparison': (
        'E303',
        'plan p { until y.pose.heading > »90; do { stop(); } }',
        'plan p { until y.pose.heading > 90 deg; do { stop(); } }',
    ),
    'E303 requirement': (
        'E303',
        'plan p { requires y.battery > »1 m; do { stop(); } }',
        'plan p { requires y.battery > 0.3, not contact; do { stop(); } }',
    ),
    'E303 control': (
        'E303',
        'atom a() on body2 { control [0.1 m/s, »0.1 m/s] for 1 s; }',
        'atom a() on body2 { control [0.1 m/s, 0.1 rad/s] for 1 s; }',
    ),
    'E303 function': ('E303', 'const a = sin(»90);', 'const a = sin(90 deg) + max(0, 1);'),
    'E304': (
        'E304',
        'plan p { until »y.battery; do { stop(); } }',
        'plan p { until y.battery < 0.1; do { stop(); } }',
    ),
    'E304 impure': (
        'E304',
        'plan p { until »stop(); do { stop(); } }',
        'plan p { until contact; do { stop(); } }',
    ),
    'E304 law': (
        'E304',
        'law l() on body2 = [0 m/s, 0 rad/s];\nplan p { until »l(); do { stop(); } }',
        'law l() on body2 = [0 m/s, 0 rad/s];\natom a() on body2 { control l(); timeout 1 s; }',
    ),
    'E401': (
        'E401',
        'atom a() on body2 { control [»0.1 m/s] for 1 s; }',
        'atom a() on wheels2 { control [0.1 m/s, 0.1 m/s] for 1 s; }',
    ),
    'E401 none': (
        'E401',
        '»atom a() on body2 { timeout 1 s; }',
        'atom a() on none { timeout 1 s; }',
    ),
    'E401 scale': (
        'E401',
        'plan p { do { »scale [2] : drive(0.1 m, 0.1 m/s); } }',
        'plan p { do { scale [2, 2] : drive(0.1 m, 0.1 m/s); } }',
        'atom a() on none { timeout 1 s; } plan p { do { scale [2] : a(); } }',
    ),
    'E402': (
        'E402',
        '»atom a() on body3 { control [0 m/s, 0 m/s, 0 rad/s] for 1 s; }',
        'atom a() on wheels2 { control [0 m/s, 0 m/s] for 1 s; }',
    ),
    'E403': (
        'E403',
        'atom a() on body2 { control [»5 m/s, 0 rad/s] for 1 s; }',
        'atom a() on body2 { control [0.5 m/s, 0 rad/s] for 1 s; }',
        'atom a() on body2 { control [5 * sin(y.pose.heading) * 1 m/s, 0 rad/s] for 1 s; }',
    ),
    'E403 of a module': (
        'E403',
        'plan p { do { »drive(1 m, speed=5 m/s); } }',
        'plan p { do { drive(1 m, speed=0.5 m/s); } }',
    ),
    'E405': (
        'E405',
        'plan p { do { par all { drive(1 m); »spin(1 rad); }; } }',
        'plan p { do { par all { drive(1 m); log("on my way"); }; } }',
    ),
    'E403 with a scale': (
        'E403',
        'plan p { do { scale [0.5, 1] : »drive(1 m, speed=5 m/s); } }',
        'plan p { do { scale [0.01, 1] : drive(1 m, speed=5 m/s); } }',
    ),
    'E405 names': (
        'E405',
        'atom m() -> (g: m) on none { timeout 1 s; emit g = 1 m; }\n'
        'plan p { do { par all { a = m(); »(stop(); a = m()); }; } }',
        'atom m() -> (g: m) on none { timeout 1 s; emit g = 1 m; }\n'
        'plan p { do { par all { a = m(); b = m(); }; } }',
        'atom m() -> (g: m) on none { timeout 1 s; emit g = 1 m; }\n'
        'plan p { do { par any { a = m(); a = m(); }; a = m(); } }',
    ),
    'E406': (
        'E406',
        'atom a() on body2 { control [0 m/s, 0 rad/s] for »0 s; }',
        'atom a() on body2 { control [0 m/s, 0 rad/s] for 0.1 s; }',
        'plan p { do { drive(0 m); } }',
    ),
    'E406 endless': (
        'E406',
        'atom a() on body2 { control [0 m/s, 0 rad/s] for »inf; }',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; timeout inf; until contact; }',
    ),
    'E406 without speed': (
        'E406',
        'plan p { do { »drive(0.1 m, 0 m/s); } }',
        'plan p(v: m/s = 0 m/s) { do { if v > 0 m/s { drive(0.1 m, 0.1 m/s); }; } }',
        'plan p { do { drive(0 m); } }',
    ),
    'E406 endless scale': (
        'E406',
        'plan p { do { »scale [1, 1] time inf : drive(0.1 m); } }',
        'plan p { do { scale [1, 1] time inf : (ahead() timeout 1 s); } }',
        'plan p { do { scale [1, 1] time 1e3 : drive(0.1 m); } }',
    ),
    'E406 of a module': (
        'E406',
        'plan p { do { »drive(1 m, speed=-0.2 m/s); } }',
        'plan p { do { drive(-1 m); } }',
    ),
    'W407': (
        'W407',
        'plan p { do { ahead(0.3 m/s) until »near(0.3 m) timeout 9 s; } }',
        'plan p { do { ahead(0.3 m/s) until near(0.5 m) timeout 9 s; } }',
        'plan p { do { ahead(-0.3 m/s) until near(0.3 m) timeout 9 s; } }',
        'plan p { do { ahead(0.3 m/s) until y.sonar[4] < 0.2 m timeout 9 s; } }',
        'plan p { do { spin(1 rad) until near(0.2 m); } }',
    ),
    'W409': (
        'W409',
        'plan p { do { »scale [4, 4] time 0.25 : drive(1 m); } }',
        'plan p { do { scale [2, 2] time 0.5 : drive(1 m); } }',
    ),
    'E501': (
        'E501',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; }\nplan p { do { »a(); } }',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; }\nplan p { do { a() timeout 1 s; } }',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; }\nplan p { timeout 1 s; do { a(); } }',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; until contact; }\nplan p { do { a(); } }',
        'atom a() on body2 { control [0 m/s, 0 rad/s]; until t > 1 s; }\nplan p { do { a(); } }',
        'atom a() on body2 { control [0 m/s, 0 rad/s] for 1 s; }\nplan p { do { a(); } }',
    ),
    'E501 loop': (
        'E501',
        'plan p { do { stop() »times forever; } }',
        'plan p { loop forever; do { stop(); } }',
    ),
    'W502': (
        'W502',
        'plan p { do { »ahead(0.1 m/s) until contact; } }',
        'plan p { do { ahead(0.1 m/s) until contact timeout 9 s; } }',
        'plan p { do { ahead(0.1 m/s) until contact timeout inf; } }',
    ),
    'W502 loop': (
        'W502',
        'behavior b { until contact; »loop forever; do { stop(); } }\nplan p { do { b(); } }',
        'behavior b { until contact; loop 9; do { stop(); } }\nplan p { do { b(); } }',
        'plan b { until contact; loop forever; do { stop(); } }',
    ),
    'W503': (
        'W503',
        'plan p { »loop forever; do { log("again"); } }',
        'plan p { loop forever; do { log("again"); stop(); } }',
        'plan p { loop 9; do { log("again"); } }',
    ),
    'W504': (
        'W504',
        'plan p { do { hold() timeout »0.01 s; } }',
        'plan p { do { hold() timeout 0.05 s; } }',
    ),
    'W502 finally': (
        'W502',
        'behavior c { »loop forever; timeout inf; do { wait(1 s); log("x"); } }\n'
        'plan p { finally c(); do { stop(); } }',
        'behavior c { loop forever; timeout 9 s; do { wait(1 s); log("x"); } }\n'
        'plan p { finally c(); do { stop(); } }',
        'behavior c { loop forever; timeout inf; do { wait(1 s); log("x"); } }\n'
        'plan p { timeout 9 s => done; do { c(); } }',
    ),
    'W408 finally': (
        'W408',
        'plan p { finally »drive(-0.1 m); do { stop(); } }',
        'behavior b { finally drive(-0.1 m); do { stop(); } }\n'
        'plan p { until contact => fail "c"; do { b(); } }',
        'plan p { finally stop(); do { stop(); } }',
    ),
    'E608 fault': (
        'E608',
        'plan p { »on fault => run drive(1 m); do { stop(); } }',
        'plan p { on fault => run log("x"); do { stop(); } }',
        'plan p { on fault => run stop(); do { stop(); } }',
    ),
    'E608 general': (
        'E608',
        'plan p { on fail => next; »on fail("x") => done; do { stop() until contact => fail; } }',
        'atom f() on none { timeout 1 s => fail "x"; }\n'
        'plan p { on fail("x") => done; on fail => next; do { f(); } }',
    ),
    'E406 timeout': (
        'E406',
        'plan p { do { stop() timeout »-1 s; } }',
        'plan p { do { stop() timeout 1 s; } }',
    ),
    'E406 hold': (
        'E406',
        'interrupt i = y.pose.x > 0.1 m with hold inf;\nplan p { do { drive(1 m) until »i; } }',
        'interrupt i = y.pose.x > 0.1 m with hold 1 s;\nplan p { do { drive(1 m) until i; } }',
    ),
    'E406 debounce': (
        'E406',
        'interrupt i = y.pose.x > 0.1 m with debounce -1 s;\n'
        'plan p { do { drive(1 m) until »i; } }',
        'interrupt i = y.pose.x > 0.1 m with debounce 0 s;\nplan p { do { drive(1 m) until i; } }',
    ),
    'E206 extern': (
        'E206',
        '»law l() on body2 extern "foo:bar";',
        'law l(speed: m/s) on body2 extern "std.body2.along_corridor";',
    ),
    'E301 extern': (
        'E301',
        '»law l(fast: m/s) on body2 extern "std.body2.along_corridor";',
        'law l(speed: m/s = 1 m/s) on body2 extern "std.body2.along_corridor";',
    ),
    'E402 extern': (
        'E402',
        '»law l(speed: m/s) on wheels2 extern "std.body2.along_corridor";',
        'law l(speed: m/s) on body2 extern "std.body2.along_corridor";',
    ),
    'E203 given': ('E203', '»const y = 2 m;', 'const why = 2 m;'),
    'E302 any word': (
        'E302',
        'behavior w(side: str = "left") { do { trace(»side) timeout 9 s; } }\n'
        'plan p { do { w(); w("lefty"); } }',
        'behavior w(side: wall_side = "left") { do { trace(side) timeout 9 s; } }\n'
        'plan p { do { w(); w("right"); } }',
        'const a = "left"; const b = a; plan p { do { trace(b) timeout 9 s; } }',
    ),
    'E302 any word of an output': (
        'E302',
        'atom m() -> (side: str) on none { timeout 1 s; emit side = "left"; }\n'
        'plan p { do { m(); trace(»side) timeout 9 s; } }',
        'atom m() -> (side: wall_side) on none { timeout 1 s; emit side = "left"; }\n'
        'plan p { do { m(); trace(side) timeout 9 s; } }',
    ),
    'E204 of no time': (
        'E204',
        MEASURE + 'plan p { do { w = m(0); drive(»w); } }',
        MEASURE + 'plan p { do { w = m(); drive(w); } }',
        MEASURE + 'plan p(k: num = 0) { do { w = m(k); drive(w); } }',
    ),
    'E204 of a step of no time': (
        'E204',
        MEASURE + 'plan p { do { (w = m()) timeout 0 s => fail; drive(»w); } }',
        MEASURE + 'plan p { do { (w = m()) timeout 1 s => fail; drive(w); } }',
    ),
    'E204 in a scale of no time': (
        'E204',
        MEASURE + 'plan p { do { scale [1, 1] time 0: (w = m()); drive(»w); } }',
        MEASURE + 'plan p { do { scale [1, 1] time 0.5: (w = m()); drive(w); } }',
    ),
    'E204 of a behavior of no time': (
        'E204',
        MEASURE + 'behavior b() -> (»v: m) { timeout 0 s => next; do { m(); } }',
        MEASURE + 'behavior b() -> (v: m) { timeout 1 s => next; do { m(); } }',
    ),
    'E203 given to a parameter': (
        'E203',
        'plan p(»y: num = 2) { do { stop(); } }',
        'plan p(why: num = 2) { do { stop(); } }',
    ),
    'E203 given to an output': (
        'E203',
        'atom m() -> (»bb: m) on none { timeout 1 s; emit bb = 1 m; }',
        'atom m() -> (b: m) on none { timeout 1 s; emit b = 1 m; }',
    ),
    'E203 given to what a step gives': (
        'E203',
        'atom m() -> (d: m) on none { timeout 1 s; emit d = 1 m; } plan p { do { (»t = m()); } }',
        'atom m() -> (d: m) on none { timeout 1 s; emit d = 1 m; } plan p { do { t1 = m(); } }',
    ),
    'E203 given to a module': ('E203', '»import one as y0;', 'import one as y1;'),
    'E302 outputs': (
        'E302',
        'atom look() -> (a: num, b: num) on none { timeout 1 s; emit a = 1; emit b = 2; }\n'
        'plan p { do { »seen = look(); } }',
        'atom look() -> (a: num, b: num) on none { timeout 1 s; emit a = 1; emit b = 2; }\n'
        'plan p { do { b = look(); look(); drive(a * 1 m); } }',
    ),
    'E505': (
        'E505',
        'plan p { timeout 9 s; do { hold(); »stop(); } }',
        'plan p { timeout 9 s; do { hold() until contact; stop(); } }',
        'plan p { timeout 9 s; do { stop(); hold(); } }',
    ),
    'E601': (
        'E601',
        'plan p { until »y.battery > 2; do { stop(); } }',
        'plan p { until y.battery > 0.9; do { stop(); } }',
    ),
    'E601 edge': (
        'E601',
        'interrupt e = true with edge; plan p { until »e; do { stop(); } }',
        'interrupt e = contact with edge; plan p { until e; do { stop(); } }',
    ),
    'E602': (
        'E602',
        'plan p { until »y.battery >= 0; do { stop(); } }',
        'plan p { until y.battery > 0; do { stop(); } }',
    ),
    'W603': (
        'W603',
        'plan p { until near(1 m); do { drive(1 m) until »near(0.5 m); } }',
        'plan p { until near(0.5 m); do { drive(1 m) until near(1 m); } }',
        'plan p { until near(1 m, 180 deg); do { drive(1 m) until near(0.5 m); } }',
    ),
    'W603 order': (
        'W603',
        'plan p { until near(1 m); until »near(0.5 m); do { drive(1 m); } }',
        'plan p { until near(0.5 m); until near(1 m); do { drive(1 m); } }',
    ),
    'W603 contact': (
        'W603',
        'plan p { until contact; do { drive(1 m) until »contact; } }',
        'plan p { until front_contact; do { drive(1 m) until contact; } }',
        # The default guard stands back where an element watches contact itself.
        'plan p { do { drive(1 m) until contact; } }',
    ),
    'W604': (
        'W604',
        'interrupt late = contact with hold 9 s; plan p { do { drive(0.1 m) until »late; } }',
        'interrupt late = contact with hold 9 s; plan p { do { drive(4 m) until late; } }',
        # A scale that is written on a behavior stretches its timer, too.
        'interrupt late = contact with hold 9 s;'
        ' behavior b { until late; timeout 4 s => next; do { stop() times 30; } }'
        ' plan p { do { scale [1, 1] time 3: b(); } }',
    ),
    'W605': (
        'W605',
        'plan p { timeout »2 s; do { drive(1 m); stop(); } }',
        'plan p { timeout 9 s; do { drive(1 m); stop(); } }',
        'plan p { timeout 2 s; do { ahead() timeout 1 s; stop(); } }',
        # A scale that is written on a step stretches its timer, too.
        'plan p { do { scale [1, 1] time 2: (drive(1 m); stop()) timeout 6 s; } }',
        # A way back does not wait where the way there has waited.
        'plan p { timeout 6 s; do { drive(0.1 m); wait(4 s); reverse last; stop(); } }',
        'atom nap() on none { timeout 4 s; } behavior b { do { drive(0.1 m); nap(); } }'
        ' plan p { timeout 6 s; do { b(); reverse b(); stop(); } }',
    ),
    'W606': (
        'W606',
        'plan p { until »y.pose.x == 1 m; do { stop(); } }',
        'plan p { until y.pose.x > 1 m; do { stop(); } }',
        'plan p { until y.bumper.bits == 4; do { stop(); } }',
    ),
    'W606 not': (
        'W606',
        'plan p { until »y.battery != 0.5; do { stop(); } }',
        'const a = 1; plan p { do { if a == 1 { stop(); }; } }',
    ),
    'W607': (
        'W607',
        'plan p { until »y.sonar[0] < 0.5 m; do { stop(); } }',
        'plan p { until y.pose.x < 0.5 m; do { stop(); } }',
    ),
    'E608 of several': (
        'E608',
        'plan p { until contact or y.pose.x > 1 m; »on interrupt(contact) => done; '
        'do { stop(); } }',
        'interrupt i = contact or y.pose.x > 1 m;\n'
        'plan p { until i; on interrupt(i) => done; do { stop(); } }',
        'interrupt i = contact; interrupt j = i;\n'
        'plan p { until j; on interrupt(contact) => done; do { stop(); } }',
        'import std.body2 as b; plan p { until b.contact; on interrupt(contact) => done; '
        'do { stop(); } }',
    ),
    'E608 with filters': (
        'E608',
        'interrupt i = contact with hold 1 s; interrupt j = i with hold 1 s;\n'
        'plan p { until j; »on interrupt(contact) => done; do { drive(1 m); } }',
        'interrupt i = contact with hold 1 s; interrupt j = i;\n'
        'plan p { until j; on interrupt(i) => done; do { drive(1 m); } }',
    ),
    'E608': (
        'E608',
        'plan p { »on timeout => done; do { drive(1 m) until contact; } }',
        'plan p { on fault => run stop(); do { stop(); } }',
        'plan p { timeout 1 min; on timeout => done; do { stop(); } }',
    ),
    'E608 behind retry': (
        'E608',
        'plan p { »on fail("late") => done; do { stop() until contact => retry 2; } }',
        'plan p { on fail("contact") => done; do { stop() until contact => retry 2; } }',
    ),
    'E608 beside Python': (
        'E608',
        'plan p { »on fail("late") => done; do { log("x"); stop() until contact => fail "h"; } }',
        'plan p { on fail("late") => done; do { ask_operator("late?"); } }',
    ),
    'E608 of what is consumed inside': (
        'E608',
        'behavior b { on fail("hit") => next; do { stop() until contact => fail "hit"; } }\n'
        'plan p { »on fail("hit") => done; do { b(); } }',
        'behavior b { on fail("hit") => fail; do { stop() until contact => fail "hit"; } }\n'
        'plan p { on fail("hit") => done; do { b(); } }',
        'behavior b { on fail("x") => next; do { stop() until contact => fail "x"; spin(1 rad)'
        ' until contact => fail "hit"; } }\n'
        'plan p { on fail("hit") => done; do { b(); } }',
    ),
    'E608 of the blackboard': (
        'E608',
        'plan p { »on fail("x") => next; do { set("x", 1); drive(1 m); } }',
        'plan p { on fail("x") => next; do { set("x", 1); drive(bb.x * 1 m); } }',
    ),
    'E608 of the timer of an atom': (
        'E608',
        'plan p { »on timeout => done; do { stop() timeout 1 s; } }',
        'plan p { on timeout => done; do { (stop()) timeout 1 s; } }',
    ),
    'E608 of an interrupt consumed inside': (
        'E608',
        'behavior b { do { stop() until contact; } }\n'
        'plan p { »on interrupt(contact) => done; do { b(); } }',
        'behavior b { until contact; do { stop(); } }\n'
        'plan p { on interrupt(contact) => done; do { b(); } }',
    ),
    'W407 of a law of the library': (
        'W407',
        'plan p { do { follow_wall(speed=0.4 m/s) until »near(0.3 m) timeout 9 s; } }',
        'plan p { do { follow_wall(speed=0.1 m/s) until near(0.3 m) timeout 9 s; } }',
        'plan p { do { align_wall() until near(0.3 m) timeout 9 s; } }',
    ),
    'E608 text': (
        'E608',
        'plan p { »on fail("slow") => done; do { stop() timeout 1 s => fail "late"; } }',
        'plan p { on fail("late") => done; do { stop() timeout 1 s => fail "late"; } }',
        'plan p { on fail("timeout") => done; do { (stop()) timeout 1 s; } }',
        'plan p { on fail("contact") => done; do { stop() until contact => fail; } }',
    ),
    'E608 interrupt': (
        'E608',
        'plan p { »on interrupt(near) => done; do { stop() until contact; } }',
        'plan p { on interrupt(contact) => done; do { stop() until contact; } }',
    ),
    'E608 twice': (
        'E608',
        'plan p { on fail => done; »on fail => next; do { stop() until contact => fail; } }',
        'plan p { on fail => done; on fault => run stop(); do { stop() until contact => fail; } }',
    ),
    'E701 feedback': (
        'E701',
        'plan p { do { reverse »orient(point(1 m, 0 m)); } }',
        'plan p { do { orient(point(1 m, 0 m)); reverse last; } }',
    ),
    'E701 irreversible': (
        'E701',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; irreversible; }\n'
        'plan p { do { a(); »reverse last; } }',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
        'plan p { do { a(); reverse last; } }',
    ),
    'E701 choice': (
        'E701',
        'behavior b { do { if contact { drive(1 m); }; } }\nplan p { do { reverse »b(); } }',
        'behavior b { do { drive(1 m); } }\nplan p { do { reverse b(); } }',
    ),
    'E701 parallel': (
        'E701',
        'atom w() on none { timeout 1 s; }\n'
        'behavior b { do { par all { drive(1 m); w(); }; } }\nplan p { do { reverse »b(); } }',
        'behavior b { do { (drive(1 m); spin(1 rad)) times 2; } }\nplan p { do { reverse b(); } }',
    ),
    'E701 loop': (
        'E701',
        'behavior b { loop forever; do { drive(1 m); } }\nplan p { do { reverse »b(); } }',
        'behavior b { loop 3; do { drive(1 m); } }\nplan p { do { reverse b(); } }',
    ),
    'E401 scale in a way back': (
        'E401',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
        'behavior b { do { »scale [2] : a(); } }\nplan p { do { reverse b(); } }',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
        'behavior b { do { scale [2, 2] : a(); } }\nplan p { do { reverse b(); } }',
    ),
    'E705 time in a way back': (
        'E705',
        'behavior b { do { scale [1, 1] time »-1 : drive(1 m); } }\n'
        'plan p { do { reverse b(); } }',
        'behavior b { do { scale [1, 1] time 1 : drive(1 m); } }\nplan p { do { reverse b(); } }',
    ),
    'E702': (
        'E702',
        'plan p { do { »reverse last; } }',
        'plan p { do { drive(1 m); reverse last; } }',
    ),
    'E702 group': (
        'E702',
        'plan p { do { drive(1 m); (»reverse last; stop()) times 2; } }',
        'plan p { do { (drive(1 m); reverse last) times 2; } }',
    ),
    'E703': (
        'E703',
        'behavior b { on fail => done; do { drive(1 m) until contact => fail; } }\n'
        'plan p { do { reverse »b(); } }',
        'behavior b { do { drive(1 m) until contact => fail; } }\nplan p { do { reverse b(); } }',
    ),
    'E704': (
        'E704',
        'import outside;\nbehavior b { do { drive(1 m); ask(); } }\n'
        'plan p { do { reverse »b(); } }',
        'import outside;\nbehavior b { do { drive(1 m); mark(); } }\n'
        'plan p { do { b(); reverse last; } }',
    ),
    'E705 time': (
        'E705',
        'plan p { do { scale [1, 1] time »-1 : drive(1 m); } }',
        'plan p { do { scale [-1, 1] time 1 : drive(1 m); } }',
    ),
    'E705 irreversible': (
        'E705',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; irreversible; }\n'
        'plan p { do { scale [»-1, 1] : a(); } }',
        'atom a() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; irreversible; }\n'
        'plan p { do { scale [2, 1] : a(); } }',
    ),
    'E801 index': (
        'E801',
        'plan p { until y.sonar[»16] < 1 m; do { stop(); } }',
        'plan p { until y.sonar[15] < 1 m; do { stop(); } }',
    ),
    'E801 constant': (
        'E801',
        'const i = 16; plan p { until y.sonar[»i] < 1 m; do { stop(); } }',
        'const i = 16; plan p(i: num = 1) { until y.sonar[i] < 1 m; do { stop(); } }',
    ),
    'E801 slice': (
        'E801',
        'plan p { until min(y.sonar[»5 .. 3]) < 1 m; do { stop(); } }',
        'plan p { until min(y.sonar[3 .. 5]) < 1 m; do { stop(); } }',
    ),
    'E801 part of one': (
        'E801',
        'plan p { until y.sonar[»1.5] < 1 m; do { stop(); } }',
        'plan p { until y.sonar[1] < 1 m; do { stop(); } }',
    ),
}


@pytest.mark.parametrize('case', CASES)
def test_ac32_a_code_is_found_at_its_place(case):
    code, wrong, *_ = CASES[case]
    assert (code, marked(wrong)) in found(wrong)


@pytest.mark.parametrize('case', CASES)
def test_ac32_what_is_nearly_wrong_is_not_refused(case):
    code, _, *right = CASES[case]
    assert right
    for text in right:
        said = [d.line('p') for d in checked(text).diagnostics if d.severity != 'information']
        assert not [line for line in said if f' {code} ' in line], text


@pytest.mark.parametrize('case', CASES)
def test_nothing_else_is_wrong(case):
    code, wrong, *right = CASES[case]
    errors = checked(wrong).errors
    assert {d.code for d in errors} <= {code}
    assert all(d.text and d.place.line > 0 and d.place.column > 0 for d in errors)
    for text in right:
        assert [d.line('p') for d in checked(text).errors] == []


def test_the_states_of_a_partner_are_those_that_an_executor_publishes():
    assert {*STATES} == {phase.name.lower() for phase in RunPhase} | {'done'}


def test_the_choices_of_a_word_are_reported():
    (said,) = checked('plan p { do { trace("lft") timeout 9 s; } }').errors
    assert said.text == '"lft" is none of "left" or "right"'
    assert said.hint == 'write "left" or "right"'


def test_every_code_of_the_checker_is_tested():
    static = 'E201 E202 E203 E204 E205 E206 E301 E302 E303 E304 E401 E402 E403 E404 E405 E406'
    static += ' W407 W408 W409 E501 W502 W503 W504 E505 E601 E602 W603 W604 W605 W606 W607'
    static += ' E608 E701 E702 E703 E704 E705 E801'
    elsewhere = {'E404', 'W408'}
    assert {case[0] for case in CASES.values()} | elsewhere == set(static.split())


def test_ac32_e404_the_convention_of_the_report_never_reaches_a_robot():
    text = '»plan p { do { stop(); } }'
    assert ('E404', marked(text)) in found(text, convention='report')
    assert found(text, convention='ros') == []
    assert found(text, SIMULATION, convention='report') == []


def test_ac32_w408_a_robot_that_moves_feels_contact_on_some_level():
    text = 'plan p { do { »drive(1 m); } }'
    assert found(text, default_guard=False) == [('W408', marked(text))]
    assert found(text) == []
    assert found(text, twist_spec()) == [('W408', marked(text))]
    assert found(text, SIMULATION, default_guard=False) == []
    guarded = 'plan p { until contact; do { drive(1 m); } }'
    assert found(guarded, default_guard=False) == []
    still = 'plan p { do { stop(); } }'
    assert found(still, default_guard=False) == []


def test_w408_what_answers_a_contact_needs_no_guard_itself():
    answer = 'on fail("contact") => run »back_off() then next;'
    text = 'behavior b { until contact => fail "contact"; do { drive(1 m); } }\n'
    text += f'plan p {{ {answer} do {{ b(); }} }}'
    assert [code for code, _ in found(text) if code == 'W408'] == []


def test_w408_only_an_answer_to_a_contact_is_excused():
    text = 'behavior b { until y.pose.x > 1 m => fail "lost contact"; do { stop(); } }\n'
    text += 'plan p { on fail("lost contact") => run »drive(-0.1 m) then next; do { b(); } }'
    assert ('W408', marked(text)) in found(text, default_guard=False)
    text = text.replace('lost contact', 'contact')
    assert 'W408' not in {code for code, _ in found(text, default_guard=False)}


def test_w605_names_the_one_element_that_is_cut_off():
    (one,) = checked('plan p { do { (drive(1 m)) timeout 2 s; } }').diagnostics
    assert one.text == "the timer of 2 s always cuts off 'drive', which takes 5 s at least"
    (several,) = checked('plan p { do { (drive(1 m); stop()) timeout 2 s; } }').diagnostics
    assert several.text.endswith('that the steps take at least: later children unreachable')


def test_e701_and_e705_ask_whether_the_robot_goes_backwards():
    way_back = 'plan p { do { drive(1 m); »reverse last; } }'
    assert ('E701', marked(way_back)) in found(way_back, ONE_WAY)
    negative = 'plan p { do { scale [»-1, 1] : drive(1 m); } }'
    assert ('E705', marked(negative)) in found(negative, ONE_WAY)
    assert [code for code, _ in found(negative, SCOUT) if code == 'E705'] == []


def test_without_a_robot_nothing_is_said_of_robots():
    for code in ('E202', 'E402', 'E403', 'E405', 'W407', 'W607'):
        wrong = CASES[code][1].replace(MARK, '')
        assert code not in {d.code for d in check(program_of(wrong), {}, None).diagnostics}


def test_an_entry_that_is_not_there_is_named():
    (error,) = checked('plan park { do { stop(); } }', entry='prak').errors
    assert (error.code, error.place) == ('E201', (1, 1))
    assert "'prak' is not defined; nearest: park" in error.text


def test_a_local_definition_shadows_an_imported_one_and_that_is_said():
    (said,) = checked('atom stop() on none { timeout 1 s; }').diagnostics
    assert (said.code, said.severity, said.text) == (
        'E203',
        'information',
        "'stop' already defined at std.body2",
    )


def test_at_most_a_hundred_diagnostics_are_given_the_errors_first():
    warnings = ''.join(f'atom w{i}() on none {{ timeout 0.01 s; }}\n' for i in range(90))
    errors = ''.join(f'const c{i} = nothing{i};\n' for i in range(90))
    report = checked(warnings + errors)
    assert len(report.diagnostics) == 100
    assert len(report.errors) == 90
    assert list(report.diagnostics) == sorted(report.diagnostics)


@pytest.mark.parametrize('entry', ['body2.stop', 'stop', 'a'])
def test_an_entry_may_be_of_a_module_or_an_atom(entry):
    report = checked('atom a() on none { timeout 1 s; } plan p { do { a(); } }', entry=entry)
    assert (report.ok, report.entry) == (True, entry)
    assert report.bound.time == (1.0 if entry == 'a' else 0.5)
    wrong = checked('plan p { do { stop(); } }', entry='contact').errors
    assert [(d.code, d.text) for d in wrong] == [
        ('E201', "'contact' is no atom, behavior or plan")
    ]


def test_a_module_that_runs_itself_is_reported_where_it_is_called():
    text = 'import circle; plan p { do { »round(); } }'
    assert [(d.code, d.place) for d in checked(text).errors] == [('E205', marked(text))]


def test_time_of_a_step_is_not_that_of_its_plan():
    text = 'plan p { until t < 5 s; do { stop(); drive(1 m) until t < 5 s; } }'
    assert 'W603' not in {code for code, _ in found(text)}


def test_a_law_of_a_module_needs_the_channels_that_it_reads():
    text = 'plan p { do { »align_wall(0.5 m, "left") timeout 9 s; } }'
    assert {d.code for d in checked(text, twist_spec()).errors} == {'E202'}
    assert {d.place for d in checked(text, twist_spec()).errors} == {marked(text)}
    assert checked(text).errors == []


def test_a_slow_channel_is_reported_once_for_all_guards_that_read_it():
    text = 'plan p { do { drive(1 m) until »near(1 m); drive(1 m) until near(0.9 m); } }'
    assert [d for d in found(text) if d[0] == 'W607'] == [('W607', marked(text))]


@pytest.mark.parametrize(
    ('steps', 'hint'),
    [
        ('set("k", 2 m);', 'divide by a unit, as in 2 m / 1 m'),
        ('drive(2 s);', 'write a value in m'),
        ('if bb.go == 1 { stop(); };', 'begin with set("go", 0)'),
    ],
)
def test_a_hint_says_what_to_write(steps, hint):
    assert any(hint in d.hint for d in checked(f'plan p {{ do {{ {steps} }} }}').errors)
