import { textOf } from "../../components/list-search.ts";
import { spans, type Span } from "./spans.ts";

const texts = ["action", "source", "ip", "host", "rule", "ray"] as const;

/** Which events are shown; undefined for what does not matter. */
export interface EventsSearch {
  readonly span?: Span | undefined;
  readonly action?: string | undefined;
  readonly source?: string | undefined;
  readonly ip?: string | undefined;
  readonly host?: string | undefined;
  readonly rule?: string | undefined;
  /** All events of one request. */
  readonly ray?: string | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readEventsSearch(search: Readonly<Record<string, unknown>>): EventsSearch {
  const span = spans.find(({ value }) => value === search["span"])?.value;
  return {
    ...(span !== undefined && { span }),
    ...Object.fromEntries(
      texts.flatMap((name) => {
        const value = textOf(search[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
