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

/** What operations take that change who may do what. */
export interface AccessContext extends Context {
  /** Whoever is known by a credential is looked up again: the next request meets what is stored now. */
  readonly forgetCallers: () => void;
}
