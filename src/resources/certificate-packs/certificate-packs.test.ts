import assert from "node:assert/strict";
import { test } from "node:test";

import { untilPack } from "../../../test/support/certificates.ts";
import { onComparedEngines, startTestApp, testOnEachEngine } from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";
import { createZonePart, type ZonePart } from "../../../test/support/zone-parts.ts";

const order = {
  type: "advanced",
  hosts: ["example.com", "*.example.com", "www.example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "lets_encrypt",
};
const started = "2026-01-02T03:04:05.678000Z";
const unknownId = "3822ff90-ea29-44df-9e55-21300bb9419b";

const idsOf = async (packs: ZonePart, query = ""): Promise<string[]> =>
  (await packs.result("GET", query)).map(({ id }: { id: string }) => id);

onComparedEngines("certificate packs", (engine) => {
  test("orderCertificatePack answers at once, and the pack becomes active", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const { id, ...ordered } = await packs.result("POST", "/order", { ...order, cloudflare_branding: true });
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(ordered, {
      ...order,
      status: "initializing",
      certificates: [],
      created_on: started,
      cloudflare_branding: true,
    });
    const pack = await untilPack(app, `/zones/${packs.zoneId}/ssl/certificate_packs/${id}`);
    assert.equal(pack.primary_certificate, pack.certificates[0].id);
    for (const [index, signature] of ["ECDSAWithSHA256", "SHA256WithRSA"].entries()) {
      const certificate = pack.certificates[index];
      assert.deepEqual(certificate, {
        id: certificate.id,
        hosts: order.hosts,
        issuer: certificate.issuer,
        signature,
        status: "active",
        bundle_method: "ubiquitous",
        zone_id: packs.zoneId,
        uploaded_on: started,
        modified_on: started,
        expires_on: "2026-04-02T02:04:05.000000Z",
        priority: null,
      });
    }
  });

  test("a zone gets its universal pack with its activation, once, and loses it with its end", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    assert.deepEqual(await packs.result("GET", "?status=all"), []);
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await app.request("PUT", `/zones/${packs.zoneId}/activation_check`)).status, 200);
    }
    const [{ id }, ...others] = await packs.result("GET", "?status=all");
    assert.deepEqual(others, []);
    const path = `/zones/${packs.zoneId}/ssl/certificate_packs/${id}`;
    const pack = await untilPack(app, path);
    assert.deepEqual([pack.type, pack.hosts], ["universal", ["example.com", "*.example.com"]]);
    await packs.refuses("DELETE", `/${id}`, undefined, {
      code: 1453,
      message: "The universal certificate pack of a zone cannot be deleted; it can be turned off",
    });
    await app.request("DELETE", `/zones/${packs.zoneId}`);
    assert.equal((await app.request("GET", path)).status, 404);
  });

  test("listCertificatePacks shows the active ones, or those asked for, in pages", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await packs.result("POST", "/order", order);
      made.push(id);
      await untilPack(app, `/zones/${packs.zoneId}/ssl/certificate_packs/${id}`);
      app.advance(1_000);
    }
    for (const query of ["", "?status=all", "?ssl_status=all", "?status=active", "?deploy=production"]) {
      assert.deepEqual(await idsOf(packs, query), made, query);
    }
    for (const query of ["?status=expired", "?ssl_status=initializing", "?deploy=staging"]) {
      assert.deepEqual(await idsOf(packs, query), [], query);
    }
    const { body } = await packs.send("GET", "?per_page=2&page=2");
    assert.deepEqual(body.result_info, { page: 2, per_page: 2, count: 1, total_count: 3, total_pages: 2 });
    assert.deepEqual(await idsOf(packs, "?direction=desc&per_page=1"), [made[2]]);
    assert.equal((await packs.send("GET", "?status=some")).body.errors[0]?.source?.pointer, "/status");
  });

  test("hosts are names within the zone, the zone's own among them, and international ones in ASCII", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const hosts = ["EXAMPLE.com.", "*.a.example.com", "bücher.example.com", "example.com"];
    const ordered = await packs.result("POST", "/order", { ...order, hosts });
    assert.deepEqual(ordered.hosts, ["example.com", "*.a.example.com", "xn--bcher-kva.example.com"]);
    const place = `/zones/${packs.zoneId}/ssl/certificate_packs/${ordered.id}`;
    assert.deepEqual((await untilPack(app, place)).certificates[0].hosts, ordered.hosts);

    const refusals: [readonly unknown[], number, string, string][] = [
      [["www.example.com"], 1452, "`hosts`: must contain example.com", "/hosts"],
      [["*.example.com"], 1452, "`hosts`: must contain example.com", "/hosts"],
      [["example.com", "example.org"], 1452, "`hosts/1`: must be within the zone example.com", "/hosts/1"],
      [["notexample.com"], 1452, "`hosts/0`: must be within the zone example.com", "/hosts/0"],
      [["a.*.example.com"], 1452, "`hosts/0`: must be a host name", "/hosts/0"],
      [["*.*.example.com"], 1452, "`hosts/0`: must be a host name", "/hosts/0"],
      [["*"], 1452, "`hosts/0`: must be a host name", "/hosts/0"],
      [["a_b.example.com"], 1452, "`hosts/0`: must be a host name", "/hosts/0"],
      [[`${"a".repeat(64)}.example.com`], 1452, "`hosts/0`: must be a host name", "/hosts/0"],
      [[], 1003, "`hosts`: must hold at least 1 item", "/hosts"],
      [
        Array.from({ length: 51 }, () => "example.com"),
        1003,
        "`hosts`: must hold at most 50 items",
        "/hosts",
      ],
      [["example.com", 5], 1003, "`hosts/1`: must be string", "/hosts/1"],
    ];
    for (const [wrong, code, rule, pointer] of refusals)
      await t.test(rule, async () => {
        const refusal = { code, message: `Invalid body ${rule}`, pointer };
        await packs.refuses("POST", "/order", { ...order, hosts: wrong }, refusal);
      });
  });

  test("an order names what it asks for, one in the older form need not", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const wrong: [string, unknown, string][] = [
      ["type", "universal", "must be one of: advanced"],
      ["validation_method", "cname", "must be one of: txt, http, email"],
      ["validity_days", 10, "must be one of: 14, 30, 90, 365"],
      ["certificate_authority", "x", "must be one of: google, lets_encrypt, ssl_com, digicert"],
    ];
    for (const [name, value, rule] of wrong)
      await t.test(`${name}: ${rule}`, async () => {
        for (const [body, said] of [
          [{ ...order, [name]: value }, rule],
          [{ ...order, [name]: undefined }, "is required"],
        ] as const) {
          const message = `Invalid body \`${name}\`: ${said}`;
          await packs.refuses("POST", "/order", body, { code: 1003, message, pointer: `/${name}` });
        }
      });
    const created = await packs.result("POST", "", { type: "dedicated_custom", hosts: ["example.com"] });
    assert.deepEqual(
      [created.type, created.validity_days, created.certificate_authority, created.validation_method],
      ["advanced", 365, "digicert", "txt"],
    );
  });

  testOnEachEngine("of two orders at the quota minus one, one is made", async (t, either) => {
    const app = await startTestApp(t, either, { certificate_pack_quota: 3 });
    const packs = await createZonePart(app, "ssl/certificate_packs");
    for (let count = 0; count < 2; count += 1) await packs.result("POST", "/order", order);
    const answers = await Promise.all([
      packs.send("POST", "/order", order),
      packs.send("POST", "/order", order),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
    assert.deepEqual(answers.find(({ status }) => status === 400)?.body.errors, [
      { code: 1451, message: "The zone already has its maximum of 3 advanced certificate packs" },
    ]);
    assert.deepEqual(await packs.result("GET", "/quota"), { advanced: { allocated: 3, used: 3 } });
    const [first] = await idsOf(packs, "?status=all");
    assert.deepEqual(await packs.result("DELETE", `/${first}`), { id: first });
    assert.deepEqual(await packs.result("GET", "/quota"), { advanced: { allocated: 3, used: 2 } });
    await packs.result("POST", "/order", order);
  });

  test("without a quota ordering is not granted, and the universal pack comes all the same", async (t) => {
    const app = await startTestApp(t, engine, { certificate_pack_quota: 0 });
    const packs = await createZonePart(app, "ssl/certificate_packs");
    await packs.refuses("POST", "/order", order, {
      code: 1450,
      message:
        "Access to configure this resource has not been granted for this zone. This feature is available with the Advanced Certificate Manager.",
    });
    await app.request("PUT", `/zones/${packs.zoneId}/activation_check`);
    assert.equal((await idsOf(packs, "?status=all")).length, 1);
  });

  test("deleteCertificatePack ends a pack with its keys, and unknown or foreign packs are not found", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const { id } = await packs.result("POST", "/order", order);
    await untilPack(app, `/zones/${packs.zoneId}/ssl/certificate_packs/${id}`);
    const other = await createZonePart(app, "ssl/certificate_packs", { name: "example.org" });
    const refusal = { status: 404, code: 1001, message: "Invalid certificate pack identifier" };
    for (const method of ["GET", "PATCH", "DELETE"]) {
      await packs.refuses(method, `/${unknownId}`, undefined, refusal);
      await other.refuses(method, `/${id}`, undefined, refusal);
      assert.equal((await packs.send(method, "/not-an-id")).body.errors[0]?.code, 7003);
    }
    assert.deepEqual(await packs.result("DELETE", `/${id}`), { id });
    await packs.refuses("GET", `/${id}`, undefined, refusal);

    const account_id = await addAccount(app, "Foreign");
    const foreign = await addZone(app, "foreign.example", { account_id });
    const answer = await app.request("POST", `/zones/${foreign}/ssl/certificate_packs/order`, {
      body: order,
    });
    assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid zone identifier" }]);
  });

  test("getCertificateVerification says how far each pack is", async (t) => {
    const app = await startTestApp(t, engine);
    const packs = await createZonePart(app, "ssl/certificate_packs");
    const { id } = await packs.result("POST", "/order", order);
    await untilPack(app, `/zones/${packs.zoneId}/ssl/certificate_packs/${id}`);
    const answer = await app.request("GET", `/zones/${packs.zoneId}/ssl/verification`);
    assert.deepEqual(answer.body.result, [
      {
        certificate_status: "active",
        brand_check: false,
        cert_pack_uuid: id,
        signature: "ECDSAWithSHA256",
        validation_method: "txt",
        verification_status: true,
      },
    ]);
  });
});
