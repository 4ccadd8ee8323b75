import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { sql } from "kysely";
import { pino } from "pino";

import { readConfig } from "../src/config/config.ts";
import { managedPhase } from "../src/core/rulesets/phases.ts";
import { startEdgeProcess } from "../src/server/edge-process.ts";
import {
  eventsOf,
  readyOf,
  startControl,
  untilEvent,
  untilKept,
  untilVisit,
  visit,
  visitedHost,
} from "./support/edge-process.ts";
import { newDirectory, newSecretKeyFile, until } from "./support/harness.ts";
import { scriptInjection } from "./support/replay-api.ts";
import { managedRulesetId } from "./support/ruleset-api.ts";
import { besideServer } from "./support/store.ts";

test("edges of their own follow the API of another process, and store events", async (t) => {
  const { app, zoneId, start, block } = await startControl(t);
  const edge = await start();
  t.after(edge.close);
  await untilVisit(edge, "/admin", 200);
  await block("/admin");
  const ray = await untilVisit(edge, "/admin", 403);
  await untilEvent(app, zoneId, ray);
  assert.deepEqual(await readyOf(edge), { status: "ok", snapshot_age_seconds: 0, zones: 1, unread_zones: 0 });
  await app.request("DELETE", `/zones/${zoneId}`);
  await untilVisit(edge, "/", 409);
});

test("the report of a migration counts the requests that each edge, and each judge, has judged by both versions", async (t) => {
  const { app, zoneId, start } = await startControl(t);
  const zone = `/zones/${zoneId}`;
  await app.request("PATCH", `${zone}/settings/waf`, { body: { value: "on" } });
  const execute = { action: "execute", expression: "true", action_parameters: { id: managedRulesetId } };
  const migrated = await app.request(
    "PUT",
    `${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=validation&phase_two=1`,
    { body: { rules: [execute] } },
  );
  assert.ok(migrated.body.success, migrated.text);
  // Events have whole seconds: the next one is after the change.
  app.advance(1_000);
  const reported = async () => {
    const { body } = await app.request("GET", `${zone}/waf_migration/report?hours=1`);
    return body.result as { readonly requests: Readonly<Record<string, number>> };
  };
  const asking = {
    "x-original-method": "GET",
    "x-original-url": `https://${visitedHost}${scriptInjection}`,
    "x-real-ip": "192.0.2.7",
  };
  for (const edge of [await start(), await start()]) {
    t.after(edge.close);
    const judge = `http://${edge.edgeJudgeAddresses[0]}/nginx`;
    const ways = [
      async () => (await visit(edge.edgeHttpAddresses[0] ?? "", scriptInjection)).status,
      async () => (await fetch(judge, { headers: asking })).status,
    ];
    for (const way of ways) {
      const before = (await reported()).requests["both"] ?? 0;
      await until("the request is reported", async () => {
        assert.equal(await way(), 403);
        return ((await reported()).requests["both"] ?? 0) > before;
      });
    }
  }
  const { requests } = await reported();
  assert.deepEqual([requests["only_new"], requests["only_previous"]], [0, 0]);
});

test("without the database an edge goes on with what it read last, also after its own restart", async (t) => {
  const { app, zoneId, line, start, block, file } = await startControl(t);
  const pack = await app.request("POST", `/zones/${zoneId}/ssl/certificate_packs/order`, {
    body: {
      type: "advanced",
      hosts: ["example.com", "*.example.com"],
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "lets_encrypt",
    },
  });
  assert.ok(pack.body.success, pack.text);
  let edge = await start();
  t.after(() => edge.close());
  await block("/admin");
  await untilVisit(edge, "/admin", 403);
  const added: string[] = [];
  for (const name of ["one", "two"]) {
    const record = { type: "CNAME", name, content: "localhost", proxied: true };
    const { body } = await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
    await untilVisit(edge, "/", 200, `${name}.example.com`);
    added.push(body.result.id);
  }
  await app.request("DELETE", `/zones/${zoneId}/dns_records/${added[0]}`);
  const { status: unserved } = await visit(edge.edgeHttpAddresses[0] ?? "", "/", { host: "no.example.com" });
  await untilVisit(edge, "/", unserved, "one.example.com");
  await until("the certificate is served", () =>
    visit(edge.edgeHttpsAddresses[0] ?? "", "/admin", { isSecure: true }).then(
      ({ status }) => status === 403,
      () => false,
    ),
  );
  await untilKept(edge);
  for (const name of readdirSync(dirname(file))) {
    assert.equal(statSync(join(dirname(file), name)).mode & 0o777, 0o600, name);
    assert.doesNotMatch(readFileSync(join(dirname(file), name), "latin1"), /example|admin|PRIVATE/);
  }

  line.cut();
  await until("the edge says that it is behind", async () => (await readyOf(edge)).status === "behind");
  const during = await untilVisit(edge, "/admin", 403);
  await untilVisit(edge, "/", 200);
  await block("/other");
  await edge.close();

  edge = await start();
  const { status, zones } = await readyOf(edge);
  assert.deepEqual([status, zones], ["behind", 1]);
  const metrics = await (await fetch(`${edge.probesUrl}/metrics`)).text();
  assert.match(metrics, /^zoneward_edge_snapshot_age_seconds [\d.]+$/m);
  const proxied = { headers: { "x-forwarded-for": "127.0.0.1" } };
  assert.equal(
    (await fetch(`${edge.probesUrl}/metrics`, proxied)).status,
    403,
    "by a proxy that is not trusted",
  );
  const after = await untilVisit(edge, "/admin", 403);
  await untilVisit(edge, "/", 200, "two.example.com");
  await untilVisit(edge, "/", unserved, "one.example.com");
  assert.equal((await visit(edge.edgeHttpsAddresses[0] ?? "", "/admin", { isSecure: true })).status, 403);
  assert.equal((await visit(edge.edgeHttpAddresses[0] ?? "", "/other")).status, 200);

  line.carry();
  await untilVisit(edge, "/other", 403);
  await untilVisit(edge, "/admin", 200);
  await untilEvent(app, zoneId, after);
  assert.deepEqual(await eventsOf(app, zoneId, during), [], "what a process had not stored ends with it");
  await until("the edge is no longer behind", async () => (await readyOf(edge)).status === "ok");
});

/** Changes a snapshot as nobody's edge would. */
function damage(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

test("a snapshot of which something was damaged is read as far as it is whole", async (t) => {
  const { app, line, start, block, file } = await startControl(t);
  const other = await app.createZone("example.net");
  await app.request("PUT", `/zones/${other}/activation_check`);
  let edge = await start();
  t.after(() => edge.close());
  await block("/admin");
  await untilVisit(edge, "/admin", 403);
  await untilKept(edge);
  await edge.close();
  line.cut();
  const whole = readFileSync(file);

  damage(file, `update documents set label = 'v1.cut.sho' where id = '${other}'`);
  edge = await start();
  await untilVisit(edge, "/admin", 403);
  assert.equal((await readyOf(edge)).zones, 1);
  await edge.close();

  writeFileSync(file, whole);
  damage(file, `update documents set sealed = substr(sealed, 1, 40) where id = '${other}'`);
  edge = await start();
  await untilVisit(edge, "/admin", 403);
  assert.equal((await visit(edge.edgeHttpAddresses[0] ?? "", "/", { host: "example.net" })).status, 530);
  await edge.close();

  await assert.rejects(
    start(`--secret-key-file=${newSecretKeyFile(newDirectory(t))}`),
    /different secret key/,
  );
  writeFileSync(file, whole);
  damage(file, "delete from documents where kind = 'installation'");
  edge = await start();
  await untilVisit(edge, "/admin", 403);
  assert.equal((await readyOf(edge)).zones, 2);
  await edge.close();

  for (const foreign of ["installation v1.line.of.text;\n", whole.subarray(0, 3_000), ""]) {
    writeFileSync(file, foreign);
    await assert.rejects(start(), /the store is away|Connection terminated|ECONN/);
  }
  writeFileSync(file, whole);
  damage(file, "update facts set value = '1' where name = 'format'");
  line.carry();
  edge = await start();
  await untilVisit(edge, "/admin", 403);
  await untilKept(edge);
});

test("an edge that cannot write its snapshot serves what the database says", async (t) => {
  const { start, block, file } = await startControl(t);
  await block("/admin");
  mkdirSync(file);
  const edge = await start();
  t.after(() => edge.close());
  await untilVisit(edge, "/admin", 403);
});

test("a zone that cannot be compiled is served as it was, also after a restart without the database", async (t) => {
  const { app, zoneId, line, start, block } = await startControl(t);
  let edge = await start();
  t.after(() => edge.close());
  await block("/admin");
  await untilVisit(edge, "/admin", 403);
  await besideServer(app, (tx) =>
    sql`
      update ruleset_versions set rules = replace(rules, 'http.request.uri.path', 'http.no_such_field')
      where ruleset_id in (select id from rulesets where zone_id = ${zoneId})`.execute(tx),
  );
  await besideServer(app, (tx) =>
    sql`update rulesets set zone_id = zone_id where zone_id = ${zoneId}`.execute(tx),
  );
  const other = await app.createZone("example.net");
  await app.request("PUT", `/zones/${other}/activation_check`);
  await until("the edge has seen what came after", async () => (await readyOf(edge)).zones === 2);
  await untilVisit(edge, "/admin", 403);
  await untilKept(edge);
  await edge.close();
  line.cut();
  edge = await start();
  assert.equal((await readyOf(edge)).zones, 2);
  await untilVisit(edge, "/admin", 403);
});

test("what an account has for its zones is kept once, and stays as it was where it cannot be compiled", async (t) => {
  const { app, line, start, file } = await startControl(t);
  const change = async (method: string, path: string, body: unknown): Promise<string> => {
    const answer = await app.request(method, `/accounts/${app.owner.accountId}${path}`, { body });
    assert.ok(answer.body.success, answer.text);
    return answer.body.result.id;
  };
  const other = await app.createZone("example.net");
  await app.request("PUT", `/zones/${other}/activation_check`);
  const listId = await change("POST", "/rules/lists", { name: "hosts", kind: "hostname" });
  await change("POST", `/rules/lists/${listId}/items`, [{ hostname: { url_hostname: visitedHost } }]);
  const own = { name: "own", kind: "custom", phase: "http_request_firewall_custom" };
  const blockedBy = (path: string) => ({
    rules: [{ action: "block", expression: `http.host in $hosts and http.request.uri.path eq "${path}"` }],
  });
  const rulesetId = await change("POST", "/rulesets", { ...own, ...blockedBy("/first") });
  await change("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", {
    rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: rulesetId } }],
  });
  let edge = await start();
  t.after(() => edge.close());
  await untilVisit(edge, "/first", 403);
  await untilKept(edge);
  await edge.close();
  const database = new DatabaseSync(file, { readOnly: true });
  const kept = database.prepare("select kind, count(*) as count from documents group by kind").all();
  database.close();
  assert.deepEqual(
    kept.map(({ kind, count }) => `${String(kind)} ${String(count)}`),
    ["account 1", "installation 1", "list 1", "zone 2"],
  );
  edge = await start();
  await change("PUT", `/rulesets/${rulesetId}`, blockedBy("/second"));
  await untilVisit(edge, "/second", 403);

  await besideServer(app, (tx) =>
    sql`update ruleset_versions set rules = replace(rules, 'http.request.uri.path', 'http.no_such_field')
      where ruleset_id = ${rulesetId}`.execute(tx),
  );
  await besideServer(app, (tx) => sql`update rulesets set version = version`.execute(tx));
  await app.request("PUT", `/zones/${await app.createZone("example.org")}/activation_check`);
  await until("the edge has seen what came after", async () => (await readyOf(edge)).zones === 3);
  await untilVisit(edge, "/second", 403);
  await untilKept(edge);
  await edge.close();
  line.cut();
  edge = await start();
  assert.equal((await readyOf(edge)).zones, 3);
  await untilVisit(edge, "/second", 403);
  await untilVisit(edge, "/first", 200);
});

test("an edge of its own needs a database that others share, and the secret key", async (t) => {
  const environment = { logger: pino({ level: "silent" }) };
  const { config } = await readConfig([`--data=${newDirectory(t)}`, "--port=0"], {});
  await assert.rejects(startEdgeProcess(config, environment), /needs --database/);
  const unsealed = await readConfig(["--database=postgres://127.0.0.1:1/none", "--port=0"], {});
  await assert.rejects(startEdgeProcess(unsealed.config, environment), /needs the secret key/);
});
