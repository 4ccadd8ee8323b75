import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { onEachEngine, sendRequest, until } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { newStore, ownerFlags, spawnServer } from "../support/spawned-server.ts";
import { assertIntact } from "./intact.ts";
import { RecordWriters } from "./record-writers.ts";

const writers = 16;
const changesPerRoundMin = 64;
/** The kill comes at any time within a commit or between two. */
const killWithinMs = 25;

onEachEngine("a server that is killed under 16 writers", (engine) => {
  test("has every change that it acknowledged, and each other wholly or not at all", async (t) => {
    const { flags, file, untilFree } = await newStore(t, engine);
    const start = () => spawnServer(t, [...flags, "--log-level=error", ...ownerFlags]);
    const rounds = roundsOr(3);
    let server = await start();
    const { body } = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
    const records = new RecordWriters(body.result.id, writers);

    for (let round = 0; round < rounds; round += 1) {
      const enough = records.counts.ok + changesPerRoundMin;
      const writing = records.write(server.baseUrl);
      await until("enough changes", () => records.counts.ok >= enough);
      await delay(Math.random() * killWithinMs);
      assert.equal(await server.end("SIGKILL"), "SIGKILL");
      await writing;
      await untilFree();
      if (file !== undefined) assertIntact(file);

      server = await start();
      await records.settle(server.baseUrl);
      const { ok, failed, unknown } = records.counts;
      assert.equal(failed, 0);
      if ((round + 1) % 50 === 0 || round + 1 === rounds) {
        t.diagnostic(
          `${round + 1} kills: ${ok} changes acknowledged, 0 lost; ${unknown} cut short, none by halves`,
        );
      }
    }
  });
});
