// The only way to the server: JSON under /api, and one event stream per table.

export class Refused extends Error {
  /** message: one line; reason: the rule, or the message, in both languages. */
  constructor(message, reason, status) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}

async function call(path, options) {
  let answer;
  try {
    answer = await fetch(`/api${path}`, options);
  } catch {
    throw new Refused("offline");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.error ?? `${answer.status}`, data.reason, answer.status);
  return data;
}

export const get = (path) => call(path, {});

export function send(method, path, body = {}) {
  return call(path, { method, headers: { "Content-Type": "application/json", "X-Henge": "1" }, body: JSON.stringify(body) });
}

export function sendFile(path, file) {
  return call(path, { method: "POST", headers: { "Content-Type": file.type || "image/jpeg", "X-Henge": "1" }, body: file });
}

/** Listens to a table from event `after` on; returns a function that ends it. The browser resumes by itself,
 * unless the server answers that it will not have it: `refused`. */
export function listen(tableId, after, heard, connected, refused) {
  const source = new EventSource(`/api/tables/${encodeURIComponent(tableId)}/events?after=${after}`);
  for (const kind of ["entry", "status", "view", "opened"]) {
    source.addEventListener(kind, (event) => heard(kind, Number(event.lastEventId)));
  }
  source.addEventListener("open", () => connected(true));
  source.addEventListener("error", () => {
    connected(false);
    if (source.readyState === EventSource.CLOSED) refused();
  });
  return () => source.close();
}
