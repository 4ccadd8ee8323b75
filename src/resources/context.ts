import type { Database } from "../storage/database.ts";

/** What every operation takes: its store, the time and fresh ids. Rooms extend it with what they need. */
export interface Context {
  readonly db: Database;
  readonly now: () => Date;
  /** 32 hexadecimal characters. */
  readonly newId: () => string;
  /** A UUID, version 7: an id of the audit log. */
  readonly newAuditLogId: () => string;
}
