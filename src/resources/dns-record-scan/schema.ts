import { Type, type Static } from "@sinclair/typebox";

import { Identifier } from "../../operation/schema.ts";
import { DnsRecord, DnsRecordBody } from "../dns-records/dns-records.ts";

const Identified = Type.Object({ id: Identifier() });

/** Accepts and rejects records that a scan found. */
export const ScanReviewBody = Type.Object({
  accepts: Type.Optional(
    Type.Array(Type.Intersect([Type.Partial(Identified), DnsRecordBody]), {
      maxItems: 1_000,
      description:
        "Records to add, perhaps changed: one with the `id` or the content of a record that was found settles it.",
    }),
  ),
  rejects: Type.Optional(Type.Array(Identified, { maxItems: 1_000 })),
});
export type ScanReviewBody = Static<typeof ScanReviewBody>;

export const ScanReviewResult = Type.Object({
  accepts: Type.Array(DnsRecord),
  rejects: Type.Array(Type.String({ description: "Id of a record that was found." })),
});
