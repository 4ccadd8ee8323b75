import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import type { CertificatePack } from "../src/resources/certificate-packs/schema.ts";
import { startAcmeServer } from "./support/acme-server.ts";
import { createDnsClient, type DnsClient } from "./support/dns-client.ts";
import { onFixedPort } from "./support/fixed-port.ts";
import { newDirectory, startTestApp, until } from "./support/harness.ts";

const stepMs = 15_000;
/** A certificate of 90 days is renewed two thirds into them, and up to three days later. */
const renewedWithinMs = 63 * 86_400_000;

describe("a zone that is delegated by another one of the same server", () => {
  test("becomes active, and its certificates are issued and renewed, by what the server answers itself", async (t) => {
    const clock = { now: Date.now() };
    let dns: DnsClient | undefined;
    const ca = await startAcmeServer(
      t,
      async (name) =>
        ((await dns?.lines(name, "TXT")) ?? []).slice(1).map((line) => line.split(" ").at(-1) ?? ""),
      () => new Date(clock.now),
    );
    const seed = join(newDirectory(t), "seed.json");
    writeFileSync(seed, JSON.stringify({ zones: [{ name: "registry.example", status: "active" }] }));
    const app = await onFixedPort((port) =>
      startTestApp(
        t,
        "sqlite",
        {
          seed,
          dns_listen: [`127.0.0.1:${port}`],
          resolvers: [`127.0.0.1:${port}`],
          activation: "check-ns",
          name_servers: ["ns1.example.net", "ns2.example.net"],
          certificate_issuer: "acme",
          acme_directory: ca.directoryUrl,
          acme_propagation_seconds: 0,
        },
        { issuanceRoundMs: 10, activationRoundMs: 2 ** 30, startedOn: new Date(clock.now) },
      ),
    );
    dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
    const send = async (method: string, path: string, body?: object) => {
      const answer = await app.request(method, path, body === undefined ? {} : { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    };
    const [parent] = await send("GET", "/zones?name=registry.example");
    const zoneId = await app.createZone("shop.registry.example");
    const status = async (): Promise<string> => {
      await send("PUT", `/zones/${zoneId}/activation_check`);
      return (await send("GET", `/zones/${zoneId}`)).status as string;
    };
    assert.equal(await status(), "pending");
    for (const content of ["ns1.elsewhere.example", "ns2.example.net"]) {
      await send("POST", `/zones/${parent.id}/dns_records`, { type: "NS", name: "shop", content });
    }
    const delegated = async (): Promise<number> =>
      ((await dns?.ask({ name: "shop.registry.example", type: "NS" }))?.authorities ?? []).length;
    await until("the delegation is answered", async () => (await delegated()) === 2);
    assert.equal(await status(), "pending", "one of the name servers is another's");
    const [wrong] = await send("GET", `/zones/${parent.id}/dns_records?content=ns1.elsewhere.example`);
    await send("PATCH", `/zones/${parent.id}/dns_records/${wrong.id}`, { content: "ns1.example.net" });
    await until("the zone is active", async () => (await status()) === "active");
    await until(
      "it is answered",
      async () => (await dns?.lines("shop.registry.example", "NS"))?.length === 3,
    );
    const packs = `/zones/${zoneId}/ssl/certificate_packs`;
    const { id } = await send("POST", `${packs}/order`, {
      type: "advanced",
      hosts: ["shop.registry.example", "*.shop.registry.example"],
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "lets_encrypt",
    });
    const pack = async (
      condition: (pack: CertificatePack) => boolean,
      ms: number,
    ): Promise<CertificatePack> => {
      let found = (await send("GET", `${packs}/${id}`)) as CertificatePack;
      await until("the pack is as it should be", async () => {
        found = (await send("GET", `${packs}/${id}`)) as CertificatePack;
        if (condition(found)) return true;
        app.advance(ms);
        clock.now += ms;
        return false;
      });
      return found;
    };
    const first = await pack((found) => found.status === "active", stepMs);
    assert.ok(first.certificates.every(({ issuer }) => issuer === "ACME test root"));
    app.advance(renewedWithinMs);
    clock.now += renewedWithinMs;
    const renewed = await pack((found) => found.primary_certificate !== first.primary_certificate, stepMs);
    assert.equal(renewed.status, "active");
  });
});
