import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  commandOf,
  digestFile,
  goVersion0,
  goVersion6,
  missing,
  pythonOfToday,
  pythonVersion2,
  type GoClient,
  type PythonClient,
} from "../../test/support/installed-clients.ts";

/** A registry that does not answer must not hold whoever runs this. */
const timeout = 300_000;

// Tests of a client that could not be installed are skipped: its toolchain, or the network, need not be there.
for (const client of [pythonOfToday, pythonVersion2, goVersion0, goVersion6]) {
  if (missing(client) === false) continue;
  rmSync(client.directory, { recursive: true, force: true });
  mkdirSync(client.directory, { recursive: true });
  const isInstalled = client.kind === "python" ? installPython(client) : buildGo(client);
  if (isInstalled) writeFileSync(digestFile(client), client.digest);
  process.stdout.write(`${client.title}: ${isInstalled ? "installed" : "could not be installed"}\n`);
}

function installPython(client: PythonClient): boolean {
  const pip = commandOf(client, "pip");
  return (
    run("python3", ["-m", "venv", client.directory]) &&
    client.requirements.every((file) =>
      // Pinned packages are built with what is pinned before them, and with nothing else.
      run(pip, ["install", "--quiet", "--require-hashes", "--no-deps", "--no-build-isolation", "-r", file]),
    )
  );
}

function buildGo({ source, program }: GoClient): boolean {
  const module = join(import.meta.dirname, "../../test/clients/go");
  return run("go", ["test", "-c", "-mod=readonly", "-o", program, source], module);
}

function run(command: string, args: readonly string[], cwd?: string): boolean {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    cwd,
    timeout,
  });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  return status === 0;
}
