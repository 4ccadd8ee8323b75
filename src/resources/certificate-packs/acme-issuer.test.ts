import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { publicKeysOf, startAcmeServer, type AcmeServer } from "../../../test/support/acme-server.ts";
import { accepts, certifiedKeys, serveTls } from "../../../test/support/certificates.ts";
import {
  onComparedEngines,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import type { CertificatePack } from "./schema.ts";

const dayMs = 86_400_000;
const stepMs = 15_000;
const order = {
  type: "advanced",
  hosts: ["example.com", "*.example.com", "www.example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "lets_encrypt",
};

interface AcmeApp {
  readonly app: TestApp;
  readonly ca: AcmeServer;
  readonly zoneId: string;
  readonly path: string;
  /** The TXT records at `_acme-challenge.` names of the zone now. */
  proofs(): Promise<string[]>;
  get(): Promise<CertificatePack>;
  /**
   * Moves the clock on, step by step, until the pack, or that at `at`, is as `condition` says, and answers
   * it.
   */
  until(condition: (pack: CertificatePack) => boolean, at?: string): Promise<CertificatePack>;
}

async function startAcmeApp(t: TestContext, engine: Engine): Promise<AcmeApp> {
  const records = async (name: string): Promise<{ name: string; content: string }[]> =>
    (await app.request("GET", `/zones/${zoneId}/dns_records?type=TXT&per_page=100&${name}`)).body.result;
  const clock = { now: Date.now() };
  const ca = await startAcmeServer(
    t,
    async (name) => (await records(`name=${name}`)).map(({ content }) => content),
    () => new Date(clock.now),
  );
  const app = await startTestApp(
    t,
    engine,
    { certificate_issuer: "acme", acme_directory: ca.directoryUrl, acme_email: "ops@example.com" },
    { issuanceRoundMs: 10, startedOn: new Date(clock.now) },
  );
  const zoneId = await app.createZone("example.com");
  const packs = `/zones/${zoneId}/ssl/certificate_packs`;
  const answer = await app.request("POST", `${packs}/order`, { body: order });
  assert.equal(answer.status, 200, answer.text);
  const path = `${packs}/${answer.body.result.id}`;
  const get = async (at = path): Promise<CertificatePack> => (await app.request("GET", at)).body.result;
  return {
    app,
    ca,
    zoneId,
    path,
    proofs: async () => (await records("name.startswith=_acme-challenge.")).map(({ name }) => name),
    get,
    until: async (condition, at) => {
      let pack = await get(at);
      await until("the pack is as it should be", async () => {
        pack = await get(at);
        if (condition(pack)) return true;
        app.advance(stepMs);
        clock.now += stepMs;
        return false;
      });
      return pack;
    },
  };
}

const isActive = ({ status }: CertificatePack): boolean => status === "active";

onComparedEngines("issuance by a CA that speaks ACME", (engine) => {
  test("a pack is proven by TXT records of the zone, and TLS clients that trust the CA accept it", async (t) => {
    const { ca, app, proofs, ...pack } = await startAcmeApp(t, engine);
    const waiting = await pack.until(({ validation_records }) => (validation_records ?? []).length >= 6);
    assert.equal(waiting.status, "pending_validation");
    assert.deepEqual(
      new Set(waiting.validation_records?.map(({ txt_name }) => txt_name)),
      new Set(["_acme-challenge.example.com", "_acme-challenge.www.example.com"]),
    );
    const active = await pack.until(isActive);
    assert.deepEqual(
      active.certificates.map(({ issuer }) => issuer),
      ["ACME test root", "ACME test root"],
    );
    assert.equal(active.validation_records, undefined);
    assert.deepEqual(await proofs(), []);
    assert.equal(ca.issued.length, 2);
    assert.deepEqual(ca.contacts, [["mailto:ops@example.com"]]);
    const keys = await certifiedKeys(app, active.id);
    const port = await serveTls(t, Object.values(keys));
    for (const host of ["example.com", "sub.example.com"])
      assert.equal(await accepts(port, host, ca.authority), true);
    assert.equal((await app.request("GET", "/certificate_authority.pem")).status, 404);

    const onDisk = readdirSync(app.config.data).map((file) =>
      readFileSync(join(app.config.data, file), "latin1"),
    );
    assert.ok(!onDisk.some((text) => text.includes("PRIVATE KEY")));
  });

  test("a restart at any step goes on with the same account, keys and orders: nothing is issued twice", async (t) => {
    const { ca, app, ...pack } = await startAcmeApp(t, engine);
    const seen = new Set<string>();
    let last: CertificatePack;
    do {
      await app.restart();
      last = await pack.until(({ status, validation_records }) => {
        const step = `${status} ${validation_records?.length ?? 0}`;
        return seen.size < seen.add(step).size || status === "active";
      });
    } while (!isActive(last));
    assert.ok(seen.size >= 3, [...seen].join(", "));
    assert.equal(ca.contacts.length, 1);
    assert.equal(new Set(publicKeysOf(ca.issued)).size, 2);
    assert.equal(ca.issued.length, 2);
  });

  test("what the CA refuses is visible, cleaned up, and tried again until it agrees", async (t) => {
    const { ca, proofs, get, ...pack } = await startAcmeApp(t, engine);
    ca.refusal = "DNS problem: NXDOMAIN looking up TXT";
    const failed = await pack.until(({ validation_errors }) => validation_errors !== undefined);
    assert.equal(failed.status, "pending_validation");
    assert.match(
      failed.validation_errors?.[0]?.message ?? "",
      /^(www\.)?example\.com: DNS problem: NXDOMAIN/,
    );
    assert.deepEqual(await proofs(), []);
    ca.refusal = undefined;
    assert.equal((await pack.until(isActive)).validation_errors, undefined);
    assert.equal((await get()).status, "active");
  });

  test("renewals go the same way, and a CA that is down leaves the old certificates in use", async (t) => {
    const { ca, app, get, ...pack } = await startAcmeApp(t, engine);
    const first = await pack.until(isActive);
    ca.isDown = true;
    app.advance(62 * dayMs);
    const failing = await pack.until(({ validation_errors }) => validation_errors !== undefined);
    assert.deepEqual([failing.status, failing.certificates], ["active", first.certificates]);
    ca.isDown = false;
    // A pack is read before its certificates: with new ones it may still be as it was before.
    const renewed = await pack.until(
      ({ certificates, validation_errors }) =>
        certificates[0]?.id !== first.certificates[0]?.id && validation_errors === undefined,
    );
    assert.equal(renewed.status, "active");
    assert.equal(ca.issued.length, 4);
    assert.deepEqual(await get(), renewed);
  });

  test("a pack that Total TLS orders goes the same way", async (t) => {
    const { ca, app, zoneId, ...pack } = await startAcmeApp(t, engine);
    await pack.until(isActive);
    const zone = `/zones/${zoneId}`;
    await app.request("PATCH", `${zone}/ssl/universal/settings`, { body: { enabled: false } });
    await app.request("PUT", `${zone}/activation_check`);
    const record = { name: "a.deep.example.com", type: "A", content: "192.0.2.1", proxied: true };
    await app.request("POST", `${zone}/dns_records`, { body: record });
    await app.request("POST", `${zone}/acm/total_tls`, { body: { enabled: true } });
    const packs: CertificatePack[] = [];
    await until("it is ordered", async () => {
      const { body } = await app.request("GET", `${zone}/ssl/certificate_packs?status=all`);
      packs.push(...body.result.filter(({ type }: CertificatePack) => type === "total_tls"));
      return packs.length > 0;
    });
    const issued = await pack.until(isActive, `${zone}/ssl/certificate_packs/${packs[0]?.id}`);
    assert.deepEqual(
      issued.certificates.map(({ hosts, issuer }) => [hosts, issuer]),
      [
        [["a.deep.example.com"], "ACME test root"],
        [["a.deep.example.com"], "ACME test root"],
      ],
    );
    assert.equal(ca.issued.length, 4);
  });

  test("a redirect is followed within the origin of the CA, and to no other", async (t) => {
    const { ca, ...pack } = await startAcmeApp(t, engine);
    const other = await startAcmeServer(
      t,
      async () => [],
      () => new Date(),
    );
    ca.redirectsTo = other.directoryUrl;
    const { validation_errors } = await pack.until((failed) => failed.validation_errors !== undefined);
    const { origin } = new URL(other.directoryUrl);
    assert.equal(validation_errors?.[0]?.message, `Redirected request failed: The CA redirects to ${origin}`);
    assert.equal(other.requests, 0);
    ca.redirectsTo = "/moved-directory";
    await pack.until(isActive);
    assert.equal(ca.issued.length, 2);
  });

  test("a CA that cannot be reached is told without its address", async (t) => {
    const { ca, ...pack } = await startAcmeApp(t, engine);
    ca.namesOrigin = "http://127.0.0.1:1";
    const { validation_errors } = await pack.until((failed) => failed.validation_errors !== undefined);
    assert.equal(validation_errors?.[0]?.message, "The CA cannot be reached: ECONNREFUSED");
  });

  test("nothing is sent to link-local or metadata addresses, however the CA writes them", async (t) => {
    const { ca, ...pack } = await startAcmeApp(t, engine);
    for (const host of ["169.254.169.254", "[64:ff9b::a9fe:a9fe]", "[fe80::1]", "metadata.google.internal"]) {
      ca.namesOrigin = `http://${host}`;
      const message = `The CA names ${host}, a link-local or metadata address`;
      await pack.until(({ validation_errors }) => validation_errors?.[0]?.message === message);
    }
    assert.deepEqual([ca.contacts.length, ca.issued.length], [0, 0]);
  });

  test("a zone in which no TXT record fits says so", async (t) => {
    const { app, zoneId, ...pack } = await startAcmeApp(t, engine);
    const { status } = await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "NS", name: "_acme-challenge.www", content: "ns.elsewhere.example" },
    });
    assert.equal(status, 200);
    const failed = await pack.until(({ validation_errors }) => validation_errors !== undefined);
    assert.match(
      failed.validation_errors?.[0]?.message ?? "",
      /^No TXT record can be put into the zone: NS records/,
    );
  });
});
