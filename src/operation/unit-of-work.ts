import type { Caller } from "../core/policy/caller.ts";
import type { Publication } from "../storage/changes.ts";
import type { Db } from "../storage/tables.ts";
import { recordChanges, type Actor, type Change } from "./audit.ts";
import type { Context } from "./context.ts";

/** An entry of the audit log; its owner is that of the scope by default. */
export type AuditEntry = Omit<Change, "owner"> & Partial<Pick<Change, "owner">>;

/** The work of a change, besides its scope. */
export interface ChangeWork {
  readonly tx: Db;
  /**
   * Notes what changed. Without its entry in the audit log no change is stored. What its action affects is
   * published.
   */
  readonly audit: (...entries: AuditEntry[]) => void;
  /** Publishes what has no entry, as nobody decided it: what a timer renews, or was transferred. */
  readonly publication: Publication;
  /** Calls `effect` once the change is durable. */
  readonly afterCommit: (effect: () => void) => void;
}

/**
 * Runs a change and its entries of the audit log in one transaction, then its effects. A retry starts without
 * either.
 */
export async function unitOfWork<Scope, Result>(
  context: Context,
  actor: Actor | Caller,
  lock: (tx: Db) => Promise<{ readonly scope: Scope; readonly owner: Change["owner"] | undefined }>,
  run: (work: Scope & ChangeWork) => Promise<Result>,
  /** The id of a zone that `lock` locks. */
  zoneId?: string,
): Promise<Result> {
  let effects: (() => void)[] = [];
  let auditLogId: string | undefined;
  const result = await context.db.transaction(async (tx, publication) => {
    const entries: Change[] = [];
    effects = [];
    const { scope, owner } = await lock(tx);
    const done = await run({
      ...scope,
      tx,
      publication,
      audit: (...noted) => {
        for (const entry of noted) entries.push({ owner: owner ?? missingOwner(entry), ...entry });
      },
      afterCommit: (effect) => void effects.push(effect),
    });
    auditLogId = await recordChanges(context, { tx, publication }, actor, entries);
    return done;
  }, zoneId);
  // The answer shows it as `cf-auditlog-id`: only now is it certain that the entry is stored.
  if (auditLogId !== undefined && "noteAuditLog" in actor) actor.noteAuditLog(auditLogId);
  for (const effect of effects) effect();
  return result;
}

function missingOwner({ owner, action }: AuditEntry): Change["owner"] {
  if (owner === undefined) throw new Error(`nobody owns the entry ${action} of the audit log`);
  return owner;
}
