import type { HostCheck } from "../wire/host-header.ts";
import { identityOfOwner } from "../resources/authentication/authentication.ts";
import { addZone, type ZoneContext } from "../resources/zones/zones.ts";
import type { LenientHooks } from "../test-controls/lenient.ts";

/** What the test controls need for their lenient profile. */
export function lenientHooks(
  context: ZoneContext,
  accountId: string,
  isHostAllowed: HostCheck,
): LenientHooks {
  return {
    isHostAllowed,
    owner: () => identityOfOwner(context.db),
    addZone: async ({ id, name }) => {
      await context.db.transaction(async (tx, publication) => {
        const given = id === undefined ? [] : [id];
        const newId = (): string => given.pop() ?? context.newId();
        const zone = await addZone({ ...context, newId }, tx, {
          name,
          type: "full",
          accountId,
          status: "active",
        });
        publication.zone(zone.id);
      });
    },
  };
}
