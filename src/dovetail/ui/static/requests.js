// Requests of the page to the server, and events from the server.

const SILENT = "Dovetail does not answer. Is the command still running in its terminal?";
const LOST = "The connection to Dovetail is lost; the browser tries again.";
const RELOAD = "The connection to Dovetail was refused. Load this page again.";

// A refusal by the server: a sentence, and the path of the wrong value in the request, if any.
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

// Listens to the server's events until `signal` is aborted. Calls `onOpen` when the connection opens, and
// `onState` and `onEnd` with the data of each event. Calls `onLost` with the problem of the connection, or null
// when it works (again). If the browser does not try again, `onRefused` is called after `onLost`.
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
    // Browsers connect again to a silent server, but not to a server that refuses, and they hide the reason.
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

// The reason why the server sends no events.
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
