import assert from "node:assert/strict";
import { test } from "node:test";

import type { CompiledQuery, QueryResult } from "kysely";

import { untilAllIssued } from "../../../test/support/certificates.ts";
import { startFilledApp } from "../../../test/support/filled-app.ts";
import { startOfTime } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import { findEdgeZone, listEdgeZones, readEdgeZone } from "../../resources/edge-zones/edge-zones.ts";
import { BulkReads } from "../../storage/bulk-reads.ts";
import { recordReads, type RecordedReads } from "../../storage/recorded-reads.ts";
import { createSecrets } from "../../process/open-store.ts";

test("many zones are read with all that each has, by fewer queries than one by one", async (t) => {
  const app = await startFilledApp(t, "postgres");
  for (const name of ["one.example", "two.example"]) await app.createZone(name);
  const zones = (await app.request("GET", "/zones")).body.result as { id: string; name: string }[];
  for (const { id } of zones) await app.request("PUT", `/zones/${id}/activation_check`);
  const ruled = zones.find(({ name }) => name === "one.example")?.id;
  const rule = { mode: "block", configuration: { target: "ua", value: "a" } };
  const added = await app.request("POST", `/zones/${ruled}/firewall/ua_rules`, { body: rule });
  assert.ok(added.body.success, added.text);
  await untilAllIssued(app);

  const { read } = await openStore(t, app);
  let queries = 0;
  const plainly = (query: CompiledQuery): Promise<QueryResult<unknown>> => {
    queries += 1;
    return read.executeQuery(query);
  };
  const listed = await listEdgeZones(read, undefined);
  const found = await Promise.all(
    listed.map(async (one) => (await findEdgeZone(read, one)) ?? assert.fail()),
  );
  assert.equal(found.length, zones.length);
  const readAll = async (execute: BulkReads["execute"]): Promise<[RecordedReads[], number]> => {
    queries = 0;
    const all: RecordedReads[] = [];
    for (const { zone } of found) {
      const { db, reads } = recordReads((query) => execute(query, zone.id));
      await readEdgeZone(db, { now: () => startOfTime, secretBox: createSecrets(app.config) }, zone);
      all.push(reads);
    }
    return [all, queries];
  };
  const [each, queriesOfEach] = await readAll(plainly);
  const bulk = new BulkReads(recordReads(plainly).db, 1_000);
  const [together, queriesTogether] = await readAll((query, zoneId) => bulk.execute(query, zoneId));
  assert.deepEqual(together, each);
  assert.ok(queriesTogether < queriesOfEach, `${queriesTogether} of ${queriesOfEach}`);
});
