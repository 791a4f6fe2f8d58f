// Runs the extractor, away from the page so that a large input does not freeze it.
//
// The program reads standard input and writes standard output; this file is the little of a system that it needs: the
// functions of WASI preview 1 for three open files, arguments, a clock and random numbers. It has no files and no
// network to offer. In: one message with the compressed program, then one per page. Out: the program's JSON per page.
"use strict";

const SUCCESS = 0, BAD_FILE = 8, NOT_SUPPORTED = 52;
const STDIN = 0, STDOUT = 1, STDERR = 2;

/** The program's way to end. */
class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** What one run of the program sees of the world. */
class System {
  /** @param {Uint8Array} input @param {string[]} args */
  constructor(input, args) {
    this.input = input;
    this.read = 0;
    this.written = { [STDOUT]: [], [STDERR]: [] };
    this.args = args.map(argument => new TextEncoder().encode(`${argument}\0`));
    /** @type {WebAssembly.Memory | null} */
    this.memory = null;
  }

  view() {
    return new DataView(this.memory.buffer);
  }

  /** The buffers of a scattered read or write. */
  *buffers(at, count) {
    for (let i = 0; i < count; i++) {
      const view = this.view();
      yield new Uint8Array(this.memory.buffer, view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true));
    }
  }

  text(stream) {
    const decoder = new TextDecoder();
    return this.written[stream].map(part => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }

  /** The functions that the program imports; those that it never calls here fail. */
  imports(module) {
    const own = this.functions();
    const imports = {};
    for (const { module: group, name } of WebAssembly.Module.imports(module)) {
      imports[group] ??= {};
      imports[group][name] = own[name] ?? (() => NOT_SUPPORTED);
    }
    return imports;
  }

  functions() {
    const list = (items, pointers, bytes) => {
      for (const [i, item] of items.entries()) {
        this.view().setUint32(pointers + 4 * i, bytes, true);
        new Uint8Array(this.memory.buffer).set(item, bytes);
        bytes += item.length;
      }
      return SUCCESS;
    };
    const sizes = (items, count, bytes) => {
      this.view().setUint32(count, items.length, true);
      this.view().setUint32(bytes, items.reduce((sum, item) => sum + item.length, 0), true);
      return SUCCESS;
    };
    return {
      args_get: (pointers, bytes) => list(this.args, pointers, bytes),
      args_sizes_get: (count, bytes) => sizes(this.args, count, bytes),
      environ_get: () => SUCCESS,
      environ_sizes_get: (count, bytes) => sizes([], count, bytes),
      fd_read: (file, at, count, result) => {
        if (file !== STDIN) return BAD_FILE;
        let total = 0;
        for (const buffer of this.buffers(at, count)) {
          const part = this.input.subarray(this.read, this.read + buffer.length);
          buffer.set(part);
          this.read += part.length;
          total += part.length;
        }
        this.view().setUint32(result, total, true);
        return SUCCESS;
      },
      fd_write: (file, at, count, result) => {
        if (!this.written[file]) return BAD_FILE;
        let total = 0;
        for (const buffer of this.buffers(at, count)) {
          this.written[file].push(buffer.slice());
          total += buffer.length;
        }
        this.view().setUint32(result, total, true);
        return SUCCESS;
      },
      // no folder is open
      fd_prestat_get: () => BAD_FILE,
      clock_time_get: (clock, precision, result) => {
        const milliseconds = clock === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
        return SUCCESS;
      },
      random_get: (at, length) => {
        // the browser gives at most 64 KiB at a time
        for (let done = 0; done < length; done += 65536) {
          crypto.getRandomValues(new Uint8Array(this.memory.buffer, at + done, Math.min(65536, length - done)));
        }
        return SUCCESS;
      },
      sched_yield: () => SUCCESS,
      proc_exit: code => {
        throw new Exit(code);
      },
    };
  }
}

/** The program from gzip in base64. */
async function compile(encoded) {
  const packed = Uint8Array.from(atob(encoded), character => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Runs the program on one page, in memory of its own. */
async function run(module, page, args) {
  const system = new System(page, args);
  const instance = await WebAssembly.instantiate(module, system.imports(module));
  system.memory = instance.exports.memory;
  try {
    instance.exports._start();
  } catch (error) {
    // the program has said what is wrong with the page on its standard output, unless it could not go on
    if (!(error instanceof Exit)) return { error: `the extractor stopped: ${system.text(STDERR) || error.message}` };
  }
  return JSON.parse(system.text(STDOUT));
}

let module;
self.onmessage = async ({ data }) => {
  try {
    if (data.program) {
      module = compile(data.program);
      await module;
      self.postMessage({ ready: true });
      return;
    }
    const compiled = await module;
    const began = performance.now();
    const document = await run(compiled, data.page, ["copal", "--url", data.url, "--domain", data.domain]);
    self.postMessage({ id: data.id, document, milliseconds: performance.now() - began });
  } catch (error) {
    self.postMessage({ id: data.id, document: { error: String(error.message ?? error) }, milliseconds: 0 });
  }
};
