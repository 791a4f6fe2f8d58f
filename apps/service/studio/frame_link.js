// @ts-check
/**
 * The frame that shows the page, and the messages to and from it. The frame has no origin (`sandbox` without
 * `allow-same-origin`), so a message is only trusted if it comes from that very window.
 */

/** @type {HTMLIFrameElement | null} */
let frame = null;
let isReady = false;
/** @type {any[]} */
let waiting = [];
/** @type {((message: any) => void) | null} */
let listener = null;

/** Creates the frame. @param {(message: any) => void} onMessage @returns {HTMLIFrameElement} */
export function createFrame(onMessage) {
  listener = onMessage;
  isReady = false;
  waiting = [];
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("title", "The page");
  frame.setAttribute("referrerpolicy", "no-referrer");
  frame.src = "/studio/frame";
  return frame;
}

/** Sends a message to the frame, as soon as it is there. @param {any} message */
export function tell(message) {
  if (isReady) frame?.contentWindow?.postMessage(message, "*");
  else waiting.push(message);
}

window.addEventListener("message", event => {
  // a document without an origin says "null"; the window tells ours from others
  if (!frame || event.source !== frame.contentWindow || event.origin !== "null") return;
  const message = event.data;
  if (typeof message !== "object" || message === null) return;
  if (message.type === "ready") {
    isReady = true;
    const messages = waiting;
    waiting = [];
    messages.forEach(tell);
  }
  listener?.(message);
});
