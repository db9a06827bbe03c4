// The states of races and of followed files, as the server sends them: one connection for all.
//
// A browser opens only a few connections to a server, for all tabs together. A race that ends with
// its page goes on while a tab is open that has shown it, whatever view is shown now: the connection
// tells of all of them, and another one that tells of more is there before it is closed.

import { follow } from "./requests.js";

const feeds = new Map(); // by what they are of: "races/r1", "followed/1"
let connections = []; // the one that is there, and those that are to take its place

// Calls `onState` with the last state of what is named and with each new one, `onLost` with what is
// wrong with the connection, null when it is there again. A feed that `stays` outlives its listeners.
export function listen(of, { onState, onLost, signal, stays = false }) {
  const known = feeds.get(of);
  const feed = known ?? { listeners: new Set(), state: null };
  const listener = { onState, onLost };
  feed.listeners.add(listener);
  signal.addEventListener("abort", () => {
    feed.listeners.delete(listener);
    if (!stays && !feed.listeners.size && feeds.delete(of)) connect();
  });
  if (feed.state) onState(feed.state);
  if (known) return;
  feeds.set(of, feed);
  connect();
}

// Connects for all feeds that there are now.
function connect() {
  if (!feeds.size) return keepFrom(connections.length);
  const closing = new AbortController();
  const query = new URLSearchParams([...feeds.keys()].map((of) => ["of", of]));
  connections.push(closing);
  follow(`/api/events?${query}`, {
    signal: closing.signal,
    onOpen: () => keepFrom(connections.indexOf(closing)),
    onState: ({ of, state }) => take(feeds.get(of), state),
    onEnd: ({ of, error }) => end(of, error),
    onLost: (problem) => feeds.forEach((feed) => publish(feed, "onLost", problem)),
    onRefused: () => {
      connections = connections.filter((other) => other !== closing);
      if (!connections.length) feeds.clear();
    },
  });
}

// Closes the connections that are older than another one.
function keepFrom(at) {
  connections.splice(0, at).forEach((older) => older.abort());
}

function take(feed, state) {
  if (!feed) return;
  feed.state = state.lanes ? keepPictures(feed.state, state) : state;
  publish(feed, "onState", feed.state);
}

function end(of, error) {
  const feed = feeds.get(of);
  feeds.delete(of);
  if (feed && error) publish(feed, "onLost", error);
  if (!feeds.size) connect();
}

function publish(feed, name, value) {
  feed.listeners.forEach((listener) => listener[name]?.(value));
}

// Pictures come only when they differ: those of the state before still hold.
function keepPictures(before, state) {
  const lanes = state.lanes.map((lane, at) => {
    const picture = lane.best?.picture ?? before?.lanes[at].best?.picture;
    return picture ? { ...lane, best: { ...lane.best, picture } } : lane;
  });
  return { ...state, lanes };
}
