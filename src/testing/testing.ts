import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { newTokenSecret } from "../secrets/secrets.ts";
import { cacheCompiledCode } from "../files/compile-cache.ts";
import { TestClient } from "./test-client.ts";
import type { RunningServer, ServerEnvironment } from "./run-server.ts";
import type { Zoneward, ZonewardOptions } from "./zoneward-testing.d.ts";

export { ZonewardError } from "./test-client.ts";

/**
 * The key that encrypts the secrets of tests. It is the same everywhere, so that a snapshot of one server can
 * be read by another.
 */
const secretKey = Buffer.alloc(32, "zoneward/testing").toString("base64");

/** Starts a server with an empty store in memory on a free port of 127.0.0.1. */
export async function startZoneward(options: ZonewardOptions = {}): Promise<Zoneward> {
  const { settings = {}, seed, idsSeed, now } = options;
  const token = newTokenSecret();
  const directory = typeof seed === "object" ? await mkdtemp(join(tmpdir(), "zoneward-")) : undefined;
  try {
    const seedFile = directory === undefined ? seed : join(directory, "seed.json");
    if (directory !== undefined) await writeFile(join(directory, "seed.json"), JSON.stringify(seed));
    const environment = toEnvironment({
      ephemeral: true,
      port: 0,
      log_level: "silent",
      secret_key: secretKey,
      ...settings,
      test_controls: true,
      owner_token: token,
      ...(seedFile !== undefined && { seed: seedFile }),
      ...(idsSeed !== undefined && { ids_seed: idsSeed }),
      ...(now !== undefined && { clock_start: new Date(now).toISOString() }),
    });
    const server = await start(options.in ?? "process", environment);
    return new TestClient(server, token, randomUUID().slice(0, 8));
  } finally {
    if (directory !== undefined) await rm(directory, { recursive: true });
  }
}

async function start(where: "process" | "child", environment: ServerEnvironment): Promise<RunningServer> {
  if (where === "child") return (await import("./child-server.ts")).startChild(environment);
  cacheCompiledCode();
  return (await import("./run-server.ts")).runServer(environment);
}

function toEnvironment(settings: NonNullable<ZonewardOptions["settings"]>): ServerEnvironment {
  const toText = (value: unknown): string => {
    if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value.join(",");
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`ZONEWARD_${name.toUpperCase()}`, toText(value)]),
  );
}
