import type { TSchema } from "@sinclair/typebox";

import type { Caller } from "../core/policy/caller.ts";
import { onQueriedZones } from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import type { Db } from "../storage/tables.ts";
import type { Context } from "./context.ts";
import {
  describe,
  inputReader,
  type Description,
  type Input,
  type Operation,
  type Work,
} from "./operation.ts";

/** The work of a query that names its zones itself. */
export interface QueriedZonesRead<Needs extends Context = Context> extends Omit<Work<Needs>, "addMessage"> {
  readonly db: Db;
  /** Errors: 404 code 1001 and 403 code 10000, unless the caller has the permission on the zone. */
  readonly authorizeZone: (zoneId: string) => Promise<void>;
}

/** A query whose body names the zones that it reads. It answers JSON without an envelope. */
export function queriedZonesRead<
  const Name extends string,
  const Path extends string,
  Body extends TSchema,
  Result extends TSchema,
  Needs extends Context = Context,
>(
  spec: Omit<Description<Name, Path, undefined, Body, Result>, "query"> & {
    /** A permission group that the caller needs on each zone that the query names. */
    readonly permission: GroupName<"zone">;
    readonly run: (
      work: QueriedZonesRead<Needs>,
      input: Pick<Input<Path, undefined, Body>, "body">,
    ) => Promise<unknown>;
  },
) {
  const access = onQueriedZones(spec.permission);
  const readInput = inputReader<Path, undefined, Body>(spec, "POST");
  return {
    ...describe(spec, "POST", access),
    run: spec.run,
    isBare: true,
    handle: async (context, request) => {
      const { body } = readInput(request);
      const caller = request.caller as Caller;
      const work = {
        context,
        caller,
        now: context.now(),
        db: context.db.read,
        authorizeZone: async (zone_id: string) => void (await request.authorize(caller, access, { zone_id })),
      };
      return JSON.stringify(await spec.run(work, { body }));
    },
  } satisfies Operation<Needs> & { run: unknown };
}
