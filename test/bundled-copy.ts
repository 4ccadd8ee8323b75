import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";

import { bundleServer } from "../tools/build/bundle-server.ts";

/** A fresh bundle: the one in the repository may be older than the sources. */
export interface BundledCopy {
  readonly directory: string;
  /** What an operator starts. */
  readonly program: string;
  /** The text of every page of its dashboard, which is a placeholder. */
  readonly page: string;
}

const root = resolve(".");

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
