import { randomInt } from "node:crypto";

import { sql, type Expression, type SqlBool } from "kysely";

import { statement } from "./statement.ts";
import type { Db } from "./tables.ts";

/** The parts of a zone, each of which a plane reads on its own (docs/design/storage.md#what-changed). */
export const zoneParts = ["facts", "settings", "rules", "certificates", "records", "transfers"] as const;
export type ZonePart = (typeof zoneParts)[number];

/**
 * The parts of an account: `rules` are its rulesets, access rules and lists, `dns` its DNS settings, peers, their
 * addresses and keys.
 */
export const accountParts = ["rules", "dns"] as const;
export type AccountPart = (typeof accountParts)[number];

/** The parts of zones and accounts that a transaction changed, by their ids. */
export interface Changes {
  /** Whether the rights of callers may have changed, or who they are. */
  readonly isOfAccess: boolean;
  readonly zones: ReadonlyMap<string, ReadonlySet<ZonePart>>;
  readonly accounts: ReadonlyMap<string, ReadonlySet<AccountPart>>;
}

/** Is called with what changed; undefined: anything may have. */
export type ChangeListener = (changes: Changes | undefined) => void;

/** Zones by their ids, and all zones of the accounts with these ids. */
export interface ChangedZones {
  readonly ids: readonly string[];
  readonly accountIds: readonly string[];
}

/** The condition for these zones; for all of them without. */
export function isAmong(changed: ChangedZones | undefined): Expression<SqlBool> {
  if (changed === undefined) return sql<SqlBool>`1 = 1`;
  const { ids, accountIds } = changed;
  const conditions = [
    ...(ids.length > 0 ? [sql`zones.id in (${sql.join(ids)})`] : []),
    ...(accountIds.length > 0 ? [sql`zones.account_id in (${sql.join(accountIds)})`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** The published part of a transaction: raised versions within it, one announcement after it. */
export class Publication {
  readonly #zones = new Map<string, Set<ZonePart>>();
  readonly #accounts = new Map<string, Set<AccountPart>>();
  #isOfAccess = false;
  #isOfAnything = false;

  zone(id: string, parts: Iterable<ZonePart> = zoneParts): void {
    add(this.#zones, id, parts);
  }

  account(id: string, parts: Iterable<AccountPart> = accountParts): void {
    add(this.#accounts, id, parts);
  }

  /** Publishes the same as another one, too. */
  add(other: Publication): void {
    for (const [id, parts] of other.#zones) this.zone(id, parts);
    for (const [id, parts] of other.#accounts) this.account(id, parts);
    this.#isOfAccess ||= other.#isOfAccess;
    this.#isOfAnything ||= other.#isOfAnything;
  }

  /** For a change of rights of callers, or of who they are. */
  access(): void {
    this.#isOfAccess = true;
  }

  /** For a change of too much to be named. No version is raised for it. */
  anything(): void {
    this.#isOfAnything = true;
  }

  get isEmpty(): boolean {
    return !this.#isOfAnything && !this.#isOfAccess && this.#zones.size === 0 && this.#accounts.size === 0;
  }

  get changes(): Changes | undefined {
    if (this.#isOfAnything) return undefined;
    return { isOfAccess: this.#isOfAccess, zones: this.#zones, accounts: this.#accounts };
  }

  /** Gives what changed new versions, in the transaction that changed it. */
  async raise(tx: Db): Promise<void> {
    if (this.isEmpty) return;
    const version = newVersion();
    // All transactions in one order, so that none waits for another that waits for it.
    for (const [id, parts] of inOrder(this.#zones)) {
      // Writers of records count that change, and keep its names.
      await raise(
        tx,
        "zones",
        [...parts].filter((part) => part !== "records"),
        { id, version },
      );
    }
    for (const [id, parts] of inOrder(this.#accounts))
      await raise(tx, "accounts", [...parts], { id, version });
  }
}

/**
 * A version that nothing had before, which is all that versions of parts say: one of a store that was restored, or
 * of a zone that was deleted and made again under its id, is never mistaken for the one that was known.
 */
export function newVersion(): number {
  return randomInt(2 ** 31);
}

function add<Part>(changed: Map<string, Set<Part>>, id: string, parts: Iterable<Part>): void {
  const its = changed.get(id) ?? new Set();
  for (const part of parts) its.add(part);
  changed.set(id, its);
}

function inOrder<Part>(changed: ReadonlyMap<string, Part>): readonly (readonly [string, Part])[] {
  return [...changed].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const raises = new Map<string, ReturnType<typeof statement<{ id: string; version: number }>>>();

async function raise(
  tx: Db,
  table: "zones" | "accounts",
  parts: readonly (ZonePart | AccountPart)[],
  row: { readonly id: string; readonly version: number },
): Promise<void> {
  if (parts.length === 0) return;
  const text = `update ${table} set ${parts.map((part) => `${part}_version = :version`).join(", ")} where id = :id`;
  const run = raises.get(text) ?? statement<{ id: string; version: number }>(text);
  raises.set(text, run);
  await run(tx, row);
}

/** Octets; PostgreSQL takes 7,999 (https://www.postgresql.org/docs/current/sql-notify.html). */
const announcementBytesMax = 7_900;

/** An announcement of an instance, as text. One of too much says that anything may have changed. */
export function toAnnouncement(by: string, changes: Changes | undefined): string {
  const ofAnything = JSON.stringify({ by, anything: true });
  if (changes === undefined) return ofAnything;
  const plain = (changed: ReadonlyMap<string, ReadonlySet<string>>) =>
    Object.fromEntries(Array.from(changed, ([id, parts]) => [id, [...parts]]));
  const { isOfAccess: access, zones, accounts } = changes;
  const text = JSON.stringify({ by, access, zones: plain(zones), accounts: plain(accounts) });
  return Buffer.byteLength(text) > announcementBytesMax ? ofAnything : text;
}

/**
 * Reads an announcement, perhaps of another version of Zoneward (docs/operating/upgrades.md#announcements): a part
 * of a zone that this one does not know is all of that zone, and whatever else it does not understand is anything.
 */
export function fromAnnouncement(text: string): {
  readonly by?: string;
  readonly changes: Changes | undefined;
} {
  try {
    const { by, access, zones, accounts, ...unknown } = JSON.parse(text) as Announcement;
    if (zones === undefined || accounts === undefined || Object.keys(unknown).length > 0)
      return { by, changes: undefined };
    return {
      by,
      changes: {
        isOfAccess: access,
        zones: known(zones, zoneParts),
        accounts: known(accounts, accountParts),
      },
    };
  } catch {
    return { changes: undefined };
  }
}

interface Announcement {
  readonly by: string;
  readonly access: boolean;
  readonly zones: Record<string, readonly string[]> | undefined;
  readonly accounts: Record<string, readonly string[]> | undefined;
}

function known<Part extends string>(
  announced: Record<string, readonly string[]>,
  parts: readonly Part[],
): ReadonlyMap<string, ReadonlySet<Part>> {
  const isPart = (name: string): name is Part => parts.some((part) => part === name);
  return new Map(
    Object.entries(announced).map(([id, names]) => [id, new Set(names.every(isPart) ? names : parts)]),
  );
}
