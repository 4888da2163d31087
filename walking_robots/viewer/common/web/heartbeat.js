// Answers the server from a worker, with what the person holds.
//
// Drawing can block the page for hundreds of milliseconds, in software for a second. The worker
// stops when the page reports that it is hidden, frozen or left, or has reported nothing for 2 s:
// longer than drawing takes, and about as long as a person tries again to press Stop on a page
// that hangs. The browser freezes the worker with its page.
const work = () => {
  let seen = -Infinity, drive = [0, 0, 0], stop = false, asked = 0, socket = null;
  const send = (always) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!always && performance.now() - seen > 2000) return;
    socket.send(JSON.stringify({ time: asked, drive, stop }));
    stop = false;
  };
  const connect = (address) => {
    socket = new WebSocket(address);
    socket.onmessage = ({ data }) => {
      const question = JSON.parse(data);
      asked = question.time;
      postMessage(question.robot);
      send(stop);
    };
    socket.onclose = () => {
      postMessage(null);
      setTimeout(connect, 500, address);
    };
  };
  onmessage = ({ data }) => {
    const changed = data.stop || String(data.drive) !== String(drive);
    seen = data.visible ? performance.now() : -Infinity;
    drive = data.drive;
    stop ||= data.stop;
    if (!socket) connect(data.address);
    if (changed) send(stop || !drive.some(Boolean));
  };
};

const address = `ws://${location.host}${location.pathname.replace(/\/?$/, PAGE.path)}`;
const worker = new Worker(URL.createObjectURL(new Blob([`(${work})()`])));
const isVisible = () => document.visibilityState === 'visible';
const report = (stop = false, visible = isVisible()) =>
  worker.postMessage({ visible, address, drive: visible ? velocity() : REST, stop });
worker.onmessage = ({ data }) => showLinks(data);
setInterval(report, 200);
addEventListener('pagehide', () => report(false, false));
document.addEventListener('freeze', () => report(false, false));
document.addEventListener('visibilitychange', () => (isVisible() ? report() : release()));
report();
