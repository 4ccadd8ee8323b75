import { isJsonObject } from "../../core/json.ts";

/** The part of a log that filters look at. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
}

export type LogFilter = (log: Log) => boolean;

const address = /^0x[0-9a-f]{40}$/i;
const topic = /^0x[0-9a-f]{64}$/i;
const topicsMax = 4;

/** Parses the filter of `eth_subscribe` `logs`; undefined if it is malformed. */
export function parseLogFilter(filter: unknown): LogFilter | undefined {
  if (!isJsonObject(filter)) return undefined;
  const { address: addresses, topics = [] } = filter;
  const from = parseAlternatives(addresses, address);
  if (from === undefined || !Array.isArray(topics) || topics.length > topicsMax) return undefined;
  const positions = normalTopics(topics).map((alternatives) => parseAlternatives(alternatives, topic));
  if (positions.includes(undefined)) return undefined;
  return (log) =>
    matches(from, log.address) &&
    positions.every((wanted, index) => matches(wanted ?? anyValue, log.topics[index]));
}

/** Topics in which `null`, which stands for any value, does so among alternatives too, as in go-ethereum. */
export function normalTopics(topics: readonly unknown[]): readonly unknown[] {
  return topics.map((position) => (Array.isArray(position) && position.includes(null) ? null : position));
}

/** Empty for any value. */
type Alternatives = ReadonlySet<string>;

const anyValue: Alternatives = new Set();

function parseAlternatives(value: unknown, form: RegExp): Alternatives | undefined {
  if (value === undefined || value === null) return anyValue;
  const alternatives: unknown[] = Array.isArray(value) ? value : [value];
  const isValid = alternatives.every((one) => typeof one === "string" && form.test(one));
  return isValid ? new Set((alternatives as string[]).map((one) => one.toLowerCase())) : undefined;
}

function matches(wanted: Alternatives, value: string | undefined): boolean {
  return wanted.size === 0 || (value !== undefined && wanted.has(value.toLowerCase()));
}
