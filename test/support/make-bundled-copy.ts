import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { bundleServer } from "../../tools/build/bundle-server.ts";

const root = resolve(".");

/** The text of every page of a copy's dashboard, which is a placeholder. */
export const bundledPage = "<!doctype html><title>A dashboard</title>";

/** Makes what `npm ci` leaves behind: the bundle, and what lies beside it. */
export async function makeBundledCopy(directory: string): Promise<void> {
  for (const path of ["bin", "package.json"])
    cpSync(join(root, path), join(directory, path), { recursive: true });
  mkdirSync(join(directory, "dashboard/dist"), { recursive: true });
  writeFileSync(join(directory, "dashboard/dist/index.html"), bundledPage);
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction");
  await bundleServer(root, join(directory, "dist"));
}
