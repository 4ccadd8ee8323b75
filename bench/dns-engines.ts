import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { sendDnsQueries } from "./dns-load.ts";
import type { ServerProcess } from "./process.ts";

/** A name server of others: its program, its configuration and how it is started in the foreground. */
interface Engine {
  readonly program: string;
  readonly files: (directory: string, port: number) => Readonly<Record<string, string>>;
  readonly args: (directory: string) => readonly string[];
}

const engines: Readonly<Record<string, Engine>> = {
  Knot: {
    program: "knotd",
    files: (directory, port) => ({
      "knot.conf": `server:
    listen: 127.0.0.1@${port}
    rundir: "${directory}"
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${directory}/db"
zone:
  - domain: example.com
    file: "${directory}/example.com.zone"
    zonefile-sync: -1
`,
    }),
    args: (directory) => ["-c", join(directory, "knot.conf")],
  },
  NSD: {
    program: "nsd",
    files: (directory, port) => ({
      "nsd.conf": `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  database: ""
  xfrdfile: "${directory}/xfrd.state"
  zonelistfile: "${directory}/zone.list"
  server-count: 1
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: example.com
  zonefile: example.com.zone
`,
    }),
    args: (directory) => ["-d", "-c", join(directory, "nsd.conf")],
  },
  PowerDNS: {
    program: "pdns_server",
    files: (directory, port) => ({
      "named.conf": `zone "example.com" { type master; file "${directory}/example.com.zone"; };\n`,
      "pdns.conf": `launch=bind
bind-config=${directory}/named.conf
local-address=127.0.0.1
local-port=${port}
socket-dir=${directory}
receiver-threads=1
guardian=no
daemon=no
`,
    }),
    args: (directory) => [`--config-dir=${directory}`],
  },
};

const firstAnswerMs = 10_000;

/**
 * Starts each engine that is installed here on a zone file, with one worker. A notice names those that are left out.
 */
export async function startEngines(
  directory: string,
  zoneFile: string,
  probe: Buffer,
): Promise<Readonly<Record<string, ServerProcess>>> {
  const started: Record<string, ServerProcess> = {};
  for (const [name, { program, files, args }] of Object.entries(engines)) {
    if (spawnSync(program, ["--version"]).error !== undefined) {
      process.stderr.write(`dns: no ${name} here: left out\n`);
      continue;
    }
    const own = join(directory, name);
    mkdirSync(own);
    const port = await freeUdpPort();
    for (const [file, text] of Object.entries({ ...files(own, port), "example.com.zone": zoneFile })) {
      writeFileSync(join(own, file), text);
    }
    const child = spawn(program, args(own), { stdio: "ignore" });
    const stop = async (): Promise<void> => {
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill();
      await ended;
    };
    const { pid } = child;
    if (pid === undefined) throw new Error(`${program} cannot be started`);
    const deadline = performance.now() + firstAnswerMs;
    let isAnswering = false;
    while (!isAnswering && child.exitCode === null && performance.now() < deadline) {
      isAnswering = (await sendDnsQueries(port, [probe], 1)) === 0;
    }
    if (isAnswering) {
      started[name] = { port, pid, stop };
      continue;
    }
    // Such as a PowerDNS without its bind backend, which is a package of its own.
    process.stderr.write(`dns: ${name} does not answer here: left out\n`);
    await stop();
  }
  return started;
}

/** A port that is free for TCP, and as a rule for UDP. */
export async function freeUdpPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
