import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { mulberry32 } from "../tools/fuzz/random.ts";
import { createDnsClient, type DnsClient } from "./support/dns-client.ts";
import { routeTo, startEdgeApp, startOrigin, type EdgeApp } from "./support/edge-app.ts";
import { until, type TestAnswer } from "./support/harness.ts";
import { addNeighbour, type Neighbour } from "./support/neighbours.ts";
import { roundsOr } from "./support/rounds.ts";
import { queryGraphql } from "./support/security-event-api.ts";

// Two worlds in which account A does the same. In the first one account B does what it likes, in the other one nothing.
// After each step A and its visitors see the same in both. `ROUNDS=10000` in front of the command takes so many steps.

/** Zones that A has from the beginning, and keeps. */
const kept = ["example.com", "example.org", "corp.above.net"];
/** Names at which A makes zones and deletes them again. */
const below = ["a.example.com", "b.a.example.com", "login.example.com", "x.example.org"];
/** Names that A delegates to B, or lets it have, at times. Only there, and only meanwhile, B may be seen. */
const lent = ["lent.example.com", "lent.example.org"];
/** Names at which B makes zones: those of A, names below and above them, and names of its own. */
const wanted = [
  ...kept,
  ...below,
  ...lent,
  "above.net",
  "c.b.a.example.com",
  "sub.corp.above.net",
  "bee.net",
];
const labels = ["", "www.", "login.", "_acme-challenge.", "deep.er.", "ns1."];
const probes = [...kept, ...below, ...lent].flatMap((name) => labels.map((label) => label + name));

interface World {
  readonly edge: EdgeApp;
  readonly dns: DnsClient;
  readonly a: Neighbour;
  readonly b: Neighbour;
  /** Ids of zones and of what is in them, by account and name: they differ between the worlds. */
  readonly ids: Map<string, string>;
}

type Choose = <Choice>(choices: readonly Choice[]) => Choice;
/** Something an account asks for; the answer is what it gets, without ids. */
type Step = (world: World) => Promise<TestAnswer | undefined>;

async function startWorld(t: TestContext, origin: number): Promise<World> {
  const edge = await startEdgeApp(
    t,
    "sqlite",
    origin,
    { dns_listen: ["127.0.0.1:0"] },
    { activationRoundMs: 20, securityEventRoundMs: 20, startedOn: new Date("2026-01-02T03:04:05Z") },
  );
  const { app } = edge;
  await app.request("DELETE", `/zones/${edge.zoneId}`);
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  const world: World = {
    edge,
    dns,
    a: await addNeighbour(app, "a"),
    b: await addNeighbour(app, "b"),
    ids: new Map(),
  };
  for (const name of kept) {
    await makeZone("a", name, origin)(world);
    await checkZone("a", name)(world);
    for (const label of ["www.", "*."]) await proxy("a", name, label)(world);
  }
  await world.a.result(
    "PUT",
    `/zones/${world.ids.get("a example.com")}/rulesets/phases/http_ratelimit/entrypoint`,
    {
      rules: [
        {
          action: "block",
          expression: 'http.request.uri.path eq "/limited"',
          ratelimit: {
            characteristics: ["ip.src", "cf.colo.id"],
            period: 60,
            requests_per_period: 3,
            mitigation_timeout: 600,
          },
        },
      ],
    },
  );
  return world;
}

type Who = "a" | "b";

/** A zone whose origin gets the name of its account, and that blocks `/blocked`. */
const makeZone =
  (who: Who, name: string, origin: number): Step =>
  async (world) => {
    const account = world[who];
    const made = await account.send("POST", "/zones", { name, account: { id: account.accountId } });
    if (made.status !== 200) return made;
    const { id } = made.body.result;
    world.ids.set(`${who} ${name}`, id);
    const headers = { "x-origin": { operation: "set", value: `${who} ${name}` } };
    const phases = {
      http_request_origin: [routeTo(origin)],
      http_request_late_transform: [
        { action: "rewrite", expression: "true", action_parameters: { headers } },
      ],
      http_request_firewall_custom: [{ action: "block", expression: 'http.request.uri.path eq "/blocked"' }],
    };
    for (const [phase, rules] of Object.entries(phases))
      await account.result("PUT", `/zones/${id}/rulesets/phases/${phase}/entrypoint`, { rules });
    return made;
  };

const inZone = (who: Who, name: string, ask: (account: Neighbour, path: string, world: World) => ReturnType<Step>): Step =>
  async (world) => {
    const id = world.ids.get(`${who} ${name}`);
    return id === undefined ? undefined : ask(world[who], `/zones/${id}`, world);
  }; // prettier-ignore

const checkZone = (who: Who, name: string): Step =>
  inZone(who, name, async (account, path) => account.send("PUT", `${path}/activation_check`));

const deleteZone = (who: Who, name: string): Step =>
  inZone(who, name, async (account, path, world) => {
    world.ids.delete(`${who} ${name}`);
    return account.send("DELETE", path);
  });

const addRecord = (who: Who, zone: string, name: string, record: object): Step =>
  inZone(who, zone, async (account, path) =>
    account.send("POST", `${path}/dns_records`, { name, ...record }),
  );

const proxy = (who: Who, zone: string, label: string): Step =>
  addRecord(who, zone, label + zone, { type: "CNAME", content: "localhost", proxied: true });

const deleteRecords = (who: Who, zone: string, name: string): Step =>
  inZone(who, zone, async (account, path) => {
    const { result } = (await account.send("GET", `${path}/dns_records?name=${name}`)).body;
    for (const { id } of result) await account.send("DELETE", `${path}/dns_records/${id}`);
    return undefined;
  });

/** The actions of A; the same in both worlds. */
function stepOfA(
  choose: Choose,
  text: string,
  origin: number,
  isLent: Map<string, boolean>,
  serversOfB: readonly string[],
): Step {
  const zone = choose([...kept, ...below]);
  const name = choose(labels) + zone;
  const loan = choose(lent);
  const above = loan.slice(loan.indexOf(".") + 1);
  return choose<() => Step>([
    () => makeZone("a", choose(below), origin),
    () => checkZone("a", choose(below)),
    () => deleteZone("a", choose(below)),
    () => addRecord("a", zone, name, { type: "TXT", content: text }),
    () => addRecord("a", zone, `*.${zone}`, { type: "TXT", content: text }),
    () => proxy("a", zone, choose(labels)),
    () => (name.startsWith("www.") ? deleteRecords("a", zone, `_acme-challenge.${zone}`) : deleteRecords("a", zone, name)),
    () => {
      isLent.set(loan, true);
      const [first = "", second = ""] = serversOfB;
      return async (world) => {
        await deleteRecords("a", above, loan)(world);
        await addRecord("a", above, loan, { type: "NS", content: first })(world);
        return addRecord("a", above, loan, { type: "NS", content: second })(world);
      };
    },
    () => {
      isLent.set(loan, true);
      return inZone("a", above, async (a, path, world) => {
        const body = { name: loan, account: { id: world.b.accountId } };
        const made = await a.send("POST", `${path}/subdomain_consents`, body);
        if (made.status === 200) world.ids.set(`consent ${loan}`, made.body.result.id);
        return made;
      });
    },
    () => {
      isLent.set(loan, false);
      return inZone("a", above, async (a, path, world) => {
        await deleteRecords("a", above, loan)(world);
        const consent = world.ids.get(`consent ${loan}`);
        if (consent !== undefined) await a.send("DELETE", `${path}/subdomain_consents/${consent}`);
        world.ids.delete(`consent ${loan}`);
        return undefined;
      });
    },
  ])(); // prettier-ignore
}

/** The actions of B, in its own zones and to those of A. */
function stepOfB(choose: Choose, text: string, origin: number): Step {
  const zone = choose(wanted);
  const own = choose(wanted);
  const make = makeZone("b", zone, origin);
  return choose<() => Step>([
    () => make,
    () => async (world) => {
      await make(world);
      await proxy("b", zone, choose(["www.", "*.", ""]))(world);
      return checkZone("b", zone)(world);
    },
    () => checkZone("b", zone),
    () => deleteZone("b", zone),
    () => addRecord("b", zone, choose(labels) + zone, { type: "TXT", content: `B ${text}` }),
    () => addRecord("b", zone, `*.${zone}`, { type: "TXT", content: `B ${text}` }),
    () => addRecord("b", zone, choose(below), { type: "NS", content: `ns1.${own}` }),
    () => proxy("b", zone, choose(labels)),
    () => inZone("b", zone, async (b, path) => b.send("PATCH", path, { vanity_name_servers: [`ns1.${own}`, `ns2.${own}`] })),
    () => inZone("b", zone, async (b, path) => b.send("POST", `${path}/hold?include_subdomains=true`)),
    () => inZone("b", zone, async (b, path) => b.send("PATCH", path, { paused: choose([true, false]) })),
    () => inZone("b", zone, async (b, path) => b.send("POST", `${path}/subdomain_consents`, { name: own, account: { id: b.accountId } })),
    () => inZone("b", zone, async (b, path) => b.send("POST", `${path}/purge_cache`, { purge_everything: true })),
    // A secondary zone, from the name server that serves A; and what it has, to whoever asks.
    () => async ({ b, ids, dns, edge }) => {
      const port = Number(edge.app.dnsAddresses[0]?.split(":").at(-1));
      const peer = await b.result("POST", `/accounts/${b.accountId}/secondary_dns/peers`, { name: text });
      const peers = `/accounts/${b.accountId}/secondary_dns/peers/${peer.id}`;
      await b.send("PUT", peers, { name: text, ip: "127.0.0.1", port });
      const made = await b.send("POST", "/zones", { name: zone, account: { id: b.accountId }, type: "secondary" });
      const id = made.status === 200 ? made.body.result.id : ids.get(`b ${zone}`);
      if (made.status === 200) ids.set(`b ${zone}`, id);
      const transfer = { name: zone, peers: [peer.id], auto_refresh_seconds: 300 };
      await b.send("POST", `/zones/${id}/secondary_dns/incoming`, transfer);
      await b.send("POST", `/zones/${id}/secondary_dns/force_axfr`);
      await b.send("POST", `/zones/${id}/secondary_dns/outgoing`, { name: zone, peers: [peer.id] });
      await b.send("POST", `/zones/${id}/secondary_dns/outgoing/enable`);
      await dns.lines(zone, "SOA");
      return undefined;
    },
    // Members and tokens of the other account.
    () => async ({ a, b }) => {
      const roles = (await b.result("GET", `/accounts/${b.accountId}/roles`)).map(({ id }: { id: string }) => id);
      const email = choose(["a@example.com", `${text}@example.com`]);
      await b.send("POST", `/accounts/${b.accountId}/members`, { email, roles: [choose(roles)] });
      const joined = await b.send("POST", `/accounts/${a.accountId}/members`, { email: "b@example.com", roles: [choose(roles)] });
      assert.equal(joined.status, 404, joined.text);
      return undefined;
    },
    // Many events, and visits to what A limits, by another host.
    () => async ({ edge }) => {
      for (let count = 0; count < 20; count += 1) await edge.visit("/blocked", { host: `www.${own}bee.net` });
      await edge.visit("/limited", { host: "www.bee.net" });
      return undefined;
    },
    () => async ({ b, ids }) => {
      const id = ids.get(`a ${choose(kept)}`);
      const [method, path, body] = choose([
        ["GET", "", undefined],
        ["PATCH", "", { paused: true }],
        ["DELETE", "", undefined],
        ["PUT", "/activation_check", undefined],
        ["GET", "/dns_records", undefined],
        ["POST", "/dns_records", { type: "TXT", name: "login", content: text }],
        ["POST", "/subdomain_consents", { name: `x.${own}`, account: { id: b.accountId } }],
        ["PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", { rules: [] }],
        ["POST", "/purge_cache", { purge_everything: true }],
      ] as const);
      const answer = await b.send(method, `/zones/${id}${path}`, body);
      assert.equal(answer.status, 404, `${method} ${path} by B: ${answer.text}`);
      return undefined;
    },
  ])(); // prettier-ignore
}

const codesOf = (answer: TestAnswer | undefined) =>
  answer && [answer.status, answer.body.errors.map(({ code }) => code)];

/** The view of A on its account and its zones. */
async function seenByA({ a, ids }: World, zone: string): Promise<object> {
  const zones = await a.result("GET", "/zones?per_page=50&order=name");
  const id = ids.get(`a ${zone}`);
  const records = id === undefined ? [] : await a.result("GET", `/zones/${id}/dns_records?per_page=1000`);
  const members = await a.result("GET", `/accounts/${a.accountId}/members`);
  const consents = id === undefined ? [] : await a.result("GET", `/zones/${id}/subdomain_consents`);
  return {
    zones: zones.map(({ name, status, name_servers, paused }: Record<string, unknown>) => ({ name, status, name_servers, paused })),
    records: records.map(({ type, name, content }: Record<string, string>) => `${type} ${name} ${content}`).toSorted(),
    members: members.map(({ email, status }: Record<string, unknown>) => ({ email, status })),
    consents: consents.map(({ name }: { readonly name: string }) => name),
  };
} // prettier-ignore

/** The view of a name's visitors, in DNS and at the edge. */
async function seenByVisitors({ dns, edge }: World, name: string): Promise<object> {
  const { status, text } = await edge.visit("/", { host: name });
  return { dns: (await dns.lines(name, "TXT")).toSorted(), status, text: status === 200 ? text : "" };
}

async function blockedEvents({ a, ids, edge }: World, zone: string): Promise<number> {
  const query = `query($zoneTag: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptiveGroups(limit: 10, filter: { action: "block" }) { count } } } }`;
  const { data } = await queryGraphql(edge.app, query, { zoneTag: ids.get(`a ${zone}`) ?? "" }, a.headers);
  return data.viewer.zones[0].firewallEventsAdaptiveGroups[0]?.count ?? 0;
}

test("whatever another account does, an account and its visitors see what they see without it", async (t) => {
  const origin = await startOrigin(t, (request, response) => response.end(request.headers["x-origin"]));
  const worlds = [await startWorld(t, origin), await startWorld(t, origin)] as const;
  const seed = Number(process.env["SEED"] ?? 1);
  const random = mulberry32(seed);
  const choose: Choose = (choices) => choices[Math.floor(random() * choices.length)] as never;
  const [first] = worlds;
  const bee = await first.b.zone("bee.net");
  first.ids.set("b bee.net", bee);
  const { name_servers: serversOfB } = await first.b.result("GET", `/zones/${bee}`);
  const isLent = new Map<string, boolean>();

  const seesTheSame = async (what: string, see: (world: World) => Promise<unknown>) => {
    let [withB, without]: unknown[] = [];
    // Planes follow the store within some milliseconds.
    await until(
      what,
      async () => {
        [withB, without] = await Promise.all(worlds.map(see));
        return JSON.stringify(withB) === JSON.stringify(without);
      },
      15,
    ).catch(() => assert.deepEqual(withB, without, what));
  };

  for (let count = 0; count < roundsOr(250); count += 1) {
    const what = `step ${count} of seed ${seed}`;
    // The same time in both: a check may be asked for once in a while, and old events go.
    for (const { edge } of worlds) edge.app.advance(600_000);
    if (random() < 0.6) {
      await stepOfB(choose, String(count), origin)(first);
    } else {
      const step = stepOfA(choose, String(count), origin, isLent, serversOfB);
      const [withB, without] = [await step(worlds[0]), await step(worlds[1])];
      assert.deepEqual(codesOf(withB), codesOf(without), `${what}: ${withB?.text} ${without?.text}`);
    }
    const zone = choose([...kept, ...below]);
    await seesTheSame(`${what}: A's ${zone}`, async (world) => seenByA(world, zone));
    const isBs = (name: string) =>
      lent.some((loan) => isLent.get(loan) === true && `.${name}`.endsWith(`.${loan}`));
    for (const name of count % 100 === 99 ? probes : [choose(probes), choose(probes)])
      if (!isBs(name)) await seesTheSame(`${what}: ${name}`, async (world) => seenByVisitors(world, name));
    if (count % 10 === 0) {
      await seesTheSame(`${what}: limited`, async ({ edge }) => {
        const statuses = [];
        for (let visits = 0; visits < 5; visits += 1) statuses.push((await edge.visit("/limited")).status);
        return statuses;
      });
      for (const { edge } of worlds) await edge.visit("/blocked", { host: "www.example.org" });
    }
    if (count % 50 === 49)
      await seesTheSame(`${what}: events`, async (world) => blockedEvents(world, "example.org"));
  }
});
