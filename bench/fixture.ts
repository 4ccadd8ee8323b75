import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { wireRequest } from "./load.ts";
import { basePath, ownerToken, startZoneward, type ServerProcess } from "./process.ts";

const authorization = { authorization: `Bearer ${ownerToken}` };

/** Runs `work` with a directory that is gone afterwards. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-bench-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs `work` with servers that are stopped afterwards. */
export async function withServers<const Starts extends readonly (() => Promise<ServerProcess>)[], T>(
  starts: Starts,
  work: (...servers: { [Index in keyof Starts]: Awaited<ReturnType<Starts[Index]>> }) => Promise<T>,
): Promise<T> {
  const servers: ServerProcess[] = [];
  try {
    for (const start of starts) servers.push(await start());
    return await work(...(servers as { [Index in keyof Starts]: Awaited<ReturnType<Starts[Index]>> }));
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Runs `work` with a server on a data directory. */
export async function withZoneward<T>(data: string, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  return withServers([() => startZoneward(data)], work);
}

/** An authenticated request on the wire; `path` is below the base path. */
export function asOwner(method: string, path: string, body?: unknown): string {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return wireRequest(method, basePath + path, authorization, text);
}

/** Sends one request as the owner. Throws when it is refused. */
export async function ownerFetch(
  { port }: ServerProcess,
  path: string,
  {
    headers,
    ...request
  }: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const url = `http://127.0.0.1:${port}${basePath}${path}`;
  const response = await fetch(url, { ...request, headers: { ...authorization, ...headers } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Sends one request of JSON as the owner and answers the text of its answer. Throws when it is refused. */
export async function call(
  server: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const response = await ownerFetch(server, path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.text();
}

/** Makes a zone, of another account where one is given, and answers its id. */
export async function createZone(server: ServerProcess, name: string, accountId?: string): Promise<string> {
  const zone = { name, ...(accountId !== undefined && { account: { id: accountId } }) };
  return idOf(await call(server, "POST", "/zones", zone));
}

/** Makes an account, which the setting `create_accounts` has to permit, and answers its id. */
export async function createAccount(server: ServerProcess, name: string): Promise<string> {
  return idOf(await call(server, "POST", "/accounts", { name }));
}

function idOf(answer: string): string {
  return (JSON.parse(answer) as { readonly result: { readonly id: string } }).result.id;
}

/** Makes `count` records in a zone in one batch, the first of them with the number `from`. */
export async function createRecords(
  server: ServerProcess,
  zoneId: string,
  count: number,
  from = 0,
): Promise<void> {
  const posts = Array.from({ length: count }, (_, n) => ({
    type: "A",
    name: `host-${from + n}`,
    content: `192.0.2.${n % 256}`,
    comment: `Record number ${n} of the benchmark`,
  }));
  await call(server, "POST", `/zones/${zoneId}/dns_records/batch`, { posts });
}

const recordsPerPage = 20;
const pageZones = 1_000;

/** Makes zones of one page each and answers the paths of their pages. */
export async function createPages(server: ServerProcess): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < pageZones; n += 1) {
    const zoneId = await createZone(server, `page-${String(n).padStart(4, "0")}.example`);
    await createRecords(server, zoneId, recordsPerPage);
    paths.push(`/zones/${zoneId}/dns_records?page=1&per_page=${recordsPerPage}`);
  }
  return paths;
}
