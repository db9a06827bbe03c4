// States of races and of followed files, which the server sends over one connection for all tabs.
//
// A browser opens only a few connections to a server, counted over all tabs. The hub runs in a worker that the
// tabs share. A race that ends with its page continues while a tab is open that has shown the race, whatever
// view the tab shows now. The connection therefore serves all subjects of all tabs. It is closed only after a
// new connection for changed subjects is open.

import { follow } from "./requests.js";

class Hub {
  #feeds = new Map(); // by subject, such as "races/r1" or "followed/1": tabs and last state
  #connections = []; // the open connection, and connections that will replace it

  // Adds a tab. Its messages are `{ lock }`, the name of a lock that the tab holds while it is open, and
  // `{ subject, subscribed }`. The hub sends `{ subject, state }`, and `{ problem }` or `{ subject, problem }`,
  // where null means no problem. A message with `over` is the last message about its subject.
  join(tab) {
    tab.onmessage = ({ data: { lock, subject, subscribed } }) => {
      if (lock) navigator.locks.request(lock, () => this.#leave(tab));
      else if (subscribed) this.#subscribe(tab, subject);
      else this.#unsubscribe(tab, subject);
    };
  }

  #subscribe(tab, subject) {
    const feed = this.#feeds.get(subject);
    if (feed) {
      feed.tabs.add(tab);
      if (feed.state) tab.postMessage({ subject, state: feed.state });
      return;
    }
    this.#feeds.set(subject, { tabs: new Set([tab]), state: null });
    this.#connect();
  }

  #unsubscribe(tab, subject) {
    const feed = this.#feeds.get(subject);
    if (feed?.tabs.delete(tab) && !feed.tabs.size && this.#feeds.delete(subject)) this.#connect();
  }

  #leave(tab) {
    const before = this.#feeds.size;
    for (const [subject, { tabs }] of this.#feeds)
      if (tabs.delete(tab) && !tabs.size) this.#feeds.delete(subject);
    if (this.#feeds.size < before) this.#connect();
  }

  // Opens a connection for all current feeds.
  #connect() {
    if (!this.#feeds.size) return this.#closeBefore(this.#connections.length);
    const connection = { closing: new AbortController(), subjects: [...this.#feeds.keys()] };
    const query = new URLSearchParams(connection.subjects.map((subject) => ["of", subject]));
    this.#connections.push(connection);
    follow(`/api/events?${query}`, {
      signal: connection.closing.signal,
      onOpen: () => this.#closeBefore(this.#connections.indexOf(connection)),
      onState: ({ of, state }) => this.#publish(of, state),
      onEnd: ({ of, error }) => this.#end(of, error),
      onLost: (problem) => this.#tell(this.#tabs, { problem }),
      onRefused: () => this.#refused(connection),
    });
  }

  // Closes the connections before number `at`.
  #closeBefore(at) {
    this.#connections.splice(0, at).forEach(({ closing }) => closing.abort());
  }

  // Ends the feeds that no other connection serves. If a tab subscribes again, the hub connects again.
  #refused(connection) {
    this.#connections = this.#connections.filter((other) => other !== connection);
    const served = new Set(this.#connections.flatMap(({ subjects }) => subjects));
    for (const subject of connection.subjects) {
      if (served.has(subject)) continue;
      const feed = this.#feeds.get(subject);
      this.#feeds.delete(subject);
      if (feed) this.#tell(feed.tabs, { subject, over: true });
    }
  }

  #publish(subject, state) {
    const feed = this.#feeds.get(subject);
    if (!feed) return;
    feed.state = state.lanes ? keepPictures(feed.state, state) : state;
    this.#tell(feed.tabs, { subject, state: feed.state });
  }

  #end(subject, error) {
    const feed = this.#feeds.get(subject);
    this.#feeds.delete(subject);
    if (feed && error) this.#tell(feed.tabs, { subject, problem: error, over: true });
    if (!this.#feeds.size) this.#connect();
  }

  get #tabs() {
    return new Set([...this.#feeds.values()].flatMap(({ tabs }) => [...tabs]));
  }

  #tell(tabs, message) {
    tabs.forEach((tab) => tab.postMessage(message));
  }
}

// The server sends only pictures that have changed; the other pictures are those of the previous state.
function keepPictures(before, state) {
  const lanes = state.lanes.map((lane, at) => {
    const picture = lane.best?.picture ?? before?.lanes[at].best?.picture;
    return picture ? { ...lane, best: { ...lane.best, picture } } : lane;
  });
  return { ...state, lanes };
}

const hub = new Hub();
globalThis.onconnect = ({ ports: [tab] }) => hub.join(tab);
