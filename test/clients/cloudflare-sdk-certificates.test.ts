import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { BadRequestError, NotFoundError } from "cloudflare";
import type { CertificatePackCreateParams } from "cloudflare/resources/ssl/certificate-packs";

import { createAuthority, issueServerCertificate } from "../../src/tls/local-ca.ts";
import { untilPack } from "../support/certificates.ts";
import { onComparedEngines, ownerToken, startOfTime, startTestApp } from "../support/harness.ts";

onComparedEngines("the npm package cloudflare and certificates", (engine) => {
  test("orders, lists, gets, edits and deletes certificate packs", async (t) => {
    const app = await startTestApp(t, engine);
    const client = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken });
    const zone_id = await app.createZone("example.com");
    const packs = client.ssl.certificatePacks;
    const order: CertificatePackCreateParams = {
      zone_id,
      type: "advanced",
      hosts: ["example.com", "*.example.com"],
      validation_method: "txt",
      validity_days: 14,
      certificate_authority: "lets_encrypt",
    };

    const { id, status, certificates } = await packs.create(order);
    assert.deepEqual([status, certificates], ["initializing", []]);
    await untilPack(app, `/zones/${zone_id}/ssl/certificate_packs/${id}`);
    const pack = await packs.get(id, { zone_id });
    assert.equal(pack.primary_certificate, pack.certificates[0]?.id);
    const listed: string[] = [];
    for await (const item of packs.list({ zone_id, status: "all" })) listed.push(item.id);
    assert.deepEqual(listed, [id]);
    assert.deepEqual((await packs.quota.get({ zone_id })).advanced, { allocated: 100, used: 1 });
    assert.equal((await client.ssl.verification.get({ zone_id }))[0]?.certificate_status, "active");
    const edited = await packs.edit(id, { zone_id, cloudflare_branding: true });
    assert.equal(edited.cloudflare_branding, true);
    await assert.rejects(packs.create({ ...order, hosts: ["www.example.com"] }), BadRequestError);
    const { totalTLS } = client.acm;
    const total = await totalTLS.update({ zone_id, enabled: true, certificate_authority: "ssl_com" });
    assert.deepEqual([total.enabled, total.certificate_authority], [true, "ssl_com"]);
    assert.deepEqual(await totalTLS.get({ zone_id }), total);
    assert.deepEqual(await packs.delete(id, { zone_id }), { id });
    await assert.rejects(packs.get(id, { zone_id }), NotFoundError);
  });

  test("uploads, lists, gets, edits, prioritizes and deletes custom certificates", async (t) => {
    const app = await startTestApp(t, engine);
    const client = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken });
    const zone_id = await app.createZone("example.com");
    const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
    const authority = await createAuthority("Some CA", validity);
    const { certificate, privateKey } = await issueServerCertificate(authority, ["example.com"], validity);
    const { customCertificates } = client;

    const created = await customCertificates.create({ zone_id, certificate, private_key: privateKey });
    assert.deepEqual([created.issuer, created.hosts, created.status], ["Some CA", ["example.com"], "active"]);
    const { id } = created;
    assert.deepEqual(await customCertificates.get(id, { zone_id }), created);
    const edited = await customCertificates.edit(id, { zone_id, bundle_method: "force" });
    assert.equal(edited.bundle_method, "force");
    const certificates = [{ id, priority: 7 }];
    const ordered = await customCertificates.prioritize.update({ zone_id, certificates });
    assert.deepEqual(
      ordered.result.map(({ priority }) => priority),
      [7],
    );
    const listed: string[] = [];
    for await (const item of customCertificates.list({ zone_id })) listed.push(item.id);
    assert.deepEqual(listed, [id]);
    await assert.rejects(
      customCertificates.create({ zone_id, certificate, private_key: "x" }),
      BadRequestError,
    );
    assert.deepEqual(await customCertificates.delete(id, { zone_id }), { id });
    await assert.rejects(customCertificates.get(id, { zone_id }), NotFoundError);
  });
});
