import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, type TestContext } from "node:test";

import { bundleServer } from "../../tools/build/bundle-server.ts";
import { sendRequest, type Engine } from "./harness.ts";
import { newStore, ownerFlags, spawnServer } from "./spawned-server.ts";

/** A fresh bundle: the one in the repository may be older than the sources. */
export interface BundledCopy {
  readonly directory: string;
  /** What an operator starts. */
  readonly program: string;
  /** The text of every page of its dashboard, which is a placeholder. */
  readonly page: string;
}

const root = resolve(".");

const tellsOlderVersion = 'Object.defineProperty(process, "versions", { value: { node: "24.14.9" } });';
/** A flag by which Node.js says that it is older than Zoneward needs. */
export const asOlderNode = `--import=data:text/javascript,${encodeURIComponent(tellsOlderVersion)}`;

/** What `npm ci` leaves behind, for all tests of a file: the bundle, and what lies beside it. */
export function bundledCopy(): BundledCopy {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-bundle-"));
  const page = "<!doctype html><title>A dashboard</title>";
  before(async () => {
    for (const path of ["bin", "package.json"])
      cpSync(join(root, path), join(directory, path), { recursive: true });
    mkdirSync(join(directory, "dashboard/dist"), { recursive: true });
    writeFileSync(join(directory, "dashboard/dist/index.html"), page);
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction");
    await bundleServer(root, join(directory, "dist"));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, program: join(directory, "bin/zoneward.js"), page };
}

/** Shows that a server stores a zone and its records on `engine`, and has them after a restart. */
export async function keepsRecords(t: TestContext, engine: Engine, program: string): Promise<void> {
  const store = await newStore(t, engine);
  const flags = [...store.flags, ...ownerFlags];
  const first = await spawnServer(t, flags, { program });
  const health = await fetch(new URL("/healthz", first.baseUrl));
  assert.equal(health.status, 200);
  const zone = await sendRequest(first.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  assert.equal(zone.status, 200, zone.text);
  const records = `/zones/${zone.body.result.id}/dns_records`;
  const record = { type: "A", name: "www.example.com", content: "192.0.2.1" };
  const created = await sendRequest(first.baseUrl, "POST", records, { body: record });
  assert.equal(created.status, 200, created.text);
  await first.end("SIGTERM");

  const second = await spawnServer(t, flags, { program });
  const { body } = await sendRequest(second.baseUrl, "GET", records);
  assert.deepEqual(body.result, [created.body.result]);
}
