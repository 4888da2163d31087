// The buttons over the scene, the two badges, the drawers, the colours and the help.
const root = document.documentElement;
const NARROW = matchMedia('(max-width: 1099px)');
const PANELS = { left: 'Status', right: 'Controls' };
let badges = {}, help = null;

// On a phone the library would leave out all panels but one.
const matchMediaOfBrowser = window.matchMedia.bind(window);
window.matchMedia = (query) => matchMediaOfBrowser(query === '(max-width: 36em)' ? 'not all' : query);

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
try {
  chosen = localStorage.getItem('colours');
} catch { /* A browser without storage follows its preference. */ }

const applyColours = () => {
  const scheme = chosen ?? (prefersDark.matches ? 'dark' : 'light');
  if (root.dataset.mantineColorScheme !== scheme) root.dataset.mantineColorScheme = scheme;
};

const switchColours = () => {
  chosen = root.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('colours', chosen);
  } catch { /* It lasts as long as the page. */ }
  applyColours();
};

// The library sets its own scheme when it starts.
new MutationObserver(applyColours).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });
prefersDark.addEventListener('change', applyColours);

const openDrawer = (side) => {
  root.dataset.drawer = root.dataset.drawer === side ? '' : side;
};

// Not as a modal dialog, which would put Stop out of reach.
const toggleHelp = () => (help.open ? help.close() : help.show());

const showLinks = (robot) => {
  if (!badges.robot) return;
  const show = (badge, words, fine) => {
    if (badge.textContent !== words) badge.textContent = words;
    badge.dataset.fine = fine;
  };
  const connected = robot !== null;
  show(badges.page, connected ? 'Browser connected' : 'Browser: no connection', connected);
  const fault = connected ? robot : 'unknown';
  show(badges.robot, fault ? `Robot: ${fault}` : 'Robot connected', !fault);
};

const findStart = () => [...document.querySelectorAll('#root button')]
  .find((button) => PAGE.starts.includes(button.textContent.trim()));

const make = (id, text, act, label = text) => {
  const button = document.createElement('button');
  button.id = id;
  button.textContent = text;
  button.title = button.ariaLabel = label;
  button.onclick = act;
  return button;
};

const makeHelp = () => {
  help = document.createElement('dialog');
  help.id = 'page-help';
  const table = help.appendChild(document.createElement('table'));
  for (const row of PAGE.help) {
    const line = table.insertRow();
    for (const words of row) line.insertCell().textContent = words;
  }
  help.onclick = () => help.close();
  return help;
};

addEventListener('DOMContentLoaded', () => {
  const frame = document.createElement('div');
  const top = document.createElement('div'), bottom = document.createElement('div');
  frame.id = 'page-frame';
  top.id = 'page-top';
  bottom.id = 'page-bottom';
  badges = { page: document.createElement('span'), robot: document.createElement('span') };
  badges.page.id = 'page-link';
  badges.robot.id = 'robot-link';
  top.append(badges.page, ...(PAGE.stops ? [badges.robot] : []),
    make('page-colours', '◐', switchColours, 'Light or dark'),
    make('page-keys', '?', toggleHelp, 'Keys, pad and gamepad'));
  const start = make('page-start', '▶', () => findStart()?.click(), 'Start');
  bottom.append(
    make('page-left', PANELS.left, () => openDrawer('left')), start,
    ...(PAGE.stops
      ? [make('page-stop', 'Stop', stop, 'Emergency stop: ends every motion (Esc or space)')] : []),
    make('page-right', PANELS.right, () => openDrawer('right')));
  frame.append(top, ...(PAGE.axes.length ? [makePad()] : []), bottom);
  document.body.append(frame, makeHelp());
  showLinks(null);
  applyColours();
  setInterval(() => {
    const scene = document.querySelector('[data-dock-root] > :first-child');
    const { left = 0, width = innerWidth } = scene?.getBoundingClientRect() ?? {};
    frame.style.left = `${left}px`;
    frame.style.width = `${width}px`;
    root.style.setProperty('--page-width', `${width}px`);
    root.style.setProperty('--page-top', `${top.offsetHeight + 16}px`);
    const found = findStart();
    start.hidden = !found;
    start.disabled = !!found?.disabled;
    document.getElementById('page-left').hidden = !document.querySelector('[data-dock-region=left]');
    if (!NARROW.matches) root.dataset.drawer = '';
  }, 200);
});
