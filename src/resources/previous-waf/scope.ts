import { lists, reads, writes, type ScopeKind } from "../../operation/scoped.ts";
import { ofZone, type ZonePermission, type ZoneScope } from "../../operation/zone.ts";
import { requirePreviousWaf } from "../zones/zones.ts";

/** Zones with the previous version. Errors: 410 code 10410 after a migration. */
const ofZoneWithPreviousWaf: ScopeKind<ZoneScope, ZonePermission> = {
  ...ofZone,
  ofRequest: (request) => required(ofZone.ofRequest(request)),
  lock: async (tx, scope) => required(await ofZone.lock(tx, scope)),
};

function required(scope: ZoneScope): ZoneScope {
  return { zone: requirePreviousWaf(scope.zone) };
}

export const previousWafRead = reads(ofZoneWithPreviousWaf);
export const previousWafList = lists(ofZoneWithPreviousWaf);
export const previousWafWrite = writes(ofZoneWithPreviousWaf);
