import type { Context } from "../../operation/context.ts";
import { createPause } from "../../operation/pause.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import {
  countEventsOfAccount,
  deleteSecurityEvents,
  selectAccountWithEvents,
  selectOldEvents,
  selectOldestEventsOfAccount,
} from "./store.ts";

export interface EventRetention {
  /** 0 keeps events regardless of their age. */
  readonly days: number;
  /** For all accounts together. */
  readonly eventsMax: number;
}

const prunedAtOnce = 1_000;
/** Rows that a statement counts in a few milliseconds. */
const countedAtOnce = 10_000;

/**
 * Deletes the events that are too old, then those above the maximum: the oldest ones of the accounts that
 * have most, so that an account with less than an equal part loses none. 1,000 in a transaction; called by a
 * timer.
 */
export async function pruneSecurityEvents(
  { db, now }: Pick<Context, "db" | "now">,
  { days, eventsMax }: EventRetention,
): Promise<void> {
  const deleteAll = async (select: () => Promise<string[]>): Promise<void> => {
    for (;;) {
      const ids = await select();
      if (ids.length > 0) await db.transaction((tx) => deleteSecurityEvents(tx, ids));
      if (ids.length < prunedAtOnce) return;
    }
  };
  if (days > 0) {
    const time = toTimestamp(new Date(now().getTime() - days * 24 * 60 * 60 * 1000));
    await deleteAll(() => selectOldEvents(db.read, time, prunedAtOnce));
  }
  const counts = await countByAccount(db.read);
  const most = mostOfEach([...counts.values()], eventsMax);
  for (const [accountId, count] of counts) {
    let excess = count - most;
    while (excess > 0) {
      const ids = await selectOldestEventsOfAccount(db.read, accountId, Math.min(excess, prunedAtOnce));
      if (ids.length === 0) break;
      await db.transaction((tx) => deleteSecurityEvents(tx, ids));
      excess -= ids.length;
    }
  }
}

async function countByAccount(db: Db): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const pause = createPause();
  let accountId = await selectAccountWithEvents(db, undefined);
  while (accountId !== undefined) {
    let after: string | undefined;
    let count = 0;
    for (let isMore = true; isMore; await pause()) {
      const { counted, last } = await countEventsOfAccount(db, accountId, after, countedAtOnce);
      count += counted;
      after = last;
      isMore = counted === countedAtOnce;
    }
    counts.set(accountId, count);
    accountId = await selectAccountWithEvents(db, accountId);
  }
  return counts;
}

/** The number that each may keep at most, so that all keep `sum` together. */
function mostOfEach(counts: readonly number[], sum: number): number {
  let left = sum;
  for (const [index, count] of counts.toSorted((one, other) => one - other).entries()) {
    const part = Math.floor(left / (counts.length - index));
    if (count > part) return part;
    left -= count;
  }
  return Infinity;
}
