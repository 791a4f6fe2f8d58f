// URLs that must not be fetched, whatever form they have. The site of this test counts its connections.
import assert from "node:assert/strict";
import { api, run, site } from "./support.mjs";

const { port } = new URL(site);
const HOSTS = ["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0.0.1",
  "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "0.0.0.0", "[::]", "127.0.0.2", "127.255.255.254", "10.0.0.1", "192.168.1.1",
  "172.16.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "①②⑦.⓪.⓪.①", "127。0。0。1", "user:pass@127.0.0.1"];
const FORMS = [host => `http://${host}:${port}/canary`, host => `http://${host}:${port}/`, host => `http://${host}:${port}`,
  host => `HTTP://${host}:${port}/canary#x`, host => `http:\\\\${host}:${port}\\canary`];
const OTHERS = ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:text/html,x", "javascript:alert(1)", "about:blank", "chrome://version",
  "view-source:http://127.0.0.1/", "blob:http://127.0.0.1/x", "ws://127.0.0.1/", "//127.0.0.1/", "", "http://", "http:///", "http://[::1", "http://%00/"];

await run({
  async "no forbidden URL is connected to"() {
    const urls = [...HOSTS.flatMap(host => FORMS.map(form => form(host))), ...OTHERS];
    assert.ok(urls.length >= 150, `${urls.length} URLs`);
    for (const url of urls) {
      const { status, json } = await api("POST", "/v1/view", { url, styles: true });
      assert.ok([400, 403, 422, 502].includes(status), `${url}: ${status}`);
      assert.ok(json.detail, url);
    }
    console.log(`ok ${urls.length} URLs`);
  },
});
