import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { accepts, secretBoxOf, serveTls } from "../../../test/support/certificates.ts";
import { onComparedEngines, startOfTime, startTestApp } from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import {
  createAuthority,
  createKeyPair,
  issueServerCertificate,
  pkcs8,
  signServerCertificate,
  type KeyType,
  type Validity,
} from "../../tls/local-ca.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";

const dayMs = 86_400_000;
const started = "2026-01-02T03:04:05.678000Z";
const hosts = ["example.com", "*.example.com"];

function daysFrom(start: Date, days: number): Validity {
  return { notBefore: new Date(start.getTime() - dayMs), notAfter: new Date(start.getTime() + days * dayMs) };
}

/** The upload of an owner of a certificate. */
async function newUpload(type: KeyType = "ecdsa", names: readonly string[] = hosts, days = 30) {
  const validity = daysFrom(startOfTime, days);
  const authority = await createAuthority("Some CA", validity, type);
  const { publicKey, privateKey } = await createKeyPair(type);
  const certificate = await signServerCertificate(authority, { ...validity, hosts: names, publicKey });
  return { authority, body: { certificate, private_key: pkcs8(privateKey) } };
}

/** The same certificate, valid until a month that no calendar has. */
function withoutEnd(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
  const utcTime = Buffer.from([0x17, 13]);
  const notAfter = der.indexOf(utcTime, der.indexOf(utcTime) + 1);
  der.write("13", notAfter + utcTime.length + "YY".length);
  return `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

onComparedEngines("custom certificates", (engine) => {
  test("createCustomCertificate keeps a certificate with its chain, and answers what it says but for the key", async (t) => {
    const app = await startTestApp(t, engine);
    const part = await createZonePart(app, "custom_certificates");
    const { authority, body } = await newUpload("rsa");
    const chain = body.certificate + authority.certificate;
    const { id, ...created } = await part.result("POST", "", {
      ...body,
      certificate: `Bag Attributes\n${chain.replaceAll("\n", "\r\n")}`,
      geo_restrictions: { label: "eu" },
    });
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(created, {
      zone_id: part.zoneId,
      type: "legacy_custom",
      hosts,
      issuer: "Some CA",
      signature: "SHA256WithRSA",
      status: "active",
      bundle_method: "ubiquitous",
      geo_restrictions: { label: "eu" },
      priority: 0,
      uploaded_on: started,
      modified_on: started,
      expires_on: "2026-02-01T03:04:05.000000Z",
    });
    assert.deepEqual(await part.result("GET", `/${id}`), { id, ...created });
    const [row] = await besideServer(app, (tx) => tx.selectFrom("custom_certificates").selectAll().execute());
    assert.ok(row);
    assert.equal(row.chain, chain);
    assert.equal(
      secretBoxOf(app).open(row.private_key, sealedPlace("custom_certificates.private_key", id)),
      body.private_key,
    );
    app.advance(30 * dayMs);
    assert.equal((await part.result("GET", `/${id}`)).status, "expired");
  });

  test("what was uploaded serves TLS clients that trust its issuer", async (t) => {
    const now = new Date();
    const app = await startTestApp(t, engine, {}, { startedOn: now });
    const part = await createZonePart(app, "custom_certificates");
    const authority = await createAuthority("Some CA", daysFrom(now, 30));
    const { certificate, privateKey } = await issueServerCertificate(authority, hosts, daysFrom(now, 30));
    const { id } = await part.result("POST", "", { certificate, private_key: privateKey });
    const rows = await besideServer(app, (tx) => tx.selectFrom("custom_certificates").selectAll().execute());
    const box = secretBoxOf(app);
    const port = await serveTls(
      t,
      rows.map(({ chain, private_key }) => ({
        certificate: chain,
        privateKey: box.open(private_key, sealedPlace("custom_certificates.private_key", id)),
      })),
    );
    assert.equal(await accepts(port, "www.example.com", authority.certificate), true);
  });

  test("certificate, chain, key, dates and hosts have to fit together, and a refusal stores nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const part = await createZonePart(app, "custom_certificates");
    const { authority, body } = await newUpload();
    const other = await newUpload();
    const foreign = await newUpload("ecdsa", ["example.org", "notexample.com"]);
    const expired = await newUpload("ecdsa", hosts, -0.5);
    const ed25519 =
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n";
    const noPem = "it holds no certificate in PEM form";
    const order = "each certificate has to be followed by that of its issuer";
    const refusals: [object, number, string][] = [
      [{ ...body, certificate: "nothing" }, 1454, `certificate\`: ${noPem}`],
      [
        { ...body, certificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" },
        1454,
        `certificate\`: ${noPem}`,
      ],
      [
        { ...body, certificate: body.certificate + other.authority.certificate },
        1454,
        `certificate\`: ${order}`,
      ],
      [
        { ...body, certificate: body.certificate.repeat(11) },
        1454,
        "certificate`: it has more than 10 certificates",
      ],
      [{ ...body, certificate: authority.certificate + body.certificate }, 1454, `certificate\`: ${order}`],
      [
        { ...body, private_key: "nothing" },
        1455,
        "private_key`: it holds no private key in PEM form without a passphrase",
      ],
      [{ ...body, private_key: ed25519 }, 1455, "private_key`: it is neither an RSA nor an ECDSA key"],
      [
        { ...body, private_key: other.body.private_key },
        1455,
        "private_key`: it is not the key of the certificate",
      ],
      [
        { ...body, certificate: withoutEnd(body.certificate) },
        1454,
        "certificate`: it does not say when it expires",
      ],
      [expired.body, 1456, "certificate`: it expired on 2026-01-01T15:04:05.000Z"],
      [foreign.body, 1457, "certificate`: it is for no host of the zone example.com"],
      [{ private_key: body.private_key }, 1003, "certificate`: is required"],
      [{ ...body, type: "x" }, 1003, "type`: must be one of: legacy_custom, sni_custom"],
    ];
    for (const [wrong, code, rule] of refusals)
      await t.test(rule, async () => {
        const message = `Invalid body \`${rule}`;
        await part.refuses("POST", "", wrong, { code, message, pointer: `/${rule.split("`")[0]}` });
      });
  });

  test("editCustomCertificate replaces what is sent, if it fits what stays", async (t) => {
    const app = await startTestApp(t, engine);
    const part = await createZonePart(app, "custom_certificates");
    const [first, second] = [await newUpload(), await newUpload("rsa", ["www.example.com"])];
    const { id, ...created } = await part.result("POST", "", first.body);
    app.advance(dayMs);
    assert.deepEqual(await part.result("PATCH", `/${id}`, {}), { id, ...created });
    await part.refuses(
      "PATCH",
      `/${id}`,
      { certificate: second.body.certificate },
      {
        code: 1455,
        message: "Invalid body `private_key`: it is not the key of the certificate",
        pointer: "/private_key",
      },
    );
    const edited = await part.result("PATCH", `/${id}`, { ...second.body, bundle_method: "force" });
    assert.deepEqual(edited, {
      id,
      ...created,
      hosts: ["www.example.com"],
      signature: "SHA256WithRSA",
      bundle_method: "force",
      modified_on: "2026-01-03T03:04:05.678000Z",
    });
    const renewed = await signServerCertificate(second.authority, {
      ...daysFrom(startOfTime, 60),
      hosts,
      publicKey: createPublicKey(second.body.private_key),
    });
    assert.deepEqual((await part.result("PATCH", `/${id}`, { certificate: renewed })).hosts, hosts);
  });

  test("lists go by priority, prioritizeCustomCertificates sets it, and unknown ids are not found", async (t) => {
    const app = await startTestApp(t, engine);
    const part = await createZonePart(app, "custom_certificates");
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await part.result("POST", "", (await newUpload()).body)).id);
    }
    const [one, two, three] = ids;
    const idsOf = (result: { id: string }[]): string[] => result.map(({ id }) => id);
    const certificates = [
      { id: two, priority: 9 },
      { id: one, priority: 5 },
    ];
    const unknown = "0".repeat(32);
    const refusal = { status: 404, code: 1459, message: "Invalid custom certificate identifier" };
    await part.refuses(
      "PUT",
      "/prioritize",
      { certificates: [...certificates, { id: unknown, priority: 1 }] },
      refusal,
    );
    assert.deepEqual(idsOf(await part.result("PUT", "/prioritize", { certificates })), [two, one, three]);
    assert.deepEqual(idsOf(await part.result("GET")), [two, one, three]);
    assert.deepEqual(idsOf(await part.result("GET", "?per_page=1&page=2")), [one]);
    assert.deepEqual(await part.result("GET", "?status=expired"), []);
    assert.deepEqual(idsOf(await part.result("GET", "?status=active&direction=asc")), [three, one, two]);
    assert.deepEqual(await part.result("DELETE", `/${one}`), { id: one });
    await part.refuses("GET", `/${one}`, undefined, refusal);
    await part.refuses("DELETE", `/${one}`, undefined, refusal);
    await part.refuses("PATCH", `/${unknown}`, {}, refusal);
  });

  test("the key is nowhere in clear: not on disk, not in a row, not in an answer, not in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const part = await createZonePart(app, "custom_certificates");
    const { body } = await newUpload();
    const answer = await part.send("POST", "", body);
    const rows = await besideServer(app, async (tx) => [
      await tx.selectFrom("custom_certificates").selectAll().execute(),
      await tx.selectFrom("audit_logs").selectAll().execute(),
    ]);
    const files = readdirSync(app.config.data);
    const onDisk = files.map((file) => readFileSync(join(app.config.data, file), "latin1"));
    const line = body.private_key.split("\n")[1] ?? "";
    assert.ok(line.length > 60);
    for (const place of [answer.text, JSON.stringify(rows), ...onDisk]) assert.ok(!place.includes(line));
  });
});

test("beside PostgreSQL a certificate is refused without a key of the operator", async (t) => {
  const app = await startTestApp(t, "postgres", { secret_key_file: undefined });
  const part = await createZonePart(app, "custom_certificates");
  await part.refuses("POST", "", (await newUpload()).body, {
    status: 503,
    code: 10504,
    message: "The server cannot read its secret key: its operator has to set or restore `secret_key_file`.",
  });
});

test("what needs no key of a certificate is edited without the secret key, another certificate is refused", async (t) => {
  const app = await startTestApp(t, "sqlite");
  const part = await createZonePart(app, "custom_certificates");
  const { body } = await newUpload();
  const { id } = await part.result("POST", "", body);
  rmSync(join(app.config.data, "secret.key"));
  const edited = await part.result("PATCH", `/${id}`, { bundle_method: "force" });
  assert.equal(edited.bundle_method, "force");
  await part.refuses(
    "PATCH",
    `/${id}`,
    { certificate: body.certificate },
    {
      status: 503,
      code: 10504,
      message: "The server cannot read its secret key: its operator has to set or restore `secret_key_file`.",
    },
  );
});
