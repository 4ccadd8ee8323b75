import { join } from "node:path";

import { build as buildWithVite } from "vite";

import { buildServer } from "./build-server.ts";

const root = join(import.meta.dirname, "../..");

/** Builds the server and its manual page into `dist`, and the dashboard into `dashboard/dist`. */
export async function build(): Promise<void> {
  await buildServer(root);
  await buildWithVite({ configFile: join(root, "dashboard/vite.config.ts"), logLevel: "warn" });
}
