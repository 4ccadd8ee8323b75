import { errorCodes } from "../error-codes.ts";
import { joinErrors, type AppError } from "../error.ts";
import { splitTokens } from "./character-string.ts";
import { contentTooLong, dnsError, emptyContent, invalidContent } from "./dns-error.ts";
import { type Field, type FieldProblem, readFields } from "./fields.ts";
import { isJsonObject } from "../json-object.ts";
import { isGiven } from "./json.ts";
import { octetsMax } from "./limits.ts";
import { priorityError } from "./priority.ts";
import type { Data, Rdata, RdataInput, StructuredType } from "./record-types.ts";
import type { StructuredRule } from "./structured.ts";

type Values = Readonly<Record<string, unknown>>;

/** The fields; errors point to where they came from. */
interface Source {
  readonly pointer: "/content" | "/data";
  readonly values: Values;
  /** The priority among the values stands beside content or data. */
  readonly hasPriorityBeside?: true;
}

/** A record with `data`, or with content in presentation form instead. Errors as in `parseRdata`. */
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
