import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { KyselyPlugin, QueryId } from "kysely";
import { pino } from "pino";

import { parseIpAddress } from "../../core/net/ip-address.ts";
import type { RunningRules } from "../../core/judging/judge-request.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import { onEachEngine, startTestApp, until, type Engine } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import type { Database } from "../../storage/database.ts";
import type { EdgeZone } from "../../edge/zones/edge-zone.ts";
import { ActiveZones } from "../active-zones.ts";
import { ServedEdgeZones } from "./edge-zones.ts";
import { zoneSettingsOf } from "../dns/open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { createRulesetContext } from "../../process/ruleset-context.ts";

/** An API beside zones as an edge serves them, and the expressions that were compiled for them. */
async function startZones(t: TestContext, engine: Engine, { zonesBytesMax = 100_000_000 } = {}) {
  const app = await startTestApp(t, engine);
  const block = async (zoneId: string, path: string): Promise<void> => {
    const expression = `http.request.uri.path eq "${path}"`;
    const { body } = await app.request(
      "PUT",
      `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`,
      { body: { rules: [{ action: "block", expression }] } },
    );
    assert.ok(body.success, JSON.stringify(body));
  };
  const addZone = async (name: string): Promise<string> => {
    const zoneId = await app.createZone(name);
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    await block(zoneId, `/${name}`);
    return zoneId;
  };
  const compiled: string[] = [];
  const context = createRulesetContext(createContext(await openStore(t, app)), app.config.vendor);
  const loadExpressionEngine: typeof context.loadExpressionEngine = async () => {
    const expressions = await context.loadExpressionEngine();
    return {
      ...expressions,
      compileFilter: (source, options) => {
        compiled.push(source);
        return expressions.compileFilter(source, options);
      },
    };
  };
  /** Counts reads of parts that a zone has for itself. */
  let zoneReads = 0;
  const gates = new Set<Gate>();
  const countReads: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const query = JSON.stringify(node);
      if (query.includes('"page_rules"')) zoneReads += 1;
      for (const { queries, holds } of gates) if (holds(query)) queries.set(queryId, query);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      for (const { queries, reached, opened } of gates) {
        const query = queries.get(queryId);
        if (query === undefined) continue;
        reached.resolve(query);
        await opened.promise;
      }
      return result;
    },
  };
  /** Keeps the answers to some reads until `open` is called; `reached` resolves to the first of them. */
  const holdReads = (holds: Gate["holds"]) => {
    const [reached, opened] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const gate = { holds, queries: new WeakMap<QueryId, string>(), reached, opened };
    gates.add(gate);
    const open = (): void => {
      gates.delete(gate);
      opened.resolve();
    };
    return { reached: reached.promise, open };
  };
  /** Lets nobody read a zone until it is opened. */
  const hold = (id: string) =>
    holdReads((query) => query.includes('"custom_certificates"') && query.includes(id));
  const db: Database = Object.assign(Object.create(context.db), {
    read: context.db.read.withPlugin(countReads),
  });
  const index = new ActiveZones(db, context.now);
  const zones = new ServedEdgeZones(
    {
      ...context,
      db,
      loadExpressionEngine,
      settings: zoneSettingsOf(app.config),
      secretBox: createSecrets(app.config),
    },
    index,
    pino({ level: "silent" }),
    { readyBytesMax: app.config.edge_ready_bytes_max, zonesBytesMax },
  );
  t.after(async () => {
    for (const { opened } of gates) opened.resolve();
    await zones.stop();
    await index.stop();
  });
  /** The zone that answers for a name, read where it was not. */
  const zoneOf = async (name: string): Promise<EdgeZone | undefined> => {
    await zones.readUnread(name);
    return zones.enclosing(name);
  };
  return { zoneOf, app, addZone, block, zones, compiled, hold, holdReads, zoneReads: () => zoneReads };
}

interface Gate {
  readonly holds: (query: string) => boolean;
  readonly queries: WeakMap<QueryId, string>;
  readonly reached: PromiseWithResolvers<string>;
  readonly opened: PromiseWithResolvers<void>;
}

onEachEngine("the zones of an edge", (engine) => {
  test("a zone is read and compiled when it is asked for, and again only where it has changed", async (t) => {
    const { app, addZone, block, zones, compiled, zoneOf, zoneReads } = await startZones(t, engine);
    const names = ["one.example", "two.example", "three.example"];
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await untilAllIssued(app);
    await zones.start();
    assert.deepEqual([zones.size, zones.unreadSize, zoneReads()], [3, 3, 0]);
    for (const name of names.slice(0, 2)) assert.equal((await zoneOf(`www.${name}`))?.name, name);
    const expressions = names.map((name) => `http.request.uri.path eq "/${name}"`);
    // One of them may have changed while it was read.
    assert.deepEqual([...new Set(compiled.splice(0))], expressions.slice(0, 2));
    await block(ids[2] ?? "", "/unasked");
    await block(ids[1] ?? "", "/changed");
    await until("the change is there", async () => compiled.length > 0);
    const last = await addZone("last.example");
    await until("what came after is known", async () => zones.isUnread("last.example"));
    assert.equal((await zoneOf("last.example"))?.id, last);
    assert.deepEqual(
      [...new Set(compiled)],
      [`http.request.uri.path eq "/changed"`, `http.request.uri.path eq "/last.example"`],
    );
    assert.deepEqual([zones.size, zones.unreadSize], [4, 1]);
  });

  test("zones that do not fit into the memory make room for others, and are read again when they are asked for", async (t) => {
    const { addZone, zones, zoneOf } = await startZones(t, engine, { zonesBytesMax: 40_000 });
    const names = Array.from({ length: 12 }, (_, n) => `n${n}.example`);
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await zones.start();
    for (let round = 1; round <= 2; round += 1) {
      for (const [n, name] of names.entries()) {
        assert.equal((await zoneOf(name))?.id, ids[n]);
        assert.ok(zones.octets <= 40_000, `${zones.octets} octets`);
      }
    }
    const held = zones.size - zones.unreadSize;
    assert.ok(held > 0 && held < names.length, `${held} zones are held`);
    assert.equal(zones.readySize, held);
  });

  test("records that change after a change of the zone was listed, and before the zone is read, are served", async (t) => {
    const { app, addZone, block, zones, holdReads, zoneOf } = await startZones(t, engine);
    const zoneId = await addZone("one.example");
    await untilAllIssued(app);
    await zones.start();
    await zoneOf("one.example");
    const listing = holdReads((query) => query.includes('"facts_version"'));
    await block(zoneId, "/changed");
    await listing.reached;
    const record = { type: "CNAME", name: "www", content: "localhost", proxied: true };
    await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
    listing.open();
    await until("the record is served", () => {
      return zones.enclosing("www.one.example")?.names.find("www.one.example") !== undefined;
    });
  });

  test("a zone that changes while it is read is answered for as it is after the change, and keeps no other zone waiting", async (t) => {
    const { app, addZone, block, zones, compiled, hold, zoneOf } = await startZones(t, engine);
    const names = ["one.example", "two.example", "three.example"];
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await untilAllIssued(app);
    await zones.start();
    await zoneOf(names[2] ?? "");
    const held = ids.slice(0, 2).map(hold);
    const reading = [];
    for (const [n, { reached }] of held.entries()) {
      reading.push(zoneOf(names[n] ?? ""));
      await reached;
    }
    assert.deepEqual(
      names.map((name) => [zones.enclosing(name)?.id, zones.named(`www.${name}`)?.id]),
      [
        [undefined, ids[0]],
        [undefined, ids[1]],
        [ids[2], ids[2]],
      ],
    );
    assert.deepEqual([zones.named("five.org"), zones.isUnread("five.org")], [undefined, false]);
    await block(ids[0] ?? "", "/changed-while-it-is-read");
    await app.request("DELETE", `/zones/${ids[1]}`);
    await block(ids[2] ?? "", "/changed");
    await until("the change is there", () => compiled.includes(`http.request.uri.path eq "/changed"`));
    for (const { open } of held) open();
    assert.deepEqual(
      (await Promise.all(reading)).map((zone) => zone?.id),
      [ids[0], undefined],
    );
    assert.ok(compiled.includes(`http.request.uri.path eq "/changed-while-it-is-read"`));
  });

  test("a change of an account's ruleset or list reads and compiles nothing of its zones again", async (t) => {
    const { app, addZone, zones, compiled, zoneReads, zoneOf } = await startZones(t, engine);
    const change = async (method: string, path: string, body: unknown): Promise<string> => {
      const answer = await app.request(method, `/accounts/${app.owner.accountId}${path}`, { body });
      assert.ok(answer.body.success, answer.text);
      return answer.body.result.id;
    };
    const blocked = (path: string) => ({
      rules: [
        { action: "block", expression: `http.request.uri.path eq "${path}"` },
        { action: "block", expression: "ip.src in $blocked" },
      ],
    });
    const listId = await change("POST", "/rules/lists", { name: "blocked", kind: "ip" });
    const own = { name: "own", kind: "custom", phase: "http_request_firewall_custom" };
    const rulesetId = await change("POST", "/rulesets", { ...own, ...blocked("/before") });
    await change("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", {
      rules: [
        { action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: rulesetId } },
      ],
    });
    const names = ["one.example", "two.example", "three.example"];
    for (const name of names) {
      const packs = `/zones/${await addZone(name)}/ssl/certificate_packs`;
      await until("the zone has its certificate", async () => {
        const { body } = await app.request("GET", packs);
        return body.result[0]?.status === "active";
      });
    }
    await zones.start();
    for (const name of names) await zoneOf(name);
    const everywhere = async (what: string, isSo: (rules: RunningRules) => boolean): Promise<void> => {
      for (const name of names) {
        await until(`${what} in ${name}`, async () => {
          const { zone, release } = await zones.hold(zones.enclosing(name) ?? assert.fail());
          release();
          return isSo(zone.rules);
        });
      }
    };
    compiled.splice(0);
    const reads = zoneReads();

    await change("PUT", `/rulesets/${rulesetId}`, blocked("/after"));
    await everywhere("the rule is there", ({ program }) => JSON.stringify(program).includes("/after"));
    assert.deepEqual(compiled.splice(0), ['http.request.uri.path eq "/after"']);
    const address = parseIpAddress("192.0.2.1") ?? assert.fail();
    await change("POST", `/rules/lists/${listId}/items`, [{ ip: "192.0.2.1" }]);
    await everywhere("the address is there", ({ lists }) => lists.get("blocked")?.(address) === true);
    assert.deepEqual([compiled, zoneReads()], [[], reads]);
  });
});
