import type { Caller } from "../core/policy/caller.ts";
import { renderJson } from "../core/json.ts";
import { toJson, toTimestamp } from "../storage/columns.ts";
import type { Json } from "../storage/schema/table.ts";
import { accountParts, zoneParts, type Publication } from "../storage/changes.ts";
import type { Db } from "../storage/tables.ts";
import type { AuditLogRow } from "../storage/schema/audit-logs.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import { auditActions, type AuditAction } from "./audit-actions.ts";
import type { Context } from "./context.ts";
import { createPause } from "./pause.ts";
import { insertAuditLogs, selectAccountsOfUser } from "./store.ts";

/** The actor of a change without a request: the operator's command, or a timer of the server. */
interface SystemActor {
  readonly interface: "CLI" | "UI" | "timer";
}

/** The actor of a change: a caller, or a user who signs in. */
type RequestActor = Pick<Caller, "user" | "credential" | "address" | "noteAuditLog">;

export type Actor = RequestActor | SystemActor;

type ChangeOwner =
  | { readonly accountId: string }
  | { readonly zone: Pick<ZoneRow, "id" | "name" | "account_id"> }
  | { readonly userId: string };

/** One change. Values are as the API answers them, and never hold a secret. */
export interface Change {
  readonly action: AuditAction;
  readonly owner: ChangeOwner;
  readonly id: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Whether the owner of the entry may not know more of who made the change: no id, name or address of it is
   * stored.
   */
  readonly isByStranger?: boolean;
}

const noMetadata: AuditLogRow["metadata"] = toJson({});

/** Changes rendered and stored at once: this takes some milliseconds. */
const loggedAtOnce = 100;

/**
 * Logs changes in the transaction that makes them, and publishes what they affect. Returns the id of the first
 * entry.
 */
export async function recordChanges(
  { now, newLogId }: Pick<Context, "now" | "newLogId">,
  { tx, publication }: { readonly tx: Db; readonly publication: Publication },
  actor: Actor,
  changes: readonly Change[],
): Promise<string | undefined> {
  await publish(tx, publication, changes);
  const occurred_on = toTimestamp(now());
  const by = actorColumns(actor);
  const toRow = (change: Change): AuditLogRow => ({
    id: newLogId(),
    occurred_on,
    ...ownerColumns(change.owner),
    action_type: change.action,
    ...by,
    ...(change.isByStranger === true && stranger),
    resource_type: auditActions[change.action].subject,
    resource_id: change.id,
    old_value: toValue(change.before),
    new_value: toValue(change.after),
    metadata: change.metadata === undefined ? noMetadata : toJson(change.metadata),
  });
  const pause = createPause();
  let firstId: string | undefined;
  for (let from = 0; from < changes.length; from += loggedAtOnce) {
    const rows = changes.slice(from, from + loggedAtOnce).map(toRow);
    await insertAuditLogs(tx, rows);
    firstId ??= rows[0]?.id;
    await pause();
  }
  return firstId;
}

/** Publishes what changes affect of their owners. */
async function publish(tx: Db, publication: Publication, changes: readonly Change[]): Promise<void> {
  const users = new Set<string>();
  for (const { action, owner } of changes) {
    const affected: ReadonlySet<string> = new Set(auditActions[action].affects);
    if (affected.has("access")) publication.access();
    const ofZone = zoneParts.filter((part) => affected.has(part));
    const ofAccount = accountParts.filter((part) => affected.has(part));
    if ("zone" in owner && ofZone.length > 0) publication.zone(owner.zone.id, ofZone);
    else if ("accountId" in owner && ofAccount.length > 0) publication.account(owner.accountId, ofAccount);
    else if ("userId" in owner && ofAccount.length > 0) users.add(owner.userId);
  }
  // The access rules of a user hold in all of its accounts.
  for (const userId of users) {
    for (const accountId of await selectAccountsOfUser(tx, userId)) publication.account(accountId, ["rules"]);
  }
}

type ActorColumns = Pick<
  AuditLogRow,
  "actor_type" | "actor_id" | "actor_email" | "actor_ip" | "token_id" | "interface"
>;

const stranger = { actor_id: null, actor_email: null, actor_ip: null, token_id: null } as const;

function actorColumns(actor: Actor): ActorColumns {
  if ("interface" in actor) {
    return {
      actor_type: "system",
      actor_id: null,
      actor_email: null,
      actor_ip: null,
      token_id: null,
      interface: actor.interface,
    };
  }
  const { user, credential, address } = actor;
  const accountId = credential.kind === "token" ? credential.accountId : undefined;
  return {
    actor_type: user === undefined ? "account" : "user",
    actor_id: user?.id ?? accountId ?? null,
    actor_email: user?.email ?? null,
    actor_ip: address,
    token_id: credential.kind === "token" ? credential.tokenId : null,
    interface: credential.kind === "session" ? "UI" : "API",
  };
}

type OwnerColumns = Pick<AuditLogRow, "account_id" | "user_id" | "zone_id" | "zone_name">;

function ownerColumns(owner: ChangeOwner): OwnerColumns {
  const none = { account_id: null, user_id: null, zone_id: null, zone_name: null };
  if ("zone" in owner) {
    const { id, name, account_id } = owner.zone;
    return { ...none, account_id, zone_id: id, zone_name: name };
  }
  return "accountId" in owner ? { ...none, account_id: owner.accountId } : { ...none, user_id: owner.userId };
}

function toValue(value: unknown): Json<unknown> | null {
  return value === undefined ? null : (renderJson(value) as Json<unknown>);
}
