import type { Caller } from "../../core/caller.ts";
import { renderJson } from "../../core/json-text.ts";
import { toJson, toTimestamp, type Json } from "../../storage/columns.ts";
import type { AuditLogRow, Db, ZoneRow } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { insertAuditLogs } from "./store.ts";

/** Who changes something without a request: the operator's command, or a timer of the server. */
interface SystemActor {
  readonly interface: "CLI" | "timer";
}

export type Actor = Caller | SystemActor;

/** To whom what changes belongs, and with it the entry: an account, one of its zones, or a user. */
type ChangeOwner =
  | { readonly accountId: string }
  | { readonly zone: Pick<ZoneRow, "id" | "name" | "account_id"> }
  | { readonly userId: string };

/** One change. Values are as the API answers them, and never hold a secret. */
export interface Change {
  /** `rec_add`, `token_roll`: what the filter `action.type` compares. */
  readonly action: string;
  readonly owner: ChangeOwner;
  readonly resource: { readonly type: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Logs changes in the transaction that makes them: without its entry no change is stored. The first change of a
 * request gets the id that its answer shows as `cf-auditlog-id`.
 */
export async function recordChanges(
  { now, newAuditLogId }: Pick<Context, "now" | "newAuditLogId">,
  tx: Db,
  actor: Actor,
  changes: readonly Change[],
): Promise<void> {
  const occurred_on = toTimestamp(now());
  const by = actorColumns(actor);
  const rows = changes.map((change, index): AuditLogRow => ({
    id: index === 0 && "auditLogId" in actor ? actor.auditLogId : newAuditLogId(),
    occurred_on,
    ...ownerColumns(change.owner),
    action_type: change.action,
    ...by,
    resource_type: change.resource.type,
    resource_id: change.resource.id,
    old_value: toValue(change.before),
    new_value: toValue(change.after),
    metadata: toJson({ ...change.metadata }),
  }));
  await insertAuditLogs(tx, rows);
}

type ActorColumns = Pick<AuditLogRow, "actor_type" | "actor_id" | "actor_email" | "actor_ip" | "interface">;

function actorColumns(actor: Actor): ActorColumns {
  if ("interface" in actor) {
    return {
      actor_type: "system",
      actor_id: null,
      actor_email: null,
      actor_ip: null,
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
    interface: "API",
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
