import { identityOfOwner } from "../resources/authentication/authentication.ts";
import { addZone, type ZoneContext } from "../resources/zones/zones.ts";
import type { Stand } from "../test-controls/lenient.ts";

/** What the test controls need for their lenient profile. */
export function lenientStand(context: ZoneContext, accountId: string): Stand {
  return {
    owner: () => identityOfOwner(context.db),
    addZone: async ({ id, name }) => {
      await context.db.transaction(async (tx) => {
        const given = id === undefined ? [] : [id];
        const newId = (): string => given.pop() ?? context.newId();
        await addZone({ ...context, newId }, tx, { name, type: "full", accountId, status: "active" });
      });
    },
  };
}
