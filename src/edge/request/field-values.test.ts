import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { newDirectory, until } from "../../../test/support/harness.ts";
import { serveHttps } from "../../../test/support/http2-visitor.ts";
import { ask, startJudge } from "../../../test/support/judge.ts";
import { isIpAddress } from "../../core/expression/context.ts";
import { neutralFieldText, valueOfField } from "../../core/expression/field-values.ts";
import { fields, type FieldDefinition } from "../../core/expression/fields.ts";
import { responsePhases } from "../../core/expression/phases.ts";
import { printIpAddress } from "../../core/net/ip-address.ts";

const boundary = "an-edge";
const body = [
  `--${boundary}`,
  'Content-Disposition: form-data; name="user"',
  "",
  "alice",
  `--${boundary}`,
  'Content-Disposition: form-data; name="picture"; filename="a.png"',
  "Content-Type: image/png",
  "Content-Transfer-Encoding: binary",
  "",
  "PNG",
  `--${boundary}--`,
  "",
].join("\r\n");
const sent = {
  "user-agent": "a browser",
  referer: "https://example.net/",
  cookie: "one=1, 2; two=3",
  "accept-language": "fr-CH, fr;q=0.8, en;q=0.9, de;q=0.7, *;q=0.5",
  "x-forwarded-for": "192.0.2.99",
  "x-kind": "odd",
  "content-type": `multipart/form-data; boundary=${boundary}`,
};
const path = "//a/%62.TAR.GZ?x=1&y=2";
const query = "x=1&y=2";

const pairs = (field: string, name: string, value: string): Record<string, string> => ({
  [field]: `any(${field}["${name}"][*] eq "${value}")`,
  [`${field}.names`]: `any(${field}.names[*] eq "${name}")`,
  [`${field}.values`]: `any(${field}.values[*] eq "${value}")`,
});
const ofUrl = (prefix: string, its: string, extension: string): Record<string, string> => ({
  [`${prefix}.full_uri`]: `${prefix}.full_uri eq "https://www.example.com${its}?${query}"`,
  [`${prefix}.uri`]: `${prefix}.uri eq "${its}?${query}"`,
  [`${prefix}.uri.path`]: `${prefix}.uri.path eq "${its}"`,
  [`${prefix}.uri.path.extension`]: `${prefix}.uri.path.extension eq "${extension}"`,
  [`${prefix}.uri.query`]: `${prefix}.uri.query eq "${query}"`,
  ...pairs(`${prefix}.uri.args`, "y", "2"),
});
const multipart = "http.request.body.multipart";

/** Claims that are true of the request above, by the field that each asks. */
const claims: Readonly<Record<string, string>> = {
  ssl: "ssl",
  "ip.src": "ip.src in {127.0.0.1 192.0.2.99}",
  "cf.edge.client_tcp": "cf.edge.client_tcp",
  "cf.random_seed": "len(cf.random_seed) eq 16",
  "cf.ray_id": "len(cf.ray_id) eq 16",
  "cf.zone.name": 'cf.zone.name eq "example.com"',
  "cf.zone.plan": 'cf.zone.plan eq "ENT"',
  "http.cookie": 'http.cookie eq "one=1, 2; two=3"',
  "http.host": 'http.host eq "www.example.com"',
  "http.referer": 'http.referer eq "https://example.net/"',
  "http.request.accepted_languages":
    'http.request.accepted_languages[1] eq "en" and len(http.request.accepted_languages) eq 4',
  "http.request.body.mime": 'http.request.body.mime eq "multipart/form-data"',
  [multipart]: `any(${multipart}["user"][*] eq "alice")`,
  [`${multipart}.content_dispositions`]: `any(${multipart}.content_dispositions[*][0] contains "picture")`,
  [`${multipart}.content_transfer_encodings`]: `any(${multipart}.content_transfer_encodings[*][0] eq "binary")`,
  [`${multipart}.content_types`]: `any(${multipart}.content_types[*][0] eq "image/png")`,
  [`${multipart}.filenames`]: `any(${multipart}.filenames[*][0] eq "a.png")`,
  [`${multipart}.names`]: `${multipart}.names[1][0] eq "picture"`,
  [`${multipart}.values`]: `${multipart}.values[1] eq "PNG"`,
  "http.request.body.raw": 'http.request.body.raw contains "alice"',
  "http.request.body.size": `http.request.body.size eq ${body.length}`,
  // The body is a form of another kind.
  "http.request.body.form": "len(http.request.body.form) eq 0",
  "http.request.body.form.names": "len(http.request.body.form.names) eq 0",
  "http.request.body.form.values": "len(http.request.body.form.values) eq 0",
  "http.request.body.truncated": "not http.request.body.truncated",
  "http.request.cookies": 'http.request.cookies["one"][0] eq "1, 2"',
  ...pairs("http.request.headers", "x-kind", "odd"),
  "http.request.headers.truncated": "not http.request.headers.truncated",
  "http.request.method": 'http.request.method eq "POST"',
  "http.request.timestamp.msec": "http.request.timestamp.msec in {0..999}",
  "http.request.timestamp.sec": "http.request.timestamp.sec gt 1000000000",
  ...ofUrl("http.request", "/a/b.TAR.GZ", "gz"),
  ...ofUrl("raw.http.request", "//a/%62.TAR.GZ", "gz"),
  "http.request.version": 'http.request.version in {"HTTP/1.1" "HTTP/2"}',
  "http.user_agent": 'http.user_agent eq "a browser"',
  "http.x_forwarded_for": 'http.x_forwarded_for eq "192.0.2.99"',
};

/** The fields that the connection tells. */
const connected = new Set(["cf.edge.server_port", "cf.edge.server_ip", "cf.tls_version", "cf.tls_cipher"]);

/** A claim that is true of a field that a request does not tell. */
function neutralClaim({ name }: FieldDefinition): string {
  const { otherwise } = valueOfField({ name });
  if (otherwise === undefined) assert.fail(`nothing is known of ${name}`);
  if (typeof otherwise === "boolean") return `not ${name}`;
  if (typeof otherwise === "string") return `${name} eq "${otherwise}"`;
  if (typeof otherwise === "number") return `${name} eq ${otherwise}`;
  return isIpAddress(otherwise) ? `${name} eq ${printIpAddress(otherwise)}` : `len(${name}) eq 0`;
}

test("every field has its value at the edge, by the judge and in traces, and who names a neutral one is told", async (t) => {
  assert.equal(fields.length, 175);
  const file = join(newDirectory(t), "matched.jsonl");
  const edge = await startJudge(t, "sqlite", { edge_matched_rules_log: file });
  const { app, visit, rules, securePort } = edge;
  await serveHttps(edge.edge);
  const ofRequests = fields.filter(({ phases }) => phases !== responsePhases);
  const ofTls = {
    edge: `cf.edge.server_port eq ${securePort} and cf.edge.server_ip eq 127.0.0.1 and cf.tls_version in {"TLSv1.2" "TLSv1.3"} and ends_with(cf.tls_cipher, "SHA384")`,
    judge:
      'cf.edge.server_port eq 443 and cf.edge.server_ip eq 0.0.0.0 and cf.tls_version eq "" and cf.tls_cipher eq ""',
  };
  const asked = [
    ...ofRequests
      .filter(({ name }) => !connected.has(name))
      .map((field) => ({ description: field.name, expression: claims[field.name] ?? neutralClaim(field) })),
    { description: "connection", expression: `(${ofTls.edge}) or (${ofTls.judge})` },
  ];
  for (const name of Object.keys(claims))
    assert.ok(
      ofRequests.some((field) => field.name === name),
      name,
    );

  for (const phase of [
    "http_request_dynamic_redirect",
    "http_request_transform",
    "http_request_late_transform",
  ])
    await rules(phase, []);
  const { body: saved } = await app.request(
    "PUT",
    `/zones/${edge.zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    { body: { rules: asked.map((rule) => ({ action: "log", ...rule })) } },
  );
  assert.equal(saved.success, true, JSON.stringify(saved.errors));
  assert.deepEqual(
    saved.messages.map(({ message }: { message: string }) => message),
    fields.map((field) => neutralFieldText(field)).filter((text) => text !== undefined),
  );
  const idOf = new Map<string, string>(
    saved.result.rules.map(({ id, description }: { id: string; description: string }) => [id, description]),
  );
  const missed = (ids: readonly string[]): string[] => {
    const met = new Set(ids.map((id) => idOf.get(id)));
    return asked.map(({ description }) => description).filter((name) => !met.has(name));
  };
  const lastLine = () => JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "");

  await until("the rules are in force", async () => {
    await visit("/");
    return lastLine().rules.length > 10;
  });
  const answer = await visit(path, { method: "POST", headers: sent, body, isSecure: true });
  assert.equal(answer.status, 200);
  assert.deepEqual(missed(lastLine().rules), [], "at the edge");

  const { status } = await ask(edge.port, `/envoy${path}`, {
    method: "POST",
    headers: { ...sent, host: "www.example.com", "x-real-ip": "127.0.0.1", "x-forwarded-proto": "https" },
    body,
  });
  assert.equal(status, 200);
  assert.deepEqual(missed(lastLine().rules), [], "by the judge");

  const traced = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, {
    body: {
      url: `https://www.example.com${path}`,
      method: "POST",
      headers: sent,
      body: { plain_text: body },
    },
  });
  const [{ trace: steps }] = traced.body.result.trace.find(
    ({ step_name: name }: { step_name: string }) => name === "http_request_firewall_custom",
  ).trace;
  const matched: string[] = steps
    .filter((step: { matched: boolean }) => step.matched)
    .map((step: { step_name: string }) => step.step_name);
  assert.deepEqual(missed(matched), [], "in a trace");

  const ofResponse: Readonly<Record<string, string>> = {
    "cf.response.1xxx_code": "cf.response.1xxx_code eq 0",
    "cf.response.error_type": 'cf.response.error_type eq ""',
    "http.response.code": "http.response.code eq 200",
    "http.response.content_type.media_type": 'http.response.content_type.media_type eq "application/json"',
    "http.response.headers.truncated": "not http.response.headers.truncated",
    ...pairs("http.response.headers", "content-type", "application/json"),
    ...pairs("raw.http.response.headers", "content-type", "application/json"),
  };
  await rules(
    "http_response_headers_transform",
    fields
      .filter(({ phases }) => phases === responsePhases)
      .map(({ name }, at) => ({
        action: "rewrite",
        expression: ofResponse[name] ?? assert.fail(name),
        action_parameters: { headers: { [`x-${at}`]: { operation: "set", value: name } } },
      })),
  );
  await until("the rules are in force", async () => (await visit("/")).headers["x-0"] !== undefined);
  const values = Object.values((await visit("/")).headers);
  for (const name of Object.keys(ofResponse)) assert.ok(values.includes(name), name);
});
