import {
  base64,
  bareText,
  type Field,
  type FieldProblem,
  hex,
  octet,
  quotedText,
  targetAsSent,
  targetOrRoot,
  twoOctets,
} from "./fields.ts";
import {
  locationConflict,
  locationFields,
  locationFromTokens,
  locationIdentity,
  locationToContent,
} from "./location.ts";
import type { Data, StructuredType } from "./record-types.ts";
import { withoutFinalDot } from "./targets.ts";
import { parseSvcParams, svcParamsIdentity, svcParamsOctets } from "./service-binding.ts";

/** How a type with `data` is read from JSON and from content, and rendered. */
export interface StructuredRule {
  /** In the order of the presentation form. */
  readonly fields: readonly Field[];
  /**
   * Present if a body may have a top-level priority: whether `data` and content have the `priority` field
   * too. One that is part of the content is not repeated at the top level of answers.
   */
  readonly priority?: { readonly inData: boolean; readonly inContent: boolean };
  /** Finds a field whose value contradicts another one. */
  readonly conflict?: (data: Data) => FieldProblem | undefined;
  readonly fromTokens?: (tokens: readonly string[]) => Record<string, unknown> | undefined;
  readonly toContent?: (data: Data) => string;
  /** Equal for two contents exactly if they are the same DNS record; by default the content. */
  readonly identity?: (data: Data, content: string) => unknown;
}

const tag = bareText("1 to 255 letters and digits", (text) =>
  /^[a-z0-9]{1,255}$/i.test(text) ? text.toLowerCase() : undefined,
);
const svcParams = bareText("a valid list of service parameters", parseSvcParams, svcParamsOctets);
const longText = quotedText(/^[ -~]*$/, "printable ASCII text");
const shortText = quotedText(/^[ -~]{0,255}$/, "printable ASCII text of at most 255 characters");
const naptrFlags = quotedText(/^[a-z0-9]{0,255}$/i, "at most 255 letters and digits");
const uri = quotedText(/^[!-~]+$/, "a URI");

/** Octets of each digest by its type number. */
type DigestSizes = Readonly<Record<string, number>>;

const dsDigests: DigestSizes = { 1: 20, 2: 32, 4: 48 }; // RFC 4034, RFC 4509, RFC 6605
const sshfpDigests: DigestSizes = { 1: 20, 2: 32 }; // RFC 4255, RFC 6594
const tlsaDigests: DigestSizes = { 1: 32, 2: 64 }; // RFC 6698

function digestSize(
  typeField: string,
  digestField: string,
  sizes: DigestSizes,
): (data: Data) => FieldProblem | undefined {
  return (data) => {
    const type = data[typeField];
    const digits = 2 * (sizes[String(type)] ?? Number.NaN);
    if (Number.isNaN(digits) || String(data[digestField]).length === digits) return undefined;
    return { field: digestField, expectation: `${digits} hexadecimal digits when ${typeField} is ${type}` };
  };
}

/** Content of numbers and hexadecimal digits; a store may hold the digits in either case. */
const digitsIdentity = (_: Data, content: string): string => content.toLowerCase();

// RFC 6698 and RFC 8162
const certificateAssociation: StructuredRule = {
  fields: [
    { name: "usage", kind: octet },
    { name: "selector", kind: octet },
    { name: "matching_type", kind: octet },
    { name: "certificate", kind: hex, takesRest: true },
  ],
  conflict: digestSize("matching_type", "certificate", tlsaDigests),
  identity: digitsIdentity,
};

// RFC 9460
const serviceBinding: StructuredRule = {
  fields: [
    { name: "priority", kind: twoOctets },
    { name: "target", kind: targetAsSent },
    { name: "value", kind: svcParams, fallback: "", takesRest: true },
  ],
  priority: { inData: true, inContent: true },
  conflict: (data) =>
    data.priority === 0 && data.value !== ""
      ? { field: "value", expectation: "empty when priority is 0" }
      : undefined,
  identity: (data) => [
    data.priority,
    withoutFinalDot(String(data.target)),
    svcParamsIdentity(String(data.value)),
  ],
};

export const structuredRules: Readonly<Record<StructuredType, StructuredRule>> = {
  // RFC 8659
  CAA: {
    fields: [
      { name: "flags", kind: octet },
      { name: "tag", kind: tag },
      { name: "value", kind: longText },
    ],
  },
  // RFC 4398
  CERT: {
    fields: [
      { name: "type", kind: twoOctets },
      { name: "key_tag", kind: twoOctets },
      { name: "algorithm", kind: octet },
      { name: "certificate", kind: base64, takesRest: true },
    ],
  },
  // RFC 4034
  DNSKEY: {
    fields: [
      { name: "flags", kind: twoOctets },
      { name: "protocol", kind: octet },
      { name: "algorithm", kind: octet },
      { name: "public_key", kind: base64, takesRest: true },
    ],
  },
  // RFC 4034
  DS: {
    fields: [
      { name: "key_tag", kind: twoOctets },
      { name: "algorithm", kind: octet },
      { name: "digest_type", kind: octet },
      { name: "digest", kind: hex, takesRest: true },
    ],
    conflict: digestSize("digest_type", "digest", dsDigests),
    identity: digitsIdentity,
  },
  HTTPS: serviceBinding,
  // RFC 1876
  LOC: {
    fields: locationFields,
    conflict: locationConflict,
    fromTokens: locationFromTokens,
    toContent: locationToContent,
    identity: locationIdentity,
  },
  // RFC 3403
  NAPTR: {
    fields: [
      { name: "order", kind: twoOctets },
      { name: "preference", kind: twoOctets },
      { name: "flags", kind: naptrFlags, fallback: "" },
      { name: "service", kind: shortText, fallback: "" },
      { name: "regex", kind: shortText, fallback: "" },
      { name: "replacement", kind: targetAsSent },
    ],
    identity: (_, content) => withoutFinalDot(content),
  },
  SMIMEA: certificateAssociation,
  // RFC 2782
  SRV: {
    fields: [
      { name: "priority", kind: twoOctets },
      { name: "weight", kind: twoOctets },
      { name: "port", kind: twoOctets },
      { name: "target", kind: targetOrRoot },
    ],
    priority: { inData: true, inContent: false },
  },
  // RFC 4255
  SSHFP: {
    fields: [
      { name: "algorithm", kind: octet },
      { name: "type", kind: octet },
      { name: "fingerprint", kind: hex, takesRest: true },
    ],
    conflict: digestSize("type", "fingerprint", sshfpDigests),
    identity: digitsIdentity,
  },
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  // RFC 7553
  URI: {
    fields: [
      { name: "priority", kind: twoOctets },
      { name: "weight", kind: twoOctets },
      { name: "target", kind: uri },
    ],
    priority: { inData: false, inContent: false },
  },
};
