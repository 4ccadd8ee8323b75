import type { Dnssec, DnssecBody, ZoneSigningKey } from "../../../src/resources/dnssec/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { Dnssec, DnssecBody };

export const dnssecPath = (zoneId: string): string => path`/zones/${zoneId}/dnssec`;

export const dnssecOf = (zoneId: string): ApiCall<Dnssec> => ({ method: "GET", path: dnssecPath(zoneId) });

/** An empty body has the parent asked for its DS records. */
export const editDnssec = (zoneId: string, body: DnssecBody): ApiCall<Dnssec> => ({
  method: "PATCH",
  path: dnssecPath(zoneId),
  body,
});

export const deleteDnssec = (zoneId: string): ApiCall<string> => ({
  method: "DELETE",
  path: dnssecPath(zoneId),
});

export const listZoneSigningKeys = (zoneId: string): ApiCall<ZoneSigningKey[]> => ({
  method: "GET",
  path: `${dnssecPath(zoneId)}/zsk`,
});
