// What this tab listens to, through the connection to the server that all tabs share.

const feeds = new Map(); // by what they are of: "races/r1", "followed/1"
const tab = crypto.randomUUID();
let hub = null;

// Calls `onState` with the last state of what is named and with each new one, `onLost` with what is
// wrong with the connection, null when it is there again. A feed that `stays` outlives its listeners.
export function listen(of, { onState, onLost, signal, stays = false }) {
  const known = feeds.get(of);
  const feed = known ?? { listeners: new Set(), state: null };
  const listener = { onState, onLost };
  feed.listeners.add(listener);
  signal.addEventListener("abort", () => {
    feed.listeners.delete(listener);
    if (!stays && !feed.listeners.size && feeds.delete(of)) hub.postMessage({ of, wanted: false });
  });
  if (feed.state) onState(feed.state);
  if (known) return;
  feeds.set(of, feed);
  hub ??= joined();
  hub.postMessage({ of, wanted: true });
}

// The hub, which learns by a lock when this tab is closed.
function joined() {
  const { port } = new SharedWorker("/static/hub.js", { type: "module", name: "dovetail" });
  port.onmessage = ({ data: { of, state, problem, over } }) => {
    for (const name of of ? [of] : [...feeds.keys()]) {
      const feed = feeds.get(name);
      if (over) feeds.delete(name);
      if (state && feed) feed.state = state;
      for (const { onState, onLost } of feed?.listeners ?? []) {
        if (state) onState(state);
        else if (problem !== undefined) onLost?.(problem);
      }
    }
  };
  navigator.locks.request(tab, () => {
    port.postMessage({ tab });
    return new Promise(() => {});
  });
  return port;
}
