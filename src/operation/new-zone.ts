import type { Static, TSchema } from "@sinclair/typebox";

import type { Caller } from "../core/policy/caller.ts";
import { onNewZone } from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import { successBody } from "../api/envelope.ts";
import type { Context } from "./context.ts";
import {
  describe,
  inputReader,
  type Description,
  type Input,
  type Operation,
  type Work,
} from "./operation.ts";
import { unitOfWork, type ChangeWork } from "./unit-of-work.ts";

export interface NewZoneWrite<Needs extends Context = Context>
  extends Omit<Work<Needs>, "addMessage">, ChangeWork {
  readonly accountId: string;
}

/**
 * An operation that creates a zone in the account that its body names; its audit log entries name their
 * owner.
 */
export function newZoneWrite<
  const Name extends string,
  const Path extends string,
  Body extends TSchema,
  Result extends TSchema,
  Needs extends Context = Context,
>(
  spec: Omit<Description<Name, Path, undefined, Body, Result>, "query"> & {
    /** A permission group that the caller needs on all zones of the account. */
    readonly permission: GroupName<"zone">;
    /** The account of the new zone; undefined if the caller has none. */
    readonly accountOf: (caller: Caller, body: Static<Body>) => string | undefined;
    readonly run: (
      work: NewZoneWrite<Needs>,
      input: Pick<Input<Path, undefined, Body>, "body">,
    ) => Promise<unknown>;
  },
) {
  const access = onNewZone(spec.permission);
  const readInput = inputReader<Path, undefined, Body>(spec, "POST");
  return {
    ...describe(spec, "POST", access),
    run: spec.run,
    handle: async (context, request) => {
      const { body } = readInput(request);
      const caller = request.caller as Caller;
      const accountId = spec.accountOf(caller, body) ?? "";
      await request.authorize(caller, access, { account_id: accountId });
      const scope = { context, caller, now: context.now(), accountId };
      const result = await unitOfWork(
        context,
        caller,
        async () => ({ scope, owner: undefined }),
        (work) => spec.run(work, { body }),
      );
      return successBody(result);
    },
  } satisfies Operation<Needs> & { run: unknown };
}
