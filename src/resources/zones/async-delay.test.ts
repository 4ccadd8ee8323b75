import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { testControlsOf, withTestControls } from "../../../test/support/test-controls-api.ts";

onComparedEngines("async_delay", (engine) => {
  test("a zone that somebody asked for becomes active, and its pack is issued, once the time is over", async (t) => {
    const app = await startTestApp(t, engine, {
      ...withTestControls,
      async_delay: 3_600,
      clock_start: "2026-05-05T05:05:05Z",
    });
    const controls = testControlsOf(app);
    const [asked, unasked] = [await app.createZone("asked.example"), await app.createZone("unasked.example")];
    const statusOf = async (id: string) => (await app.request("GET", `/zones/${id}`)).body.result.status;
    const packsOf = async (id: string): Promise<string[]> => {
      const { body } = await app.request("GET", `/zones/${id}/ssl/certificate_packs?status=all`);
      return body.result.map(({ status }: { status: string }) => status);
    };
    await app.request("PUT", `/zones/${asked}/activation_check`);
    await controls.result("POST", "/clock/advance", { seconds: 3_599 });
    assert.equal(await statusOf(asked), "pending");
    assert.deepEqual(await packsOf(asked), []);

    await controls.result("POST", "/clock/advance", { seconds: 1 });
    assert.deepEqual([await statusOf(asked), await statusOf(unasked)], ["active", "pending"]);
    assert.deepEqual(await packsOf(asked), ["initializing"]);
    await controls.result("POST", "/clock/advance", { seconds: 3_599 });
    assert.deepEqual(await packsOf(asked), ["initializing"]);
    await controls.result("POST", "/clock/advance", { seconds: 60 });
    assert.deepEqual(await packsOf(asked), ["active"]);

    await app.request("PUT", `/zones/${unasked}/activation_check`);
    assert.equal(await statusOf(unasked), "active");
  });
});

test("a scan and a purge are answered once async_delay is over, and others meanwhile", async (t) => {
  const app = await startTestApp(t, "sqlite", { async_delay: 1 });
  const id = await app.createZone("example.com");
  let answered = 0;
  const send = async (path: string, body?: unknown): Promise<number> => {
    const { status } = await app.request("POST", path, { ...(body !== undefined && { body }) });
    answered += 1;
    return status;
  };
  // Where the machine stands still for that second, all are answered together.
  await until("another is answered meanwhile", async () => {
    answered = 0;
    const begun = performance.now();
    const late = [
      send(`/zones/${id}/purge_cache`, { purge_everything: true }),
      send(`/zones/${id}/dns_records/scan`),
    ];
    assert.equal((await app.request("GET", `/zones/${id}`)).status, 200);
    const isMeanwhile = answered === 0;
    assert.deepEqual(await Promise.all(late), [200, 200]);
    assert.ok(performance.now() - begun >= 990);
    return isMeanwhile;
  });
});
