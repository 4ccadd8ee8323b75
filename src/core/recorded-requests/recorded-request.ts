import { errorCodes } from "../error-codes.ts";
import { AppError, invalidRequest } from "../error.ts";

/** The parts of a recorded request that rules evaluate. */
export interface RecordedRequest {
  /** Position in the file, from 1: the entry of a HAR, the line of a log. */
  readonly entry: number;
  readonly method: string;
  readonly url: string;
  /** `HTTP/1.1`. */
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyType?: string;
  /** Address or name of the client. */
  readonly client?: string;
  /** A time of RFC 3339, not validated. */
  readonly startedOn?: string;
  /** The status of the answer; 0 without one. */
  readonly status: number;
}

export interface Recording {
  readonly format: "har" | "combined_log";
  readonly requests: readonly RecordedRequest[];
  /** Entries without a valid request. */
  readonly unreadable: UnreadableEntries;
}

export interface UnreadableEntry {
  /** The position in the file, as in `RecordedRequest`. */
  readonly entry: number;
  readonly reason: string;
}

const unreadableListedMax = 1_000;

/** Counts the entries that are skipped, and lists the first of them. */
export class UnreadableEntries {
  readonly #listed: UnreadableEntry[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The first 1,000 entries. */
  get listed(): readonly UnreadableEntry[] {
    return this.#listed;
  }

  add(entry: number, reason: string): void {
    this.#count += 1;
    if (this.#listed.length < unreadableListedMax) this.#listed.push({ entry, reason });
  }
}

export const requestsMax = 10_000;

/** The error for a malformed HAR: 400 code 40021, with a pointer into the HAR. */
export function malformedHar(pointer: string, rule: string): AppError {
  const place = pointer === "" ? "HAR" : `HAR \`${pointer.slice(1)}\``;
  return invalidRequest(errorCodes.recordedRequests.invalidRequest, `Invalid ${place}: ${rule}`, pointer);
}

export function unknownFormat(): AppError {
  return invalidRequest(
    errorCodes.recordedRequests.unknownFormat,
    "The file is neither a HAR 1.2 nor a log in the combined format",
    "/file",
  );
}

export function tooManyRequests(): AppError {
  const message = `The file holds more than ${requestsMax} requests: no more are replayed at once`;
  return invalidRequest(errorCodes.recordedRequests.tooMany, message, "/file");
}

const protocols: ReadonlyMap<string, string> = new Map([
  ["h2", "HTTP/2"],
  ["http/2", "HTTP/2"],
  ["http/2.0", "HTTP/2"],
  ["h3", "HTTP/3"],
  ["http/3", "HTTP/3"],
  ["http/3.0", "HTTP/3"],
  ["http/1.0", "HTTP/1.0"],
]);

/** The HTTP version in expressions; `HTTP/1.1` for unknown ones. */
export function protocolOf(text: string): string {
  return protocols.get(text.toLowerCase()) ?? "HTTP/1.1";
}
