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
  readFields,
  isGiven,
  priorityError,
} from "./fields.ts";
import {
  locationConflict,
  locationFields,
  locationFromTokens,
  locationIdentity,
  locationToContent,
} from "./location.ts";
import type { Data, StructuredType, Rdata, RdataInput } from "./record-types.ts";
import { withoutFinalDot } from "./name.ts";
import { parseSvcParams, svcParamsIdentity, svcParamsOctets } from "./service-binding.ts";
import { errorCodes } from "../../error-codes.ts";
import { joinErrors, type AppError } from "../../error.ts";
import { splitTokens } from "./character-string.ts";
import { contentTooLong, dnsError, emptyContent, invalidContent, octetsMax } from "./dns-error.ts";
import { isJsonObject } from "../../json.ts";

/** Reads a type with `data` from JSON and from content, and renders it. */
interface StructuredRule {
  /** In the order of the presentation format. */
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

type Values = Readonly<Record<string, unknown>>;

/** The fields; errors point to where they came from. */
interface Source {
  readonly pointer: "/content" | "/data";
  readonly values: Values;
  /** The priority among the values stands beside content or data. */
  readonly hasPriorityBeside?: true;
}

/** A record with `data`, or with content in presentation format instead. Errors as in `parseRdata`. */
export function parseStructured(
  type: StructuredType,
  rule: StructuredRule,
  input: RdataInput,
  zoneName: string,
): Rdata {
  const source = withPriority(rule, readSource(type, rule, input), input.priority);
  const result = readFields(rule.fields, source.values, zoneName);
  if ("problems" in result) throw problemsError(type, source, result.problems);

  const conflict = rule.conflict?.(result.data);
  if (conflict !== undefined) throw problemError(type, source, conflict);
  if (octetsOf(rule, result.data) > octetsMax) throw contentTooLong(source.pointer);
  return render(rule, result.data);
}

function readSource(type: StructuredType, rule: StructuredRule, { content, data }: RdataInput): Source {
  if (isGiven(data) && !isJsonObject(data))
    throw dnsError(errorCodes.dnsRecords.invalidField, "data must be an object.", "/data");
  const values = isJsonObject(data) ? data : {};
  // Clients that fill in every field send an empty object beside the content.
  const isFromData = Object.keys(values).length > 0 || !isGiven(content);
  return isFromData
    ? { pointer: "/data", values }
    : { pointer: "/content", values: readContent(type, rule, content) };
}

function readContent(type: StructuredType, rule: StructuredRule, content: unknown): Values {
  if (typeof content !== "string") throw invalidContent(type);
  const line = content.trim();
  if (line === "") throw emptyContent(type);
  const tokens = splitTokens(line);
  const values = tokens && valuesOfTokens(rule, withoutClassAndType(type, tokens));
  if (values === undefined) throw invalidContent(type);
  return values;
}

/** OpenAPI writes examples as `10 IN SRV 5 8806 example.com.` and `IN LOC 37 46 46 N …`. */
function withoutClassAndType(type: StructuredType, tokens: readonly string[]): readonly string[] {
  const at = tokens.findIndex((token, index) => token === "IN" && tokens[index + 1] === type);
  return at === 0 || at === 1 ? tokens.toSpliced(at, 2) : tokens;
}

function valuesOfTokens(rule: StructuredRule, tokens: readonly string[]): Values | undefined {
  if (rule.fromTokens) return rule.fromTokens(tokens);
  // A zone file has the priority inside the content, whatever the type.
  const fields = tokens.length === rule.fields.length ? rule.fields : contentFields(rule);
  const before = fields.slice(0, -1);
  const last = fields.at(-1);
  const rest = tokens.slice(before.length);
  const isComplete = tokens.length >= before.length && (rest.length > 0 || last?.fallback !== undefined);
  if (!last || !isComplete || (rest.length > 1 && !last.takesRest)) return undefined;

  const texts = [...tokens.slice(0, before.length), rest.join(" ")];
  return Object.fromEntries(
    fields.map(({ name, kind }, index) => [name, kind.fromToken(texts[index] ?? "")]),
  );
}

function contentFields({ fields, priority }: StructuredRule): readonly Field[] {
  return priority?.inContent === false ? fields.filter(({ name }) => name !== "priority") : fields;
}

/** A priority inside data or content, where the type has it there, comes before the top-level one. */
function withPriority(rule: StructuredRule, source: Source, topLevel: unknown): Source {
  if (rule.priority === undefined) return source;
  const isFieldOfData = source.pointer === "/data" && rule.priority.inData;
  const isInside = (isFieldOfData || source.pointer === "/content") && isGiven(source.values.priority);
  // If it is given nowhere, a type that has it in its data reports it missing there.
  if (isInside || (isFieldOfData && !isGiven(topLevel))) return source;
  return {
    ...source,
    values: { ...source.values, priority: topLevel ?? undefined },
    hasPriorityBeside: true,
  };
}

/** An error for each problem; content that cannot be read is a single one. */
function problemsError(type: StructuredType, source: Source, problems: readonly FieldProblem[]): AppError {
  const errors = problems.map((problem) => problemError(type, source, problem));
  return joinErrors([...new Map(errors.map((error) => [error.pointer, error])).values()]);
}

function problemError(type: StructuredType, source: Source, { field, expectation }: FieldProblem): AppError {
  if (field === "priority" && source.hasPriorityBeside) return priorityError(expectation);
  if (source.pointer === "/content") return invalidContent(type);
  const pointer = `/data/${field}`;
  return expectation === undefined
    ? dnsError(errorCodes.dnsRecords.missingField, `${field} is a required data field.`, pointer)
    : dnsError(errorCodes.dnsRecords.invalidField, `${field} must be ${expectation}.`, pointer);
}

function octetsOf(rule: StructuredRule, data: Data): number {
  return rule.fields.reduce((sum, { name, kind }) => sum + kind.octets(data[name] ?? ""), 0);
}

function render(rule: StructuredRule, all: Data): Rdata {
  const tokens = contentFields(rule).map(({ name, kind }) => kind.toToken(all[name] ?? ""));
  const content = rule.toContent?.(all) ?? tokens.filter((token) => token !== "").join(" ");
  if (rule.priority === undefined || rule.priority.inContent) return { content, data: all };
  const { priority, ...others } = all;
  return { content, data: rule.priority.inData ? all : others, priority: Number(priority) };
}
