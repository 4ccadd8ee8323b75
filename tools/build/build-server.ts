import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { manPage } from "../../src/cli/man-page.ts";
import { version } from "../../src/process/version.ts";
import { bundleServer } from "./bundle-server.ts";

/** Builds the server and its manual page into `dist`, below the directory of the repository. */
export async function buildServer(root: string): Promise<void> {
  await bundleServer(root, join(root, "dist"));
  await writeFile(join(root, "dist/zoneward.1"), manPage(version()));
}
