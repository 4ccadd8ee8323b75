import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OptionalNullable } from "../../operation/schema.ts";

/** Most peers of one zone. */
export const peersMax = 30;

const Id = Type.String({ description: "32 hexadecimal characters." });
const Name = Type.String({ minLength: 1, maxLength: 255 });
const Time = Type.String({ format: "date-time" });

export const Acl = Type.Object({
  id: Id,
  name: Name,
  ip_range: Type.String({
    description:
      "An address, or a range in CIDR notation of at most 256 IPv4 addresses (/24) or an IPv6 /64.",
  }),
});
export type Acl = Static<typeof Acl>;

export const AclBody = Type.Object({
  name: Name,
  ip_range: Type.String({ maxLength: 64, description: "A range is masked to its network address." }),
});
export type AclBody = Static<typeof AclBody>;

const Algorithm = Type.String({
  description: "`hmac-sha256.`; also with sha512, sha384, sha224, sha1, and `hmac-md5.sig-alg.reg.int.`",
});

export const Tsig = Type.Object({
  id: Id,
  name: Type.String({ description: "Name of the key: a domain name that its users have to know alike." }),
  algo: Algorithm,
  secret: Type.Optional(
    Type.String({ description: "Base64. Left out for callers without *Account Settings Write*." }),
  ),
});
export type Tsig = Static<typeof Tsig>;

export const TsigBody = Type.Object({
  name: Name,
  algo: Algorithm,
  secret: Type.String({ minLength: 4, maxLength: 1_024, description: "Base64. It is stored encrypted." }),
});
export type TsigBody = Static<typeof TsigBody>;

export const Peer = Type.Object({
  id: Id,
  name: Name,
  ip: Type.Optional(
    Type.String({
      description: "It may transfer the zones whose peer it is, and is notified of their changes.",
    }),
  ),
  port: Type.Optional(Type.Integer({ description: "Where it is notified; 53 if left out." })),
  ixfr_enable: Type.Optional(
    Type.Boolean({
      description: "For zones that are transferred from it; it may always transfer changes alone.",
    }),
  ),
  tsig_id: Type.Optional(Type.String({ description: "The key that signs all messages between both." })),
});
export type Peer = Static<typeof Peer>;

/** Fields left out have no value. */
export const PeerBody = Type.Object({
  name: Name,
  ip: OptionalNullable(Type.String({ maxLength: 64, description: "An IPv4 or IPv6 address." })),
  port: OptionalNullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
  ixfr_enable: OptionalNullable(Type.Boolean()),
  tsig_id: OptionalNullable(Type.String()),
});
export type PeerBody = Static<typeof PeerBody>;

export const Outgoing = Type.Object({
  id: Type.String({ description: "The id of the zone." }),
  name: Type.String({ description: "Name of the zone, as it was sent." }),
  peers: Type.Array(Id),
  soa_serial: Type.Integer({ description: "The serial of the zone." }),
  created_time: Time,
  checked_time: Type.Optional(
    Type.String({ format: "date-time", description: "When a peer last answered." }),
  ),
  last_transferred_time: Type.Optional(Time),
});
export type Outgoing = Static<typeof Outgoing>;

export const NotifiedPeer = Type.Object({
  id: Id,
  notified_serial: Nullable(
    Type.Integer({
      description:
        "The serial of the zone that the peer was last notified of, and answered; null before, and for a peer without an address.",
    }),
  ),
  is_current: Type.Boolean({ description: "Whether that is the serial which the zone has now." }),
});
export type NotifiedPeer = Static<typeof NotifiedPeer>;

export const OutgoingBody = Type.Object({
  name: Type.String({ maxLength: 255, description: "Name of the zone, with or without a final dot." }),
  peers: Type.Array(Id, { maxItems: peersMax, uniqueItems: true }),
});
export type OutgoingBody = Static<typeof OutgoingBody>;

/** Most and least seconds between two questions for the serial of a zone. */
const refreshSeconds = { minimum: 300, maximum: 2_592_000 } as const;

export const Incoming = Type.Object({
  id: Type.String({ description: "The id of the zone." }),
  name: Type.String({ description: "Name of the zone, as it was sent." }),
  peers: Type.Array(Id),
  auto_refresh_seconds: Type.Integer(),
  soa_serial: Type.Optional(
    Type.Integer({ description: "The serial with which the zone was last transferred." }),
  ),
  created_time: Time,
  modified_time: Time,
  checked_time: Type.Optional(
    Type.String({ format: "date-time", description: "When a peer last told its serial." }),
  ),
});
export type Incoming = Static<typeof Incoming>;

export const IncomingBody = Type.Object({
  name: Type.String({ maxLength: 255, description: "Name of the zone, with or without a final dot." }),
  peers: Type.Array(Id, { maxItems: peersMax, uniqueItems: true }),
  auto_refresh_seconds: Type.Integer({
    ...refreshSeconds,
    description: "How often the peers are asked, besides when they notify of a change.",
  }),
});
export type IncomingBody = Static<typeof IncomingBody>;

export const TransferStatus = Type.String({ description: "`Enabled` or `Disabled`, or `OK`." });
