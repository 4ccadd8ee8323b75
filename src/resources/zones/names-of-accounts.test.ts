import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { startDnsServer } from "../../../test/support/dns-server.ts";
import {
  onComparedEngines,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import { addNeighbour, type Neighbour } from "../../../test/support/neighbours.ts";
import { besideServer } from "../../../test/support/store.ts";

interface Neighbours {
  readonly app: TestApp;
  readonly a: Neighbour;
  readonly b: Neighbour;
}

async function startNeighbours(t: TestContext, engine: Engine): Promise<Neighbours> {
  const app = await startTestApp(t, engine, {}, { activationRoundMs: 20 });
  return { app, a: await addNeighbour(app, "a"), b: await addNeighbour(app, "b") };
}

const waitsFor = async (who: Neighbour, zoneId: string): Promise<string | null> =>
  (await who.result("GET", `/zones/${zoneId}/activation_check`)).waits_for;

onComparedEngines("a name in several accounts", (engine) => {
  test("may be pending in all of them, is active in the first, and free again after that", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const [ofA, ofB] = [await a.zone("example.com"), await b.zone("example.com")];
    assert.equal((await a.send("POST", "/zones", { name: "example.com" })).body.errors[0]?.code, 1061);
    assert.equal(await a.check(ofA), "active");
    assert.equal(await b.statusOf(ofB), "moved");
    assert.equal(await b.check(ofB), "moved");
    assert.match((await waitsFor(b, ofB)) ?? "", /^example\.com is active in another account/);
    assert.equal(await a.statusOf(ofA), "active");
    assert.equal(await waitsFor(a, ofA), null);
    for (const who of [a, b]) {
      const { id } = who === a ? { id: ofA } : { id: ofB };
      const zones = await who.result("GET", "/zones?name=example.com");
      assert.deepEqual(
        zones.map((zone: { id: string }) => zone.id),
        [id],
      );
    }
    await a.result("DELETE", `/zones/${ofA}`);
    assert.equal(await b.check(ofB), "active");
    const again = await a.zone("example.com");
    assert.equal(await a.check(again), "pending");
    assert.equal(await b.statusOf(ofB), "active");
  });

  test("tells nobody who else has it", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const [ofA, ofB] = [await a.zone("example.com"), await b.zone("example.com")];
    await b.check(ofB);
    const entries = await a.result("GET", `/accounts/${a.accountId}/audit_logs`);
    const moved = entries.find(({ action }: { action: { type: string } }) => action.type === "zone_status");
    assert.deepEqual([moved.resource.id, moved.actor.id ?? null], [ofA, null]);
    assert.doesNotMatch(JSON.stringify(entries), /b@example\.com/);
    const about = [
      await waitsFor(a, ofA),
      (await a.send("PUT", `/zones/${ofA}/activation_check`)).text,
    ].join();
    assert.ok(!about.includes(b.accountId) && !about.includes(ofB));
  });

  test("goes to the one that the domain is delegated to, and does not flicker between equals", async (t) => {
    const dns = await startDnsServer(t);
    const settings = { activation: "check-ns", resolvers: [dns.address] } as const;
    const app = await startTestApp(t, engine, settings, { activationRoundMs: 2 ** 30 });
    const [a, b] = [await addNeighbour(app, "a"), await addNeighbour(app, "b")];
    const [ofA, ofB] = [await a.zone("example.com"), await b.zone("example.com")];
    const serversOf = async (who: Neighbour, id: string): Promise<string[]> =>
      (await who.result("GET", `/zones/${id}`)).name_servers;
    const [serversA, serversB] = [await serversOf(a, ofA), await serversOf(b, ofB)];
    assert.notDeepEqual(serversA, serversB);

    dns.names.set("example.com", { ns: serversA });
    assert.equal(await b.check(ofB), "pending");
    assert.equal(await a.check(ofA), "active");
    assert.equal(await b.statusOf(ofB), "moved");
    dns.names.set("example.com", "servfail");
    assert.deepEqual([await b.check(ofB), await a.check(ofA)], ["moved", "active"]);
    dns.names.set("example.com", { ns: serversB });
    assert.equal(await b.check(ofB), "active");
    assert.equal(await a.statusOf(ofA), "moved");
    assert.equal(await a.check(ofA), "moved");
    assert.equal(await b.statusOf(ofB), "active");

    const partial = await a.zone("partial.example", { type: "partial" });
    const rival = await b.zone("partial.example", { type: "partial" });
    const keyOf = async (who: Neighbour, id: string): Promise<string> =>
      (await who.result("GET", `/zones/${id}`)).verification_key;
    const keys = [await keyOf(a, partial), await keyOf(b, rival)];
    dns.names.set("cloudflare-verify.partial.example", { txt: keys });
    assert.equal(await a.check(partial), "active");
    assert.equal(await b.check(rival), "moved", "the first one is as good as before");
  });

  test("of the type internal is each account's own affair", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const internal = await b.zone("example.com", { type: "internal" });
    assert.equal(await b.check(internal), "active");
    const ofA = await a.zone("example.com");
    assert.equal(await a.check(ofA), "active");
    assert.equal(await b.statusOf(internal), "active");
    const sub = await b.zone("login.example.com", { type: "internal" });
    assert.equal(await b.check(sub), "active");
    for (const id of [internal, sub]) {
      await b.result("PATCH", `/zones/${id}`, { type: "full" });
      assert.equal(await b.check(id), "pending");
    }
    assert.equal(await a.statusOf(ofA), "active");
  });
});

onComparedEngines("a zone below an active zone of another account", (engine) => {
  test("stays pending until that zone delegates to it, and moves when it no longer does", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const upper = await a.zone("example.com");
    await a.check(upper);
    const lower = await b.zone("login.example.com");
    assert.equal(await b.statusOf(lower), "pending");
    assert.equal(await b.check(lower), "pending");
    assert.match((await waitsFor(b, lower)) ?? "", /^example\.com has to delegate login\.example\.com to /);

    const foreign = await a.record(upper, "NS", "login", "ns.elsewhere.example");
    assert.equal(await b.check(lower), "pending");
    const records = await a.delegate(upper, "login", b, lower);
    assert.equal(await b.check(lower), "pending", "one of the name servers is another's");
    await a.result("DELETE", `/zones/${upper}/dns_records/${foreign}`);
    await until("the timer sees it", async () => (await b.statusOf(lower)) === "active");
    for (const id of records) await a.result("DELETE", `/zones/${upper}/dns_records/${id}`);
    await until("the timer sees that too", async () => (await b.statusOf(lower)) === "moved");
    await a.delegate(upper, "login", b, lower);
    await until("and again", async () => (await b.statusOf(lower)) === "active");
  });

  test("becomes active where that account consents, for as long as it does", async (t) => {
    const { a, b, app } = await startNeighbours(t, engine);
    const c = await addNeighbour(app, "c");
    const upper = await a.zone("example.com");
    await a.check(upper);
    const [ofB, ofC] = [await b.zone("login.example.com"), await c.zone("login.example.com")];
    const consents = `/zones/${upper}/subdomain_consents`;
    const consent = await a.result("POST", consents, {
      name: "Login.Example.com.",
      account: { id: b.accountId },
    });
    assert.deepEqual(
      { name: consent.name, account: consent.account },
      { name: "login.example.com", account: { id: b.accountId } },
    );
    assert.equal(await c.check(ofC), "pending");
    assert.equal(await b.check(ofB), "active");
    await a.delegate(upper, "login", c, ofC);
    assert.equal(await c.check(ofC), "moved", "a consent names the account");
    const entries = await a.result("GET", `/accounts/${a.accountId}/audit_logs`);
    assert.ok(
      entries.some(({ action }: { action: { type: string } }) => action.type === "subdomain_consent_add"),
    );
    await a.result("DELETE", `${consents}/${consent.id}`);
    assert.deepEqual(await a.result("GET", consents), []);
    await until("the timer sees it", async () => (await c.statusOf(ofC)) === "active");
    assert.equal(await b.statusOf(ofB), "moved");
  });

  test("a consent is for a name below, to another account, once, and only the zone's account gives it", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const upper = await a.zone("example.com");
    const consents = `/zones/${upper}/subdomain_consents`;
    const account = { id: b.accountId };
    const refusals = [
      [{ name: "example.com", account }, 1003],
      [{ name: "example.org", account }, 1003],
      [{ name: "notexample.com", account }, 1003],
      [{ name: "*.example.com", account }, 1003],
      [{ name: "login.example.com", account: { id: a.accountId } }, 1003],
      [{ name: "login.example.com", account: { id: "b" } }, 1003],
      [{ name: "login.example.com" }, 1003],
    ] as const;
    for (const [body, code] of refusals)
      assert.equal((await a.send("POST", consents, body)).body.errors[0]?.code, code, JSON.stringify(body));
    const body = { name: "login.example.com", account };
    assert.equal((await b.send("POST", consents, body)).status, 404);
    await a.result("POST", consents, body);
    assert.equal((await a.send("POST", consents, body)).body.errors[0]?.code, 1201);
    assert.equal((await a.result("GET", consents)).length, 1);
    const unknown = await a.send("DELETE", `${consents}/${"0".repeat(32)}`);
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.code], [404, 1200]);
  });

  test("asks the closest zone above that answers, through several levels", async (t) => {
    const { a, b, app } = await startNeighbours(t, engine);
    const c = await addNeighbour(app, "c");
    const top = await a.zone("example.com");
    await a.check(top);
    const own = await a.zone("shop.example.com");
    assert.equal(await a.check(own), "active", "zones of one account need nobody");
    const middle = await b.zone("eu.shop.example.com");
    await a.delegate(top, "eu.shop", b, middle);
    assert.equal(await b.check(middle), "pending");
    await a.delegate(own, "eu", b, middle);
    assert.equal(await b.check(middle), "active");
    const deep = await c.zone("de.eu.shop.example.com");
    await a.delegate(own, "de.eu", c, deep);
    assert.equal(await c.check(deep), "pending");
    await b.delegate(middle, "de", c, deep);
    assert.equal(await c.check(deep), "active");
    assert.equal(await b.check(await b.zone("fr.eu.shop.example.com")), "active");
    assert.equal(await a.check(await a.zone("it.eu.shop.example.com")), "pending", "it has given that away");
  });

  test("is nobody's affair once the zone above is gone; one that was there first needs no permission", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const upper = await a.zone("example.com");
    await a.check(upper);
    const lower = await b.zone("login.example.com");
    assert.equal(await b.check(lower), "pending");
    await a.result("PATCH", `/zones/${upper}`, { paused: true });
    assert.equal(await b.check(lower), "pending", "a paused zone answers for its names");
    await a.result("DELETE", `/zones/${upper}`);
    assert.equal(await b.check(lower), "active");
    const again = await a.zone("example.com");
    assert.equal(await a.check(again), "active");
    assert.equal(await b.check(lower), "active");
  });

  test("keeps nothing of the time when it was of the type internal: who became active meanwhile was first", async (t) => {
    const { a, b } = await startNeighbours(t, engine);
    const hidden = [];
    for (const name of ["example.com", "login.shop.example.com"]) {
      const id = await b.zone(name);
      assert.equal(await b.check(id), "active");
      await b.result("PATCH", `/zones/${id}`, { type: "internal" });
      hidden.push(id);
    }
    const born = await b.zone("pay.shop.example.com", { type: "internal" });
    assert.equal(await b.check(born), "active");
    const [above = "", below = ""] = hidden;
    const ofA = await a.zone("shop.example.com");
    assert.equal(await a.check(ofA), "active");
    for (const id of [above, below, born]) await b.result("PATCH", `/zones/${id}`, { type: "full" });
    assert.equal(await b.check(above), "active");
    for (const id of [below, born]) {
      assert.equal(await b.check(id), "pending");
      assert.match((await waitsFor(b, id)) ?? "", /^shop\.example\.com has to delegate/);
    }
    assert.equal(await a.check(ofA), "active");
    assert.equal(await waitsFor(a, ofA), null);
  });

  test("is judged again with all below it, of any account, when it is active no longer, and when it is again", async (t) => {
    const { a, b, app } = await startNeighbours(t, engine);
    const c = await addNeighbour(app, "c");
    const top = await a.zone("example.com");
    await a.check(top);
    const middle = await b.zone("eu.example.com");
    const records = await a.delegate(top, "eu", b, middle);
    assert.equal(await b.check(middle), "active");
    const own = await b.zone("de.eu.example.com");
    assert.equal(await b.check(own), "active");
    const third = await c.zone("fr.eu.example.com");
    await b.delegate(middle, "fr", c, third);
    assert.equal(await c.check(third), "active");
    for (const id of records) await a.result("DELETE", `/zones/${top}/dns_records/${id}`);
    const all = async (): Promise<string[]> => [
      await b.statusOf(middle),
      await b.statusOf(own),
      await c.statusOf(third),
    ];
    await until("all have moved", async () => (await all()).every((status) => status === "moved"));
    await a.delegate(top, "eu", b, middle);
    await until("all are active again", async () => (await all()).every((status) => status === "active"));
    await b.result("DELETE", `/zones/${middle}`);
    await until("those below have moved", async () => (await b.statusOf(own)) === "moved");
    await until("those below have moved", async () => (await c.statusOf(third)) === "moved");
  });

  test("is not delegated by records of a transfer that are not shown", async (t) => {
    const { a, b, app } = await startNeighbours(t, engine);
    const upper = await a.zone("example.com");
    await a.check(upper);
    const lower = await b.zone("login.example.com");
    await a.delegate(upper, "login", b, lower);
    assert.equal(await b.check(lower), "active");
    await besideServer(app, async (tx) => {
      await tx.updateTable("zones").set({ hides_records: 1 }).where("id", "=", upper).execute();
      await tx
        .updateTable("dns_records")
        .set({ shown_from: 2 ** 20 })
        .where("zone_id", "=", upper)
        .where("type", "=", "NS")
        .execute();
    });
    assert.equal(await b.check(lower), "moved");
  });

  test("is not proven by its own invention: a vanity name within itself, or in a zone of others", async (t) => {
    const { a, b, app } = await startNeighbours(t, engine);
    const upper = await a.zone("example.com");
    await a.check(upper);
    const lower = await b.zone("login.example.com");
    for (const server of ["ns.login.example.com", "ns.hoster.example", "ns.example.com"]) {
      const id = await a.record(upper, "NS", "login", server);
      await b.result("PATCH", `/zones/${lower}`, { vanity_name_servers: [server] });
      assert.equal(await b.check(lower), "pending", server);
      await a.result("DELETE", `/zones/${upper}/dns_records/${id}`);
    }
    assert.equal(app.config.activation, "immediate");
  });

  test("is looked up in the public DNS besides with activation=check-ns, unless its account consents", async (t) => {
    const dns = await startDnsServer(t);
    const settings = { activation: "check-ns", resolvers: [dns.address] } as const;
    const app = await startTestApp(t, engine, settings, { activationRoundMs: 2 ** 30 });
    const [a, b] = [await addNeighbour(app, "a"), await addNeighbour(app, "b")];
    const [upper, lower] = [await a.zone("example.com"), await b.zone("login.example.com")];
    const ns = async (who: Neighbour, id: string): Promise<string[]> =>
      (await who.result("GET", `/zones/${id}`)).name_servers;
    dns.names.set("example.com", { ns: await ns(a, upper) });
    assert.equal(await a.check(upper), "active");
    dns.names.set("login.example.com", { ns: await ns(b, lower) });
    assert.equal(await b.check(lower), "pending");
    const records = await a.delegate(upper, "login", b, lower);
    assert.equal(await b.check(lower), "active");
    for (const id of records) await a.result("DELETE", `/zones/${upper}/dns_records/${id}`);
    dns.names.set("login.example.com", "servfail");
    assert.equal(await b.check(lower), "moved");
    await a.result("POST", `/zones/${upper}/subdomain_consents`, {
      name: "login.example.com",
      account: { id: b.accountId },
    });
    assert.equal(await b.check(lower), "active");
  });
});
