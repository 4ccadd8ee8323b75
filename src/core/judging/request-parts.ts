import { type Part, type PartJudge, RequestContext, type Value } from "../expression/context.ts";
import type { CompiledExpression, CompiledValueExpression } from "../expression/compile/compile.ts";
import type { DescribedRequest } from "./described-request.ts";
import { requestContext, type ZoneOfRequest } from "./request-fields.ts";

/** Limits for parts of rules in the thread that serves visitors. */
export const inPlace = {
  /** Units of one part: some 5 ms in the worst case. */
  unitsMax: 1_000_000,
  /** The same where a part cannot be judged elsewhere. */
  lastUnitsMax: 4_000_000,
  /** Milliseconds of one evaluation. Parts that come later are judged elsewhere. */
  msMax: 15,
  /** Units from which on a part is worth looking at the clock. */
  timedUnits: 1_024,
} as const;

/** A bound on the rounds in which the rules of a request ask for further parts. */
const roundsMax = 8;

/** A part with the fields that it reads, but for those of the body; plain data. */
interface AskedPart extends Pick<Part, "kind" | "text"> {
  /** By slot. Undefined for a field that the request does not have. */
  readonly fields: ReadonlyMap<number, Value | undefined>;
}

/** The result of a part that was judged elsewhere. */
export type PartOutcome = { readonly value: Value | undefined } | { readonly error: unknown };

/** A part of a rule takes too much, or could not be judged in time. */
export class TooCostly extends Error {
  override readonly name = "TooCostly";
}

/**
 * The costly parts of the rules for one request. A part is judged here where that takes a few milliseconds at most.
 * Otherwise it is asked for: meanwhile it counts as false, or as missing, so that one evaluation finds all parts
 * that are needed, and has to be repeated with what they came to.
 */
export class RequestParts implements PartJudge {
  readonly #nowMs: () => number;
  readonly #known = new Map<string, { readonly asked: AskedPart; readonly outcome: PartOutcome }[]>();
  #asked: AskedPart[] = [];
  #bodyOctets = 0;
  #rounds = 0;
  #mayAsk = false;
  #untilMs = 0;

  /** `nowMs` is a clock for measuring; its zero does not matter. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether the evaluation needs parts that are judged elsewhere. */
  get isAsking(): boolean {
    return this.#asked.length > 0;
  }

  /** An evaluation begins that is repeated if it asks for parts. */
  beginAsking(bodyOctets: number): void {
    this.#asked = [];
    this.#bodyOctets = bodyOctets;
    this.#mayAsk = this.#rounds < roundsMax;
  }

  /** Evaluations from here on are not repeated. */
  askNoMore(): void {
    this.#mayAsk = false;
  }

  begin(): void {
    this.#untilMs = this.#nowMs() + inPlace.msMax;
  }

  /** Returns the parts that are needed, once. */
  takeAsked(): readonly AskedPart[] {
    const asked = this.#asked;
    this.#asked = [];
    this.#rounds += 1;
    return asked;
  }

  /** Notes the results of parts, in their order. */
  add(parts: readonly AskedPart[], outcomes: readonly PartOutcome[]): void {
    for (const [index, asked] of parts.entries()) {
      const outcome = outcomes[index] ?? { error: new TooCostly("a part of a rule was not judged in time") };
      this.#known.set(asked.text, [...(this.#known.get(asked.text) ?? []), { asked, outcome }]);
    }
  }

  /** Throws TooCostly, and what judging elsewhere threw. */
  judge(
    part: Part,
    context: RequestContext,
    evaluate: (context: RequestContext) => Value | undefined,
  ): Value | undefined {
    const units = this.#unitsOf(part, context);
    if (units < inPlace.timedUnits) return evaluate(context);
    const isInTime = this.#nowMs() <= this.#untilMs;
    if (isInTime && units <= inPlace.unitsMax) return evaluate(context);
    const outcome = this.#knownOutcome(part, context);
    if (outcome === undefined && (part.namesLists || !this.#mayAsk)) {
      if (isInTime && units <= inPlace.lastUnitsMax) return evaluate(context);
      throw new TooCostly(`a part of a rule takes ${Math.ceil(units)} steps on this request: ${part.text}`);
    }
    if (outcome === undefined) {
      this.#ask(part, context);
      return undefined;
    }
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  #unitsOf({ reads, bodyUnits }: Part, context: RequestContext): number {
    let units = bodyUnits * this.#bodyOctets;
    for (const { slot, units: ofOctet } of reads) units += ofOctet * context.octetsAt(slot);
    return units;
  }

  #knownOutcome({ text, reads }: Part, context: RequestContext): PartOutcome | undefined {
    return this.#known
      .get(text)
      ?.find(({ asked }) => reads.every(({ slot }) => isSame(asked.fields.get(slot), context.valueAt(slot))))
      ?.outcome;
  }

  #ask({ kind, text, reads }: Part, context: RequestContext): void {
    const fields = new Map(reads.map(({ slot }) => [slot, context.valueAt(slot)]));
    const isAsked = this.#asked.some(
      (one) => one.text === text && reads.every(({ slot }) => isSame(one.fields.get(slot), fields.get(slot))),
    );
    if (!isAsked) this.#asked.push({ kind, text, fields });
  }
}

/** Whether two values of one field are the same. */
function isSame(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!(one instanceof Map) || !(other instanceof Map) || one.size !== other.size) return false;
  const others = other.entries();
  for (const [key, item] of one) {
    const [otherKey, otherItem] = others.next().value ?? [];
    if (key !== otherKey || !isSame(item, otherItem)) return false;
  }
  return true;
}

/** The parts of the rules for a request that are to be judged, and what makes the fields of its body. */
export interface PartsQuestion {
  readonly body: Pick<DescribedRequest, "headers" | "body" | "isBodyCut" | "bodySize">;
  readonly parts: readonly AskedPart[];
}

interface CompiledParts {
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
  // The body as other parts decoded it serves this part too, unless it reads something else.
  const context = fields.size === 0 ? base : new RequestContext(base.lists, makeAt, base);
  try {
    const { evaluate } = kind === "filter" ? compiled.filter(text) : compiled.value(text);
    return { value: evaluate(context) };
  } catch (error) {
    return { error };
  }
}
