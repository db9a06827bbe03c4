// What the page asks of the server, and the events that the server sends.

const SILENT = "Dovetail does not answer. Is the command still running in its terminal?";
const LOST = "The connection to Dovetail is lost; the browser tries again.";
const RELOAD = "The connection to Dovetail was refused. Load this page again.";

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

// Calls `onOpen` when the server sends events, `onState` and `onEnd` with the data of each, until
// `signal` is aborted. `onLost` is called with what is wrong with the connection, null when it is there
// (again), and `onRefused` after it where the browser does not try again.
export function follow(address, { onOpen, onState, onEnd, onLost, onRefused, signal }) {
  const source = new EventSource(address);
  const close = () => source.close();
  signal.addEventListener("abort", close);
  source.addEventListener("open", () => {
    onOpen();
    onLost(null);
  });
  source.addEventListener("state", (event) => onState(JSON.parse(event.data)));
  source.addEventListener("end", (event) => onEnd(JSON.parse(event.data)));
  source.addEventListener("error", async () => {
    if (source.readyState !== EventSource.CLOSED) return onLost(LOST);
    // Browsers connect again to a server that is silent, not to one that refuses, and hide why it does.
    const problem = await refusal(address, signal);
    if (signal.aborted) return;
    onLost(problem);
    onRefused();
  });
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
  const response = await answered(address, options);
  if (!response.ok) throw await refused(response);
  const text = await response.text();
  return text && isJson(response) ? JSON.parse(text) : null;
}

async function answered(address, options) {
  return fetch(address, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Refusal(SILENT);
  });
}

async function refused(response) {
  const content = isJson(response) ? await response.json() : null;
  const message = content?.error ?? `Dovetail answers with status ${response.status}.`;
  return new Refusal(message, content?.path, response.status);
}

function isJson(response) {
  return response.headers.get("Content-Type")?.includes("json");
}

// Why the server sends no events: its sentence.
async function refusal(address, signal) {
  const reading = new AbortController();
  try {
    const response = await answered(address, { signal: AbortSignal.any([signal, reading.signal]) });
    return response.ok ? RELOAD : (await refused(response)).message;
  } catch (error) {
    return error.message;
  } finally {
    reading.abort();
  }
}
