import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createDnsZone, shareApp } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import { recordTypes } from "../../core/dns/content/record-types.ts";
import { examples } from "../../../test/support/record-examples.ts";

const address = { type: "A", name: "www", content: "192.0.2.1" };
const mail = { type: "MX", name: "@", content: "mx.example.net", priority: 10 };
const sip = { weight: 5, port: 5060, target: "sip.example.net" };
const service = { type: "SRV", name: "_sip._tcp", priority: 10, data: sip };

const notText = [1, -1.5, true, ["text"], { text: 1 }];
const notAnObject = ["text", 1, true, [{}]];
const notAWholeNumber = ["ten", "1e1", "", -1, 65_536, 1.5, 1e300, true, [1], {}];

/** Values that a field cannot have, in a record that is good without them. */
const wrongFields = [
  {
    body: address,
    field: "type",
    values: [...notText, null, "", "SOA", "ANY", "SPF", "RRSIG", "HINFO", "a ", "constructor"],
    code: 9002,
    message: "DNS record type is invalid.",
  },
  {
    body: address,
    field: "content",
    values: [...notText, "256.0.0.1", "192.0.2.01", "192.0.2", "2001:db8::1", "a\0b"],
    code: 9005,
    message: "Content for A record must be a valid IPv4 address.",
  },
  {
    body: { ...address, type: "AAAA" },
    field: "content",
    values: [...notText, "192.0.2.1", "2001:db8::1::", "fe80::1%eth0"],
    code: 9006,
    message: "Content for AAAA record must be a valid IPv6 address.",
  },
  {
    body: mail,
    field: "content",
    values: [...notText, undefined, "", "192.0.2.1", "a b", "*.example.net", "a..b"],
    code: 9009,
    message:
      "Change the content of your MX record to be a hostname (and not an IP address). For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/how-to/email-records/#add-mx-records>.",
  },
  {
    body: { ...address, type: "CNAME" },
    field: "content",
    values: [...notText, "192.0.2.1", ".", "https://example.net"],
    code: 9007,
    message: "Content for CNAME record is invalid.",
  },
  {
    body: { ...address, type: "TXT" },
    field: "content",
    values: [...notText, "nul \0", "lone \ud800", '"open', '"a" b'],
    code: 9007,
    message: "Content for TXT record is invalid.",
  },
  {
    body: address,
    field: "content",
    values: [undefined, null, "", " \t"],
    code: 9011,
    message: "Content for A record must not be empty.",
  },
  {
    body: { ...address, type: "TXT" },
    field: "content",
    values: ["a".repeat(4096), "a".repeat(500_000)],
    code: 9015,
    message: "Record content exceeds the allowed length of 4096 wire format bytes.",
  },
  {
    body: mail,
    field: "priority",
    values: notAWholeNumber,
    code: 9102,
    message: "priority must be a whole number from 0 to 65535.",
  },
  {
    body: mail,
    field: "priority",
    values: [undefined, null],
    code: 9100,
    message: "priority is a required field.",
  },
  { body: service, field: "data", values: notAnObject, code: 9102, message: "data must be an object." },
  {
    body: address,
    field: "proxied",
    values: ["true", "", 1, 0, [true], { proxied: true }],
    code: 9042,
    message: "proxied must be a boolean.",
  },
  {
    body: address,
    field: "comment",
    values: [
      ...notText,
      "nul \0",
      "escape \u001b",
      "lone \ud800",
      "two\nlines",
      "\r",
      "two\r\nlines",
      "two\u0085lines",
      "two\u2028lines",
    ],
    code: 9310,
    message: "comment must be null or a text without line ends and control characters.",
  },
  {
    body: address,
    field: "tags",
    values: ["name:value", 1, true, { name: "value" }],
    code: 9301,
    message: "tags must be a list of name:value.",
  },
  {
    body: address,
    field: "settings",
    values: notAnObject,
    code: 9320,
    message: "settings must be an object.",
  },
];

/** Bodies that are close to a record: some fields of a good one are replaced by anything. */
const hostileValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\0", "\ud800", "__proto__", "", 0, -0, 1e308, 2 ** 53),
);
const fields = [
  "type",
  "name",
  "content",
  "priority",
  "ttl",
  "proxied",
  "comment",
  "tags",
  "settings",
  "data",
  "id",
];
const hostileBody = fc
  .record({
    type: fc.constantFrom(...recordTypes),
    name: fc.nat({ max: 1000 }).map((number) => `host${number}`),
    replaced: fc.dictionary(fc.constantFrom(...fields), hostileValue, { maxKeys: 2 }),
    replacedData: fc.dictionary(
      fc.constantFrom("priority", "target", "value", "flags", "certificate"),
      hostileValue,
      {
        maxKeys: 1,
      },
    ),
  })
  .map(({ type, name, replaced, replacedData }) => {
    const { sent } = examples[type];
    const data = sent.data && { data: { ...sent.data, ...replacedData } };
    return Object.assign({ type, name }, sent, data, replaced);
  });
const anyBody = fc.oneof({ arbitrary: hostileBody, weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 });

onComparedEngines("a DNS record that is not valid", (engine) => {
  const app = shareApp(engine);

  test("is refused with the code of its error and a pointer to it, and stores nothing", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "TXT", name: "other", content: "a text" });
    for (const { code, message, ...variants } of wrongFields) {
      const refusal = { code, message, pointer: `/${variants.field}` };
      await zone.refusesEach("POST", "", variants, refusal);
      await zone.refusesEach("PUT", `/${id}`, variants, refusal);
    }
  });

  test("is refused for each part of its data", async (t) => {
    const zone = await createDnsZone(t, app());
    const parts = [
      {
        part: "port",
        values: notAWholeNumber,
        code: 9102,
        message: "port must be a whole number from 0 to 65535.",
      },
      { part: "port", values: [undefined, null], code: 9101, message: "port is a required data field." },
      {
        part: "target",
        values: [...notText, "192.0.2.1", "a b"],
        code: 9102,
        message: 'target must be a hostname or ".".',
      },
    ];
    for (const { part, values, code, message } of parts) {
      const refusal = { code, message, pointer: `/data/${part}` };
      for (const value of values) {
        await zone.refuses("POST", "", { ...service, data: { ...sip, [part]: value } }, refusal);
      }
    }
  });

  test("is refused with an error for each member of its data that is missing", async (t) => {
    const zone = await createDnsZone(t, app());
    const { status, body } = await zone.send("POST", "", {
      type: "SRV",
      name: "_sip._tcp",
      data: { priority: 1 },
    });
    const missing = ["weight", "port", "target"].map((field) => ({
      code: 9101,
      message: `${field} is a required data field.`,
      source: { pointer: `/data/${field}` },
      error_chain: [{ code: 9101, message: `${field} is a required data field.` }],
    }));
    assert.deepEqual([status, body.errors], [400, missing]);
    const batch = await zone.send("POST", "/batch", { posts: [address, { type: "MX", name: "@" }] });
    assert.deepEqual(
      batch.body.errors.map(({ code, source }) => [code, source?.pointer]),
      [
        [9100, "/posts/1/priority"],
        [9009, "/posts/1/content"],
      ],
    );
    assert.deepEqual(await zone.list(), []);
  });

  test("is refused when it is no object at all", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create(address);
    const refusal = { code: 1003, message: "Invalid body: must be object", pointer: "", chain: false };
    for (const body of [null, [], [address], "text", 1, true, undefined]) {
      await zone.refuses("POST", "", body, refusal);
      await zone.refuses("PUT", `/${id}`, body, refusal);
      await zone.refuses("PATCH", `/${id}`, body, refusal);
    }
  });

  test("never makes the server fail, and only an accepted one is counted", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "TXT", name: "other", content: "a text" });
    let count = 1;
    const methods = fc.constantFrom("POST", "PUT", "PATCH");
    const property = fc.asyncProperty(anyBody, methods, async (body, method) => {
      const answer = await zone.send(method, method === "POST" ? "" : `/${id}`, body);
      if (answer.status === 200 && method === "POST") count += 1;
      if (answer.status !== 200) {
        assert.equal(answer.status, 400, answer.text);
        assert.equal(typeof answer.body.errors[0]?.source?.pointer, "string", answer.text);
      }
      assert.equal((await zone.send("GET", "?per_page=1")).body.result_info?.total_count, count);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
