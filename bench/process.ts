import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A server under test: always a process of its own, looked at from outside. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** Ends it as its operator would, and waits. */
  stop(): Promise<void>;
}

export const ownerToken = "owner-token-of-the-benchmarks-0123456789abc";
export const basePath = "/client/v4";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The command of `npm start` and `npm run zoneward`, from the bundle. */
export const zonewardCommand = [
  "--min-semi-space-size=4",
  "--max-semi-space-size=8",
  join(root, "bin/zoneward.js"),
];
/** A name server reads a million records first, an edge ten thousand zones. */
const readyWithinMs = 600_000;
const pollMs = 2;

/** Starts `zoneward serve` on a data directory, with default settings beside `more`; answers at its first answer. */
export async function startZoneward(
  data: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const settings = {
    ZONEWARD_PORT: String(port),
    ZONEWARD_DATA: data,
    ZONEWARD_OWNER_TOKEN: ownerToken,
    ...more,
  };
  return start([...zonewardCommand, "serve"], settings, port, `${basePath}/ips`);
}

/** Starts `zoneward edge` on a data directory; answers once it listens. The port is that of its probes. */
export async function startEdge(
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort();
  const own = { ZONEWARD_PORT: String(port), ZONEWARD_DATA: data, ...settings };
  return start([...zonewardCommand, "edge"], own, port, "/readyz");
}

/** Whether a process takes connections on a port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Writes the key that the server needs beside PostgreSQL and answers the file. */
export function newSecretKey(file: string): string {
  writeFileSync(file, randomBytes(32).toString("base64"));
  return file;
}

export type PeerMode = "stringify" | "prebuilt" | "echo" | "empty" | "json-rpc";

/** Starts the bare `node:http` server of `servers/peer.ts`, which answers the JSON text of the file `answer`. */
export async function startPeer(mode: PeerMode, answer = ""): Promise<ServerProcess> {
  const port = await freePort();
  return start(["bench/servers/peer.ts", mode, String(port), answer], {}, port, "/");
}

/** Starts the server of `servers/store-peer.ts`, which creates records in a zone of a store's file. */
export async function startStorePeer(file: string, zoneId: string): Promise<ServerProcess> {
  const port = await freePort();
  return start(["bench/servers/store-peer.ts", String(port), file, zoneId], {}, port, "/");
}

/** Starts the bare proxy of `servers/undici-proxy.ts` in front of a port; with `same`, it adds the edge's headers. */
export async function startUndiciProxy(target: number, mode: "same" | "" = ""): Promise<ServerProcess> {
  const port = await freePort();
  return start(["bench/servers/undici-proxy.ts", String(port), String(target), mode], {}, port, "/");
}

/** Starts nginx with one worker that passes everything on to `target`; undefined where there is no nginx. */
export async function startNginx(directory: string, target: number): Promise<ServerProcess | undefined> {
  const program = process.env["NGINX"] ?? "nginx";
  if (spawnSync(program, ["-v"]).error !== undefined) return undefined;
  const port = await freePort();
  const config = join(directory, "nginx.conf");
  writeFileSync(config, nginxConfig(directory, port, target));
  const child = spawn(program, ["-c", config, "-p", directory], { stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) return undefined;
  await firstAnswer(child, `http://127.0.0.1:${port}/`);
  return { port, pid, stop: () => stop(child) };
}

function nginxConfig(directory: string, port: number, target: number): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  return `daemon off; master_process off; worker_processes 1; pid ${directory}/nginx.pid; error_log /dev/null;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 10000000; ${paths.join(" ")}
  upstream node { server 127.0.0.1:${target}; keepalive 64; keepalive_requests 10000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://node; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}

async function start(
  args: readonly string[],
  settings: Record<string, string>,
  port: number,
  firstPath: string,
): Promise<ServerProcess> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ZONEWARD_"));
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...settings },
    // Logs are written as always, to nowhere.
    stdio: "ignore",
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${args.join(" ")} cannot be started`);
  await firstAnswer(child, `http://127.0.0.1:${port}${firstPath}`);
  return { port, pid, stop: () => stop(child) };
}

async function firstAnswer(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (child.exitCode === null && performance.now() < deadline) {
    try {
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  child.kill();
  throw new Error(`no answer from ${child.spawnargs.join(" ")}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  server.close();
  await once(server, "close");
  return address.port;
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** CPU time that a process and those that it started have used so far, all of their threads, in microseconds. */
export function cpuMicroseconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + cpuMicroseconds(Number(child)), ownCpuMicroseconds(pid));
}

/** CPU time of each thread of a process, by its id. */
export function threadCpuMicroseconds(pid: number): ReadonlyMap<number, number> {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  return new Map(threads.map((thread) => [thread, cpuIn(`/proc/${pid}/task/${thread}/stat`)]));
}

const ownCpuMicroseconds = (pid: number): number => cpuIn(`/proc/${pid}/stat`);

function cpuIn(file: string): number {
  const stat = readFileSync(file, "utf8");
  // The second field is a name in parentheses that may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return ((userTicks + systemTicks) / ticksPerSecond) * 1e6;
}

/** Memory of a process in megabytes (10^6 bytes): resident now, and at its highest. */
export function memoryMegabytes(pid: number): { readonly now: number; readonly highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number => {
    const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status) ?? [];
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { now: read("VmRSS"), highest: read("VmHWM") };
}
