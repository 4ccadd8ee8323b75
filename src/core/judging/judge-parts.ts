import type { CompiledExpression, CompiledValueExpression } from "../expression/compile/compile.ts";
import { RequestContext, type Value } from "../expression/context.ts";
import type { DescribedRequest } from "./described-request.ts";
import { requestContext, type ZoneOfRequest } from "./request-fields.ts";
import type { AskedPart, PartOutcome } from "./request-parts.ts";

/** The parts of the rules for a request that are to be judged, and what makes the fields of its body. */
export interface PartsQuestion {
  readonly body: Pick<DescribedRequest, "headers" | "body" | "isBodyCut" | "bodySize">;
  readonly parts: readonly AskedPart[];
}

/** Compiled parts. */
export interface CompiledParts {
  /** Throws an ExpressionError for an invalid text, which parts of stored rules do not have. */
  readonly filter: (text: string) => CompiledExpression;
  readonly value: (text: string) => CompiledValueExpression;
}

const anyZone: ZoneOfRequest = {
  zone: { name: "", plan: "enterprise" },
  urlNormalization: { type: "rfc3986", scope: "none" },
};
const anyUrl = { isSecure: false, host: "", port: 443, path: "/", query: "" };

/** Judges parts in their order for as long as `mayGoOn`; those after it have no outcome. */
export function judgeParts(
  { body, parts }: PartsQuestion,
  compiled: CompiledParts,
  mayGoOn: () => boolean,
): PartOutcome[] {
  const described = { ...body, method: "POST", address: "", time: 0 };
  const base = requestContext(described, anyZone, anyUrl, new Map());
  const outcomes: PartOutcome[] = [];
  for (const part of parts) {
    if (!mayGoOn()) break;
    outcomes.push(judgePart(part, base, compiled));
  }
  return outcomes;
}

function judgePart(
  { kind, text, fields }: AskedPart,
  base: RequestContext,
  compiled: CompiledParts,
): PartOutcome {
  const makeAt = (slot: number): Value | undefined =>
    fields.has(slot) ? fields.get(slot) : base.valueAt(slot);
  // What others made of the body serves this part too, unless it reads something else.
  const context = fields.size === 0 ? base : new RequestContext(base.lists, makeAt, base);
  try {
    const { evaluate } = kind === "filter" ? compiled.filter(text) : compiled.value(text);
    return { value: evaluate(context) };
  } catch (error) {
    return { error };
  }
}
