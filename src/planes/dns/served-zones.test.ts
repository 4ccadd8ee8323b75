import assert from "node:assert/strict";
import { test } from "node:test";

import type { KyselyPlugin } from "kysely";

import { startTestApp } from "../../../test/support/harness.ts";
import { addAccount, besideServer, openStore } from "../../../test/support/store.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import { zoneSettingsOf } from "./open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { ServedZones } from "./served-zones.ts";

/** More than two portions that are read at once. */
const manyRecords = Array.from({ length: 1_200 }, (_, n) => `n${n} 60 IN A 192.0.2.1`).join("\n");

test("a zone is read before the large zones of another account have been, in whatever order they come", async (t) => {
  const app = await startTestApp(t, "sqlite");
  const other = await addAccount(app, "Other");
  const idOf = new Map<string, string>();
  const add = async (name: string, file: string, accountId: string): Promise<void> => {
    const id = await app.createZone(name);
    await importFile(app, id, file);
    const row = { status: "active", account_id: accountId } as const;
    await besideServer(app, (tx) => tx.updateTable("zones").set(row).where("id", "=", id).execute());
    idOf.set(id, name);
  };
  await add("large.example", manyRecords, other);
  await add("larger.example", manyRecords, other);
  await add("small.example", "www 60 IN A 192.0.2.1", app.owner.accountId);

  const context = createContext(await openStore(t, app));
  const portions: string[] = [];
  const noteReads: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const query = JSON.stringify(node);
      const zone = idOf.entries().find(([id]) => query.includes('"dns_records"') && query.includes(id));
      if (zone !== undefined) portions.push(zone[1]);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = { read: context.db.read.withPlugin(noteReads), onChange: () => undefined };
  const zones = new ServedZones(
    { db, settings: zoneSettingsOf(app.config), secretBox: createSecrets(app.config) },
    [],
    { error: assert.fail },
  );
  await zones.read();
  assert.deepEqual(
    ["large", "larger", "small"].map((name) => zones.index.at(`${name}.example`)?.recordCount),
    [1_202, 1_202, 3],
  );
  assert.equal(portions.length, 7, portions.join());
  assert.ok(portions.indexOf("small.example") < 3, portions.join());
});
