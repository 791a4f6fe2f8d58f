// The demo: a page goes to the worker, lists come back and are shown as tables.
//
// `program.js`, which `make demo` writes next to this file, has the program, the source of the worker, the names of the
// domains and an example. They are texts in a script, since a page that was opened from a disk may not read other files.
"use strict";
/* global copalProgram */

/** More rows than these are in the downloads only. */
const MAX_SHOWN_ROWS = 500;
/** Bytes of a file beyond which nothing is read; the extractor's own limits are lower. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

const byId = id => document.getElementById(id);
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text ?? "" });
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

let worker = null;
let lastId = 0;
/** The answer that is shown, with the number of the list. */
let shown = null;
/** A file that was chosen; the text field otherwise has the page. */
let chosen = null;

function startWorker() {
  const url = URL.createObjectURL(new Blob([copalProgram.worker], { type: "text/javascript" }));
  worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.onmessage = ({ data }) => {
    if (data.id === lastId) show(data.document, data.milliseconds);
  };
  worker.onerror = event => show({ error: event.message || "the extractor could not be started" }, 0);
  worker.postMessage({ program: copalProgram.wasm });
}

function status(text, isProblem = false) {
  byId("status").textContent = text;
  byId("status").className = isProblem ? "problem" : "";
}

function setBusy(isBusy) {
  byId("extract").disabled = isBusy;
  byId("stop").hidden = !isBusy;
}

async function extract() {
  const source = byId("source").value;
  const page = chosen ? new Uint8Array(await chosen.arrayBuffer()) : new TextEncoder().encode(source);
  if (!page.length) {
    status("Choose a file, or paste the source of a page.", true);
    return;
  }
  if (!worker) startWorker();
  setBusy(true);
  byId("result").hidden = true;
  status("Reading the page …");
  worker.postMessage({ id: ++lastId, page, url: byId("url").value, domain: byId("domain").value });
}

function stop() {
  worker?.terminate();
  worker = null;
  lastId++;
  setBusy(false);
  status("Stopped.");
}

function show(result, milliseconds) {
  setBusy(false);
  if (result.error) {
    status(`Copal cannot read this: ${result.error}`, true);
    return;
  }
  const { answer, csv, impression } = result;
  const tables = answer.fields ? [objectTable(answer)] : answer.regions.map(listTable);
  const took = `${Math.max(1, Math.round(milliseconds))} ms`;
  if (!tables.length) {
    const seems = impression ? ` The page ${impression}.` : "";
    status(`No list found (${took}).${seems} If the list is filled in by a script, copy it in the browser and paste it here.`);
    return;
  }
  const what = answer.fields ? "one object" : plural(tables.length, "list");
  status(`Found ${what} in ${took}.`);
  shown = { answer, csv, tables };
  byId("lists").replaceChildren(...tables.map((table, at) => {
    const button = element("button", table.title);
    button.type = "button";
    button.append(element("span", table.columns.map(column => column.name).join(", ")));
    button.addEventListener("click", () => select(at));
    return button;
  }));
  byId("warnings").replaceChildren(...answer.warnings.map(warning => element("li", warning)));
  byId("result").hidden = false;
  select(0);
}

/** A list as columns and rows of texts. */
function listTable(region, at) {
  const rows = region.records.map(record => region.columns.map(column => cellText(record.fields[column.name])));
  const title = `${at === 0 && region.role === "primary" ? "Main list" : `List ${at + 1}`}: ${plural(rows.length, "record")}`;
  return { title, columns: region.columns, rows };
}

/** The fields of an object as rows. */
function objectTable(answer) {
  const rows = Object.entries(answer.fields).map(([name, value]) => [name, cellText(value)]);
  return { title: `One object: ${plural(rows.length, "field")}`, columns: [{ name: "field" }, { name: "value" }], rows };
}

const cellText = value => value === undefined ? "" : [value].flat().join(" | ");

function select(at) {
  const { title, columns, rows } = shown.tables[at];
  shown.at = at;
  for (const [i, button] of [...byId("lists").children].entries()) button.setAttribute("aria-pressed", String(i === at));
  const head = element("tr");
  for (const column of columns) {
    const cell = element("th", column.name);
    cell.scope = "col";
    if (column.type) cell.append(element("small", column.type));
    head.append(cell);
  }
  const body = rows.slice(0, MAX_SHOWN_ROWS).map(row => {
    const line = element("tr");
    line.append(...row.map(text => element("td", text)));
    return line;
  });
  const parts = [element("thead"), element("tbody")];
  parts[0].append(head);
  parts[1].append(...body);
  byId("table").replaceChildren(...parts);
  byId("summary").textContent = rows.length > MAX_SHOWN_ROWS ? `${title}, the first ${MAX_SHOWN_ROWS} are shown` : title;
}

function download(name, text, type) {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function choose(file) {
  if (!file) return;
  if (file.size > MAX_FILE_BYTES) {
    status(`${file.name} is larger than ${MAX_FILE_BYTES / 2 ** 20} MB.`, true);
    return;
  }
  chosen = file;
  byId("source").value = "";
  byId("source").placeholder = file.name;
  extract();
}

function typed() {
  chosen = null;
  byId("source").placeholder = "<html>…";
}

byId("input").addEventListener("submit", event => {
  event.preventDefault();
  extract();
});
byId("stop").addEventListener("click", stop);
byId("file").addEventListener("change", event => {
  choose(event.target.files[0]);
  // the same file can be chosen again
  event.target.value = "";
});
byId("source").addEventListener("input", typed);
byId("source").addEventListener("paste", event => {
  // A part of a page that was copied in the browser arrives as HTML too; its plain text has lost the structure.
  const html = event.clipboardData.getData("text/html");
  if (!html || event.clipboardData.getData("text/plain").trimStart().startsWith("<")) return;
  event.preventDefault();
  typed();
  byId("source").value = html;
});
byId("example").addEventListener("click", () => {
  typed();
  byId("source").value = copalProgram.example.html;
  byId("url").value = copalProgram.example.url;
  extract();
});
byId("csv").addEventListener("click", () => download("copal.csv", shown.csv[shown.at], "text/csv"));
byId("json").addEventListener("click", () => download("copal.json", JSON.stringify(shown.answer, null, 2), "application/json"));

// a file that misses the area must not replace this page
addEventListener("dragover", event => {
  event.preventDefault();
  byId("drop").classList.add("over");
});
addEventListener("dragleave", () => byId("drop").classList.remove("over"));
addEventListener("drop", event => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  choose(event.dataTransfer.files[0]);
});

if (typeof copalProgram === "undefined") {
  byId("extract").disabled = byId("example").disabled = true;
  status("program.js is missing: run `make demo` and open the page that it names.", true);
} else {
  byId("domain").append(...copalProgram.domains.map(name => Object.assign(element("option", name), { value: name })));
  startWorker();
}
