import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { newDirectory, startTestApp } from "../../../test/support/harness.ts";
import { owaspRulesetId } from "../../../test/support/ruleset-api.ts";

test("the file names the rules that each request met by the time it is answered, with its marker", async (t) => {
  const file = join(newDirectory(t), "matched.jsonl");
  const settings = {
    edge_matched_rules_log: file,
    edge_matched_rules_header: "X-Marker",
    new_zone_waf: "new",
  } as const;
  const { change, rules, visit, untilStatus } = await startEdgeApp(
    t,
    "sqlite",
    await startOrigin(t),
    settings,
  );
  await rules("http_request_firewall_managed", [
    { action: "execute", expression: "true", action_parameters: { id: owaspRulesetId } },
  ]);
  await rules("http_request_firewall_custom", [
    { action: "log", expression: 'http.request.uri.query contains "select"' },
    { action: "block", expression: 'http.request.uri.path eq "/no"' },
    { action: "log", expression: "true", description: "942100: not of the Core Rule Set" },
  ]);
  await untilStatus("/no", 403);
  const entryPoint = await change("GET", "/rulesets/phases/http_request_firewall_custom/entrypoint");
  const [logged, blocked, last] = entryPoint.rules.map(({ id }: { id: string }) => id);
  const lineOf = async (marker: string, path: string) => {
    const { headers } = await visit(path, { headers: { "x-marker": marker } });
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const line = JSON.parse(lines.at(-1) ?? "");
    assert.deepEqual([line.marker, line.ray_id], [marker.slice(0, 256), headers["cf-ray"]]);
    assert.deepEqual([line.zone, line.host], ["example.com", "www.example.com"]);
    return line;
  };
  const plain = await lineOf("one", "/a");
  assert.ok(plain.rules.includes(last));
  assert.ok(
    !plain.core_rules.some(({ id }: { id: number }) => id === 942_100),
    "a description is not an origin",
  );
  const stopped = await lineOf('"two"\\', "/no?a=select");
  assert.deepEqual(
    stopped.rules.filter((id: string) => [logged, blocked, last].includes(id)),
    [logged, blocked],
  );

  const attack = await lineOf("é".repeat(300), "/?q=1%27%20UNION%20SELECT%20password%20FROM%20users--");
  const numbers = attack.core_rules.map(({ id }: { id: number }) => id);
  assert.ok(
    numbers.some((number: number) => number >= 942_000 && number < 943_000),
    JSON.stringify(attack),
  );
  assert.ok(attack.rules.length > numbers.length, "managed rules have ids too");

  const inUtf8 = Buffer.from("é".repeat(300)).toString("latin1");
  const { headers } = await visit("/a", { headers: { "x-marker": inUtf8 } });
  const written = JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "");
  assert.deepEqual([written.marker, written.ray_id], ["é".repeat(256), headers["cf-ray"]]);

  // As for rotation.
  renameSync(file, `${file}.1`);
  await lineOf("renamed", "/a");
  assert.equal(readFileSync(file, "utf8").trimEnd().split("\n").length, 1);

  const before = readFileSync(file, "utf8").trimEnd().split("\n").length;
  const markers = Array.from({ length: 50 }, (_, index) => `m${index}`);
  await Promise.all(markers.map((marker) => visit("/a", { headers: { "x-marker": marker } })));
  const added = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(before)
    .map((line) => JSON.parse(line).marker);
  assert.deepEqual(new Set(added), new Set(markers));
});

test("a server whose file cannot be written does not start", async (t) => {
  const file = join(newDirectory(t), "nowhere", "matched.jsonl");
  const settings = { edge_http: ["127.0.0.1:0"], edge_matched_rules_log: file };
  await assert.rejects(startTestApp(t, "sqlite", settings), {
    message: new RegExp(`^writing ${file}: ENOENT`),
  });
});
