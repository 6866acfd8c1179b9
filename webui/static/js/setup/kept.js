// The profiles that are kept: take out, take in, rename, delete.

import { h } from "../dom.js";
import { get, send, sendFile } from "./api.js";
import { button, encoded, here, said, w, work } from "./state.js";

export async function refreshProfiles() {
  here.profiles = await get("/profiles");
}

const after = (doing) => async () => { await doing(); await refreshProfiles(); };

export function keptView() {
  const list = here.profiles.map((each) => h("li", {}, h("b", {}, each.name), h("span", { class: "quiet small" }, said(each.board)),
    h("a", { href: `/setup/api/profiles/${encoded(each.name)}.zip`, download: `${each.name}.zip` }, w("export")),
    button(w("rename"), () => { const name = prompt(w("rename.to"), each.name); if (name && name !== each.name) work(w("rename"), after(() => send("POST", `/profiles/${encoded(each.name)}/name`, { name }))); }, { "data-key": `rename-${each.name}` }),
    button(w("delete"), () => { if (confirm(w("delete.sure", each.name))) work(w("delete"), after(() => send("DELETE", `/profiles/${encoded(each.name)}`))); }, { "data-key": `delete-${each.name}` })));
  return h("section", {}, list.length ? h("h2", {}, w("kept")) : null, h("ul", { class: "profiles" }, list),
    h("label", { class: "file" }, w("import"), h("input", { type: "file", accept: ".zip", "data-key": "import", onchange: (event) => event.target.files[0] && work(w("import"), after(() => sendFile("/profiles", event.target.files[0]))) })));
}
