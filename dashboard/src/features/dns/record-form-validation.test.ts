import assert from "node:assert/strict";
import { test } from "node:test";

import { recordTypes, type RecordType } from "../../../../src/core/dns/content/record-types.ts";
import { structuredRules } from "../../../../src/core/dns/content/structured.ts";
import { dataFieldsOf, hasPriority, initialData } from "./record-form-fields.ts";
import { emptyDraft } from "./record-draft.ts";
import { contentOf, fullName, partsOf } from "./record-form-validation.ts";

const zone = "example.com";

test("a form asks for each part of the types that have data in words, in the order of the content", () => {
  for (const [type, { fields, priority }] of Object.entries(structuredRules)) {
    const asked = dataFieldsOf(type as RecordType);
    const names = fields.map(({ name }) => name);
    assert.deepEqual(
      asked.map(({ name }) => name),
      names.filter((name) => name !== "priority" || priority?.inData === true),
    );
    assert.ok(
      asked.every(({ name, label }) => label !== name),
      `${type} has a label for each part`,
    );
  }
});

test("a part that the API fills in may be left out, and numbers and long texts are asked for as such", () => {
  const kinds = dataFieldsOf("DS").map(({ kind }) => kind);
  assert.deepEqual(kinds, ["number", "number", "number", "long text"]);
  const optional = dataFieldsOf("NAPTR").flatMap(({ name, isOptional }) => (isOptional ? name : []));
  assert.deepEqual(optional, ["flags", "service", "regex"]);
  assert.deepEqual(recordTypes.filter(hasPriority), ["MX", "URI"]);
});

test("a name is shown as the one that the API makes of it", () => {
  assert.equal(fullName("www", zone), "www.example.com");
  assert.equal(fullName("@", zone), "example.com");
  assert.equal(fullName("WWW.example.com.", zone), "www.example.com");
  assert.equal(fullName("bücher", zone), "xn--bcher-kva.example.com");
  assert.equal(fullName("a..b", zone), undefined);
});

test("parts are shown as the content that they make, once they make one", () => {
  const srv = { ...emptyDraft, type: "SRV", name: "_sip._udp", data: initialData("SRV") } as const;
  assert.equal(contentOf(srv, zone), undefined);
  assert.equal(
    contentOf({ ...srv, data: { ...srv.data, port: 5060, target: "sip.example.com" } }, zone),
    "10 5 5060 sip.example.com",
  );
  const https = {
    ...emptyDraft,
    type: "HTTPS",
    data: { ...initialData("HTTPS"), value: "alpn=h2" },
  } as const;
  assert.equal(contentOf(https, zone), '1 . alpn="h2"');
  assert.equal(
    contentOf({ ...emptyDraft, type: "MX", content: "mx.example.net" }, zone),
    "10 mx.example.net",
  );
});

test("a whole content is taken apart into its fields, and a part of one is left alone", () => {
  assert.deepEqual(partsOf("20 mx.example.net.", "MX", zone), { content: "mx.example.net", priority: 20 });
  assert.deepEqual(partsOf('0 issue "ca.example"', "CAA", zone), {
    data: { flags: 0, tag: "issue", value: "ca.example" },
  });
  assert.deepEqual(partsOf('10 1 "https://example.com/"', "URI", zone), {
    data: { target: "https://example.com/", weight: 1 },
    priority: 10,
  });
  assert.equal(partsOf("52 22 23 N 4 53 32 E 0m", "LOC", zone)?.data?.["lat_degrees"], 52);
  for (const type of ["MX", "CAA", "SRV", "A"] as const)
    assert.equal(partsOf("ca.example", type, zone), undefined);
});
