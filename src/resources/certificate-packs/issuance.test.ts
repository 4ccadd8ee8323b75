import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import {
  accepts,
  certifiedKeys,
  hasOpenssl,
  opensslAccepts,
  serveTls,
  untilPack,
} from "../../../test/support/certificates.ts";
import {
  onComparedEngines,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { secretKeyNotice } from "../../secrets/secret-box.ts";
import type { CertifiedKey } from "../../tls/local-ca.ts";
import type { CertificatePack } from "./schema.ts";
import { renewalTime, retryTime } from "./renewal.ts";

const dayMs = 86_400_000;
/** A timer that is only woken: nothing happens unasked. */
const wokenOnly = { issuanceRoundMs: 2 ** 30 };
const order = {
  type: "advanced",
  hosts: ["example.com", "*.example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "google",
};

interface Ordered {
  readonly zoneId: string;
  readonly id: string;
  readonly path: string;
}

async function orderPack(app: TestApp, body: object = order): Promise<Ordered> {
  const zoneId = await app.createZone("example.com");
  const packs = `/zones/${zoneId}/ssl/certificate_packs`;
  const answer = await app.request("POST", `${packs}/order`, { body });
  assert.equal(answer.status, 200, answer.text);
  const { id } = answer.body.result;
  return { zoneId, id, path: `${packs}/${id}` };
}

async function authorityOf(app: TestApp): Promise<string> {
  const answer = await app.request("GET", "/certificate_authority.pem", { headers: {} });
  assert.equal(answer.headers.get("content-type"), "application/x-pem-file");
  return answer.text;
}

function certificatesOf(pem: string): X509Certificate[] {
  return pem.split(/(?<=-----END CERTIFICATE-----\n)/).map((part) => new X509Certificate(part));
}

onComparedEngines("issuance by the local CA", (engine) => {
  // The tests need nothing but Node: where OpenSSL's command is there, it judges too.
  if (hasOpenssl) {
    test("OpenSSL's client accepts the certificates of a pack, for its hosts alone", async (t) => {
      const app = await startTestApp(t, engine, {}, { startedOn: new Date() });
      const { id, path } = await orderPack(app);
      await untilPack(app, path);
      const ca = await authorityOf(app);
      const { ecdsa, rsa } = (await certifiedKeys(app, id)) as { ecdsa: CertifiedKey; rsa: CertifiedKey };
      const port = await serveTls(t, [ecdsa, rsa]);
      for (const host of ["example.com", "www.example.com"]) {
        const { accepted, output } = await opensslAccepts(t, port, host, ca);
        assert.ok(accepted, output);
        assert.match(output, /Verify return code: 0 \(ok\)/);
      }
      for (const host of ["a.b.example.com", "example.org"]) {
        assert.equal((await opensslAccepts(t, port, host, ca)).accepted, false, host);
      }
    });
  }

  test("TLS clients that trust the CA accept the certificates of a pack, for its hosts alone", async (t) => {
    const app = await startTestApp(t, engine, {}, { startedOn: new Date() });
    const { id, path } = await orderPack(app);
    await untilPack(app, path);
    const ca = await authorityOf(app);
    const { ecdsa, rsa } = (await certifiedKeys(app, id)) as { ecdsa: CertifiedKey; rsa: CertifiedKey };
    const port = await serveTls(t, [ecdsa, rsa]);

    for (const host of ["example.com", "www.example.com"]) {
      assert.equal(await accepts(port, host, ca), true, host);
    }
    for (const host of ["a.b.example.com", "example.org"]) {
      assert.equal(await accepts(port, host, ca), false, host);
    }
    const [onlyRsa, onlyEcdsa] = [await serveTls(t, [rsa]), await serveTls(t, [ecdsa])];
    assert.equal(await accepts(onlyRsa, "example.com", ca, "rsa_pss_rsae_sha256:RSA+SHA256"), true);
    assert.equal(await accepts(onlyEcdsa, "example.com", ca, "ECDSA+SHA256"), true);
    const other = await startTestApp(t, "sqlite", {}, { startedOn: new Date() });
    assert.equal(await accepts(port, "example.com", await authorityOf(other)), false);
  });

  test("what is answered of a certificate is what the certificate says", async (t) => {
    const app = await startTestApp(t, engine);
    const authorities = certificatesOf(await authorityOf(app));
    for (const validity_days of [14, 365]) {
      const zone = { ...order, validity_days };
      const { id, path, zoneId } = await orderPack(app, zone);
      const pack: CertificatePack = await untilPack(app, path);
      const keys = Object.values(await certifiedKeys(app, id));
      assert.equal(keys.length, 2);
      for (const [index, { certificate, privateKey }] of keys.entries()) {
        const answered = pack.certificates[index];
        const read = new X509Certificate(certificate);
        const issuer = authorities.find((authority) => read.checkIssued(authority));
        assert.ok(issuer && read.verify(issuer.publicKey));
        assert.ok(read.checkPrivateKey(createPrivateKey(privateKey)));
        assert.equal(read.subjectAltName, pack.hosts.map((host) => `DNS:${host}`).join(", "));
        assert.deepEqual(answered?.hosts, pack.hosts);
        assert.equal(read.issuer, `CN=${answered?.issuer}`);
        assert.equal(read.validToDate.getTime(), Date.parse(answered?.expires_on ?? ""));
        const lifetime = read.validToDate.getTime() - read.validFromDate.getTime();
        assert.equal(lifetime, validity_days * dayMs);
        assert.equal(BigInt(`0x${read.serialNumber}`), BigInt(`0x${answered?.id}`));
      }
      assert.deepEqual(
        keys.map(({ certificate }) => new X509Certificate(certificate).signatureAlgorithm),
        ["ecdsa-with-SHA256", "sha256WithRSAEncryption"],
      );
      await app.request("DELETE", `/zones/${zoneId}`);
    }
  });

  testOnEachEngine(
    "the CA is made once, is open to everybody, and stays over a restart",
    async (t, either) => {
      const app = await startTestApp(t, either);
      const [one, other] = await Promise.all([authorityOf(app), authorityOf(app)]);
      assert.equal(one, other);
      await app.restart();
      assert.equal(await authorityOf(app), one);
      assert.deepEqual(
        certificatesOf(one).map(({ ca, publicKey }) => [ca, publicKey.asymmetricKeyType]),
        [
          [true, "ec"],
          [true, "rsa"],
        ],
      );
    },
  );

  test("no private key is stored in clear, and none is answered", async (t) => {
    const app = await startTestApp(t, engine);
    const { id, path } = await orderPack(app);
    const text = JSON.stringify(await untilPack(app, path)) + (await authorityOf(app));
    const keys = Object.values(await certifiedKeys(app, id)).map(({ privateKey }) => privateKey);
    const rows = await besideServer(app, async (tx) => [
      await tx.selectFrom("pack_certificates").selectAll().execute(),
      await tx.selectFrom("certificate_authorities").selectAll().execute(),
      await tx.selectFrom("audit_logs").selectAll().execute(),
    ]);
    const files = readdirSync(app.config.data, { recursive: true, encoding: "utf8" });
    const onDisk = files.map((file) => readFileSync(join(app.config.data, file), "latin1"));
    for (const place of [text, JSON.stringify(rows), ...onDisk]) {
      assert.ok(!place.includes("PRIVATE KEY"));
      for (const key of keys) {
        assert.ok(!place.includes(key.split("\n")[1] ?? ""));
        const der = createPrivateKey(key).export({ type: "pkcs8", format: "der" });
        assert.ok(!place.includes(der.subarray(-32).toString("latin1")));
      }
    }
  });

  test("certificates are renewed two thirds into their lifetime, and the old ones serve until then", async (t) => {
    const app = await startTestApp(t, engine, {}, { issuanceRoundMs: 10 });
    const { id, path } = await orderPack(app);
    const first: CertificatePack = await untilPack(app, path);
    app.advance(59 * dayMs);
    assert.deepEqual((await app.request("GET", path)).body.result, first);
    app.advance(5 * dayMs);
    const renewed = async (): Promise<CertificatePack> => {
      const pack: CertificatePack = await untilPack(app, path);
      return pack.primary_certificate === first.primary_certificate ? renewed() : pack;
    };
    const second = await renewed();
    assert.equal(second.certificates.length, 2);
    assert.equal(second.created_on, first.created_on);
    assert.ok((second.certificates[0]?.expires_on ?? "") > (first.certificates[0]?.expires_on ?? ""));
    for (const { certificate, privateKey } of Object.values(await certifiedKeys(app, id))) {
      assert.ok(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey)));
    }
    const rows = await besideServer(app, (tx) => tx.selectFrom("pack_certificates").select("id").execute());
    assert.deepEqual(
      new Set(rows.map((row) => row.id)),
      new Set(second.certificates.map((certificate) => certificate.id)),
    );
  });

  test("a pack whose certificates have expired says so at once, and is renewed after the next start", async (t) => {
    const app = await startTestApp(t, engine, {}, wokenOnly);
    const { path, zoneId, id } = await orderPack(app);
    const first: CertificatePack = await untilPack(app, path);
    app.advance(90 * dayMs);
    const pack: CertificatePack = (await app.request("GET", path)).body.result;
    assert.deepEqual([pack.status, pack.certificates[0]?.status], ["expired", "expired"]);
    const listed = async (query: string): Promise<string[]> =>
      (await app.request("GET", `/zones/${zoneId}/ssl/certificate_packs${query}`)).body.result.map(
        (item: { id: string }) => item.id,
      );
    assert.deepEqual([await listed(""), await listed("?status=expired")], [[], [id]]);
    const { result } = (await app.request("GET", `/zones/${zoneId}/ssl/verification`)).body;
    assert.equal(result[0].certificate_status, "expired");
    await app.restart();
    assert.notEqual((await untilPack(app, path)).primary_certificate, first.primary_certificate);
  });

  test("attempts that fail are visible and go on ever more slowly, until editCertificatePack begins anew", async (t) => {
    const app = await startTestApp(t, engine, {}, { issuanceRoundMs: 10 });
    await authorityOf(app);
    // The CA expires ten years after it was made.
    app.advance(3_700 * dayMs);
    const { path } = await orderPack(app);
    const errors = [{ message: "The local certificate authority has expired" }];
    const attempts = async (count: number): Promise<void> => {
      let failures = 0;
      while (failures < count) {
        const rows = await besideServer(app, (tx) =>
          tx.selectFrom("certificate_packs").selectAll().execute(),
        );
        failures = rows[0]?.failures ?? 0;
        if (rows[0]?.step_on != null) app.advance(60_000);
      }
    };
    await attempts(1);
    const waiting = (await app.request("GET", path)).body.result;
    assert.deepEqual([waiting.status, waiting.validation_errors], ["pending_validation", errors]);
    await attempts(8);
    const given = await untilPack(app, path, "validation_timed_out");
    assert.deepEqual(given.validation_errors, errors);
    const edited = (await app.request("PATCH", path)).body.result;
    assert.deepEqual([edited.status, edited.validation_errors], ["initializing", undefined]);
    await attempts(1);
    assert.deepEqual((await app.request("GET", path)).body.result.validation_errors, errors);
  });

  test("issuance_delay_seconds keeps a pack initializing for as long", async (t) => {
    const app = await startTestApp(t, engine, { issuance_delay_seconds: 60 }, wokenOnly);
    const first = await orderPack(app);
    app.advance(60_000);
    // An order wakes the timer.
    const answer = await app.request("POST", `/zones/${first.zoneId}/ssl/certificate_packs/order`, {
      body: order,
    });
    const second = `/zones/${first.zoneId}/ssl/certificate_packs/${answer.body.result.id}`;
    await untilPack(app, first.path);
    assert.equal((await app.request("GET", second)).body.result.status, "initializing");
    app.advance(60_000);
    await app.request("PATCH", second, { body: {} });
    await untilPack(app, second);
  });

  test("editCertificatePack keeps the branding, and leaves a pack in order alone", async (t) => {
    const app = await startTestApp(t, engine, {}, wokenOnly);
    const { path } = await orderPack(app);
    const pack = await untilPack(app, path);
    assert.deepEqual((await app.request("PATCH", path)).body.result, pack);
    assert.deepEqual((await app.request("PATCH", path, { body: {} })).body.result, pack);
    const branded = { ...pack, cloudflare_branding: true };
    const answer = await app.request("PATCH", path, { body: { cloudflare_branding: true } });
    assert.deepEqual(answer.body.result, branded);
    const wrong = await app.request("PATCH", path, { body: { cloudflare_branding: 1 } });
    assert.equal(wrong.body.errors[0]?.source?.pointer, "/cloudflare_branding");
    assert.deepEqual((await app.request("GET", path)).body.result, branded);
  });
});

test("beside PostgreSQL no certificate is issued without a key of the operator, and the pack says why", async (t) => {
  const app = await startTestApp(t, "postgres", { secret_key_file: undefined }, wokenOnly);
  const { path } = await orderPack(app);
  await t.test("the CA cannot be made either", async () => {
    const answer = await app.request("GET", "/certificate_authority.pem");
    assert.deepEqual([answer.status, answer.body.errors[0]?.code], [503, 10504]);
  });
  let pack: CertificatePack;
  do pack = (await app.request("GET", path)).body.result;
  while (pack.validation_errors === undefined);
  assert.deepEqual(pack.validation_errors, [{ message: secretKeyNotice }]);
});

describe("schedule", () => {
  const id = fc.stringMatching(/^[0-9a-f]{32}$/);

  test("a renewal leaves between a third and three tenths of the lifetime", () => {
    const issuedOn = new Date("2026-01-02T03:04:05Z");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000 }), id, (days, certificateId) => {
        const expiresOn = new Date(issuedOn.getTime() + days * dayMs);
        const left = expiresOn.getTime() - renewalTime(issuedOn, expiresOn, certificateId).getTime();
        assert.ok(left <= (days * dayMs) / 3 + 1 && left >= (days * dayMs * 3) / 10 - 1);
      }),
    );
  });

  test("a retry comes within a quarter of a minute doubled with each failure, six hours at most", () => {
    const now = new Date("2026-01-02T03:04:05Z");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), id, (failures, packId) => {
        const wait = retryTime(now, failures, packId).getTime() - now.getTime();
        const middle = Math.min(60_000 * 2 ** (failures - 1), 6 * 3_600_000);
        assert.ok(wait >= middle * 0.75 - 1 && wait <= middle * 1.25 + 1);
      }),
    );
  });
});
