import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { sql, type CompiledQuery, type KyselyPlugin } from "kysely";
import { pino } from "pino";

import { onEachEngine, startTestApp, type Engine } from "../../../test/support/harness.ts";
import { besideServer, openStore } from "../../../test/support/store.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import { parseIpAddress } from "../../core/net/ip-address.ts";
import {
  listActiveZonesAfter,
  listZones,
  RulesCompiler,
} from "../../resources/zone-documents/zone-documents.ts";
import type { Database } from "../../storage/database.ts";
import { EdgeAccounts } from "./edge-accounts.ts";
import { EdgeZoneReader, type LoadedZone } from "./edge-zone-reader.ts";
import { ReadyZones } from "./ready-zones.ts";
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
  const reads = { rules: 0, settings: 0, certificates: 0, records: 0 };
  /** The cost of all reads. */
  const cost = { statements: 0, rows: 0 };
  const countReads: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const query = JSON.stringify(node);
      if (query.includes('"page_rules"')) reads.rules += 1;
      if (query.includes('"zone_settings"')) reads.settings += 1;
      if (query.includes('"custom_certificates"')) reads.certificates += 1;
      if (query.includes('"dns_records"')) reads.records += 1;
      cost.statements += 1;
      return node;
    },
    transformResult: ({ result }) => {
      cost.rows += result.rows.length;
      return Promise.resolve(result);
    },
  };
  const read = stored.db.read.withPlugin(countReads);
  const executor = read.getExecutor();
  /** Statements with a fixed text pass plugins by. */
  const provideConnection: typeof executor.provideConnection = (use) =>
    executor.provideConnection((connection) =>
      use({
        ...connection,
        executeQuery: async <Row>(query: CompiledQuery) => {
          const result = await connection.executeQuery<Row>(query);
          cost.statements += 1;
          cost.rows += result.rows.length;
          return result;
        },
      }),
    );
  const counting = new Proxy(executor, {
    get: (target, key) => (key === "provideConnection" ? provideConnection : Reflect.get(target, key)),
  });
  read.getExecutor = () => counting;
  const db: Database = Object.assign(Object.create(stored.db), { read });
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
  const compiler = new RulesCompiler(loadExpressionEngine, {
    octetsMax: Infinity,
    tooLarge: () => assert.fail("there is no bound"),
  });
  const ready = new ReadyZones(100_000_000);
  const accounts = new EdgeAccounts(context, {
    compiler,
    logger: pino({ level: "silent" }),
    snapshot: undefined,
    octetsMax: 100_000_000,
    dropped: (id) => assert.fail(`${id} had to make room`),
  });
  const reader = new EdgeZoneReader(context, { accounts, compiler, ready, snapshot: undefined });
  const held = new Map<string, LoadedZone>();
  /** Follows what the store lists now. Returns how often that read zones and records. */
  const follow = async (): Promise<typeof reads> => {
    const before = { ...reads };
    const named = await listActiveZonesAfter(stored.db.read, "", 100);
    for (const id of await accounts.changed()) await accounts.read(id);
    const listed = await listZones(
      stored.db.read,
      named.map(({ id }) => id),
    );
    for (const one of listed) {
      const known = held.get(one.id);
      const loaded = known === undefined ? await reader.read(one) : await reader.follow(one, known);
      held.set(one.id, loaded ?? assert.fail(`${one.name} is gone`));
    }
    const parts = Object.keys(reads) as (keyof typeof reads)[];
    return Object.fromEntries(parts.map((part) => [part, reads[part] - before[part]])) as typeof reads;
  };
  const zones = {
    find: (name: string) => held.values().find(({ listed }) => listed.name === name)?.zone,
  };
  /** The rules of a zone as requests get them. */
  const rulesOf = async (name: string) => {
    const { zone, release } = await ready.hold(zones.find(name) ?? assert.fail(`${name} is not served`));
    t.after(release);
    return zone.rules;
  };
  const runOutOfMemory = (isOut: boolean): void => void (isOutOfMemory = isOut);
  /** Reads zones anew with the same statements; undefined for one that cannot be read. */
  const readTogether = async (ids: readonly string[]): Promise<(string | undefined)[]> => {
    const listed = await listZones(stored.db.read, ids);
    const done = await Promise.allSettled(listed.map((one) => reader.read(one)));
    return done.map((one) => (one.status === "fulfilled" ? one.value?.listed.name : undefined));
  };
  return { app, change, block, addZone, zones, follow, cost, rulesOf, runOutOfMemory, readTogether };
}

onEachEngine("the zones that an edge reads", (engine) => {
  test("parts of a zone are read again only where they have changed, and nothing where nothing has", async (t) => {
    const { change, block, addZone, zones, follow, rulesOf } = await startLoaded(t, engine);
    const id = await addZone("one.example");
    const nothing = { rules: 0, settings: 0, certificates: 0, records: 0 };
    assert.deepEqual(await follow(), { rules: 1, settings: 1, certificates: 1, records: 1 });
    const served = zones.find("one.example") ?? assert.fail();
    assert.deepEqual(await follow(), nothing);
    assert.equal(zones.find("one.example"), served);

    await block(id, 'http.host eq "changed.example"');
    assert.deepEqual(await follow(), { ...nothing, rules: 1 });
    assert.equal(zones.find("one.example")?.names, served.names);
    assert.match(JSON.stringify(await rulesOf("one.example")), /changed\.example/);

    await change("PATCH", `/zones/${id}/settings/always_use_https`, { value: "on" });
    assert.deepEqual(await follow(), { ...nothing, settings: 1 });
    assert.equal(zones.find("one.example")?.settings.alwaysUseHttps, true);
    assert.match(JSON.stringify(await rulesOf("one.example")), /changed\.example/);

    const record = { type: "A", name: "www", content: "192.0.2.1", proxied: true };
    await change("POST", `/zones/${id}/dns_records`, record);
    assert.deepEqual(await follow(), { ...nothing, records: 1 });
    assert.deepEqual(zones.find("one.example")?.names.find("www.one.example")?.addresses, ["192.0.2.1"]);
  });

  test("a change of a record costs the same statements and rows in a zone of any size", async (t) => {
    const { app, change, addZone, zones, follow, cost } = await startLoaded(t, engine);
    const costOf = async (act: () => Promise<unknown>) => {
      await act();
      const before = { ...cost };
      await follow();
      return { statements: cost.statements - before.statements, rows: cost.rows - before.rows };
    };
    const costsOf = async (name: string, records: number) => {
      const id = await addZone(name);
      const path = `/zones/${id}/dns_records`;
      const lines = Array.from({ length: records }, (_, n) => `r${n} 60 IN A 192.0.2.1`);
      await importFile(app, id, lines.join("\n"));
      await follow();
      const at = (host: string) => zones.find(name)?.names.find(`${host}.${name}`);
      const content = { type: "A", content: "192.0.2.2" };
      let added = "";
      const costs = [
        await costOf(async () => (added = await change("POST", path, { ...content, name: "a.b" }))),
        await costOf(() => change("POST", path, { ...content, name: "*" })),
      ];
      assert.deepEqual(at("a.b")?.addresses, ["192.0.2.2"]);
      assert.deepEqual(at("c")?.addresses, ["192.0.2.2"]);
      assert.deepEqual(at("b")?.addresses, []);
      costs.push(await costOf(() => change("DELETE", `${path}/${added}`)));
      assert.deepEqual(at("b")?.addresses, ["192.0.2.2"]);
      return costs;
    };
    const ofFew = await costsOf("few.example", 1);
    assert.deepEqual(await costsOf("many.example", 1_200), ofFew);
    assert.ok(
      ofFew.every(({ statements, rows }) => statements === 2 && rows <= 2),
      JSON.stringify(ofFew),
    );
  });

  test("a zone of which more names changed than are listed is read whole", async (t) => {
    const { app, addZone, zones, follow } = await startLoaded(t, engine);
    const id = await addZone("one.example");
    await follow();
    const lines = Array.from({ length: 4_001 }, (_, n) => `r${n} 60 IN A 192.0.2.1`);
    await importFile(app, id, lines.join("\n"));
    const { rules, records } = await follow();
    assert.equal(rules, 0);
    assert.ok(records > 4_001 / 500, `${records} reads`);
    assert.deepEqual(zones.find("one.example")?.names.find("r4000.one.example")?.addresses, ["192.0.2.1"]);
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

  test("a zone that cannot be read keeps none from being read that is asked for with it", async (t) => {
    const { app, block, addZone, readTogether } = await startLoaded(t, engine);
    const ids = [await addZone("one.example"), await addZone("two.example")];
    for (const id of ids) await block(id, 'http.host eq "any.example"');
    assert.deepEqual(new Set(await readTogether(ids)), new Set(["one.example", "two.example"]));
    await besideServer(app, (tx) =>
      sql`update ruleset_versions set rules = '[' where ruleset_id in
        (select id from rulesets where zone_id = ${ids[0]})`.execute(tx),
    );
    assert.deepEqual(new Set(await readTogether(ids)), new Set(["two.example", undefined]));
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
