import assert from "node:assert/strict";
import { before, test, type TestContext } from "node:test";

import { startDnsServer, type DnsAnswer, type DnsServer } from "../../../test/support/dns-server.ts";
import {
  onComparedEngines,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const minute = 60_000;
const ours = ["ns1.zoneward.example", "ns2.zoneward.example"];
const theirs = ["ns1.elsewhere.example", "ns2.elsewhere.example"];

/** However long a test takes, the timer looks up nothing. */
const nothingUnasked = { activationRoundMs: 2 ** 30 };

interface Answered {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly original_name_servers: string[] | null;
  readonly activated_on: string | null;
  readonly modified_on: string;
  readonly verification_key: string;
}

interface CheckingApp extends TestApp {
  readonly dns: DnsServer;
  create(name: string, type?: string): Promise<Answered>;
  get(zone: Answered): Promise<Answered>;
  /** Asks for an activation check and answers the zone as it is then. */
  check(zone: Answered): Promise<Answered>;
}

async function startCheckingApp(t: TestContext, engine: Engine): Promise<CheckingApp> {
  const dns = await startDnsServer(t);
  const app = await startTestApp(
    t,
    engine,
    {
      activation: "check-ns",
      resolvers: [dns.address],
      // A setting may be written in any case; a delegation is compared without it.
      name_servers: ["NS1.Zoneward.example", "ns2.zoneward.example"],
      name_server_sets: ["red.example.net blue.example.net"],
    },
    nothingUnasked,
  );
  const get = async ({ id }: Answered): Promise<Answered> =>
    (await app.request("GET", `/zones/${id}`)).body.result as Answered;
  return Object.assign(app, {
    dns,
    get,
    create: async (name: string, type = "full") =>
      (await app.request("POST", "/zones", { body: { name, type } })).body.result as Answered,
    check: async (zone: Answered) => {
      const answer = await app.request("PUT", `/zones/${zone.id}/activation_check`);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.result, { id: zone.id });
      const checked = await get(zone);
      assert.deepEqual(
        answer.body.messages.map(({ message }) => message),
        [`The zone is ${checked.status}`],
      );
      return checked;
    },
  });
}

onComparedEngines("checkActivation with activation=immediate", (engine) => {
  test("the check itself makes a zone active", async (t) => {
    const app = await startTestApp(t, engine);
    for (const type of ["full", "partial"]) {
      const { id, status } = (
        await app.request("POST", "/zones", { body: { name: `${type}.example`, type } })
      ).body.result;
      assert.equal(status, "pending");
      app.advance(minute);
      const answer = await app.request("PUT", `/zones/${id}/activation_check`);
      const messages = `[{"code":10000,"message":"The zone is active","type":null}]`;
      assert.equal(
        answer.text,
        `{"result":{"id":"${id}"},"success":true,"errors":[],"messages":${messages}}`,
      );
      const active = (await app.request("GET", `/zones/${id}`)).body.result;
      assert.equal(active.status, "active");
      assert.equal(active.activated_on, active.modified_on);
      assert.ok(active.activated_on > active.created_on);

      app.advance(minute);
      await app.request("PUT", `/zones/${id}/activation_check`);
      assert.deepEqual((await app.request("GET", `/zones/${id}`)).body.result, active);
    }
  });
});

onComparedEngines("checkActivation with activation=check-ns", (engine) => {
  const suite = suiteContext();
  let app: CheckingApp;
  before(async () => {
    app = await startCheckingApp(suite, engine);
  });

  test("the delegation decides, for as long as the zone lives", async () => {
    // Set before the zone is there: the server's own timer may be the first to ask.
    app.dns.names.set("delegated.example", { ns: theirs });
    const zone = await app.create("delegated.example");
    assert.deepEqual(
      [zone.status, zone.original_name_servers, zone.activated_on],
      ["initializing", null, null],
    );

    const pending = await app.check(zone);
    assert.deepEqual([pending.status, pending.activated_on], ["pending", null]);
    assert.deepEqual(pending.original_name_servers?.toSorted(), theirs);

    app.dns.names.set("delegated.example", { ns: [ours[0] ?? "", theirs[0] ?? ""] });
    assert.equal((await app.check(zone)).status, "pending");

    app.advance(minute);
    app.dns.names.set("delegated.example", { ns: ours.map((name) => name.toUpperCase()) });
    const active = await app.check(zone);
    assert.equal(active.status, "active");
    assert.equal(active.activated_on, "2026-01-02T03:05:05.678000Z");
    assert.deepEqual(active.original_name_servers, pending.original_name_servers);

    app.advance(minute);
    app.dns.names.set("delegated.example", { ns: ["ns.third.example"] });
    const moved = await app.check(zone);
    assert.deepEqual([moved.status, moved.activated_on], ["moved", active.activated_on]);
    assert.deepEqual(moved.original_name_servers, pending.original_name_servers);
    assert.equal((await app.check(zone)).status, "moved");

    app.dns.names.set("delegated.example", { ns: [ours[1] ?? ""] });
    assert.equal((await app.check(zone)).status, "active");

    app.dns.names.delete("delegated.example");
    assert.equal((await app.check(zone)).status, "moved");
  });

  test("a zone that has chosen a set of name servers is to be delegated to these", async () => {
    app.dns.names.set("chosen.example", { ns: ours });
    const zone = await app.create("chosen.example");
    const body = { nameservers: { type: "custom.account", ns_set: 1 } };
    assert.equal((await app.request("PATCH", `/zones/${zone.id}/dns_settings`, { body })).status, 200);
    assert.equal((await app.check(zone)).status, "pending");
    app.advance(minute);
    app.dns.names.set("chosen.example", { ns: ["RED.example.net", "blue.example.net"] });
    assert.equal((await app.check(zone)).status, "active");
  });

  test("a domain that does not exist or has no name servers is pending", async () => {
    app.dns.names.set("empty.example", {});
    for (const name of ["absent.example", "empty.example"]) {
      const zone = await app.check(await app.create(name));
      assert.deepEqual([zone.status, zone.original_name_servers], ["pending", []], name);
    }
  });

  test("a resolver that fails or is silent changes nothing", async () => {
    app.dns.names.set("young.example", "servfail");
    const young = await app.create("young.example");
    app.dns.names.set("old.example", { ns: ours });
    const old = await app.create("old.example");
    const active = await app.check(old);
    assert.equal(active.status, "active");
    // The resolver's own library waits less for a server that it knows to be quick.
    for (let answers = 1; answers < 5; answers += 1) await app.check(old);
    app.advance(minute);

    for (const failure of ["servfail", "silence"] as const) {
      app.dns.names.set("young.example", failure);
      app.dns.names.set("old.example", failure);
      assert.deepEqual(await Promise.all([app.check(young), app.check(old)]), [young, active], failure);
    }
  });

  test("an answer that comes late does not undo a later one", async () => {
    const late = Promise.withResolvers<DnsAnswer>();
    app.dns.names.set("late.example", late.promise);
    const zone = await app.create("late.example");
    const first = app.check(zone);
    await until("the first look-up", () => app.dns.asked.includes("late.example"));

    app.advance(minute);
    app.dns.names.set("late.example", { ns: ours });
    const active = await app.check(zone);
    assert.equal(active.status, "active");
    late.resolve({ ns: theirs });
    await first;
    assert.deepEqual(await app.get(zone), active);
  });

  test("a partial zone proves itself by its key in a TXT record", async () => {
    const zone = await app.create("partial.example", "partial");
    assert.match(zone.verification_key, /^\d{9}-\d{9}$/);
    // Its delegation stays where it is and says nothing.
    app.dns.names.set("partial.example", { ns: ours });
    assert.equal((await app.check(zone)).status, "pending");
    const proof = "cloudflare-verify.partial.example";
    app.dns.names.set(proof, { txt: ["123456789-123456789", `${zone.verification_key}0`] });
    assert.equal((await app.check(zone)).status, "pending");
    app.dns.names.set(proof, { txt: ["something else", zone.verification_key] });
    const active = await app.check(zone);
    assert.deepEqual([active.status, active.original_name_servers], ["active", null]);
    app.dns.names.set(proof, "servfail");
    assert.equal((await app.check(zone)).status, "active");
    app.dns.names.delete(proof);
    assert.equal((await app.check(zone)).status, "moved");
  });

  test("vanity name servers count in active zones of the account, where they have our addresses", async () => {
    const change = async (zone: Answered, path: string, body: object, method = "POST"): Promise<string> => {
      const answer = await app.request(method, `/zones/${zone.id}${path}`, { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result.id as string;
    };
    app.dns.names.set(ours[0] ?? "", { a: ["192.0.2.53"] });
    const backing = await app.create("backing.example");
    const zone = await app.create("vanity.example");
    await change(zone, "", { vanity_name_servers: ["ns.backing.example"] }, "PATCH");
    app.dns.names.set("vanity.example", { ns: ["ns.backing.example"] });
    const record = { type: "A", name: "ns", content: "192.0.2.53" };
    const recordId = await change(backing, "/dns_records", record);
    assert.equal((await app.check(zone)).status, "pending", "the zone of the name is not active");

    app.dns.names.set("backing.example", { ns: ours });
    assert.equal((await app.check(backing)).status, "active");
    assert.equal((await app.check(zone)).status, "active");

    await change(backing, `/dns_records/${recordId}`, { content: "192.0.2.66" }, "PATCH");
    assert.equal((await app.check(zone)).status, "moved", "the address is another server's");
    app.dns.names.set("vanity.example", { ns: ours });
    assert.equal((await app.check(zone)).status, "active", "the others count too");

    await change(zone, "", { vanity_name_servers: ["ns.vanity.example"] }, "PATCH");
    await change(zone, "/dns_records", { type: "A", name: "ns", content: "192.0.2.53" });
    app.dns.names.set("vanity.example", { ns: ["ns.vanity.example"] });
    assert.equal((await app.check(zone)).status, "active", "an active zone holds its own");
  });

  test("what a zone that is not active says of its own name servers proves nothing", async () => {
    const zone = await app.create("invented.example");
    for (const name of ["ns.elsewhere.example", "ns.invented.example"]) {
      const body = { vanity_name_servers: [name] };
      assert.equal((await app.request("PATCH", `/zones/${zone.id}`, { body })).status, 200);
      app.dns.names.set("invented.example", { ns: [name] });
      assert.equal((await app.check(zone)).status, "pending", name);
    }
  });
});
