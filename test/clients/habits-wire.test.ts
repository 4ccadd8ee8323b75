import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../support/dns-zone.ts";
import { byKey, byToken, onComparedEngines, ownerToken } from "../support/harness.ts";
import { requestText, sendBytes, type RawAnswer } from "../support/raw-http.ts";
import { fieldPart, formRequest } from "../support/zone-file-form.ts";

const base = "/client/v4";
/** The room of an updater in C, for head and body together. */
const answerBytesMax = 4095;

onComparedEngines("habits of clients on the wire", (engine) => {
  const app = shareApp(engine);

  test("HTTP/1.0, no chunks, 4 KiB for an answer: an updater in C finds its record and changes it", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "A", name: "home", content: "192.0.2.1" });
    const send = async (method: string, path: string, body?: string): Promise<RawAnswer> => {
      const lines = [
        `${method} ${base}${path} HTTP/1.0`,
        "Host: api.cloudflare.com",
        "User-Agent: inadyn/2.9.1 https://github.com/troglobit/inadyn/issues",
        "Accept: */*",
        `Authorization: Bearer ${ownerToken}`,
        "Content-Type: application/json",
        ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
      ];
      const answer = await sendBytes(app().baseUrl, `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get("content-length"), String(Buffer.byteLength(answer.text)));
      assert.equal(answer.headers.get("transfer-encoding"), undefined);
      const bytes = Buffer.byteLength(`${answer.head}\r\n\r\n${answer.text}`);
      assert.ok(bytes <= answerBytesMax, `${bytes} bytes`);
      return answer;
    };
    const found = await send("GET", `/zones?name=${zone.name}`);
    assert.equal(firstId(found.text), zone.id);
    const record = await send("GET", `/zones/${zone.id}/dns_records?type=A&name=home.${zone.name}`);
    assert.equal(firstId(record.text), id);
    const body = `{"type":"A","name":"home.${zone.name}","content":"192.0.2.9"}`;
    await send("PUT", `/zones/${zone.id}/dns_records/${id}`, body);
    await send("POST", `/zones/${zone.id}/dns_records`, body.replace("home", "new"));
    assert.deepEqual(
      (await zone.list({ order: "name" })).map(({ name, content }) => `${name} ${content}`),
      [`home.${zone.name} 192.0.2.9`, `new.${zone.name} 192.0.2.9`],
    );
  });

  test("the first balanced braces of an answer are its body: an updater in Perl looks for no other", async (t) => {
    const zone = await createDnsZone(t, app());
    await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const paths = ["/zones", "/zones/0", `/zones/${zone.id}/dns_records`, "/user", "/accounts", "/nothing"];
    for (const path of paths) {
      const { head, text } = await sendBytes(app().baseUrl, requestText("GET", base + path, byToken));
      assert.equal(firstBraces(`${head}\r\n\r\n${text}`), text, path);
      assert.doesNotMatch((text.match(/"(?:[^"\\]|\\.)*"/g) ?? []).join(""), /[{}]/, "no brace in a string");
    }
  });

  test("an answer that a shell cuts into words: id, name and count come before the first space", async (t) => {
    const zone = await createDnsZone(t, app());
    const wordOf = async (path: string): Promise<string> => {
      const headers = { ...byKey, "content-type": "application/json" };
      const { text } = await sendBytes(app().baseUrl, requestText("GET", base + path, headers));
      assert.doesNotMatch(text, /%/, "printf would read it as a format");
      return text.split(/\s/, 1)[0] ?? "";
    };
    const zones = await wordOf(`/zones?name=${zone.name}`);
    assert.match(zones, new RegExp(`"name":"${zone.name}"`));
    assert.equal(firstId(zones), zone.id);
    const records = `/zones/${zone.id}/dns_records?type=TXT&name=_acme-challenge.${zone.name}`;
    assert.equal(grep(await wordOf(records), /"count":[^,]*/), '"count":0');
    const { id } = await zone.create({ type: "TXT", name: "_acme-challenge", content: "XKrxpRBosdIK_-" });
    const found = await wordOf(records);
    assert.equal(grep(found, /"count":[^,]*/), '"count":1');
    assert.equal(firstId(found), id);
    assert.match(found, /"success":true/);
    assert.equal(grep(found, /"content":\s*"[^"]*/), '"content":"XKrxpRBosdIK_-');
    const sent = { id, type: "TXT", name: `_acme-challenge.${zone.name}`, content: "other" };
    const updated = await zone.send("PUT", `/${id}`, { ...sent, zone_id: zone.id, zone_name: zone.name });
    assert.deepEqual(
      [updated.status, updated.body.result.id, updated.body.result.content],
      [200, id, "other"],
    );
  });

  test("clients that match text find compact JSON, and the id first in what it is the id of", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const records = `/zones/${zone.id}/dns_records`;
    const one = [`/zones/${zone.id}`, `${records}/${id}`, "/user", `/accounts/${app().owner.accountId}`];
    const lists = ["/zones", records, "/accounts", "/memberships"];
    for (const path of [...one, ...lists, "/ips", "/zones/0", "/nothing", "/zones?page=0"]) {
      const { status, text, body } = await app().request("GET", path);
      assert.equal(text, JSON.stringify(body), path);
      if (status === 200) assert.deepEqual([body.success, body.errors, body.messages], [true, [], []], path);
      if (one.includes(path)) assert.match(text, /^\{"result":\{"id":"[0-9a-f]{32}",/, path);
      if (lists.includes(path)) assert.match(text, /^\{"result":\[\{"id":"[0-9a-f]{32}",/, path);
    }
  });

  test("a body of {} and its type on GET and DELETE, as a Python client sends with everything", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const headers = { ...byKey, "content-type": "application/json", "content-length": "2" };
    for (const method of ["GET", "DELETE"]) {
      const path = `${base}/zones/${zone.id}/dns_records/${id}`;
      const answer = await sendBytes(app().baseUrl, requestText(method, path, headers, "{}"));
      assert.deepEqual([answer.status, answer.body.result.id], [200, id], answer.text);
    }
    assert.deepEqual(await zone.list(), []);
  });

  test("hand-written scripts spell header names, the scheme and the end of a path in every way", async (t) => {
    const zone = await createDnsZone(t, app());
    const spellings: readonly Record<string, string>[] = [
      { AUTHORIZATION: `BEARER ${ownerToken}` },
      { authorization: `bearer ${ownerToken}` },
      { Authorization: `Bearer  ${ownerToken} ` },
      { "X-AUTH-EMAIL": byKey["x-auth-email"].toUpperCase(), "X-AUTH-KEY": byKey["x-auth-key"] },
    ];
    for (const headers of spellings) {
      const { status, body } = await sendBytes(app().baseUrl, requestText("GET", `${base}/zones/`, headers));
      assert.equal(status, 200, JSON.stringify(headers));
      assert.deepEqual(
        body.result.map(({ id }: { id: string }) => id),
        [zone.id],
      );
    }
  });

  test("offers of gzip and of HTTP/2, as Python and Java clients make them, are answered readably", async (t) => {
    const zone = await createDnsZone(t, app());
    const offers: readonly Record<string, string>[] = [
      { "accept-encoding": "gzip, deflate, br, zstd" },
      {
        connection: "Upgrade, HTTP2-Settings, close",
        upgrade: "h2c",
        "http2-settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
      },
    ];
    for (const offer of offers) {
      const bytes = requestText("GET", `${base}/zones/${zone.id}`, { ...byToken, ...offer });
      const { status, headers, body } = await sendBytes(app().baseUrl, bytes);
      assert.deepEqual([status, body.result.id], [200, zone.id]);
      assert.equal(headers.get("content-encoding"), undefined);
    }
  });

  test("a form as curl, browsers, Python and Go write it", async (t) => {
    const zone = await createDnsZone(t, app());
    const named = 'form-data; name="file"; filename="zone.txt"';
    const forms: readonly (readonly [boundary: string, part: (text: string) => string])[] = [
      ["----curl", (text) => `Content-Disposition: ${named}\r\nContent-Type: text/plain\r\n\r\n${text}`],
      ["0123456789abcdef", (text) => `Content-Disposition: ${named}\r\n\r\n${text}`],
      ['"quoted:boundary"', (text) => `content-disposition: form-data; name="file"\r\n\r\n${text}`],
      ["b", (text) => `Content-Type: text/plain\r\nContent-Disposition: ${named}\r\n\r\n${text}`],
      [
        "b; charset=utf-8",
        (text) => `Content-Disposition: ${named}; filename*=UTF-8''zone.txt\r\n\r\n${text}`,
      ],
    ];
    for (const [index, [boundary, part]] of forms.entries()) {
      const delimiter = boundary.replaceAll('"', "").split(";", 1)[0];
      const form = `--${delimiter}\r\n${part(`host${index} 300 IN A 192.0.2.1\r\n`)}\r\n--${delimiter}--\r\n`;
      const headers = { ...byToken, "content-type": `multipart/form-data; boundary=${boundary}` };
      // Go sends a form that it is still writing in chunks.
      const chunks = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
      const path = `${base}/zones/${zone.id}/dns_records/import`;
      const whole = { ...headers, "content-length": String(form.length) };
      const inChunks = { ...headers, "transfer-encoding": "chunked" };
      const sent = await sendBytes(app().baseUrl, requestText("POST", path, whole, form));
      assert.deepEqual([sent.status, sent.body.result?.recs_added], [200, 1], `${boundary}: ${sent.text}`);
      const again = await sendBytes(app().baseUrl, requestText("POST", path, inChunks, chunks));
      assert.deepEqual([again.status, again.body.result?.recs_added], [200, 0], `${boundary}: ${again.text}`);
    }
    assert.equal((await zone.list()).length, forms.length);
  });

  test("a form whose lines end with LF, as cloudflare-go 0 writes it: one for what is proxied, empty or not", async (t) => {
    const zone = await createDnsZone(t, app());
    const boundary = "------------------------BOUNDARY";
    const importForm = (text: string, rest = "") =>
      app().request("POST", `/zones/${zone.id}/dns_records/import`, {
        headers: { ...byToken, "content-type": `multipart/form-data; boundary=${boundary}` },
        rawBody: `--${boundary}\nContent-Disposition: form-data; name="file"; filename="bind.txt"\n\n${text}\n${rest}--${boundary}--`,
      });
    const asProxied = `--${boundary}\nContent-Disposition: form-data; name="proxied"\n\ntrue\n`;
    const lines = 'www.example.com. 300 IN A 192.0.2.1\ntext.example.com. 300 IN TXT "a b"\n';
    const forms = [
      importForm(lines),
      importForm("", asProxied),
      importForm("edge 1 IN A 192.0.2.2", asProxied),
    ];
    const added = (await Promise.all(forms)).map(({ body }) => body.result?.recs_added);
    assert.deepEqual(added, [2, 0, 1]);
    const records = await zone.list();
    assert.deepEqual(
      records.map(({ name, content, proxied }) => [name, content, proxied]),
      [
        ["edge.example.com", "192.0.2.2", true],
        ["www.example.com", "192.0.2.1", false],
        ["text.example.com", "a b", false],
      ],
    );
  });

  test("a body that waits for 100 Continue, as curl's does", async (t) => {
    const zone = await createDnsZone(t, app());
    const { headers, rawBody = "" } = formRequest([fieldPart("file", "www 300 A 192.0.2.1", "zone.txt")]);
    const head = requestText("POST", `${base}/zones/${zone.id}/dns_records/import`, {
      ...headers,
      expect: "100-continue",
      "content-length": String(rawBody.length),
    });
    const { hostname, port } = new URL(app().baseUrl);
    const received = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket
        .setEncoding("utf8")
        .on("error", reject)
        .on("close", () => resolve(text));
      socket.on("data", (part: string) => {
        if (text === "" && part.startsWith("HTTP/1.1 100 Continue\r\n\r\n")) socket.write(rawBody);
        text += part;
      });
    });
    assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    assert.equal((await zone.list()).length, 1);
  });
});

/** The first output of `grep -o`. */
function grep(text: string, form: RegExp): string | undefined {
  return form.exec(text)?.[0];
}

function firstId(text: string): string | undefined {
  return grep(text, /"id":"[^"]*/)?.slice('"id":"'.length);
}

/** The first group of balanced braces, whatever stands in quotes. */
function firstBraces(text: string): string {
  const start = text.indexOf("{");
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return "";
}
