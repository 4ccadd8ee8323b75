import { Type } from "@sinclair/typebox";

import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import type { Db } from "../../storage/tables.ts";
import type { SessionRow } from "../../storage/schema/sign-in.ts";
import { selectRows } from "../../storage/rows.ts";
import { EndedSessions, EndSessionsBody, OwnSession } from "./schema.ts";
import { changeAccess, isInForce, lastUseOf, requireSession, type SessionContext } from "./session.ts";
import { deleteSessions } from "./store.ts";

/** The sessions in force, the one that was used last first. Errors: 401 code 10401. */
export const listOwnSessions = sessionOperation({
  name: "listOwnSessions",
  summary: "List the sessions of the signed-in user",
  method: "GET",
  path: "/session/all",
  needsSession: true,
  result: Type.Array(OwnSession),
  run: async ({ context, browser }: SessionWork<SessionContext>) => {
    const { user, idHash } = await requireSession(context, browser);
    const rows = await sessionsInForce(context, context.db.read, user.id);
    return { result: rows.map((row) => toOwnSession(row, idHash)) };
  },
});

/**
 * Takes effect at the next request of a browser, on every instance. A session that has ended meanwhile is not counted; the
 * one of this request stays. Errors: 401 code 10401.
 */
export const endOtherSessions = sessionOperation({
  name: "endOtherSessions",
  summary: "End other sessions of the signed-in user",
  method: "POST",
  path: "/session/end_others",
  needsSession: true,
  body: EndSessionsBody,
  result: EndedSessions,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { id } }) => {
    const { user, idHash } = await requireSession(context, browser);
    return changeAccess(context, browser, user, async ({ tx, audit, afterCommit }) => {
      const others = (await sessionsInForce(context, tx, user.id))
        .map(({ id_hash }) => id_hash)
        .filter((other) => other !== idHash && (id === undefined || shownId(other) === id));
      if (others.length > 0) {
        await deleteSessions(tx, others);
        audit("sessions_end");
        afterCommit(() => {
          for (const other of others) context.sessionUse.delete(other);
        });
      }
      return { result: { ended: others.length } };
    });
  },
});

async function sessionsInForce(
  { now, sessionTerms, sessionUse }: SessionContext,
  db: Db,
  userId: string,
): Promise<SessionRow[]> {
  const rows = await selectRows(db, "sessions", { user_id: userId });
  for (const row of rows) row.used_on = lastUseOf(row, sessionUse);
  return rows
    .filter((row) => isInForce(row, now(), sessionTerms.idleMs))
    .toSorted((one, other) => (one.used_on > other.used_on ? -1 : Number(one.used_on < other.used_on)));
}

/** A part of the hash: enough to tell one from the others. */
const shownId = (idHash: string): string => idHash.slice(0, 32);

function toOwnSession(row: SessionRow, current: string): OwnSession {
  const { id_hash, address, started_on, used_on, expires_on } = row;
  return { id: shownId(id_hash), is_current: id_hash === current, address, started_on, used_on, expires_on };
}
