import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { KyselyPlugin } from "kysely";
import { pino } from "pino";

import { onEachEngine, startTestApp, type Engine } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import { parseIpAddress } from "../../core/net/ip-address.ts";
import { listEdgeZones } from "../../resources/edge-zones/edge-zones.ts";
import type { Database } from "../../storage/database.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { EdgeCompiler } from "./edge-compiler.ts";
import { LoadedEdgeZones, Pass } from "./loaded-edge-zones.ts";
import { zoneSettingsOf } from "../dns/open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { createRulesetContext } from "../../process/ruleset-context.ts";

/** Zones that follow the store when they are told to, beside the API of their account. */
async function startLoaded(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const change = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await app.request(method, path, { body });
    assert.ok(answer.body.success, answer.text);
    return answer.body.result.id;
  };
  const block = (zoneId: string, expression: string) =>
    change("PUT", `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: [{ action: "block", expression }],
    });
  const addZone = async (name: string): Promise<string> => {
    const id = await app.createZone(name);
    await change("PUT", `/zones/${id}/activation_check`);
    await untilAllIssued(app);
    return id;
  };
  const stored = createRulesetContext(createContext(await openStore(t, app)), app.config.vendor);
  const reads = { zone: 0, records: 0 };
  const countReads: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const query = JSON.stringify(node);
      if (query.includes('"custom_certificates"')) reads.zone += 1;
      if (query.includes('"dns_records"')) reads.records += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db: Database = Object.assign(Object.create(stored.db), {
    read: stored.db.read.withPlugin(countReads),
  });
  let isOutOfMemory = false;
  const loadExpressionEngine: typeof stored.loadExpressionEngine = async () => {
    const expressions = await stored.loadExpressionEngine();
    return {
      ...expressions,
      compileFilter: (source, options) => {
        if (isOutOfMemory) throw new Error("out of memory");
        return expressions.compileFilter(source, options);
      },
    };
  };
  const context = {
    ...stored,
    db,
    loadExpressionEngine,
    settings: zoneSettingsOf(app.config),
    secretBox: createSecrets(app.config),
  };
  const compiler = new EdgeCompiler(context, Infinity);
  const common = { compiler, logger: pino({ level: "silent" }), snapshot: undefined };
  const accounts = new EdgeAccounts(context, common);
  const zones = new LoadedEdgeZones(context, { ...common, accounts, readyBytesMax: 100_000_000 });
  /** Follows what the store lists now. Returns how often that read zones and records. */
  const follow = async (): Promise<typeof reads> => {
    const before = { ...reads };
    const listed = await listEdgeZones(stored.db.read, undefined);
    const pass = new Pass(context.db.read, accounts, listed.length);
    for (const zone of listed) await zones.follow(zone, pass);
    return { zone: reads.zone - before.zone, records: reads.records - before.records };
  };
  /** The rules of a zone as requests get them. */
  const rulesOf = async (name: string) => {
    const { zone, release } = await zones.hold(zones.find(name) ?? assert.fail(`${name} is not served`));
    t.after(release);
    return zone.rules;
  };
  const runOutOfMemory = (isOut: boolean): void => void (isOutOfMemory = isOut);
  return { app, change, block, addZone, zones, follow, rulesOf, runOutOfMemory };
}

onEachEngine("loaded zones", (engine) => {
  test("records are read again only where they have changed, and nothing where nothing has", async (t) => {
    const { change, block, addZone, zones, follow, rulesOf } = await startLoaded(t, engine);
    const id = await addZone("one.example");
    assert.deepEqual(await follow(), { zone: 1, records: 1 });
    const served = zones.find("one.example") ?? assert.fail();
    assert.deepEqual(await follow(), { zone: 0, records: 0 });
    assert.equal(zones.find("one.example"), served);

    await block(id, 'http.host eq "changed.example"');
    assert.deepEqual(await follow(), { zone: 1, records: 0 });
    assert.equal(zones.find("one.example")?.names, served.names);
    assert.match(JSON.stringify(await rulesOf("one.example")), /changed\.example/);

    const record = { type: "A", name: "www", content: "192.0.2.1", proxied: true };
    await change("POST", `/zones/${id}/dns_records`, record);
    assert.equal((await follow()).records, 1);
    assert.deepEqual(zones.find("one.example")?.names.find("www.one.example")?.addresses, ["192.0.2.1"]);
  });

  test("a zone that was deleted and made again under its name is served, whichever is told first", async (t) => {
    const { change, addZone, zones, follow } = await startLoaded(t, engine);
    const first = await addZone("one.example");
    await follow();
    await change("DELETE", `/zones/${first}`);
    const second = await addZone("one.example");
    await follow();
    assert.equal(zones.find("one.example")?.id, second);
    zones.remove(first);
    assert.equal(zones.find("one.example")?.id, second);
    assert.deepEqual(zones.ids, [second]);

    await change("DELETE", `/zones/${second}`);
    zones.remove(second);
    assert.deepEqual([zones.find("one.example"), zones.size, zones.readySize], [undefined, 0, 0]);
    const third = await addZone("one.example");
    await follow();
    assert.equal(zones.find("one.example")?.id, third);
  });

  test("a zone that cannot be compiled stays as it was, and is as the store has it once it can be", async (t) => {
    const { block, addZone, zones, follow, rulesOf, runOutOfMemory } = await startLoaded(t, engine);
    const id = await addZone("one.example");
    await block(id, 'http.host eq "before.example"');
    await follow();
    const served = zones.find("one.example");
    await block(id, 'http.host eq "after.example"');
    runOutOfMemory(true);
    await assert.rejects(follow(), /out of memory/);
    assert.equal(zones.find("one.example"), served);
    assert.match(JSON.stringify(await rulesOf("one.example")), /before\.example/);
    runOutOfMemory(false);
    await follow();
    assert.match(JSON.stringify(await rulesOf("one.example")), /after\.example/);
  });

  test("a list that a rule of a zone is the first to name is read with the zone", async (t) => {
    const { app, change, block, addZone, follow, rulesOf } = await startLoaded(t, engine);
    const lists = `/accounts/${app.owner.accountId}/rules/lists`;
    const list = await change("POST", lists, { name: "blocked", kind: "ip" });
    await app.request("POST", `${lists}/${list}/items`, { body: [{ ip: "192.0.2.1" }] });
    const id = await addZone("one.example");
    await addZone("two.example");
    await follow();
    await block(id, "ip.src in $blocked");
    await follow();
    const isListed = (await rulesOf("one.example")).lists.get("blocked");
    const [listed, other] = ["192.0.2.1", "192.0.2.2"].map((text) => parseIpAddress(text) ?? assert.fail());
    assert.deepEqual(
      [listed, other].map((address) => isListed?.(address ?? assert.fail())),
      [true, false],
    );
  });
});
