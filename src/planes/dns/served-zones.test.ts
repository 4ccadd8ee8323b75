import assert from "node:assert/strict";
import { test } from "node:test";

import type { KyselyPlugin } from "kysely";

import { startTestApp } from "../../../test/support/harness.ts";
import { addAccount, besideServer, openStore } from "../../../test/support/store.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import { zoneSettingsOf } from "./open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { ActiveZones } from "../active-zones.ts";
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
  const index = new ActiveZones(db, context.now);
  const zones = new ServedZones(
    { db, settings: zoneSettingsOf(app.config), secretBox: createSecrets(app.config) },
    index,
    { error: assert.fail },
    { edgeAddresses: [], octetsMax: 100_000_000 },
  );
  await zones.start();
  assert.equal(portions.length, 0);
  const names = ["large.example", "larger.example", "small.example"];
  await Promise.all(names.map((name) => zones.readFor(name)));
  assert.deepEqual(
    names.map((name) => zones.index.at(name)?.recordCount),
    [1_202, 1_202, 3],
  );
  assert.equal(portions.length, 7, portions.join());
  assert.ok(portions.indexOf("small.example") < 3, portions.join());
});

test("zones that do not fit into the memory make room for others, and are read again at the next question", async (t) => {
  const app = await startTestApp(t, "sqlite");
  const names = Array.from({ length: 10 }, (_, n) => `n${n}.example`);
  for (const name of names) {
    const id = await app.createZone(name);
    await besideServer(app, (tx) =>
      tx.updateTable("zones").set({ status: "active" }).where("id", "=", id).execute(),
    );
  }
  const context = createContext(await openStore(t, app));
  const index = new ActiveZones(context.db, context.now);
  const octetsMax = 20_000;
  const zones = new ServedZones(
    { db: context.db, settings: zoneSettingsOf(app.config), secretBox: createSecrets(app.config) },
    index,
    { error: assert.fail },
    { edgeAddresses: [], octetsMax },
  );
  t.after(async () => {
    await zones.stop();
    await index.stop();
  });
  await zones.start();
  for (let round = 1; round <= 2; round += 1) {
    for (const name of names) {
      await zones.readFor(`www.${name}`);
      assert.equal(zones.index.enclosing(`www.${name}`, false)?.name, name);
      assert.ok(zones.octets <= octetsMax, `${zones.octets} octets`);
    }
  }
  assert.ok(zones.size > 0 && zones.size < names.length, `${zones.size} zones are held`);
});
