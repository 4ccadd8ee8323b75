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
import { ServedEdgeZones } from "./edge-zones.ts";
import { zoneSettingsOf } from "../dns/open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { createRulesetContext } from "../../process/ruleset-context.ts";

/** An API beside zones as an edge serves them, and the expressions that were compiled for them. */
async function startZones(t: TestContext, engine: Engine, { startMsMax = 120_000 } = {}) {
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
  /** Of what a zone has for itself. */
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
  const zones = new ServedEdgeZones(
    {
      ...context,
      db,
      loadExpressionEngine,
      settings: zoneSettingsOf(app.config),
      secretBox: createSecrets(app.config),
    },
    pino({ level: "silent" }),
    { readyBytesMax: app.config.edge_ready_bytes_max, startMsMax },
  );
  t.after(() => {
    for (const { opened } of gates) opened.resolve();
    return zones.stop();
  });
  return { app, addZone, block, zones, compiled, hold, holdReads, zoneReads: () => zoneReads };
}

interface Gate {
  readonly holds: (query: string) => boolean;
  readonly queries: WeakMap<QueryId, string>;
  readonly reached: PromiseWithResolvers<string>;
  readonly opened: PromiseWithResolvers<void>;
}

onEachEngine("the zones of an edge", (engine) => {
  test("only the zone that changed is compiled again", async (t) => {
    const { addZone, block, zones, compiled } = await startZones(t, engine);
    const names = ["one.example", "two.example", "three.example"];
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await zones.start();
    const expressions = names.map((name) => `http.request.uri.path eq "/${name}"`);
    assert.deepEqual(compiled.splice(0).toSorted(), expressions.toSorted());
    await block(ids[1] ?? "", "/changed");
    await until("the change is there", async () => compiled.length > 0);
    await addZone("last.example");
    await until("what came after is there", async () => zones.enclosing("last.example") !== undefined);
    await until("its rules are there", async () => compiled.length > 1);
    assert.deepEqual(compiled, [
      `http.request.uri.path eq "/changed"`,
      `http.request.uri.path eq "/last.example"`,
    ]);
  });

  test("records that change after a change of the zone was listed, and before the zone is read, are served", async (t) => {
    const { app, addZone, block, zones, holdReads } = await startZones(t, engine);
    const zoneId = await addZone("one.example");
    await untilAllIssued(app);
    await zones.start();
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

  test("after the start a zone that is asked for is read before its turn, and changes are in force while others are being read", async (t) => {
    const { app, addZone, block, zones, compiled, hold } = await startZones(t, engine, { startMsMax: 0 });
    const names = ["one.example", "two.example", "three.example", "four.example", "five.example"];
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await untilAllIssued(app);
    const held = ids.map(hold);
    await zones.start();
    // Four are being read at the same time, so that one is not: it becomes the last of these.
    const reads = await Promise.race(held.map(({ reached }) => reached));
    const unread = ids.findIndex((id) => !reads.includes(id));
    for (const list of [names, ids, held]) list.push(...(list.splice(unread, 1) as never[]));
    const name = `www.${names[4]}`;
    assert.deepEqual([zones.size, zones.unreadSize, compiled], [5, 5, []]);
    assert.equal(zones.enclosing(name), undefined);
    assert.ok(zones.isUnread(name));
    assert.deepEqual([zones.named(name)?.id, zones.named("five.org")], [ids[4], undefined]);

    held[4]?.open();
    const reading = zones.readUnread(name);
    await block(ids[4] ?? "", "/changed");
    assert.equal(await reading, true);
    assert.equal(zones.enclosing(name)?.name, names[4]);
    assert.equal(zones.named(name)?.id, ids[4]);
    await until("the change is there", () => compiled.includes(`http.request.uri.path eq "/changed"`));
    await block(ids[4] ?? "", "/again");
    await until("the next change is there", () => compiled.includes(`http.request.uri.path eq "/again"`));
    await block(ids[0] ?? "", "/changed-while-it-is-read");
    await app.request("DELETE", `/zones/${ids[1]}`);
    const last = await addZone("last.example");
    await until("what came after is there", () => zones.isUnread("last.example"));
    assert.equal(zones.unreadSize, 5);

    for (const { open } of held) open();
    await until("all zones are read", () => zones.unreadSize === 0);
    assert.deepEqual(
      [...names, "last.example"].map((one) => zones.enclosing(one)?.id),
      [ids[0], undefined, ids[2], ids[3], ids[4], last],
    );
    assert.ok(compiled.includes(`http.request.uri.path eq "/changed-while-it-is-read"`));
  });

  test("a change of an account's ruleset or list reads and compiles nothing of its zones again", async (t) => {
    const { app, addZone, zones, compiled, zoneReads } = await startZones(t, engine);
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
