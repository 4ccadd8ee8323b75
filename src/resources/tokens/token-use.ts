import type { Context } from "../../operation/context.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { TokenUsage } from "./schema.ts";
import { addRequests, deleteUsageBefore, selectUsage, updateLastUsed } from "./store.ts";

const dayMs = 86_400_000;

/** The days of which requests are kept, today among them. */
const daysKept = 30;

interface Use {
  readonly usedOn: Date;
  readonly requests: number;
}

/**
 * The uses of tokens that are not stored yet, by day (UTC, counted from 1970) and by id; stored at intervals.
 */
export type TokenUse = Map<number, Map<string, Use>>;

/** Adds to what is noted; `usedOn` is the time of the last of the requests. */
export function noteTokenUse(use: TokenUse, tokenId: string, { usedOn, requests }: Use): void {
  const day = dayOf(usedOn);
  const ofDay = use.get(day) ?? new Map<string, Use>();
  const noted = ofDay.get(tokenId);
  ofDay.set(tokenId, {
    usedOn: noted !== undefined && noted.usedOn > usedOn ? noted.usedOn : usedOn,
    requests: (noted?.requests ?? 0) + requests,
  });
  use.set(day, ofDay);
}

/**
 * Stores the noted uses and deletes counts of earlier days than are kept; on failure the uses are kept for
 * the next attempt.
 */
export async function saveTokenUse({ db, now }: Pick<Context, "db" | "now">, use: TokenUse): Promise<void> {
  if (use.size === 0) return;
  const noted = [...use].flatMap(([day, ofDay]) => Array.from(ofDay, ([id, of]) => ({ id, day, ...of })));
  use.clear();
  try {
    await db.transaction(async (tx) => {
      await updateLastUsed(
        tx,
        noted.map(({ id, usedOn }) => [id, toTimestamp(usedOn)]),
      );
      await addRequests(
        tx,
        noted.map(({ id, day, requests }) => ({ token_id: id, day: dateOf(day), requests })),
      );
      await deleteUsageBefore(tx, firstDateKept(now()));
    });
  } catch (error) {
    for (const { id, usedOn, requests } of noted) noteTokenUse(use, id, { usedOn, requests });
    throw error;
  }
}

/** Every day that is kept, also those without requests, the newest last. */
export async function usageOf(db: Db, tokenId: string, now: Date): Promise<TokenUsage["days"]> {
  const counted = await selectUsage(db, tokenId, firstDateKept(now));
  const requestsOn = new Map(counted.map(({ day, requests }) => [day, requests]));
  const firstDay = dayOf(now) - daysKept + 1;
  return Array.from({ length: daysKept }, (_, place) => {
    const date = dateOf(firstDay + place);
    return { date, requests: requestsOn.get(date) ?? 0 };
  });
}

function firstDateKept(now: Date): string {
  return dateOf(dayOf(now) - daysKept + 1);
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / dayMs);
}

/** `2026-01-02` */
function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
