import { createHash } from "node:crypto";

import type { DatabaseLocation } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import type { Db } from "../src/storage/tables.ts";
import { customRules } from "./edge.ts";
import { call, createZone } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";

export const rulesOfZone = 20;
const listItems = 1_000;
/** The first zone, which the others are copies of. */
const original = "zone-original";
/** The answer of the last rule of a zone, as there is no origin. */
const elsewhere = { status_code: 418, content_type: "text/plain", content: "nothing here" };
const customPhase = "rulesets/phases/http_request_firewall_custom/entrypoint";
/** Copies written in one transaction. */
const copiesAtOnce = 50;

export const nameOf = (n: number): string => `${n === 0 ? original : `zone-${n}`}.example`;

/** Changed through the API. */
export interface Owned {
  readonly accountPath: string;
  readonly zonePath: string;
  readonly zoneId: string;
  readonly rulesetId: string;
  readonly listId: string;
}

/** A zone with rules of its own in an account with a ruleset and a list, which its requests meet too. */
export async function prepareAccount(api: ServerProcess): Promise<Owned> {
  const zoneId = await createZone(api, nameOf(0));
  const zonePath = `/zones/${zoneId}`;
  const record = { type: "A", name: "www", content: "203.0.113.1", proxied: true };
  await call(api, "POST", `${zonePath}/dns_records`, record);
  // Otherwise the copies would be given certificates while others are measured.
  await call(api, "PATCH", `${zonePath}/ssl/universal/settings`, { enabled: false });
  await call(api, "PUT", `${zonePath}/activation_check`);
  const { account } = resultOf(await call(api, "GET", zonePath)) as { account: { id: string } };
  const accountPath = `/accounts/${account.id}`;
  const list = await call(api, "POST", `${accountPath}/rules/lists`, { name: "blocked", kind: "ip" });
  const { id: listId } = resultOf(list) as { id: string };
  const ruleset = await call(api, "POST", `${accountPath}/rulesets`, {
    name: "Everywhere",
    kind: "custom",
    phase: "http_request_firewall_custom",
    rules: accountRules("change-0"),
  });
  const { id: rulesetId } = resultOf(ruleset) as { id: string };
  const owned = { accountPath, zonePath, zoneId, rulesetId, listId };
  await changeZone(api, owned, "blocked");
  await changeList(api, owned, "192.0.2.1");
  await call(api, "PUT", `${accountPath}/${customPhase}`, {
    rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: rulesetId } }],
  });
  return owned;
}

const resultOf = (text: string): unknown => (JSON.parse(text) as { readonly result: unknown }).result;

/** Has the rules of the first zone block a path. */
export async function changeZone(api: ServerProcess, { zonePath }: Owned, path: string): Promise<void> {
  const name = nameOf(0);
  // No two zones have an expression in common.
  const rules = [
    { action: "block", expression: `http.request.uri.path eq "/${path}" and http.host ne "${name}"` },
    ...customRules(rulesOfZone - 2).map(({ action, expression }) => ({
      action,
      expression: `(${expression}) and http.host ne "${name}"`,
    })),
    { action: "block", expression: `http.host ne "${name}"`, action_parameters: { response: elsewhere } },
  ];
  await call(api, "PUT", `${zonePath}/${customPhase}`, { rules });
}

/** Has the ruleset of the account block a path in all of its zones. */
export async function changeAccount(
  api: ServerProcess,
  { accountPath, rulesetId }: Owned,
  path: string,
): Promise<void> {
  await call(api, "PUT", `${accountPath}/rulesets/${rulesetId}`, { rules: accountRules(path) });
}

const accountRules = (path: string): readonly object[] => [
  { action: "block", expression: "ip.src in $blocked" },
  { action: "block", expression: `http.request.uri.path eq "/${path}"` },
];

/** Has the list of the account hold an address, beside others. */
export async function changeList(
  api: ServerProcess,
  { accountPath, listId }: Owned,
  address: string,
): Promise<void> {
  const others = Array.from({ length: listItems - 1 }, (_, n) => ({ ip: `198.18.${n >> 8}.${n & 255}` }));
  await call(api, "PUT", `${accountPath}/rules/lists/${listId}/items`, [{ ip: address }, ...others]);
}

/** Writes the rows of copies, `zones` in all with the first; the API would take many minutes. */
export async function copyZone(location: DatabaseLocation, { zoneId }: Owned, zones: number): Promise<void> {
  const db = await openDatabase(location);
  try {
    const rows = await readZone(db.read, zoneId);
    for (let first = 1; first < zones; first += copiesAtOnce) {
      const count = Math.min(copiesAtOnce, zones - first);
      await db.transaction(async (tx) => insertCopies(tx, rows, { first, count }));
    }
  } finally {
    await db.close();
  }
}

type Rows = Awaited<ReturnType<typeof readZone>>;

async function readZone(db: Db, id: string) {
  const rulesets = await db.selectFrom("rulesets").selectAll().where("zone_id", "=", id).execute();
  const ids = rulesets.map((ruleset) => ruleset.id);
  return {
    zones: await db.selectFrom("zones").selectAll().where("id", "=", id).execute(),
    zone_settings: await db.selectFrom("zone_settings").selectAll().where("zone_id", "=", id).execute(),
    universal_settings: await db
      .selectFrom("universal_settings")
      .selectAll()
      .where("zone_id", "=", id)
      .execute(),
    dns_records: await db.selectFrom("dns_records").selectAll().where("zone_id", "=", id).execute(),
    rulesets,
    ruleset_versions: await db
      .selectFrom("ruleset_versions")
      .selectAll()
      .where("ruleset_id", "in", ids)
      .execute(),
  };
}

async function insertCopies(
  tx: Db,
  rows: Rows,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  const text = JSON.stringify(rows);
  const accountId = rows.zones[0]?.account_id;
  const copies = Array.from({ length: count }, (_, n) => copyOf(text, accountId, first + n));
  for (const table of Object.keys(rows)) {
    const values = copies.flatMap((copy) => copy[table] ?? []);
    if (values.length === 0) continue;
    await tx
      .insertInto(table as "zones")
      .values(values as never)
      .execute();
  }
}

/** With ids and a name of its own wherever those of the first zone stand, in the same account. */
function copyOf(text: string, accountId: string | undefined, n: number): Record<string, object[]> {
  const copy = text
    .replaceAll(original, `zone-${n}`)
    .replaceAll(/\b[0-9a-f]{32}\b/g, (id) =>
      id === accountId ? id : createHash("md5").update(`${id} ${n}`).digest("hex"),
    );
  return JSON.parse(copy) as Record<string, object[]>;
}
