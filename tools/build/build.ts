import { join } from "node:path";

import { build as buildWithVite } from "vite";

import { bundleServer } from "./bundle-server.ts";

const root = join(import.meta.dirname, "../..");

/** Builds the server into `dist` and the dashboard into `dashboard/dist`. */
export async function build(): Promise<void> {
  await bundleServer(root, join(root, "dist"));
  await buildWithVite({ configFile: join(root, "dashboard/vite.config.ts"), logLevel: "warn" });
}
