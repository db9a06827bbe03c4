// Feeds of the states that this tab shows, from the connection to the server that all tabs share.

const feeds = new Map(); // by subject, such as "races/r1" or "followed/1": listeners and last state
let hub = null;

// Calls `onState` with the last state of a subject and with each new state. Calls `onLost` with the problem of
// the connection, or null when the connection works again. A feed that `stays` outlives its listeners.
export function listen(subject, { onState, onLost, signal, stays = false }) {
  const known = feeds.get(subject);
  const feed = known ?? { listeners: new Set(), state: null };
  const listener = { onState, onLost };
  feed.listeners.add(listener);
  signal.addEventListener("abort", () => {
    feed.listeners.delete(listener);
    if (!stays && !feed.listeners.size && feeds.delete(subject)) hub.postMessage({ subject, subscribed: false });
  });
  if (feed.state) onState(feed.state);
  if (known) return;
  feeds.set(subject, feed);
  hub ??= joined();
  hub.postMessage({ subject, subscribed: true });
}

// Connects to the hub. A lock tells the hub when this tab is closed.
function joined() {
  const { port } = new SharedWorker("/static/hub.js", { type: "module", name: "dovetail" });
  port.onmessage = ({ data: { subject, ...message } }) => {
    for (const each of subject ? [subject] : [...feeds.keys()]) take(each, message);
  };
  const lock = crypto.randomUUID();
  navigator.locks.request(lock, () => {
    port.postMessage({ lock });
    return new Promise(() => {});
  });
  return port;
}

function take(subject, { state, problem, over }) {
  const feed = feeds.get(subject);
  if (!feed) return;
  if (over) feeds.delete(subject);
  if (state) feed.state = state;
  for (const { onState, onLost } of feed.listeners) {
    if (state) onState(state);
    else if (problem !== undefined) onLost?.(problem);
  }
}
