import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { startDnsServer } from "../../test/support/dns-server.ts";
import { createDnsClient, type DnsClient } from "../../test/support/dns-client.ts";
import {
  newDirectory,
  newSecretKeyFile,
  onEachEngine,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../test/support/harness.ts";
import type { Config } from "../config/settings.ts";
import { typeCodes } from "../core/dns/wire/codes.ts";

interface ServingApp {
  readonly app: TestApp;
  readonly dns: DnsClient;
  readonly zoneId: string;
  create(record: object): Promise<string>;
  /** Waits until a name is answered so. */
  answers(name: string, type: Parameters<DnsClient["lines"]>[1], expected: readonly string[]): Promise<void>;
  serial(): Promise<number>;
}

async function serve(t: TestContext, engine: Engine, settings: Partial<Config> = {}): Promise<ServingApp> {
  const app = await startTestApp(t, engine, {
    dns_listen: ["127.0.0.1:0"],
    edge_addresses: ["192.0.2.80", "2001:db8::80/128", "198.51.100.0/24"],
    ...settings,
  });
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  const lines: string[] = [];
  return {
    app,
    dns,
    zoneId,
    create: async (record) => {
      const answer = await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result.id as string;
    },
    answers: async (name, type, expected) => {
      await until(
        `${name} ${type} is ${expected.join("; ")}`,
        async () => {
          lines.splice(0, Infinity, ...(await dns.lines(name, type)));
          return JSON.stringify(lines.toSorted()) === JSON.stringify(expected.toSorted());
        },
        20,
      ).catch((error: unknown) => {
        assert.deepEqual(lines, expected, String(error));
      });
    },
    serial: async () => {
      const [, soa = ""] = await dns.lines("example.com", "SOA");
      return Number(soa.split(" ").at(-1));
    },
  };
}

async function importFile(app: TestApp, zoneId: string, text: string): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([text]));
  const sent = await fetch(`${app.baseUrl}/zones/${zoneId}/dns_records/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.config.owner_token}` },
    body: form,
  });
  assert.equal(sent.status, 200, await sent.text());
}

onEachEngine("the name server", (engine) => {
  test("answers records as they are created, edited and deleted, with a serial that grows", async (t) => {
    const { app, zoneId, create, answers, serial } = await serve(t, engine);
    const path = `/zones/${zoneId}/dns_records`;
    await answers("www.example.com", "A", ["NXDOMAIN"]);
    const serials = [await serial()];
    const id = await create({ type: "A", name: "www", content: "192.0.2.1" });
    await answers("www.example.com", "A", ["NOERROR", "www.example.com 300 A 192.0.2.1"]);
    serials.push(await serial());
    await app.request("PATCH", `${path}/${id}`, { body: { name: "web", ttl: 60 } });
    await answers("web.example.com", "A", ["NOERROR", "web.example.com 60 A 192.0.2.1"]);
    await answers("www.example.com", "A", ["NXDOMAIN"]);
    serials.push(await serial());
    await app.request("POST", `${path}/batch`, {
      body: { deletes: [{ id }], posts: [{ type: "TXT", name: "deep.ent", content: "x" }] },
    });
    await answers("web.example.com", "A", ["NXDOMAIN"]);
    await answers("ent.example.com", "A", ["NOERROR"]);
    serials.push(await serial());
    await importFile(app, zoneId, "imported 60 IN A 192.0.2.9\n");
    await answers("imported.example.com", "A", ["NOERROR", "imported.example.com 60 A 192.0.2.9"]);
    serials.push(await serial());
    assert.ok(
      serials.every((one, index) => index === 0 || one > (serials[index - 1] ?? 0)),
      String(serials),
    );
    const exported = await app.request("GET", `${path}/export`);
    assert.ok(exported.text.includes(` ${serials.at(-1)} 10000 2400 604800 3600\n`), exported.text);

    await app.restart();
    const again = await createDnsClient(t, app.dnsAddresses[0] ?? "");
    assert.deepEqual(await again.lines("imported.example.com"), [
      "NOERROR",
      "imported.example.com 60 A 192.0.2.9",
    ]);
    assert.ok((await again.lines("example.com", "SOA"))[1]?.endsWith(` ${serials.at(-1)}`));
  });

  test("answers active zones only, and stops with their deletion", async (t) => {
    const { app, zoneId, create, answers } = await serve(t, engine);
    await create({ type: "A", name: "@", content: "192.0.2.1" });
    await answers("example.com", "A", ["NOERROR", "example.com 300 A 192.0.2.1"]);
    const pending = await app.createZone("pending.example");
    await app.request("POST", `/zones/${pending}/dns_records`, {
      body: { type: "A", name: "@", content: "192.0.2.1" },
    });
    await answers("pending.example", "A", ["REFUSED"]);
    await app.request("PUT", `/zones/${pending}/activation_check`);
    await answers("pending.example", "A", ["NOERROR", "pending.example 300 A 192.0.2.1"]);
    await app.request("DELETE", `/zones/${zoneId}`);
    await answers("example.com", "A", ["REFUSED"]);
  });

  test("is never made of a part of the records of a large zone that has become active", async (t) => {
    const { app, dns } = await serve(t, engine);
    const large = await app.createZone("large.example");
    const lines = Array.from({ length: 8_000 }, (_, number) => `host-${number} 60 IN A 192.0.2.1\n`);
    await importFile(app, large, lines.join(""));
    await app.request("PUT", `/zones/${large}/activation_check`);
    const codes = new Set<string>();
    await until("it is answered", async () => {
      const [code = ""] = await dns.lines("host-7999.large.example");
      codes.add(code);
      return code === "NOERROR";
    });
    // The first question waits, for some time at most.
    for (const early of ["REFUSED", "SERVFAIL"]) codes.delete(early);
    assert.deepEqual([...codes], ["NOERROR"]);
  });

  test("signs what changes with the keys that it has opened, while the secret key is away", async (t) => {
    const file = newSecretKeyFile(newDirectory(t));
    const { app, zoneId, create, dns, serial } = await serve(t, engine, { secret_key_file: file });
    const id = await create({ type: "A", name: "www", content: "192.0.2.1" });
    await app.request("PATCH", `/zones/${zoneId}/dnssec`, { body: { status: "active" } });
    await until("it is signed", async () => (await dns.lines("example.com", "DNSKEY")).length === 3);
    renameSync(file, `${file}.away`);
    const before = await serial();
    await app.request("PATCH", `/zones/${zoneId}/dns_records/${id}`, { body: { content: "192.0.2.2" } });
    await until("the change is answered", async () => (await serial()) > before);
    const signed = await dns.ask({ name: "www.example.com", edns: { dnssecOk: true } });
    assert.deepEqual(
      signed.answers.map(({ type }) => type),
      [typeCodes.A, typeCodes.RRSIG],
    );
  });

  test("answers proxied names with the edge's single addresses, and with their own while the zone is paused", async (t) => {
    const { app, zoneId, create, answers } = await serve(t, engine);
    const edit = (path: string, body: object) => app.request("PATCH", `/zones/${zoneId}${path}`, { body });
    await create({ type: "A", name: "www", content: "203.0.113.1", ttl: 1, proxied: true });
    const ofEdge = ["NOERROR", "www.example.com 300 A 192.0.2.80"];
    const ofEdge6 = ["NOERROR", "www.example.com 300 AAAA 20010db8000000000000000000000080"];
    await answers("www.example.com", "A", ofEdge);
    await answers("www.example.com", "AAAA", ofEdge6);
    await edit("", { paused: true });
    await answers("www.example.com", "A", ["NOERROR", "www.example.com 300 A 203.0.113.1"]);
    await edit("", { paused: false });
    await answers("www.example.com", "A", ofEdge);
    await edit("/settings/ipv6", { value: "on" });
    await answers("www.example.com", "AAAA", ofEdge6);
    await edit("/settings/ipv6", { value: "off" });
    await answers("www.example.com", "AAAA", ["NOERROR"]);
  });

  test("flattens CNAMEs where the record or the zone says so, by its resolver outside of its zones", async (t) => {
    const outside = await startDnsServer(t);
    outside.names.set("cdn.elsewhere.example", { a: ["198.51.100.7"] });
    outside.names.set("broken.elsewhere.example", "servfail");
    const { app, zoneId, create, answers } = await serve(t, engine, { resolvers: [outside.address] });
    await create({ type: "CNAME", name: "@", content: "cdn.elsewhere.example" });
    await create({
      type: "CNAME",
      name: "broken",
      content: "broken.elsewhere.example",
      settings: { flatten_cname: true },
    });
    await create({ type: "CNAME", name: "alias", content: "example.com" });
    await answers("broken.example.com", "A", ["SERVFAIL"]);
    await answers("example.com", "A", ["NOERROR", "example.com 1 A 198.51.100.7"]);
    await answers("alias.example.com", "A", [
      "NOERROR",
      "alias.example.com 300 CNAME example.com",
      "example.com 1 A 198.51.100.7",
    ]);
    await app.request("PATCH", `/zones/${zoneId}/settings/cname_flattening`, {
      body: { value: "flatten_all" },
    });
    await answers("alias.example.com", "A", ["NOERROR", "alias.example.com 1 A 198.51.100.7"]);
  });

  test("hears within a second of what another instance changes", async (t) => {
    const here = await serve(t, engine);
    // On SQLite, a command or a second server on the file.
    const elsewhere = await startTestApp(t, engine, {
      ...(engine === "postgres"
        ? { database: here.app.config.database, secret_key_file: here.app.config.secret_key_file }
        : { data: here.app.config.data }),
      dns_listen: ["127.0.0.1:0"],
    });
    const other = await createDnsClient(t, elsewhere.dnsAddresses[0] ?? "");
    await here.create({ type: "A", name: "www", content: "192.0.2.1" });
    await until("the other one answers", async () => (await other.lines("www.example.com")).length === 2, 20);
    await elsewhere.request("POST", `/zones/${here.zoneId}/dns_records`, {
      body: { type: "A", name: "b", content: "192.0.2.2" },
    });
    await here.answers("b.example.com", "A", ["NOERROR", "b.example.com 300 A 192.0.2.2"]);
    await until("both have the same serial", async () => {
      const soas = await Promise.all([here.dns, other].map((client) => client.lines("example.com", "SOA")));
      return isDeepStrictEqual(soas[0], soas[1]);
    });
  });
});
