import { Type, type Static } from "@sinclair/typebox";

const field = (description: string) => Type.Optional(Type.Unknown({ description }));

/**
 * The things to purge: everything, or any of the lists together. `purge.ts` checks them, as each error has
 * its own code.
 */
export const PurgeCacheBody = Type.Object({
  purge_everything: field("`true`: everything of the zone."),
  files: field(
    "Up to 30 (Enterprise: 500) addresses in the zone, each a URL or an object with `url` and `headers`.",
  ),
  tags: field("Enterprise: up to 30 cache tags of at most 1,024 characters."),
  hosts: field("Enterprise: up to 30 host names of the zone."),
  prefixes: field(
    "Enterprise: up to 30 prefixes of addresses, a host name and a path without a scheme: `www.example.com/css`.",
  ),
});
export type PurgeCacheBody = Static<typeof PurgeCacheBody>;
