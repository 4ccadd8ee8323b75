import { isJsonObject } from "../json.ts";
import { decodeText, encodeText } from "./byte-string.ts";
import { addressBits, parseIpAddress, printIpAddress, type IpAddress } from "../net/ip-address.ts";
import { isInRange, networkOf, type IpRange } from "../net/ip-range.ts";
import { findField, slotOf } from "./fields.ts";
import { elementType, isMap, type ValueType } from "./value-type.ts";

/** The value of a field: strings are byte strings, integers are safe integers. */
export type Value = boolean | number | string | IpAddress | readonly Value[] | ReadonlyMap<string, Value>;

export type ListTest = (value: Value) => boolean;

const noLists: ReadonlyMap<string, ListTest> = new Map();

/**
 * A part of an expression that can be evaluated apart from the rest: a comparison, a quantifier, or a value.
 */
export interface Part {
  readonly kind: "filter" | "value";
  /** The text, on which the result depends besides the request. */
  readonly text: string;
  /** The fields that it reads, with the units of work for each octet. */
  readonly reads: readonly { readonly slot: number; readonly units: number }[];
  /** Units of work for each octet of the body. */
  readonly bodyUnits: number;
  readonly namesLists: boolean;
}

/** Decides where the costly parts of expressions are evaluated: here and now, or elsewhere and later. */
export interface PartJudge {
  /** Called when the evaluation of some rules begins. */
  readonly begin: () => void;
  /** Returns the value of a part; undefined while it is not known. Throws where the part takes too much. */
  readonly judge: (
    part: Part,
    context: RequestContext,
    evaluate: (context: RequestContext) => Value | undefined,
  ) => Value | undefined;
}

/** The fields of a request. Each value is made when it is first read. */
export class RequestContext {
  readonly lists: ReadonlyMap<string, ListTest>;
  /**
   * Decides where costly parts of expressions are evaluated; if undefined, they are evaluated at once,
   * whatever they take.
   */
  readonly parts: PartJudge | undefined;
  readonly #make: (slot: number) => Value | undefined;
  readonly #under: RequestContext | undefined;
  /**
   * Cached values by slot; null for a missing value. A map, as most requests are asked for few of the many
   * fields.
   */
  readonly #made = new Map<number, Value | null>();
  /** Cached results of calls by their text; null for a missing value. */
  #results: Map<string, Value | null> | undefined;
  /** The octets of values that consist of several, by slot. */
  #octets: Map<number, number> | undefined;
  /** Results of `readOnce`, by their texts. */
  #read: Map<string, unknown> | undefined;

  /** `under` is the context that `make` asks for other fields. Its parts are judged as those of this one. */
  constructor(
    lists: ReadonlyMap<string, ListTest>,
    make: (slot: number) => Value | undefined,
    under?: RequestContext,
    parts: PartJudge | undefined = under?.parts,
  ) {
    this.lists = lists;
    this.parts = parts;
    this.#make = make;
    this.#under = under;
  }

  valueAt(slot: number): Value | undefined {
    const known = this.#made.get(slot);
    if (known !== undefined) return known ?? undefined;
    const made = this.#make(slot);
    this.#made.set(slot, made ?? null);
    return made;
  }

  /** Counts the octets of a value, plus one for each of its elements. */
  octetsAt(slot: number): number {
    const value = this.valueAt(slot);
    if (typeof value === "string") return value.length;
    if (typeof value !== "object") return 0;
    const known = this.#octets?.get(slot);
    if (known !== undefined) return known;
    const octets = octetsIn(value);
    (this.#octets ??= new Map()).set(slot, octets);
    return octets;
  }

  /** Calls `read` once for each text in a request and returns its result from then on. */
  readOnce<Result>(text: string, read: (text: string) => Result): Result {
    if (this.#under !== undefined) return this.#under.readOnce(text, read);
    const all = (this.#read ??= new Map());
    if (!all.has(text)) all.set(text, read(text));
    return all.get(text) as Result;
  }

  /**
   * The result of a call, made by the first expression that asks. The text of the call says all that the
   * result depends on.
   */
  resultOf(call: string, make: (context: RequestContext) => Value | undefined): Value | undefined {
    const results = (this.#results ??= new Map());
    const known = results.get(call);
    if (known !== undefined) return known ?? undefined;
    const made = make(this);
    results.set(call, made ?? null);
    return made;
  }

  forget(): void {
    this.#made.clear();
    this.#results = undefined;
    this.#octets = undefined;
    this.#read = undefined;
    this.#under?.forget();
  }
}

function octetsIn(value: Value): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || isIpAddress(value)) return 0;
  let sum = 0;
  if (value instanceof Map) for (const [key, item] of value) sum += key.length + 1 + octetsIn(item);
  else for (const item of value as readonly Value[]) sum += 1 + octetsIn(item);
  return sum;
}

/** Thrown for data that is no request context. */
export class ContextError extends Error {
  override readonly name = "ContextError";
}

/**
 * Creates a request context from JSON data: values by field name, and items of lists by `$name`. Throws
 * ContextError.
 */
export function createContext(data: Readonly<Record<string, unknown>>): RequestContext {
  return withFields(new RequestContext(noLists, () => undefined), data);
}

/** The same request with other data. Throws a ContextError. */
export function withFields(context: RequestContext, data: Readonly<Record<string, unknown>>): RequestContext {
  const values: (Value | undefined)[] = [];
  const lists = new Map(context.lists);
  for (const [name, value] of Object.entries(data)) {
    const field = findField(name);
    if (name.startsWith("$")) lists.set(name.slice(1), readList(name, value));
    else if (field === undefined) throw new ContextError(`${name}: unknown field`);
    else values[slotOf(field)] = readValue(name, field.type, value);
  }
  return new RequestContext(lists, (slot) => values[slot] ?? context.valueAt(slot), context);
}

/** Functions that make fields from a source, by slot. */
type FieldMakers<Source> = readonly (((source: Source) => Value | undefined) | undefined)[];

/** Makers of fields by name. Throws a ContextError for a name that no field has. */
export function fieldMakers<Source>(
  byName: Readonly<Record<string, (source: Source) => Value | undefined>>,
): FieldMakers<Source> {
  const makers: ((source: Source) => Value | undefined)[] = [];
  for (const [name, make] of Object.entries(byName)) {
    const field = findField(name);
    if (field === undefined) throw new ContextError(`${name}: unknown field`);
    makers[slotOf(field)] = make;
  }
  return makers;
}

export function withMade<Source>(
  context: RequestContext,
  makers: FieldMakers<Source>,
  source: Source,
): RequestContext {
  const makeAt = (slot: number): Value | undefined => {
    const make = makers[slot];
    return make === undefined ? context.valueAt(slot) : make(source);
  };
  return new RequestContext(context.lists, makeAt, context);
}

function readValue(path: string, type: ValueType, value: unknown): Value {
  const element = elementType(type);
  if (element !== undefined) {
    return isMap(type) ? readMap(path, element, value) : readArray(path, element, value);
  }
  if (type === "Bytes" && typeof value === "string") return encodeText(value);
  if (type === "Bool" && typeof value === "boolean") return value;
  if (type === "Int" && Number.isSafeInteger(value)) return value as number;
  const address = type === "Ip" && typeof value === "string" ? parseIpAddress(value) : undefined;
  if (address !== undefined) return address;
  throw new ContextError(`${path}: must be ${expectations[type] ?? type}`);
}

const expectations: Readonly<Record<string, string>> = {
  Bytes: "a string",
  Bool: "true or false",
  Int: "an integer",
  Ip: "an IP address",
};

function readArray(path: string, element: ValueType, value: unknown): Value {
  if (!Array.isArray(value)) throw new ContextError(`${path}: must be an array`);
  return value.map((item, index) => readValue(`${path}[${index}]`, element, item));
}

function readMap(path: string, element: ValueType, value: unknown): Value {
  if (!isJsonObject(value)) throw new ContextError(`${path}: must be an object`);
  const entries = Object.entries(value).map(
    ([key, item]) => [encodeText(key), readValue(`${path}[${JSON.stringify(key)}]`, element, item)] as const,
  );
  return new Map(entries);
}

function readList(name: string, items: unknown): ListTest {
  if (!Array.isArray(items)) throw new ContextError(`${name}: must be an array`);
  const ranges: IpRange[] = [];
  const others = new Set<Value>();
  for (const item of items) {
    const range = typeof item === "string" ? readIpItem(item) : undefined;
    if (range !== undefined) ranges.push(range);
    if (typeof item === "string") others.add(encodeText(item));
    else if (Number.isSafeInteger(item)) others.add(item as number);
    else throw new ContextError(`${name}: must hold strings or integers`);
  }
  return (value) =>
    isIpAddress(value) ? ranges.some((range) => isInRange(value, range)) : others.has(value);
}

function readIpItem(text: string): IpRange | undefined {
  const [base = "", length, more] = text.split("/");
  const address = parseIpAddress(base);
  if (address === undefined || more !== undefined) return undefined;
  const bits = length === undefined ? addressBits(address) : Number(length);
  const isLength = length === undefined || /^[0-9]{1,3}$/.test(length);
  return isLength && bits <= addressBits(address) ? networkOf(address, bits) : undefined;
}

export function valueOf(context: RequestContext, name: string): Value | undefined {
  const field = findField(name);
  return field === undefined ? undefined : context.valueAt(slotOf(field));
}

export function isIpAddress(value: Value): value is IpAddress {
  return typeof value === "object" && "version" in value;
}

/** A value as JSON data for `createContext`. Octets that are not UTF-8 become one character each. */
export function toData(value: Value | undefined): unknown {
  if (typeof value === "string") return decodeText(value) ?? value;
  if (typeof value !== "object") return value;
  if (isIpAddress(value)) return printIpAddress(value);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [decodeText(key) ?? key, toData(item)]));
  }
  return (value as readonly Value[]).map(toData);
}

/** The byte string of a field; empty where there is none. */
export function textOf(request: RequestContext, field: string): string {
  const value = valueOf(request, field);
  return typeof value === "string" ? value : "";
}
