import { toAsciiName, qualifyName } from "../../../../src/core/dns/content/name.ts";
import { parseRdata } from "../../../../src/core/dns/content/rdata.ts";
import type { RecordType } from "../../../../src/core/dns/content/record-types.ts";
import { AppError } from "../../../../src/core/error.ts";
import { parseIpAddress } from "../../../../src/core/net/ip-address.ts";
import { isDiscardAddress, isPublicAddress } from "../../../../src/core/net/origin-address.ts";
import { rdataInputOf, type RecordDraft } from "./record-draft.ts";
import { dataFieldsOf, hasPriority } from "./record-form-fields.ts";

/** The places of the API's errors about a record of this type in its form, as JSON pointers. */
export const fieldPointers = (type: RecordType): readonly string[] => [
  ...["type", "name", "priority", "content", "ttl", "comment", "tags", "proxied"].map((field) => `/${field}`),
  ...dataFieldsOf(type).map(({ name }) => `/data/${name}`),
];

/** The whole name that a name of a draft stands for; undefined for one that the API refuses. */
export function fullName(name: string, zoneName: string): string | undefined {
  return unlessRefused(() => qualifyName(name.trim(), toAsciiName(zoneName) ?? zoneName));
}

/** The priority and content that a draft comes to; undefined while the API would refuse it. */
export function contentOf(draft: RecordDraft, zoneName: string): string | undefined {
  const rdata = unlessRefused(() => parseRdata(draft.type, rdataInputOf(draft), zoneName));
  if (rdata === undefined) return undefined;
  const { content, priority } = rdata;
  return priority === undefined ? content : `${priority} ${content}`;
}

/**
 * The parts of a whole content that was put into one field, as the panels of providers show it: `10 mail.example.com`,
 * `0 issue "ca.example"`. Undefined for anything else.
 */
export function partsOf(text: string, type: RecordType, zoneName: string): Partial<RecordDraft> | undefined {
  if (type === "MX") {
    const [, priority, content] = /^\s*(\d+)\s+(\S+)\s*$/.exec(text) ?? [];
    const mx = unlessRefused(() => parseRdata(type, { content, priority }, zoneName));
    return mx && { content: mx.content, priority: mx.priority ?? 0 };
  }
  if (dataFieldsOf(type).length === 0) return undefined;
  const rdata = unlessRefused(() => parseRdata(type, { content: text }, zoneName));
  return (
    rdata?.data && {
      data: rdata.data,
      ...(hasPriority(type) && rdata.priority !== undefined && { priority: rdata.priority }),
    }
  );
}

/** Warns of a proxied record whose address is not public. */
export function proxyHint({ type, content }: RecordDraft): string | undefined {
  if (type === "CNAME" || parseIpAddress(content.trim()) === undefined) return undefined;
  if (isDiscardAddress(content.trim())) return "Stands for no origin: rules answer.";
  return isPublicAddress(content.trim())
    ? undefined
    : "Not a public address: `edge_origin_networks` says which of them the edge may reach.";
}

function unlessRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
