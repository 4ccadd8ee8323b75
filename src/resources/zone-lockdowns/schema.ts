import { Type, type Static } from "@sinclair/typebox";

import { OneOf, OptionalNullable } from "../../operation/schema.ts";

const Description = Type.String({ maxLength: 1_024, description: "Tags are removed." });

const Configuration = Type.Object({
  target: OneOf(["ip", "ip_range"]),
  value: Type.String({
    maxLength: 64,
    description: "An address, or a range of /16 or /24 (IPv4), /32, /48 or /64 (IPv6).",
  }),
});
export type LockdownConfiguration = Static<typeof Configuration>;

const Url = Type.String({
  maxLength: 2_048,
  description: "URL pattern; up to four asterisks stand for any characters: `shop.example.com/*`.",
});
const Priority = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: "The lockdown with the lowest number decides; those without one come last.",
});

/** URLs of a zone that only some addresses may ask for. */
export const ZoneLockdown = Type.Object({
  id: Type.String({ description: "Identifier of the lockdown, 32 hexadecimal characters." }),
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
  paused: Type.Boolean({ description: "Whether it is not in force." }),
  description: Type.Optional(Description),
  urls: Type.Array(Url),
  configurations: Type.Array(Configuration),
  priority: Type.Optional(Priority),
});
export type ZoneLockdown = Static<typeof ZoneLockdown>;

const itemsMax = 1_000;

/**
 * Replaced or created. A replacement keeps `description`, `paused` and `priority` where they are left out;
 * null removes.
 */
export const ZoneLockdownBody = Type.Object({
  urls: Type.Array(Url, { minItems: 1, maxItems: itemsMax }),
  configurations: Type.Array(Configuration, { minItems: 1, maxItems: itemsMax }),
  description: OptionalNullable(Description),
  paused: Type.Optional(Type.Boolean()),
  priority: OptionalNullable(Priority),
});
export type ZoneLockdownBody = Static<typeof ZoneLockdownBody>;

const PartOfDescription = Type.Optional(
  Type.String({ description: "Any part of the description; case does not matter." }),
);
const Address = Type.Optional(
  Type.String({ description: "An address that the lockdown names, in any form." }),
);
const Time = Type.Optional(Type.String({ description: "A time as in RFC 3339." }));

export const ListZoneLockdownsQuery = Type.Object({
  created_on: Time,
  modified_on: Time,
  description: PartOfDescription,
  description_search: PartOfDescription,
  ip: Address,
  ip_search: Address,
  ip_range_search: Type.Optional(
    Type.String({ description: "A range that the lockdown names, in any form." }),
  ),
  uri_search: Type.Optional(
    Type.String({ description: "Any part of one of its URLs; case does not matter." }),
  ),
  priority: Type.Optional(Type.Integer()),
});
export type ListZoneLockdownsQuery = Static<typeof ListZoneLockdownsQuery>;
