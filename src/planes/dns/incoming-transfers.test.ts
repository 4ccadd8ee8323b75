import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsClient } from "../../../test/support/dns-client.ts";
import { freePort } from "../../../test/support/fixed-port.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { startPrimary } from "../../../test/support/primary.ts";
import { serveTcp } from "../../../test/support/scripted-primary.ts";
import { startSecondary } from "../../../test/support/secondary.ts";

onComparedEngines("a secondary zone", (engine) => {
  test("has the records and the serial of its primary, follows its changes by NOTIFY, and survives both restarts", async (t) => {
    const secondaryPort = await freePort();
    const primary = await startPrimary(t, engine, { dns_listen: [`127.0.0.1:${await freePort()}`] });
    const peerId = await primary.createPeer(secondaryPort, await primary.createKey());
    const zoneId = await primary.createZone("example.com", [peerId]);
    await primary.result("PATCH", `/zones/${zoneId}/dns_settings`, {
      ns_ttl: 7_200,
      soa: {
        mname: "hidden.example.net",
        rname: "admin.example.net",
        refresh: 7_201,
        retry: 1_801,
        expire: 86_401,
        ttl: 1_802,
        min_ttl: 61,
      },
    });
    const record = await primary.createRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1" });
    const mail = { type: "MX", name: "@", content: "mail.example.net", priority: 5, ttl: 120 };
    await primary.createRecord(zoneId, mail);
    const secondary = await startSecondary(t, engine, {
      port: Number(primary.port),
      settings: { dns_listen: [`127.0.0.1:${secondaryPort}`] },
    });
    const follows = (what: string, content: string) =>
      until(what, async () => (await secondary.records()).includes(`www.example.com 300 A ${content}`));
    await follows("the first transfer", "192.0.2.1");
    await until(
      "both have the same serial",
      async () =>
        (await secondary.state()).soa_serial ===
        (await primary.result("GET", `/zones/${zoneId}/secondary_dns/outgoing`)).soa_serial,
    );
    assert.ok((await secondary.records()).includes("example.com 120 MX mail.example.net"));
    await until("it is served", async () => (await secondary.lines("www.example.com")).length === 2);
    const client = await createDnsClient(t, secondary.app.dnsAddresses[0] ?? "");
    for (const [name, type] of [
      ["www.example.com", "A"],
      ["example.com", "MX"],
      ["example.com", "SOA"],
      ["none.example.com", "A"],
    ] as const) {
      assert.deepEqual(await client.ask({ name, type }), await primary.dns.ask({ name, type }), name);
    }
    assert.deepEqual(
      await secondary.lines("example.com", "NS"),
      (await primary.dns.lines("example.com", "NS")).toSorted(),
    );
    const { text } = await secondary.app.request("GET", `/zones/${secondary.zoneId}/dns_records/export`);
    assert.match(
      text,
      /1802\tIN\tSOA\thidden\.example\.net\. admin\.example\.net\. \d+ 7201 1801 86401 61\n/,
    );

    const path = `/zones/${zoneId}/dns_records`;
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.2" });
    await follows("a change", "192.0.2.2");
    await secondary.app.restart();
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.3" });
    await follows("a change after its restart", "192.0.2.3");
    await primary.app.restart();
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.4" });
    await follows("a change after that of the primary", "192.0.2.4");
    await primary.result("DELETE", `${path}/${record}`);
    await until("the record is gone", async () =>
      (await secondary.records()).every((line) => !line.startsWith("www.")),
    );
  });

  test("is refused to whoever may not notify", async (t) => {
    const { app } = await startSecondary(t, engine, { port: await freePort() });
    const client = await createDnsClient(t, app.dnsAddresses[0] ?? "");
    const notify = (name: string) =>
      client.ask({ name, type: "SOA", change: (message) => ({ ...message, flags: 4 << 11 }) });
    for (const name of ["example.com", "example.net"]) assert.equal((await notify(name)).flags & 15, 5, name);
  });

  test("is not transferred from an address that is neither public nor allowed", async (t) => {
    let connections = 0;
    const port = await serveTcp(t, () => (connections += 1));
    const settings = { transfer_networks: ["10.0.0.0/8"] };
    const { app, lines } = await startSecondary(t, engine, { port, isSigned: false, settings });
    const { read } = await app.storeBeside();
    await until("the transfer has failed", async () => {
      const rows = await read.selectFrom("incoming_transfers").selectAll().execute();
      return rows.every(({ due_on, created_on }) => due_on > created_on);
    });
    assert.equal(connections, 0);
    assert.deepEqual(await lines("example.com", "SOA"), ["SERVFAIL"]);
  });
});
