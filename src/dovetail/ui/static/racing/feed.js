// The states of races, as the server sends them: one connection for each race, whatever view is shown.
//
// A race that ends with its page goes on while this tab is open, also behind another view. Browsers
// open only a few connections to a server, so that the oldest one is given up for a third race.

import { follow } from "../requests.js";

const MOST = 2;

const feeds = new Map(); // by the race, the oldest first

// Calls `onState` with the last state and with each new one, `onLost` with what is wrong with the
// connection, null when it is there again.
export function listen(race, { onState, onLost, signal }) {
  const feed = feeds.get(race) ?? open(race);
  const listener = { onState, onLost };
  feed.listeners.add(listener);
  signal.addEventListener("abort", () => feed.listeners.delete(listener));
  if (feed.state) onState(feed.state);
}

function open(race) {
  const closing = new AbortController();
  const feed = { listeners: new Set(), state: null, close: () => closing.abort() };
  const end = () => feeds.delete(race);
  const publish = (name, value) => feed.listeners.forEach((listener) => listener[name]?.(value));
  follow(`/api/races/${race}/events`, {
    signal: closing.signal,
    onEnd: end,
    onLost: (problem) => publish("onLost", problem),
    onState: (state) => {
      feed.state = keepPictures(feed.state, state);
      publish("onState", feed.state);
    },
  });
  feeds.set(race, feed);
  const spare = [...feeds].filter(([, { listeners }]) => !listeners.size);
  if (feeds.size > MOST && spare.length > 1) {
    spare[0][1].close();
    feeds.delete(spare[0][0]);
  }
  return feed;
}

// Pictures come only when they differ: those of the state before still hold.
function keepPictures(before, state) {
  const lanes = state.lanes.map((lane, at) => {
    const picture = lane.best?.picture ?? before?.lanes[at].best?.picture;
    return picture ? { ...lane, best: { ...lane.best, picture } } : lane;
  });
  return { ...state, lanes };
}
