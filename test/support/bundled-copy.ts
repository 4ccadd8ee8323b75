import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext } from "node:test";

import { sendRequest, type OneEngine } from "./harness.ts";
import { bundledPage, makeBundledCopy } from "./make-bundled-copy.ts";
import { bundledProgram, newStore, ownerFlags, spawnServer } from "./spawned-server.ts";

/** A fresh bundle: the one in the repository may be older than the sources. */
export interface BundledCopy {
  readonly directory: string;
  /** Started by an operator. */
  readonly program: string;
  /** The text of every page of its dashboard, which is a placeholder. */
  readonly page: string;
}

const tellsOlderVersion = 'Object.defineProperty(process, "versions", { value: { node: "24.14.9" } });';
/** A flag by which Node.js says that it is older than Zoneward needs. */
export const asOlderNode = `--import=data:text/javascript,${encodeURIComponent(tellsOlderVersion)}`;

/** The one of all tests; where there is none, as in `test:smoke`, one for the tests of a file. */
export function bundledCopy(): BundledCopy {
  const directory = process.env["TEST_BUNDLE"] ?? copyOfFile();
  return { directory, program: join(directory, bundledProgram), page: bundledPage };
}

function copyOfFile(): string {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-bundle-"));
  before(() => makeBundledCopy(directory));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Shows that a server stores a zone and its records on `engine`, and has them after a restart. */
export async function keepsRecords(t: TestContext, engine: OneEngine, program: string): Promise<void> {
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
