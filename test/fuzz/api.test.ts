import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { fuzzWorld } from "./campaign.ts";

/** Requests to one store: a store that only grows would make the last requests the slowest. */
const requestsPerWorld = 3_500;
const firstSeed = Number(process.env["SEED"] ?? 0);

// On each of them: some requests are worked on in threads, whose statements are not compared.
onEachEngine("whatever is sent to whatever operation", (engine) => {
  test("is answered as its schema says, and never with 500", async (t) => {
    const requests = roundsOr(700);
    const findings = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (let world = 0, sent = 0; sent < requests; world += 1) {
      if (world > 0) process.stderr.write(`${sent} requests, ${findings.size} findings so far\n`);
      const count = Math.min(requestsPerWorld, requests - sent);
      sent += await fuzzWorld(t, engine, { seed: firstSeed + world, count }, (request, answer, complaint) => {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (complaint === undefined) return;
        if (findings.has(complaint)) return;
        const { method, path, rawBody = "" } = request;
        const shown = `${method} ${path}\n  ${rawBody.slice(0, 600)}\n  ${answer.text.slice(0, 300)}`;
        findings.set(complaint, shown);
        process.stderr.write(`${complaint}\n  ${shown}\n`);
      });
    }
    const told = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${count} answers of ${status}`);
    t.diagnostic(told.join(", "));
    assert.deepEqual([...findings], []);
  });
});
