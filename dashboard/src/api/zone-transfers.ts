import type {
  Acl,
  AclBody,
  Incoming,
  IncomingBody,
  NotifiedPeer,
  Outgoing,
  OutgoingBody,
  Peer,
  PeerBody,
  Tsig,
  TsigBody,
} from "../../../src/resources/zone-transfers/schema.ts";
import { path, type ApiCall } from "./call.ts";
import { collectionAt, type Collection } from "./collection.ts";

export type { Acl, Incoming, IncomingBody, NotifiedPeer, Outgoing, OutgoingBody, Peer, Tsig };

/** What is answered for a zone whose transfers nobody has set up. */
export const notConfiguredCode = 10004;

/** The most that the API lists at once, and that an account has. */
const allOfThem = { page: 1, per_page: 500 } as const;

export const transferPeersOf = (accountId: string): Collection<Peer, PeerBody> =>
  collectionAt(path`/accounts/${accountId}/secondary_dns/peers`, "PUT");

export const listTransferPeers = (accountId: string): ApiCall<Peer[]> =>
  transferPeersOf(accountId).list(allOfThem);

export const tsigsOf = (accountId: string): Collection<Tsig, TsigBody> =>
  collectionAt(path`/accounts/${accountId}/secondary_dns/tsigs`, "PUT");

export const listTsigs = (accountId: string): ApiCall<Tsig[]> => tsigsOf(accountId).list(allOfThem);

export const transferAclsOf = (accountId: string): Collection<Acl, AclBody> =>
  collectionAt(path`/accounts/${accountId}/secondary_dns/acls`, "PUT");

export const outgoingPath = (zoneId: string): string => path`/zones/${zoneId}/secondary_dns/outgoing`;

export const outgoingOf = (zoneId: string): ApiCall<Outgoing> => ({
  method: "GET",
  path: outgoingPath(zoneId),
});

/** `method` is `POST` for a zone that has none, else `PUT`. */
export const saveOutgoing = (
  zoneId: string,
  method: "POST" | "PUT",
  body: OutgoingBody,
): ApiCall<Outgoing> => ({ method, path: outgoingPath(zoneId), body });

export const deleteOutgoing = (zoneId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: outgoingPath(zoneId),
});

/** `Enabled` or `Disabled`. */
export const outgoingStatusOf = (zoneId: string): ApiCall<string> => ({
  method: "GET",
  path: `${outgoingPath(zoneId)}/status`,
});

/** What each peer of the zone was notified of. */
export const notifiedPeersOf = (zoneId: string): ApiCall<NotifiedPeer[]> => ({
  method: "GET",
  path: `${outgoingPath(zoneId)}/peers`,
});

export const turnOutgoing = (zoneId: string, isOn: boolean): ApiCall<string> => ({
  method: "POST",
  path: `${outgoingPath(zoneId)}/${isOn ? "enable" : "disable"}`,
});

export const notifyPeers = (zoneId: string): ApiCall<string> => ({
  method: "POST",
  path: `${outgoingPath(zoneId)}/force_notify`,
});

export const incomingPath = (zoneId: string): string => path`/zones/${zoneId}/secondary_dns/incoming`;

export const incomingOf = (zoneId: string): ApiCall<Incoming> => ({
  method: "GET",
  path: incomingPath(zoneId),
});

/** `method` is `POST` for a zone that has none, else `PUT`. */
export const saveIncoming = (
  zoneId: string,
  method: "POST" | "PUT",
  body: IncomingBody,
): ApiCall<Incoming> => ({ method, path: incomingPath(zoneId), body });

export const deleteIncoming = (zoneId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: incomingPath(zoneId),
});

export const transferWhole = (zoneId: string): ApiCall<string> => ({
  method: "POST",
  path: path`/zones/${zoneId}/secondary_dns/force_axfr`,
});
