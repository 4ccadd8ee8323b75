import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { harOf, reportOf, scriptInjection, sendRecording, zoneOf } from "../../../test/support/replay-api.ts";
import { storedRows } from "../../../test/support/store.ts";

const attack = { url: `https://example.com${scriptInjection}` };
const attacks = (count: number): string => harOf(...Array.from({ length: count }, () => attack));

const asLines = { headers: { accept: "application/x-ndjson" } };

async function linesOf(response: Response) {
  return (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function countEvents(app: TestApp): Promise<number> {
  return (await storedRows(app))["security_events"]?.length ?? 0;
}

onEachEngine("the progress of a replay", (engine) => {
  test("is a line for each part that was judged, and the last line is the answer without it", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const answer = await sendRecording(app, zone.id, attacks(50), {}, asLines);
    assert.equal(answer.headers.get("content-type"), "application/x-ndjson");
    const lines = await linesOf(answer);
    const envelope = lines.pop();
    assert.deepEqual(
      lines.map(({ judged, requests }) => [judged, requests]),
      [
        [0, 50],
        [20, 50],
        [40, 50],
        [50, 50],
      ],
    );
    assert.equal(lines.at(-1).recorded_on, "2026-01-01T00:00:00.000Z");
    assert.equal(envelope.success, true);
    assert.deepEqual(envelope.result, await reportOf(app, zone.id, attacks(50)));
  });

  test("is none where the file is refused, which is answered as ever", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const answer = await sendRecording(app, zone.id, "{}", {}, asLines);
    assert.deepEqual(
      [answer.status, (await linesOf(answer))[0].errors[0].code],
      [400, 40021],
      "a file without a log",
    );
  });

  test("ends with the error of what fails later", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const answer = await sendRecording(app, zone.id, attacks(2_000), {}, asLines);
    const deleted = await app.request("DELETE", `/zones/${zone.id}`);
    assert.equal(deleted.status, 200, deleted.text);
    const envelope = (await linesOf(answer)).at(-1);
    assert.deepEqual([envelope.success, envelope.errors[0].code], [false, 1001]);
  });

  for (const [kind, options] of [
    ["followed", asLines],
    ["plain", {}],
  ] as const)
    test(`a ${kind} replay ends when its client is gone, and keeps the events of what was judged`, async (t) => {
      const app = await startTestApp(t, engine);
      const zone = await zoneOf(app);
      const client = new AbortController();
      const answered = sendRecording(app, zone.id, attacks(5_000), {}, { ...options, signal: client.signal })
        .then((answer) => answer.text())
        .then(assert.fail, () => undefined);
      while ((await countEvents(app)) === 0);
      client.abort();
      await answered;
      // A caller's long tasks run one after another: the first is over when this one is answered.
      const { events } = await reportOf(app, zone.id, harOf(attack));
      const kept = (await countEvents(app)) - events;
      assert.ok(kept > 0 && kept < 5_000 * events, `${kept} events`);
      await reportOf(app, zone.id, harOf(attack));
      assert.equal(await countEvents(app), kept + 2 * events);
    });
});
