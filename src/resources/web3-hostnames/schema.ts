import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

const Target = Type.Unsafe<"ethereum" | "ipfs" | "ipfs_universal_path">(
  OneOf(["ethereum", "ipfs", "ipfs_universal_path"], {
    description: "The gateway that the name stands for.",
  }),
);

const Description = Type.String({ maxLength: 500 });
const DnsLink = Type.String({
  maxLength: 500,
  description: "What `ipfs` serves at the name, `/ipfs/…` or `/ipns/…`; the other targets do not use it.",
});

/** A hostname that a Web3 gateway serves (docs/contract/web3-hostnames.md). */
export const Web3Hostname = Type.Object({
  id: Type.String({ description: "Identifier of the hostname, 32 hexadecimal characters." }),
  name: Type.String(),
  description: Type.Optional(Description),
  status: Type.Unsafe<"active" | "pending">(
    OneOf(["active", "pending"], {
      description: "`active` while the zone is, `pending` otherwise.",
    }),
  ),
  target: Target,
  dnslink: Type.Optional(DnsLink),
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
});
export type Web3Hostname = Static<typeof Web3Hostname>;

export const CreateWeb3HostnameBody = Type.Object({
  name: Type.String({ maxLength: 255, description: "The zone's name or one below it." }),
  target: Target,
  description: Type.Optional(Nullable(Description)),
  dnslink: Type.Optional(Nullable(DnsLink)),
});
export type CreateWeb3HostnameBody = Static<typeof CreateWeb3HostnameBody>;

export const EditWeb3HostnameBody = Type.Object({
  description: Type.Optional(Nullable(Description)),
  dnslink: Type.Optional(Nullable(DnsLink)),
});
export type EditWeb3HostnameBody = Static<typeof EditWeb3HostnameBody>;

/** Maximum of entries in a content list. */
export const contentListEntriesMax = 1_000;

const Action = Type.Literal("block", { description: "What the gateway does with what is listed." });
const contentListEntryBody = {
  type: Type.Unsafe<"cid" | "content_path">(OneOf(["cid", "content_path"])),
  content: Type.String({ maxLength: 500, description: "A CID, or a path below `/ipfs/` or `/ipns/`." }),
};

/**
 * The content that a gateway of the target `ipfs_universal_path` must not serve; the entries are read
 * separately.
 */
export const Web3ContentList = Type.Object({ action: Action });
export type Web3ContentList = Static<typeof Web3ContentList>;

export const Web3ContentListEntry = Type.Object({
  id: Type.String({ description: "Identifier of the entry, 32 hexadecimal characters." }),
  ...contentListEntryBody,
  description: Description,
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
});
export type Web3ContentListEntry = Static<typeof Web3ContentListEntry>;

export const Web3ContentListEntries = Type.Object({ entries: Type.Array(Web3ContentListEntry) });
export type Web3ContentListEntries = Static<typeof Web3ContentListEntries>;

export const Web3ContentListEntryBody = Type.Object({
  ...contentListEntryBody,
  description: Type.Optional(Description),
});
export type Web3ContentListEntryBody = Static<typeof Web3ContentListEntryBody>;

export const ReplaceWeb3ContentListBody = Type.Object({
  action: Action,
  entries: Type.Array(Web3ContentListEntryBody, { maxItems: contentListEntriesMax }),
});
export type ReplaceWeb3ContentListBody = Static<typeof ReplaceWeb3ContentListBody>;
