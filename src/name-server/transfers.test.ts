import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { freePort } from "../../test/support/fixed-port.ts";
import { onComparedEngines, until } from "../../test/support/harness.ts";
import { startPrimary, transferKey, transferSecret, type Primary } from "../../test/support/primary.ts";

const run = promisify(execFile);
const skip = spawnSync("dig", ["-v"]).error === undefined ? false : "dig is not installed";
const signed = ["-y", `hmac-sha256:${transferKey}:${transferSecret}`];

/** Runs dig, and reads the answer: its codes and its records, `name TTL type data`. */
async function dig({ port }: Primary, ...args: string[]): Promise<{ text: string; records: string[] }> {
  const shown = ["+nocmd", "+noall", "+answer", "+comments", "+time=10", "+tries=1"];
  const { stdout: text } = await run("dig", ["@127.0.0.1", "-p", port, ...shown, ...args]);
  const records = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return { text, records: records.map((line) => line.replace(/\s+/g, " ").replace(" IN ", " ")) };
}

const typesOf = (records: readonly string[]): string[] => records.map((record) => record.split(" ")[2] ?? "");
const serialIn = (soa = ""): number => Number(soa.split(" ")[5]);
const peerPort = 9;

onComparedEngines("a transfer", (engine) => {
  test("has the zone as it is served, between two SOA records", { skip }, async (t) => {
    const primary = await startPrimary(t, engine, { edge_addresses: ["192.0.2.80"] });
    const zoneId = await primary.createZone("example.com", [await primary.createPeer(peerPort)]);
    await primary.createRecord(zoneId, { type: "A", name: "www", content: "203.0.113.1", proxied: true });
    await primary.createRecord(zoneId, { type: "A", name: "a.b", content: "192.0.2.1" });
    await primary.createRecord(zoneId, { type: "MX", name: "@", content: "mail.example.com", priority: 5 });
    await until(
      "the last one is served",
      async () => (await primary.dns.lines("example.com", "MX")).length === 2,
    );
    const { records } = await dig(primary, "example.com", "AXFR");
    assert.deepEqual(typesOf(records.slice(0, 1)), ["SOA"]);
    assert.equal(records.at(-1), records[0]);
    assert.deepEqual(
      records
        .slice(1, -1)
        .filter((record) => !record.includes(" NS "))
        .toSorted(),
      [
        "a.b.example.com. 300 A 192.0.2.1",
        "example.com. 300 MX 5 mail.example.com.",
        "www.example.com. 300 A 192.0.2.80",
      ],
    );
    assert.equal(typesOf(records).filter((type) => type === "NS").length, 2);
    await until(
      "the transfer is written down",
      async () =>
        typeof (await primary.result("GET", `/zones/${zoneId}/secondary_dns/outgoing`))
          .last_transferred_time === "string",
    );
  });

  test(
    "is for peers and access lists, while it is enabled, and signed where a peer has a key",
    { skip },
    async (t) => {
      const primary = await startPrimary(t, engine);
      const zoneId = await primary.createZone("example.com", [
        await primary.createPeer(peerPort, await primary.createKey()),
      ]);
      const codeOf = async (...args: string[]): Promise<string | undefined> => {
        const { text, records } = await dig(primary, ...args);
        if (records.length > 1 && records.at(-1) === records[0]) return "transferred";
        return /status: (\w+)/.exec(text)?.[1];
      };
      assert.equal(await codeOf("example.com", "AXFR", ...signed), "transferred");
      assert.equal(await codeOf("example.com", "AXFR"), "REFUSED");
      const wrong = ["-y", `hmac-sha256:${transferKey}:${Buffer.from("another").toString("base64")}`];
      assert.equal(await codeOf("example.com", "AXFR", ...wrong), "NOTAUTH");
      const unknown = ["-y", `hmac-sha256:unknown.example:${transferSecret}`];
      assert.equal(await codeOf("example.com", "SOA", ...unknown), "NOTAUTH");
      assert.equal(await codeOf("www.example.com", "AXFR", ...signed), "NOTAUTH");
      assert.equal(await codeOf("example.net", "AXFR"), "NOTAUTH");
      // Everything that is signed is answered with a signature, which dig verifies.
      for (const args of [["SOA"], ["SOA", "+tcp"], ["SOA", "+noedns"]]) {
        const { text } = await dig(primary, "example.com", ...args, "+additional", ...signed);
        assert.match(text, /status: NOERROR/);
        assert.ok(!text.includes("Couldn't verify"), text);
      }
      await primary.result("POST", `/zones/${zoneId}/secondary_dns/outgoing/disable`);
      assert.equal(await codeOf("example.com", "AXFR", ...signed), "REFUSED");
    },
  );

  test("of changes has each step from the serial that the client has", { skip }, async (t) => {
    const primary = await startPrimary(t, engine);
    const zoneId = await primary.createZone("example.com", [await primary.createPeer(peerPort)]);
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      await primary.createRecord(zoneId, { type: "A", name, content: "192.0.2.1" });
    }
    const served = async (name: string) =>
      until(`${name} is served`, async () => (await primary.dns.lines(`${name}.example.com`)).length === 2);
    await served("h");
    const first = serialIn((await dig(primary, "example.com", "SOA")).records[0]);
    const id = await primary.createRecord(zoneId, { type: "A", name: "new", content: "192.0.2.2" });
    await served("new");
    await primary.result("PATCH", `/zones/${zoneId}/dns_records/${id}`, { content: "192.0.2.3" });
    await until("the change is served", async () =>
      (await primary.dns.lines("new.example.com")).some((line) => line.endsWith("192.0.2.3")),
    );
    const { records } = await dig(primary, "example.com", `IXFR=${first}`);
    assert.deepEqual(
      records.map((record) => (record.includes(" SOA ") ? serialIn(record) - first : record)),
      [
        2,
        0,
        1,
        "new.example.com. 300 A 192.0.2.2",
        1,
        "new.example.com. 300 A 192.0.2.2",
        2,
        "new.example.com. 300 A 192.0.2.3",
        2,
      ],
    );
    const soaAlone = async (...args: string[]) =>
      typesOf((await dig(primary, "example.com", ...args)).records);
    assert.deepEqual(await soaAlone(`IXFR=${first + 2}`), ["SOA"]);
    assert.deepEqual(await soaAlone(`IXFR=${first + 100}`), ["SOA"]);
    assert.deepEqual(await soaAlone(`IXFR=${first}`, "+notcp"), ["SOA"]);
    // Of a serial that it does not know, and after a notification by hand, the whole zone.
    assert.ok((await soaAlone(`IXFR=${first - 1_000_000}`)).includes("NS"));
    await primary.result("POST", `/zones/${zoneId}/secondary_dns/outgoing/force_notify`);
    assert.ok((await soaAlone(`IXFR=${first}`)).includes("NS"));
  });

  test(
    "of changes has the same steps after a restart, and none across what is not stored",
    { skip },
    async (t) => {
      const primary = await startPrimary(t, engine, { dns_listen: [`127.0.0.1:${await freePort()}`] });
      const peer = await primary.createPeer(peerPort);
      const plainId = await primary.createZone("example.com", [peer]);
      const signedId = await primary.createZone("example.net", [peer]);
      await primary.result("PATCH", `/zones/${signedId}/dnssec`, { status: "active" });
      for (const [zoneId, zone] of [
        [plainId, "example.com"],
        [signedId, "example.net"],
      ] as const) {
        const posts = Array.from({ length: 60 }, (_, index) => ({
          type: "A",
          name: `n${index}`,
          content: "192.0.2.1",
        }));
        const serial = async () => serialIn((await dig(primary, zone, "SOA")).records[0]);
        const change = async (method: string, below: string, body?: unknown) => {
          const before = await serial();
          const result = await primary.result(method, `/zones/${zoneId}${below}`, body);
          await until("the change is served", async () => (await serial()) > before);
          return result;
        };
        const { posts: made } = await change("POST", "/dns_records/batch", { posts });
        const first = await serial();
        const [a, b, c, d] = made.map(({ id }: { id: string }) => id);
        await change("PATCH", `/dns_records/${a}`, { content: "192.0.2.2", comment: "not served" });
        await change("PATCH", `/dns_records/${a}`, { name: "moved" });
        await change("DELETE", `/dns_records/${b}`);
        await change("POST", "/dns_records/batch", {
          deletes: [{ id: c }],
          patches: [{ id: d, ttl: 120 }],
          posts: [{ type: "A", name: "b", content: "192.0.2.4" }],
        });
        const changes = async () => (await dig(primary, zone, `IXFR=${first}`)).records;
        const before = await changes();
        assert.equal(typesOf(before).filter((type) => type === "SOA").length, 10, before.join("\n"));
        await primary.app.restart();
        assert.deepEqual(await changes(), before);

        // The effect of a setting is stored nowhere.
        await primary.result("PATCH", `/zones/${zoneId}/dns_settings`, { ns_ttl: 3_600 });
        await primary.app.restart();
        assert.ok(!typesOf((await changes()).slice(1, -1)).includes("SOA"));
      }
    },
  );

  test("has what other settings of the server make of a zone, with another serial", { skip }, async (t) => {
    const primary = await startPrimary(t, engine, { dns_listen: [`127.0.0.1:${await freePort()}`] });
    const zoneId = await primary.createZone("example.com", [await primary.createPeer(peerPort)]);
    await primary.createRecord(zoneId, { type: "A", name: "www", content: "203.0.113.1", proxied: true });
    await until("it is served", async () => (await primary.dns.lines("www.example.com")).length === 2);
    const { records: before } = await dig(primary, "example.com", "SOA");
    await primary.app.restart();
    assert.deepEqual((await dig(primary, "example.com", "SOA")).records, before);
    await primary.app.restart({ edge_addresses: ["192.0.2.80"] });
    const { records } = await dig(primary, "example.com", `IXFR=${serialIn(before[0])}`);
    assert.ok(serialIn(records[0]) > serialIn(before[0]));
    assert.ok(records.includes("www.example.com. 300 A 192.0.2.80"), records.join("\n"));
  });
});
