import { textOf } from "../../components/list-search.ts";
import { spans, type Span } from "./spans.ts";

const texts = ["action", "source", "ip", "host", "path", "country", "rule", "ray", "from", "to"] as const;

/** The filter in the address; undefined for a part that does not matter. */
export interface EventsSearch {
  readonly span?: Span | undefined;
  readonly action?: string | undefined;
  readonly source?: string | undefined;
  readonly ip?: string | undefined;
  readonly host?: string | undefined;
  readonly path?: string | undefined;
  readonly country?: string | undefined;
  readonly rule?: string | undefined;
  /** A part of the chart: from, and up to but not including; RFC 3339. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** All events of one request. */
  readonly ray?: string | undefined;
  /** Whether traced and replayed requests are counted too. */
  readonly tests?: true | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readEventsSearch(search: Readonly<Record<string, unknown>>): EventsSearch {
  const span = spans.find(({ value }) => value === search["span"])?.value;
  return {
    ...(span !== undefined && { span }),
    ...(search["tests"] === true && { tests: true }),
    ...Object.fromEntries(
      texts.flatMap((name) => {
        const value = textOf(search[name]);
        const isTime = name === "from" || name === "to";
        const isRead = value !== undefined && (!isTime || !Number.isNaN(Date.parse(value)));
        return isRead ? [[name, value]] : [];
      }),
    ),
  };
}
