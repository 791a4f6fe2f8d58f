// @ts-check
/**
 * Nothing is drawn between pressing and releasing a button: an element that is replaced in between is never clicked, and
 * answers come at any time.
 */
import { hold, release } from "./store.js";

export function listenToPresses() {
  let isPressed = false;
  let isDragging = false;
  let presses = 0;
  const begin = () => {
    isPressed = true;
    presses += 1;
    hold();
  };
  const endNow = () => {
    if (!isPressed) return;
    isPressed = isDragging = false;
    release();
  };
  // after the click, which follows in the same task; and not in the middle of the next press
  const end = () => {
    const press = presses;
    if (isPressed) setTimeout(() => { if (press === presses) endNow(); });
  };
  window.addEventListener("click", endNow);
  window.addEventListener("pointerdown", event => {
    // the list of a select has its own events
    if (!(event.target instanceof Element) || !event.target.closest("select")) begin();
  }, true);
  window.addEventListener("dragstart", () => { isDragging = true; }, true);
  window.addEventListener("pointerup", end, true);
  window.addEventListener("pointercancel", () => { if (!isDragging) end(); }, true);
  for (const event of ["dragend", "contextmenu"]) window.addEventListener(event, end, true);
  window.addEventListener("blur", end);
  // a release that this window was not told about
  window.addEventListener("pointermove", event => { if (!event.buttons && !isDragging) end(); }, true);
  // the space bar clicks when it is released
  window.addEventListener("keydown", event => {
    if (event.key === " " && event.target instanceof Element && event.target.matches("button, summary, input[type=checkbox]")) begin();
  }, true);
  window.addEventListener("keyup", event => { if (event.key === " ") end(); }, true);
}
