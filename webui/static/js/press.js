// What a finger, the mouse or the space bar holds down is not drawn anew until it lets go: a click belongs to the
// element that was pressed, and would be lost with it.

const CLICK_MS = 120; // so late after the finger has gone its click may come
const waiting = new Map(); // box -> how it is drawn
let pressed = null, gone = null;

/** Draws `box`, at once or as soon as nothing in it is held down. */
export function whenFree(box, draw) {
  if (pressed && box.contains(pressed)) return waiting.set(box, draw);
  waiting.delete(box);
  draw();
}

function press(event) {
  clearTimeout(gone);
  gone = null;
  pressed = event.target;
}

function drawWaiting() {
  pressed = gone = null;
  const due = [...waiting.values()];
  waiting.clear();
  for (const draw of due) draw();
}

function release(after) {
  clearTimeout(gone);
  gone = setTimeout(drawWaiting, after);
}

const isSpace = (event) => event.key === " ";

addEventListener("pointerdown", press, true);
addEventListener("pointerup", () => release(CLICK_MS), true);
addEventListener("pointercancel", () => release(0), true);
// It was let go outside the window.
addEventListener("pointermove", (event) => { if (pressed && !gone && event.pointerType === "mouse" && !event.buttons) release(CLICK_MS); }, true);
addEventListener("keydown", (event) => { if (isSpace(event)) press(event); }, true);
addEventListener("keyup", (event) => { if (isSpace(event)) release(CLICK_MS); }, true);
// What the click does is drawn at once; what waited, after a form was sent or a list opened by it.
addEventListener("click", () => { pressed = null; release(0); }, true);
