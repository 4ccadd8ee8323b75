import { Type, type Static } from "@sinclair/typebox";

import { recordTypes } from "../../core/dns/content/record-types.ts";
import { Identifier, Nullable, OneOf } from "../../operation/schema.ts";

/** A DNS record (docs/contract/dns-records.md). */
export const DnsRecord = Type.Object({
  id: Type.String({ description: "Identifier of the record, 32 hexadecimal characters." }),
  zone_id: Type.String(),
  zone_name: Type.String(),
  name: Type.String({ description: "Complete name, ASCII and lower case." }),
  type: Type.Union(recordTypes.map((type) => Type.Literal(type))),
  content: Type.String({
    description: "Content in presentation form, made from `data` if there is any.",
  }),
  priority: Type.Optional(Type.Integer({ description: "MX, SRV, URI, HTTPS and SVCB." })),
  data: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  proxiable: Type.Boolean(),
  proxied: Type.Boolean(),
  ttl: Type.Integer({ description: "Seconds; 1 is automatic." }),
  settings: Type.Record(Type.String(), Type.Boolean()),
  meta: Type.Object({}),
  comment: Nullable(Type.String()),
  tags: Type.Array(Type.String({ description: "`name:value`" })),
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
  comment_modified_on: Type.Optional(Type.String({ format: "date-time" })),
  tags_modified_on: Type.Optional(Type.String({ format: "date-time" })),
});
export type DnsRecord = Static<typeof DnsRecord>;

const field = (description: string) => Type.Optional(Type.Unknown({ description }));

/**
 * A record as it is sent. `record.ts` checks the fields, not this schema, because each error has its own
 * code, and valid values depend on the type and on the zone's plan.
 */
export const DnsRecordBody = Type.Object({
  type: field(`One of ${recordTypes.join(", ")}.`),
  name: field("Name, complete or relative to the zone; `@` is the zone itself."),
  content: field("Content in presentation form."),
  data: field("Content by its parts, for the types that have any."),
  priority: field("Integer from 0 to 65535; required for MX and URI."),
  ttl: field("Seconds from 60 (Enterprise: 30) to 86,400, or 1 for automatic."),
  proxied: field("Boolean."),
  comment: field("Text of at most 500 characters (Free: 100), or null."),
  tags: field("List of `name:value`, at most 20 (Free: none)."),
  settings: field("Object with any of `ipv4_only`, `ipv6_only`, `flatten_cname`."),
});
export type DnsRecordBody = Static<typeof DnsRecordBody>;

const Identified = Type.Object({ id: Identifier() });

export const BatchBody = Type.Object(
  {
    deletes: Type.Optional(Nullable(Type.Array(Identified))),
    patches: Type.Optional(Nullable(Type.Array(Type.Intersect([Identified, DnsRecordBody])))),
    puts: Type.Optional(Nullable(Type.Array(Type.Intersect([Identified, DnsRecordBody])))),
    posts: Type.Optional(Nullable(Type.Array(DnsRecordBody))),
  },
  { description: "Executed in the order deletes, patches, puts, posts; all or nothing." },
);
export type BatchBody = Static<typeof BatchBody>;

export const BatchResult = Type.Object({
  deletes: Type.Array(DnsRecord),
  patches: Type.Array(DnsRecord),
  puts: Type.Array(DnsRecord),
  posts: Type.Array(DnsRecord),
});

const text = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }));
const matchOf = (description: string) => Type.Optional(OneOf(["any", "all"], { description }));

export const ListDnsRecordsQuery = Type.Object({
  type: text("One type or a comma list of them."),
  name: text("The same as `name.exact`."),
  "name.exact": text("Complete name; case does not matter."),
  "name.contains": text("Part of the name."),
  "name.startswith": text("Beginning of the name."),
  "name.endswith": text("End of the name."),
  content: text("The same as `content.exact`."),
  "content.exact": text("Content; case does not matter."),
  "content.contains": text("Part of the content."),
  "content.startswith": text("Beginning of the content."),
  "content.endswith": text("End of the content."),
  comment: text("The same as `comment.exact`."),
  "comment.present": text("Records with a comment, whatever the value."),
  "comment.absent": text("Records without a comment, whatever the value."),
  "comment.exact": text("Comment; case does not matter."),
  "comment.contains": text("Part of the comment."),
  "comment.startswith": text("Beginning of the comment."),
  "comment.endswith": text("End of the comment."),
  tag: text(
    "`name`: records with that tag. `name:value`: records with that tag and value. One or a comma list of at most 20.",
  ),
  "tag.present": text("Name of a tag that the record has."),
  "tag.absent": text("Name of a tag that the record does not have."),
  "tag.exact": text("`name:value`"),
  "tag.contains": text("`name:value`, where the value contains `value`."),
  "tag.startswith": text("`name:value`, where the value begins with `value`."),
  "tag.endswith": text("`name:value`, where the value ends with `value`."),
  search: text("Part of the name, content, comment or a tag."),
  proxied: Type.Optional(Type.Boolean()),
  match: matchOf(
    "Whether a record must match all filters (default) or any, apart from `search`. All tag filters together count as one.",
  ),
  tag_match: matchOf("Whether a record must match all tag filters (default) or any."),
  "tag-match": matchOf("The same as `tag_match`."),
});
export type ListDnsRecordsQuery = Static<typeof ListDnsRecordsQuery>;

export const ZoneFileBody = Type.Object({
  file: Type.String({ format: "binary", description: "BIND zone file, at most 8 MiB." }),
  proxied: Type.Optional(
    Type.String({
      description: "`true`: proxy records that can be proxied, unless the file says otherwise.",
    }),
  ),
});

export const ImportResult = Type.Object({
  recs_added: Type.Integer({ description: "Records that were added." }),
  recs_added_by_type: Type.Record(Type.String(), Type.Integer()),
  total_records_parsed: Type.Integer({
    description: "Records found, including those that the zone already had.",
  }),
});
export type ImportResult = Static<typeof ImportResult>;

export const ZoneFileText = Type.String({ description: "BIND zone file." });
