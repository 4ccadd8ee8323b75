import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createDnsClient, type DnsClient } from "../../../test/support/dns-client.ts";
import { startEdgeApp, startOrigin, routeTo, type EdgeApp } from "../../../test/support/edge-app.ts";
import { onComparedEngines, until, type Engine } from "../../../test/support/harness.ts";
import { addNeighbour, type Neighbour } from "../../../test/support/neighbours.ts";
import { besideServer } from "../../../test/support/store.ts";

interface Planes {
  readonly edge: EdgeApp;
  readonly dns: DnsClient;
  /** The account of `example.com`, which answers `www` and `*` with 192.0.2.1 in DNS, and `A` at the edge. */
  readonly a: Neighbour;
  readonly upper: string;
  readonly b: Neighbour;
  /** Waits for what the name server answers to a question for TXT. */
  says(name: string, expected: string): Promise<void>;
  /** Waits for who serves a host at the edge; `nobody` for an error. */
  serves(host: string, expected: string): Promise<void>;
  /** A zone with a TXT record at its name and a wildcard, and an origin for all below it. */
  fill(who: Neighbour, zoneId: string, name: string, text: string): Promise<void>;
}

async function startPlanes(t: TestContext, engine: Engine): Promise<Planes> {
  const origin = await startOrigin(t, (request, response) => response.end(request.headers["x-origin"]));
  const edge = await startEdgeApp(
    t,
    engine,
    origin,
    { dns_listen: ["127.0.0.1:0"] },
    { activationRoundMs: 20 },
  );
  const { app } = edge;
  await app.request("DELETE", `/zones/${edge.zoneId}`);
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  const [a, b] = [await addNeighbour(app, "a"), await addNeighbour(app, "b")];
  const fill: Planes["fill"] = async (who, zoneId, name, text) => {
    for (const owner of [name, `*.${name}`]) {
      await who.record(zoneId, "TXT", owner, text);
      await who.record(zoneId, "CNAME", owner === name ? `www.${name}` : `proxied.${name}`, "localhost", {
        proxied: true,
      });
    }
    await who.record(zoneId, "A", `*.edge.${name}`, "127.0.0.1", { proxied: true });
    await who.record(zoneId, "A", `edge.${name}`, "127.0.0.1", { proxied: true });
    await who.result("PUT", `/zones/${zoneId}/rulesets/phases/http_request_origin/entrypoint`, {
      rules: [routeTo(origin)],
    });
    await who.result("PUT", `/zones/${zoneId}/rulesets/phases/http_request_late_transform/entrypoint`, {
      rules: [
        {
          action: "rewrite",
          expression: "true",
          action_parameters: { headers: { "x-origin": { operation: "set", value: text } } },
        },
      ],
    });
  };
  const upper = await a.zone("example.com");
  await a.check(upper);
  await fill(a, upper, "example.com", "A");
  let said: string | undefined;
  return {
    edge,
    dns,
    a,
    upper,
    b,
    fill,
    says: async (name, expected) => {
      await until(
        `${name} is ${expected}, not ${said}`,
        async () => {
          const [code, line] = await dns.lines(name, "TXT");
          said = (line ?? code)?.split(" ").at(-1);
          return said === expected;
        },
        20,
      ).catch((error: unknown) => assert.equal(said, expected, String(error)));
    },
    serves: async (host, expected) => {
      let served: string | undefined;
      await until(
        `${host} is served by ${expected}`,
        async () => {
          const answer = await edge.visit("/", { host });
          served = answer.status === 200 ? answer.text : "nobody";
          return served === expected;
        },
        20,
      ).catch((error: unknown) => assert.equal(served, expected, String(error)));
    },
  };
}

onComparedEngines("the planes", (engine) => {
  test("serve a zone below another account's only while that delegates to it or consents", async (t) => {
    const { a, b, upper, says, serves, fill, edge } = await startPlanes(t, engine);
    await says("login.example.com", "A");
    await a.record(upper, "CNAME", "login", "localhost", { proxied: true });
    const lower = await b.zone("login.example.com");
    await fill(b, lower, "login.example.com", "B");
    // The name server must not depend on the claim in the store.
    await besideServer(edge.app, (tx) =>
      tx.updateTable("zones").set({ status: "active" }).where("id", "=", lower).execute(),
    );
    await serves("login.example.com", "A");
    await says("_acme-challenge.login.example.com", "NXDOMAIN");
    await serves("edge.login.example.com", "nobody");
    const entry = (await a.result("GET", `/zones/${upper}/dns_records?name=login.example.com`))[0];
    await a.result("DELETE", `/zones/${upper}/dns_records/${entry.id}`);

    const records = await a.delegate(upper, "login", b, lower);
    await b.check(lower);
    await says("login.example.com", "B");
    await says("_acme-challenge.login.example.com", "B");
    await serves("edge.login.example.com", "B");
    await says("other.example.com", "A");
    for (const id of records) await a.result("DELETE", `/zones/${upper}/dns_records/${id}`);
    await says("login.example.com", "A");
    await serves("edge.login.example.com", "nobody");

    const consents = `/zones/${upper}/subdomain_consents`;
    const { id } = await a.result("POST", consents, {
      name: "login.example.com",
      account: { id: b.accountId },
    });
    await until("active", async () => (await b.statusOf(lower)) === "active");
    await says("login.example.com", "B");
    await serves("edge.login.example.com", "B");
    await edge.app.restart();
    const client = await createDnsClient(t, edge.app.dnsAddresses[0] ?? "");
    assert.match((await client.lines("login.example.com", "TXT")).join(), / B$/);
    await serves("edge.login.example.com", "B");
    await a.result("DELETE", `${consents}/${id}`);
    await serves("edge.login.example.com", "nobody");
    await until("A again", async () =>
      (await client.lines("login.example.com", "TXT")).join().endsWith(" A"),
    );
  });

  test("take nothing away from a zone by another account's zone above it", async (t) => {
    const { a, b, upper, says, serves, fill, edge } = await startPlanes(t, engine);
    await a.result("DELETE", `/zones/${upper}`);
    const lower = await a.zone("shop.example.com");
    await a.check(lower);
    await fill(a, lower, "shop.example.com", "A");
    const above = await b.zone("example.com");
    assert.equal(await b.check(above), "active");
    await fill(b, above, "example.com", "B");
    await b.record(above, "TXT", "_acme-challenge.shop", "B");
    await b.record(above, "A", "edge.shop", "127.0.0.1", { proxied: true });
    await says("other.example.com", "B");
    await serves("edge.example.com", "B");
    await says("_acme-challenge.shop.example.com", "A");
    await says("shop.example.com", "A");
    await serves("edge.shop.example.com", "A");

    const order = `/zones/${above}/ssl/certificate_packs/order`;
    const pack = {
      type: "advanced",
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "google",
    };
    for (const host of ["shop.example.com", "*.shop.example.com", "a.b.shop.example.com"]) {
      const answer = await b.send("POST", order, { ...pack, hosts: ["example.com", host] });
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 1452], host);
    }
    await b.result("POST", `/zones/${above}/acm/total_tls`, {
      enabled: true,
      certificate_authority: "google",
    });
    const packsOfB = `/zones/${above}/ssl/certificate_packs?status=all`;
    await until("Total TLS has ordered", async () =>
      JSON.stringify(await b.result("GET", packsOfB)).includes("*.edge.example.com"),
    );
    assert.doesNotMatch(JSON.stringify(await b.result("GET", packsOfB)), /shop/);
    assert.equal(await a.statusOf(lower), "active");
    await edge.app.restart();
    await serves("edge.shop.example.com", "A");
  });

  test("issue nothing for names that another account answers for", async (t) => {
    const { a, b, upper } = await startPlanes(t, engine);
    const [rival, lower] = [await b.zone("example.com"), await b.zone("login.example.com")];
    for (const id of [rival, lower]) {
      const { name } = await b.result("GET", `/zones/${id}`);
      const pack = {
        type: "advanced",
        validation_method: "txt",
        validity_days: 90,
        certificate_authority: "google",
      };
      const { id: packId } = await b.result("POST", `/zones/${id}/ssl/certificate_packs/order`, {
        ...pack,
        hosts: [name, `*.${name}`],
      });
      const path = `/zones/${id}/ssl/certificate_packs/${packId}`;
      await until("it has failed", async () => {
        const { validation_errors: errors = [] } = await b.result("GET", path);
        return errors.some(({ message }: { message: string }) =>
          message.startsWith("A zone of another account"),
        );
      });
      assert.deepEqual((await b.result("GET", path)).certificates, []);
    }
    assert.equal(await a.statusOf(upper), "active");
  });
});
