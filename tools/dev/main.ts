/**
 * `npm run dev [-- FLAGS]`: `zoneward serve FLAGS` from its sources, started again when one of them changes, and the
 * dashboard by Vite, which reloads what changes in the browser and passes requests for the API on to the server.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";

import { createServer } from "vite";

import { readConfig } from "../../src/config/config.ts";

const root = join(import.meta.dirname, "../..");

const args = process.argv.slice(2);
const { config } = await readConfig(args, process.env);
// Read by the configuration of Vite.
process.env["API_URL"] ??= `http://127.0.0.1:${config.port}`;

const dashboard = await createServer({
  configFile: join(root, "dashboard/vite.config.ts"),
  server: { host: "127.0.0.1" },
  clearScreen: false,
});
await dashboard.listen();
const [url] = dashboard.resolvedUrls?.local ?? [];

const serve = ["--watch", "--watch-preserve-output", join(root, "src/main.ts"), "serve", ...args];
const server = spawn(process.execPath, serve, {
  stdio: "inherit",
  // So that links to the dashboard lead to Vite.
  env: { ...process.env, ...(url !== undefined && { ZONEWARD_PUBLIC_URL: url }) },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
server.once("exit", (code) => {
  process.exitCode = code ?? 0;
  void dashboard.close();
});
