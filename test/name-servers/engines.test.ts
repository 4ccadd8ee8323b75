import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createDnsClient } from "../support/dns-client.ts";
import { freePort } from "../support/fixed-port.ts";
import { onEachEngine, until, type Engine } from "../support/harness.ts";
import {
  nameServerEngines,
  prepareEngine,
  withoutEngine,
  type NameServerEngine,
} from "../support/name-server-engines.ts";
import { startPrimary, transferKey, transferSecret } from "../support/primary.ts";

/** A primary, and an engine that follows the catalog zone of its peer. */
async function startBoth(t: TestContext, on: Engine, engine: NameServerEngine) {
  const primary = await startPrimary(t, on, { dns_listen: [`127.0.0.1:${await freePort()}`] });
  const port = await freePort();
  const peerId = await primary.createPeer(port, engine.asksUnsigned ? undefined : await primary.createKey());
  const secondary = prepareEngine(t, engine, port, {
    primaryPort: primary.port,
    catalog: `${peerId}.catalog.invalid`,
    keyName: transferKey,
    secret: transferSecret,
  });
  return { primary, peerId, secondary, client: await createDnsClient(t, `127.0.0.1:${port}`) };
}

const rounds = Number(process.env["ROUNDS"] ?? 60);
/** In so many changes, either side goes once. */
const cycle = Math.min(rounds, 500);
/** Few enough that no answer is truncated, which each server does in its own way. */
const recordsMax = 60;

onEachEngine("name servers of others", (on) => {
  for (const [name, engine] of Object.entries(nameServerEngines)) {
    const skip = withoutEngine(engine);
    test(
      `${name} serves what the API makes, changes and deletes, and catches up after either side was killed`,
      { skip },
      async (t) => {
        const { primary, peerId, secondary, client } = await startBoth(t, on, engine);
        secondary.start();
        const zoneId = await primary.createZone("example.com", [peerId]);
        const id = await primary.createRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1" });
        const says = async (host: string, expected: readonly string[]) =>
          until(
            `${host} is ${expected.join(" ")}`,
            async () => JSON.stringify(await client.linesIfAnswered(host)) === JSON.stringify(expected),
            60,
          ).catch((error: unknown) => {
            throw new Error(`${String(error)}\n${secondary.log()}`);
          });
        await says("www.example.com", ["NOERROR", "www.example.com 300 A 192.0.2.1"]);

        const path = `/zones/${zoneId}/dns_records`;
        await primary.result("PATCH", `${path}/${id}`, { content: "192.0.2.2" });
        await says("www.example.com", ["NOERROR", "www.example.com 300 A 192.0.2.2"]);
        await until("the peer is known to have answered", async () => {
          const { checked_time } = await primary.result("GET", `/zones/${zoneId}/secondary_dns/outgoing`);
          return checked_time !== undefined;
        });

        await secondary.kill();
        await primary.result("PATCH", `${path}/${id}`, { content: "192.0.2.3" });
        const other = await primary.createZone("example.net", [peerId]);
        await primary.createRecord(other, { type: "A", name: "www", content: "192.0.2.4" });
        secondary.start();
        await says("www.example.com", ["NOERROR", "www.example.com 300 A 192.0.2.3"]);
        await says("www.example.net", ["NOERROR", "www.example.net 300 A 192.0.2.4"]);

        await primary.app.restart();
        await primary.result("PATCH", `${path}/${id}`, { content: "192.0.2.5" });
        await says("www.example.com", ["NOERROR", "www.example.com 300 A 192.0.2.5"]);
        await primary.result("DELETE", `/zones/${other}`);
        await says("www.example.net", ["REFUSED"]);
      },
    );

    test(`${name} answers as we do after many random changes and kills`, { skip }, async (t) => {
      const { primary, peerId, secondary, client } = await startBoth(t, on, engine);
      secondary.start();
      const zoneId = await primary.createZone("example.com", [peerId]);
      // PowerDNS forgets a new member of a catalog if it is killed before it has the zone.
      await until(
        "the zone is served",
        async () => (await client.linesIfAnswered("example.com", "SOA")).length === 2,
        60,
      );
      const path = `/zones/${zoneId}/dns_records`;
      const known: string[] = [];
      const names = ["@", "a", "b", "c.d", "*.w", "x.w"];
      const killedAt = Math.floor(cycle / 4);
      const startedAt = Math.floor(cycle / 2);
      const restartedAt = Math.floor((cycle * 3) / 4);
      let clock = Date.now();
      for (let round = 0; round < rounds; round += 1) {
        // Signatures are refused where the clocks of both sides are five minutes apart.
        const elapsed = Date.now() - clock;
        primary.app.advance(elapsed);
        clock += elapsed;
        if (round % cycle === killedAt) await secondary.kill();
        if (round % cycle === startedAt) secondary.start();
        if (round % cycle === restartedAt) await primary.app.restart();
        const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
        const record = {
          type: "A",
          name: pick(names),
          content: `192.0.2.${Math.floor(Math.random() * 250) + 1}`,
          ttl: pick([1, 60, 120]),
        };
        const text = { type: "TXT", name: pick(names), content: `"${round}"` };
        const kind = Math.random();
        if ((kind < 0.5 && known.length < recordsMax) || known.length === 0) {
          const answer = await primary.app.request("POST", path, { body: kind < 0.4 ? record : text });
          if (answer.status === 200) known.push(answer.body.result.id as string);
        } else if (kind < 0.75) {
          await primary.app.request("PATCH", `${path}/${pick(known)}`, { body: { ttl: pick([60, 180]) } });
        } else {
          const id = known.splice(Math.floor(Math.random() * known.length), 1)[0] ?? "";
          await primary.app.request("DELETE", `${path}/${id}`);
        }
      }
      const last = await primary.createRecord(zoneId, { type: "A", name: "last", content: "192.0.2.1" });
      assert.ok(last);
      await until(
        "the last one has arrived",
        async () =>
          (await client.linesIfAnswered("last.example.com")).length === 2 &&
          JSON.stringify(await client.linesIfAnswered("example.com", "SOA")) ===
            JSON.stringify(await primary.dns.linesIfAnswered("example.com", "SOA")),
        // BIND waits for minutes for the answer to a query that a restart of the primary lost.
        180,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${secondary.log()}`);
      });
      for (const label of ["", "a.", "b.", "c.d.", "d.", "y.w.", "x.w.", "nothing."]) {
        for (const type of ["A", "TXT"] as const) {
          const host = `${label}example.com`;
          assert.deepEqual(
            await client.linesIfAnswered(host, type),
            await primary.dns.linesIfAnswered(host, type),
            host,
          );
        }
      }
    });
  }
});
