// What the person holds: keys, the pad and a gamepad, as shares of the robot's limits.
const AXES = ['ahead', 'left', 'turn'];
const REST = [0, 0, 0];
const TEXT = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])';
const ARROWS = '[role=slider], [role=tab], [role=option]';
const KEY_SHARE = 0.5, DEAD_ZONE = 0.15, STOP_BUTTON = 1;
const keys = new Set();
let full = false, pad = REST, stick = REST, centred = false, sent = String(REST);

const velocity = () => AXES.map((axis, index) => {
  if (!PAGE.axes.includes(axis)) return 0;
  const held = PAGE.keys.filter((key) => key.axis === axis && key.codes.some((c) => keys.has(c)));
  const share = held.reduce((sum, key) => sum + key.sign * (full ? 1 : KEY_SHARE), 0);
  const all = share + pad[index] + stick[index];
  return Math.round(100 * Math.max(-1, Math.min(1, all))) / 100;
});

const update = () => {
  if (String(velocity()) === sent) return;
  sent = String(velocity());
  report();
};

// A stick that is held has to be centred before it moves the robot again.
const forget = () => {
  keys.clear();
  pad = stick = REST;
  centred = false;
};

const release = () => {
  forget();
  update();
};

const stop = () => {
  forget();
  sent = String(REST);
  report(true);
};

const at = (event) => (event.target instanceof Element ? event.target : document.body);

addEventListener('keydown', (event) => {
  full = event.shiftKey;
  const typing = at(event).closest(TEXT);
  if (event.code === 'Escape') {
    help?.close();
    stop();
  }
  if (typing) return;
  if (event.code === 'Space') {
    // Else the button that has the focus would be pressed, such as Start.
    event.preventDefault();
    event.stopPropagation();
    stop();
  }
  if (event.key === '?') toggleHelp();
  const used = PAGE.axes.length && PAGE.keys.some((key) => key.codes.includes(event.code));
  const taken = event.code.startsWith('Arrow') && at(event).closest(ARROWS);
  if (!used || taken || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) keys.add(event.code);
  update();
}, true);

addEventListener('keyup', (event) => {
  full = event.shiftKey;
  if (event.code === 'Space' && !at(event).closest(TEXT)) event.preventDefault();
  keys.delete(event.code);
  update();
}, true);

addEventListener('blur', release);
addEventListener('focusin', (event) => at(event).closest(TEXT) && release());

const bent = (value = 0) => {
  const share = (Math.abs(value) - DEAD_ZONE) / (1 - DEAD_ZONE);
  return share > 0 ? Math.sign(value) * share : 0;
};

let pressed = false;
setInterval(() => {
  const found = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.mapping === 'standard');
  const seen = found && document.hasFocus() ? found : { axes: [], buttons: [] };
  const [turn, ahead, left] = seen.axes.map((value) => -bent(value));
  const now = [ahead || 0, left || 0, turn || 0];
  centred ||= String(now) === String(REST);
  stick = centred ? now : REST;
  const before = pressed;
  pressed = !!seen.buttons[STOP_BUTTON]?.pressed;
  if (pressed && !before) stop();
  update();
}, 50);

const makePad = () => {
  const disc = document.createElement('div'), knob = document.createElement('div');
  disc.id = 'page-pad';
  disc.title = 'Drag to drive';
  disc.append(knob);
  const drag = (event) => {
    if (!disc.hasPointerCapture(event.pointerId)) return;
    const box = disc.getBoundingClientRect(), radius = box.width / 2;
    let x = (event.clientX - box.x) / radius - 1, y = (event.clientY - box.y) / radius - 1;
    const far = Math.max(1, Math.hypot(x, y));
    x /= far;
    y /= far;
    knob.style.translate = `${x * radius}px ${y * radius}px`;
    pad = [-y, 0, -x];
    update();
  };
  disc.onpointerdown = (event) => {
    disc.setPointerCapture(event.pointerId);
    drag(event);
  };
  disc.onpointermove = drag;
  disc.onlostpointercapture = () => {
    knob.style.translate = '';
    pad = REST;
    update();
  };
  return disc;
};
