import type { ZoneRow } from "../storage/schema/zones.ts";
import type { Actor } from "./audit.ts";
import type { Context } from "./context.ts";
import { lockZone } from "./scope.ts";
import { unitOfWork, type ChangeWork } from "./unit-of-work.ts";

/** What a change in a zone gets, whoever makes it. */
export interface ZoneChangeWork<Needs extends Context = Context> extends ChangeWork {
  readonly zone: ZoneRow;
  readonly context: Needs;
  readonly now: Date;
}

/** A unit of work on a zone for a task or a timer, which is not authorized as a request is. Errors: 404 code 1001. */
export function zoneUnitOfWork<Needs extends Context, Result>(
  context: Needs,
  actor: Actor,
  zoneId: string,
  run: (work: ZoneChangeWork<Needs>) => Promise<Result>,
): Promise<Result> {
  return unitOfWork(
    context,
    actor,
    async (tx) => {
      const zone = await lockZone(tx, zoneId);
      return { scope: { zone, context, now: context.now() }, owner: { zone } };
    },
    run,
  );
}
