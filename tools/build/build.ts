import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { build as buildWithVite } from "vite";

import { manPage } from "../../src/cli/man-page.ts";
import { version } from "../../src/server/version.ts";
import { bundleServer } from "./bundle-server.ts";

const root = join(import.meta.dirname, "../..");

/** Builds the server and its manual page into `dist`, and the dashboard into `dashboard/dist`. */
export async function build(): Promise<void> {
  await bundleServer(root, join(root, "dist"));
  await writeFile(join(root, "dist/zoneward.1"), manPage(version()));
  await buildWithVite({ configFile: join(root, "dashboard/vite.config.ts"), logLevel: "warn" });
}
