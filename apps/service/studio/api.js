// @ts-check
/** The API of the service. Nothing else in the studio sends requests. */

/** What the service says went wrong, in plain words. */
export class ApiProblem extends Error {
  /** @param {string} message @param {string | null} hint @param {number} status @param {string} [kind] as the service names it */
  constructor(message, hint, status, kind = "") {
    super(message);
    this.hint = hint;
    this.status = status;
    /** Whether the same request may have another answer later: nothing was wrong with it. */
    this.isPassing = status === 0 || status === 401 || status === 429 || status >= 500 || kind.endsWith(":time-limit");
  }
}

/** The token that was entered, for services that are not on this machine. */
let token = sessionStorage.getItem("copal-token");

/** @param {string} text */
export function setToken(text) {
  token = text;
  sessionStorage.setItem("copal-token", text);
}

/**
 * @param {string} method @param {string} path @param {BodyInit | null} [body] @param {string | null} [kind]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function requestOnce(method, path, body, kind, signal) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (kind) headers["content-type"] = kind;
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { method, headers, body, signal });
  } catch (error) {
    if (/** @type {any} */ (error).name === "AbortError") throw error;
    throw new ApiProblem("The service does not answer.", "Is copal still running? Start it again, then reload.", 0);
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    const message = problem.detail ?? `The service answered ${response.status}.`;
    throw new ApiProblem(message, problem.hint ?? null, response.status, problem.type);
  }
  return response;
}

/** Milliseconds before a service that has too much to do is asked again. */
const PAUSES = [1_000, 2_000, 4_000];

/**
 * Sends a request, again after a moment if the service has too much to do.
 * @param {string} method @param {string} path @param {BodyInit | null} [body] @param {string | null} [kind]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function request(method, path, body, kind, signal) {
  for (const pause of PAUSES) {
    try {
      return await requestOnce(method, path, body, kind, signal);
    } catch (error) {
      const isBusy = error instanceof ApiProblem && (error.status === 503 || error.status === 429);
      if (!isBusy) throw error;
    }
    await new Promise(resolve => { setTimeout(resolve, pause); });
    signal?.throwIfAborted();
  }
  return requestOnce(method, path, body, kind, signal);
}

/** @param {string} path @param {any} value @param {AbortSignal} [signal] @returns {Promise<any>} */
export const post = async (path, value, signal) =>
  (await request("POST", path, JSON.stringify(value), "application/json", signal)).json();

/**
 * @param {string} path @param {any} value @param {AbortSignal} [signal]
 * @returns {Promise<{text: string, headers: Headers, blob: Blob}>}
 */
export async function postForFile(path, value, signal) {
  const response = await request("POST", path, JSON.stringify(value), "application/json", signal);
  const blob = await response.blob();
  return { blob, headers: response.headers, text: await blob.text() };
}

/**
 * Sends a file as it is: the service finds out its encoding.
 * @param {string} path @param {Blob} file @param {string} name @param {any} value @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function postFile(path, file, name, value, signal) {
  const form = new FormData();
  form.append("request", new Blob([JSON.stringify(value)], { type: "application/json" }));
  form.append("file", file, name);
  return (await request("POST", path, form, null, signal)).json();
}

/** @param {string} path @returns {Promise<any>} */
export const get = async path => (await request("GET", path)).json();

/** @param {string} path @returns {Promise<string>} */
export const getText = async path => (await request("GET", path)).text();

/** @param {string} path @returns {Promise<Blob>} */
export const getBlob = async path => (await request("GET", path)).blob();

/** @param {string} path @param {any} value */
export const putJson = (path, value) => request("PUT", path, JSON.stringify(value), "application/json");

/** Stores something small while the page is closed: the browser sends it afterwards. @param {string} path @param {any} value */
export function putAtEnd(path, value) {
  /** @type {Record<string, string>} */
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  fetch(path, { method: "PUT", headers, body: JSON.stringify(value), keepalive: true }).catch(() => {});
}

/** @param {string} path @param {string} text @returns {Promise<any>} */
export const putYaml = async (path, text) => (await request("PUT", path, text, "application/yaml")).json();

/** @param {string} path */
export const remove = path => request("DELETE", path);
