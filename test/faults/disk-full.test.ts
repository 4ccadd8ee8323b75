import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { newDirectory, sendRequest, type TestAnswer } from "../support/harness.ts";
import { ownerFlags, spawnServer } from "../support/spawned-server.ts";

const fileBytesMax = 512 * 1024;
const recordsMax = 2_000;

const unavailable = {
  result: null,
  success: false,
  errors: [{ code: 10503, message: "The database is not available at the moment. Please try again." }],
  messages: [],
};

test("a full disk refuses writes with 503, serves reads, stores nothing by halves, and is over with more room", async (t) => {
  const data = newDirectory(t);
  const flags = [`--data=${data}`, "--log-level=silent", ...ownerFlags];
  const roomy = await spawnServer(t, flags);
  const { body } = await sendRequest(roomy.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  const path = `/zones/${body.result.id}/dns_records`;
  assert.equal(await roomy.end("SIGTERM"), 0);

  const full = await spawnServer(t, flags, { fileBytesMax });
  const post = (name: string, to = full.baseUrl): Promise<TestAnswer> =>
    sendRequest(to, "POST", path, { body: { type: "TXT", name, content: "x".repeat(2_000), ttl: 1 } });
  const namesAt = async (baseUrl: string): Promise<string[]> => {
    const { status, body: list } = await sendRequest(baseUrl, "GET", `${path}?per_page=5000&order=name`);
    assert.equal(status, 200);
    assert.equal(list.result_info?.total_count, list.result.length);
    return list.result.map(({ name }: { name: string }) => name);
  };

  const stored: string[] = [];
  let refused: TestAnswer | undefined;
  while (refused === undefined && stored.length < recordsMax) {
    const name = `r${String(stored.length).padStart(4, "0")}.example.com`;
    const answer = await post(name);
    if (answer.status === 200) stored.push(name);
    else refused = answer;
  }
  assert.ok(stored.length > 0);
  assert.equal(refused?.status, 503);
  assert.deepEqual(refused.body, unavailable);

  const together = await Promise.all(Array.from({ length: 16 }, (_, index) => post(`together-${index}`)));
  const batch = await sendRequest(full.baseUrl, "POST", `${path}/batch`, {
    body: {
      posts: [1, 2, 3].map((index) => ({
        type: "TXT",
        name: `b${index}`,
        content: "x".repeat(2_000),
        ttl: 1,
      })),
    },
  });
  for (const answer of [...together, batch]) {
    assert.equal(answer.status, 503);
    assert.deepEqual(answer.body, unavailable);
  }
  assert.deepEqual(await namesAt(full.baseUrl), stored);
  for (const probe of ["/healthz", "/readyz"]) {
    assert.equal((await fetch(new URL(probe, full.baseUrl))).status, 200, probe);
  }
  assert.equal(await full.end("SIGTERM"), 0);

  const again = await spawnServer(t, flags);
  assert.deepEqual(await namesAt(again.baseUrl), stored);
  assert.equal((await post("z-after", again.baseUrl)).status, 200);
  assert.deepEqual(await namesAt(again.baseUrl), [...stored, "z-after.example.com"]);
  const file = new DatabaseSync(join(data, "zoneward.sqlite"));
  t.after(() => file.close());
  assert.equal(file.prepare("pragma integrity_check").get()?.["integrity_check"], "ok");
});
