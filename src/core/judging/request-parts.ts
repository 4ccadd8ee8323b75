import type { Part, PartJudge, RequestContext, Value } from "../expression/context.ts";

/** What parts of rules may take in the thread that serves visitors. */
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

/** How often the rules of a request may ask for further parts. */
const roundsMax = 8;

/** A part with the fields that it reads, but for those of the body; plain data. */
export interface AskedPart extends Pick<Part, "kind" | "text"> {
  /** By slot. Undefined for a field that the request does not have. */
  readonly fields: ReadonlyMap<number, Value | undefined>;
}

/** What judging a part elsewhere comes to. */
export type PartOutcome = { readonly value: Value | undefined } | { readonly error: unknown };

/** A part of a rule takes too much, or could not be judged in time. */
export class TooCostly extends Error {
  override readonly name = "TooCostly";
}

/**
 * The costly parts of the rules for one request. A part is judged here where that takes a few milliseconds at most. Otherwise it
 * is asked for: meanwhile it counts as false, or as missing, so that one evaluation finds all parts that are needed, and has to be
 * repeated with what they came to.
 */
export class RequestParts implements PartJudge {
  readonly #nowMs: () => number;
  readonly #known = new Map<string, { readonly asked: AskedPart; readonly outcome: PartOutcome }[]>();
  #asked: AskedPart[] = [];
  #bodyOctets = 0;
  #rounds = 0;
  #mayAsk = false;
  #untilMs = 0;

  /** `nowMs` tells how time passes. */
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

  /** The parts that are needed. */
  takeAsked(): readonly AskedPart[] {
    const asked = this.#asked;
    this.#asked = [];
    this.#rounds += 1;
    return asked;
  }

  /** What the parts came to, in their order. */
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
