// The states of races and of followed files, as the server sends them: one connection for all tabs.
//
// A browser opens only a few connections to a server, for all tabs together. The hub runs in a worker that
// the tabs share. A race that ends with its page goes on while a tab is open that has shown it, whatever
// view is shown now: the connection tells of all of them, and another one that tells of more is there
// before it is closed.

import { follow } from "./requests.js";

class Hub {
  #feeds = new Map(); // by what they are of, "races/r1" or "followed/1": the tabs, and the last state
  #connections = []; // the one that is there, and those that are to take its place

  // Takes a tab, whose messages are `{ tab }` with the name of a lock that it holds as long as it is open,
  // and `{ of, wanted }`. It gets `{ of, state }`, and `{ problem }` or
  // `{ of, problem }`, null for none; nothing follows a message that is `over`.
  join(tab) {
    tab.onmessage = ({ data: { tab: name, of, wanted } }) => {
      if (name) navigator.locks.request(name, () => this.#leave(tab));
      else if (wanted) this.#want(tab, of);
      else this.#drop(tab, of);
    };
  }

  #want(tab, of) {
    const feed = this.#feeds.get(of);
    if (feed) {
      feed.tabs.add(tab);
      if (feed.state) tab.postMessage({ of, state: feed.state });
      return;
    }
    this.#feeds.set(of, { tabs: new Set([tab]), state: null });
    this.#connect();
  }

  #drop(tab, of) {
    const feed = this.#feeds.get(of);
    if (feed?.tabs.delete(tab) && !feed.tabs.size && this.#feeds.delete(of)) this.#connect();
  }

  #leave(tab) {
    const before = this.#feeds.size;
    for (const [of, { tabs }] of this.#feeds) if (tabs.delete(tab) && !tabs.size) this.#feeds.delete(of);
    if (this.#feeds.size < before) this.#connect();
  }

  // Connects for all feeds that there are now.
  #connect() {
    if (!this.#feeds.size) return this.#keepFrom(this.#connections.length);
    const closing = new AbortController();
    const query = new URLSearchParams([...this.#feeds.keys()].map((of) => ["of", of]));
    this.#connections.push(closing);
    follow(`/api/events?${query}`, {
      signal: closing.signal,
      onOpen: () => this.#keepFrom(this.#connections.indexOf(closing)),
      onState: ({ of, state }) => this.#take(of, state),
      onEnd: ({ of, error }) => this.#end(of, error),
      onLost: (problem) => this.#tellAll({ problem }),
      onRefused: () => {
        this.#connections = this.#connections.filter((other) => other !== closing);
        if (this.#connections.length) return;
        this.#tellAll({ over: true });
        this.#feeds.clear();
      },
    });
  }

  // Closes the connections that are older than another one.
  #keepFrom(at) {
    this.#connections.splice(0, at).forEach((older) => older.abort());
  }

  #take(of, state) {
    const feed = this.#feeds.get(of);
    if (!feed) return;
    feed.state = state.lanes ? keepPictures(feed.state, state) : state;
    this.#tell(feed.tabs, { of, state: feed.state });
  }

  #end(of, error) {
    const feed = this.#feeds.get(of);
    this.#feeds.delete(of);
    if (feed && error) this.#tell(feed.tabs, { of, problem: error, over: true });
    if (!this.#feeds.size) this.#connect();
  }

  #tellAll(message) {
    this.#tell(new Set([...this.#feeds.values()].flatMap(({ tabs }) => [...tabs])), message);
  }

  #tell(tabs, message) {
    tabs.forEach((tab) => tab.postMessage(message));
  }
}

// Pictures come only when they differ: those of the state before still hold.
function keepPictures(before, state) {
  const lanes = state.lanes.map((lane, at) => {
    const picture = lane.best?.picture ?? before?.lanes[at].best?.picture;
    return picture ? { ...lane, best: { ...lane.best, picture } } : lane;
  });
  return { ...state, lanes };
}

const hub = new Hub();
globalThis.onconnect = ({ ports: [tab] }) => hub.join(tab);
