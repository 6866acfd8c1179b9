// The set-up page's way to the server: JSON and pictures under /setup/api.

export class Refused extends Error {}

async function call(path, options, root = "/setup/api") {
  let answer;
  try {
    answer = await fetch(`${root}${path}`, options);
  } catch {
    throw new Refused("offline");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.reason?.[document.documentElement.lang] ?? data.error ?? `${answer.status}`);
  return data;
}

export const get = (path) => call(path, {});

export const send = (method, path, body = {}) => call(path, { method, headers: { "Content-Type": "application/json", "X-Henge": "1" }, body: JSON.stringify(body) });

export const sendFile = (path, file) => call(path, { method: "POST", headers: { "Content-Type": file.type || "application/octet-stream", "X-Henge": "1" }, body: file });

/** Lets this device in by the code that the machine at the table shows. */
export const pair = (code) => call("/pairing", { method: "POST", headers: { "Content-Type": "application/json", "X-Henge": "1" }, body: JSON.stringify({ code }) }, "/api");
