"""The worked programs of mdle.md §4.17, and the program in YAML of §4.18."""

FOLLOW = """\
mdle 1;
import std.body2;
import std.scout as scout;
interrupt contact = y.bumper.any;
interrupt moved(r: m) = y.object.valid and y.object.shift > r with hold 0.2 s, stale false;
interrupt facing(p: point, tol: rad) = abs(bearing(y.pose, p)) < tol;
interrupt at(p: point, tol: m) = dist(y.pose, p) < tol;
atom wait_motion(r: m = 0.15 m) -> (target: point) on body2 {
  control [0 m/s, 0 rad/s];  until moved(r);
  timeout 1000 s => fail "nothing moved";  emit target = y.object.previous;
}
atom orient(p: point, rate: rad/s = 0.5 rad/s) on body2 {
  control [0 m/s, rate * sat(bearing(y.pose, p) / 0.4 rad)];
  until facing(p, 3 deg);  timeout 15 s => fail "orient";
}
atom go_to(p: point, speed: m/s = 0.2 m/s) on body2 {
  control pursue(y.pose, p, speed);  until at(p, 0.10 m);  timeout 60 s => fail "go_to";
}
atom stop() on body2 { control [0 m/s, 0 rad/s] for 0.5 s; timeout 1 s; }
behavior follow_step {
  until contact => fail "contact";
  do { target = wait_motion(0.15 m); orient(target); go_to(target); stop(); }
}
plan follow {
  loop forever;  timeout 30 min => done;
  on fail("contact") => run scout.back_off(0.2 m) then restart;
  finally stop();
  do { follow_step(); }
}
"""

HALLWAY = """\
mdle 1;
import std.body2;
interrupt contact = y.bumper.any;
interrupt corner(d: m) = min(sector(y.sonar, 0 deg, 60 deg)) < d
  and y.sonar[4] > 2 * d with hold 0.3 s;
behavior hallway(gap: m = 0.5 m) {
  until corner(0.7 m) => done;  until contact => fail "contact";
  timeout 120 s => fail "no corner";  loop forever;
  do { ahead(0.2 m/s) timeout 1 s; align_wall(gap, "left") timeout 1 s; }
}
plan park(a: rad = 0.5 rad, b: m = 0.5 m) {
  until contact => abort;
  do {
    spin(a); drive(b); spin(-2 * a); drive(-b); spin(a);
    scale [2, 2] time 0.5 : drive(0.4 m);
    (drive(1 m); spin(90 deg)) timeout 60 s times 4;
    reverse last;
  }
}
"""

PARTNER = """\
mdle 1;
import std.body2;
import hexapod.gait as gait;
import hexapod.body as body;
group pair = {alpha, beta};
interrupt tilt(lim: rad) = max(abs(y.imu.roll), abs(y.imu.pitch)) > lim
  with debounce 0.1 s, stale fault;
atom hold_range(d: m) on body2 {
  control [0.8 * (dist(y.pose, y@alpha.pose) - d) / 1 s,
           1.5 * bearing(y.pose, y@alpha.pose) / 1 s];
  needs y@alpha.pose;
  until y@alpha.state == "done" or dist(y.pose, y@alpha.pose) > 4 m;  timeout 60 s;
}
plan rough_walk {
  until tilt(0.4 rad) => abort;
  do {
    gait.select("wave"); body.height(0.12 m);
    go: drive(2 m, speed=0.05 m/s) until contact => run gait.step_back(0.1 m) then retry 2
      timeout 90 s => fail "slow";
    if y.battery < 0.2 { stop(); } else { hold_range(0.8 m); };
    signal("alpha_ready"); await_signal("beta_ready") timeout 30 s => fail "no partner";
  }
}
"""

SQUARE = """\
mdle: 1
imports: [std.body2]
plans:
  square:
    until: [{if: y.bumper.any, then: abort}]
    timeout: 60 s
    do:
      - do: [{call: drive, args: {d: 1 m}}, {call: spin, args: {a: 90 deg}}]
        times: 4
"""

WORKED = {'follow': FOLLOW, 'hallway': HALLWAY, 'partner': PARTNER}
