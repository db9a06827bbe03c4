// What the page asks of the server, and the events that the server sends.

const SILENT = "Dovetail does not answer. Is the command still running in its terminal?";

// The server refuses: one sentence, and the place in what was sent, if it is about one.
class Refusal extends Error {
  constructor(message, path, status) {
    super(message);
    Object.assign(this, { path, status });
  }
}

export function get(address, signal) {
  return ask(address, { signal });
}

export function post(address, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask(address, { method: "POST", headers, body: JSON.stringify(body), signal });
}

export function remove(address) {
  return ask(address, { method: "DELETE" });
}

// Calls `onState` with each state that the server sends and `onEnd` at the end, until `signal` is aborted.
// Browsers reconnect a lost connection; `onLost` is called with whether it is lost.
export function follow(address, { onState, onEnd = () => {}, onLost = () => {}, signal }) {
  const source = new EventSource(address);
  const close = () => source.close();
  signal.addEventListener("abort", close);
  source.addEventListener("open", () => onLost(false));
  source.addEventListener("state", (event) => onState(JSON.parse(event.data)));
  source.addEventListener("end", () => {
    close();
    onEnd();
  });
  source.addEventListener("error", () => onLost(true));
}

// The content of a file in base64, for the body of a request.
export async function encoded(file) {
  const address = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Refusal(`${file.name} cannot be read: ${reader.error.message}`));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}

async function ask(address, options) {
  const response = await fetch(address, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Refusal(SILENT);
  });
  const text = await response.text();
  const content = text && response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
  if (response.ok) return content;
  const message = content?.error ?? `Dovetail answers with status ${response.status}.`;
  throw new Refusal(message, content?.path, response.status);
}
