import assert from "node:assert/strict";
import { test } from "node:test";

import { untilPack } from "../../../test/support/certificates.ts";
import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer, storedRows } from "../../../test/support/store.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const unknownId = "3822ff90-ea29-44df-9e55-21300bb9419b";

onComparedEngines("editUniversalSettings", (engine) => {
  test("off deletes the universal pack with its keys; on, an active zone gets another and it is issued", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.createZone("example.com");
    const [path, packs] = [`/zones/${zone}/ssl/universal/settings`, `/zones/${zone}/ssl/certificate_packs`];
    const allPacks = async () => (await app.request("GET", `${packs}?status=all`)).body.result;
    const turn = async (enabled: boolean) => {
      const { status, body } = await app.request("PATCH", path, { body: { enabled } });
      assert.deepEqual([status, body.result], [200, { enabled }]);
      assert.deepEqual((await app.request("GET", path)).body.result, { enabled });
    };
    assert.deepEqual((await app.request("GET", path)).body.result, { enabled: true });
    await app.request("PUT", `/zones/${zone}/activation_check`);
    const [first] = await allPacks();
    await untilPack(app, `${packs}/${first.id}`);

    await turn(false);
    assert.deepEqual(await allPacks(), []);
    const keys = await besideServer(app, (tx) => tx.selectFrom("pack_certificates").selectAll().execute());
    assert.deepEqual(keys, []);
    await app.request("PUT", `/zones/${zone}/activation_check`);
    assert.deepEqual(await allPacks(), []);

    await turn(true);
    const [second] = await allPacks();
    assert.deepEqual([second.type, second.hosts], ["universal", ["example.com", "*.example.com"]]);
    assert.notEqual(second.id, first.id);
    await untilPack(app, `${packs}/${second.id}`);
    const actions = await loggedActions(app);
    assert.equal(actions.filter((type) => type === "universal_ssl_edit").length, 2);
    assert.ok(actions.includes("certificate_pack_delete"));
  });

  test("a zone that becomes active while it is off gets no universal pack; other packs stay", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.createZone("example.com");
    const [path, packs] = [`/zones/${zone}/ssl/universal/settings`, `/zones/${zone}/ssl/certificate_packs`];
    const order = {
      type: "advanced",
      hosts: ["example.com"],
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "google",
    };
    const ordered = (await app.request("POST", `${packs}/order`, { body: order })).body.result;
    await app.request("PATCH", path, { body: { enabled: false } });
    await app.request("PUT", `/zones/${zone}/activation_check`);
    const shown = (await app.request("GET", `${packs}?status=all`)).body.result;
    assert.deepEqual(
      shown.map(({ id }: { id: string }) => id),
      [ordered.id],
    );
    await untilPack(app, `${packs}/${ordered.id}`);
  });

  test("what is no setting, or sets what is set, changes nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.createZone("example.com");
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const earlier = await storedRows(app);
    const cases = [
      [zone, { enabled: true }, 200],
      [zone, {}, 200],
      [zone, { enabled: "off" }, 400],
      [foreign, { enabled: false }, 404],
    ] as const;
    for (const [id, body, status] of cases) {
      const answer = await app.request("PATCH", `/zones/${id}/ssl/universal/settings`, { body });
      assert.equal(answer.status, status, answer.text);
    }
    assert.deepEqual(await storedRows(app), earlier);
  });
});

onComparedEngines("editCertificateVerification", (engine) => {
  test("a pack that waits gets another method of validation, and one whose validation failed is tried again", async (t) => {
    const app = await startTestApp(t, engine, { issuance_delay_seconds: 3600 });
    const zone = await app.createZone("example.com");
    await app.request("PUT", `/zones/${zone}/activation_check`);
    const [pack] = (await app.request("GET", `/zones/${zone}/ssl/certificate_packs?status=all`)).body.result;
    const path = `/zones/${zone}/ssl/verification/${pack.id}`;
    const changed = await app.request("PATCH", path, { body: { validation_method: "http" } });
    assert.deepEqual(changed.body.result, { status: "initializing", validation_method: "http" });
    const [shown] = (await app.request("GET", `/zones/${zone}/ssl/verification`)).body.result;
    assert.deepEqual([shown.cert_pack_uuid, shown.validation_method], [pack.id, "http"]);

    await besideServer(app, (tx) =>
      tx
        .updateTable("certificate_packs")
        .set({ status: "validation_timed_out", failures: 5, step_on: null })
        .where("id", "=", pack.id)
        .execute(),
    );
    const again = await app.request("PATCH", path, { body: {} });
    assert.deepEqual(again.body.result, { status: "initializing", validation_method: "http" });
    await untilPack(app, `/zones/${zone}/ssl/certificate_packs/${pack.id}`);
    const done = await app.request("PATCH", path, { body: { validation_method: "txt" } });
    assert.deepEqual(done.body.result, { status: "active", validation_method: "txt" });

    const earlier = await storedRows(app);
    const refusals = [
      [path, { validation_method: "cname" }, 400],
      [path, { validation_method: "dns" }, 400],
      [`/zones/${zone}/ssl/verification/${unknownId}`, { validation_method: "http" }, 404],
    ] as const;
    for (const [at, body, status] of refusals) {
      assert.equal((await app.request("PATCH", at, { body })).status, status);
    }
    assert.deepEqual(await storedRows(app), earlier);
  });
});
