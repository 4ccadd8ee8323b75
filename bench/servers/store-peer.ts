/**
 * The peer of a durable create: what `node:http` and the statements of a create cost. `node bench/servers/store-peer.ts
 * PORT FILE ZONE`
 *
 * Each POST parses a record, runs the statements that the API runs for one in the zone of a store's file, in one
 * transaction with all that arrive at once, and answers it once it is durable. It checks nothing.
 */
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const [port, file = "", zoneId = ""] = process.argv.slice(2);
const database = new DatabaseSync(file);
for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "temp_store = memory"])
  database.exec(`pragma ${pragma}`);
database.exec("pragma wal_autocheckpoint = 4000; pragma cache_size = -4096");

const statements = {
  begin: database.prepare("begin immediate"),
  commit: database.prepare("commit"),
  zone: database.prepare("select * from zones where id = ?"),
  types: database.prepare(`select coalesce(type, '') as type, count(*), sum(length(content_folded)),
    max(case when identity = ? then id end) from dns_records where zone_id = ? and name = ? group by coalesce(type, '')`),
  record: insertion(
    "dns_records",
    "id zone_id name type content_folded content_prefix ttl proxied comment_folded identity record",
  ),
  counters: database.prepare(
    "update zones set dns_record_count = ?, dns_records_version = ?, dns_serial = ? where id = ?",
  ),
  dependents: database.prepare(`select id, null from zones
    where name = ? and account_id <> ? and (checked_on is not null or status = 'active')
    union all select id, vanity_name_servers from zones where account_id = ? and vanity_name_servers <> '[]'`),
  change: database.prepare(`insert into dns_changes
    (zone_id, version, names, serial_before, serial, records_before) values (?, ?, ?, ?, ?,
    case when exists (select 1 from outgoing_transfers where zone_id = ? and enabled = 1) then ? end)`),
  entry: insertion(
    "audit_logs",
    `id occurred_on account_id user_id action_type actor_type actor_id actor_email actor_ip token_id interface
    resource_type resource_id zone_id zone_name old_value new_value metadata`,
  ),
};

function insertion(table: string, names: string): StatementSync {
  const columns = names.split(/\s+/);
  const values = columns.map(() => "?").join(", ");
  return database.prepare(`insert into ${table} (${columns.join(", ")}) values (${values})`);
}

interface PostedRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
  readonly comment: string;
}

function create(body: string): string {
  const { type, name, content, ttl, comment } = JSON.parse(body) as PostedRecord;
  const id = randomUUID().replaceAll("-", "");
  const now = new Date().toISOString();
  const zone = statements.zone.get(zoneId) as Record<string, SQLInputValue>;
  statements.types.all(id, zoneId, name);
  const record = JSON.stringify({
    id,
    zone_id: zoneId,
    zone_name: zone["name"],
    name,
    type,
    content,
    proxiable: true,
    proxied: false,
    ttl,
    settings: {},
    meta: {},
    comment,
    tags: [],
    created_on: now,
    modified_on: now,
  });
  const stored = [id, zoneId, name, type, content, content, ttl, 0, comment.toLowerCase(), id, record];
  statements.record.run(...stored);
  const count = Number(zone["dns_record_count"]) + 1;
  const version = Number(zone["dns_records_version"]) + 1;
  const serial = Number(zone["dns_serial"]) + 1;
  statements.counters.run(count, version, serial, zoneId);
  const accountId = zone["account_id"] as string;
  statements.dependents.all(name, accountId, accountId);
  const before = JSON.stringify({ [id]: null });
  statements.change.run(zoneId, version, JSON.stringify([name]), serial - 1, serial, zoneId, before);
  const actor = ["user", accountId, "owner@example.com", "127.0.0.1", accountId, "API"];
  const owner = [zoneId, zone["name"] as string];
  const entry = ["rec_add", ...actor, "dns_record", id, ...owner, null, record, "{}"];
  statements.entry.run(randomUUID(), now, accountId, null, ...entry);
  return `{"result":${record},"success":true,"errors":[],"messages":[]}`;
}

const waiting: { readonly body: string; readonly response: ServerResponse }[] = [];

function commitTogether(): void {
  const group = waiting.splice(0);
  statements.begin.run();
  const answers = group.map(({ body }) => create(body));
  statements.commit.run();
  for (const [index, { response }] of group.entries()) answer(response, answers[index] ?? "");
}

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    if (body === "") answer(response, "{}");
    else if (waiting.push({ body, response }) === 1) setImmediate(commitTogether);
  });
});
server.listen(Number(port), "127.0.0.1");
process.once("SIGTERM", () => server.close());
