/** A log as nodes write it, as far as filters look at it. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Whether a log is one that was subscribed to. */
export type LogFilter = (log: Log) => boolean;

const address = /^0x[0-9a-f]{40}$/i;
const topic = /^0x[0-9a-f]{64}$/i;
const topicsMax = 4;

/** Reads the filter of `eth_subscribe` `logs`; undefined if it is malformed. */
export function readLogFilter(filter: unknown): LogFilter | undefined {
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) return undefined;
  const { address: addresses, topics = [] } = filter as Record<string, unknown>;
  const from = readAlternatives(addresses, address);
  if (from === undefined || !Array.isArray(topics) || topics.length > topicsMax) return undefined;
  const positions = topics.map((alternatives: unknown) => readAlternatives(alternatives, topic));
  if (positions.includes(undefined)) return undefined;
  return (log) =>
    matches(from, log.address) &&
    positions.every((wanted, index) => matches(wanted ?? anything, log.topics[index]));
}

/** Empty where anything will do. */
type Alternatives = ReadonlySet<string>;

const anything: Alternatives = new Set();

function readAlternatives(value: unknown, form: RegExp): Alternatives | undefined {
  if (value === undefined || value === null) return anything;
  const alternatives: unknown[] = Array.isArray(value) ? value : [value];
  const isValid = alternatives.every((one) => typeof one === "string" && form.test(one));
  return isValid ? new Set((alternatives as string[]).map((one) => one.toLowerCase())) : undefined;
}

function matches(wanted: Alternatives, value: string | undefined): boolean {
  return wanted.size === 0 || (value !== undefined && wanted.has(value.toLowerCase()));
}
