import { errorCodes } from "../error-codes.ts";
import { AppError } from "../error.ts";

/** The parts of a recorded request that rules judge. */
export interface RecordedRequest {
  /** Its place in the file, from 1: the entry of a HAR, the line of a log. */
  readonly entry: number;
  readonly method: string;
  /** As it was recorded, `https://example.com/path?query`. */
  readonly url: string;
  /** `HTTP/1.1`. */
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyType?: string;
  /** The client, if it was recorded: an address or a name. */
  readonly client?: string;
  /** When it was sent, in the form of RFC 3339; not validated. */
  readonly startedOn?: string;
  /** The status of its answer; 0 if there was none. */
  readonly status: number;
}

/** A file of recorded requests. */
export interface Recording {
  readonly format: "har" | "combined_log";
  readonly requests: readonly RecordedRequest[];
  /**
   * Lines of a log without a valid request: scans of other protocols, connections without a request, requests beyond
   * `requestLimits`.
   */
  readonly unreadable: number;
}

/** Requests that are replayed at once. */
export const requestsMax = 10_000;

/** A malformed HAR; the pointer leads into it. */
export function malformedHar(pointer: string, rule: string): AppError {
  const place = pointer === "" ? "HAR" : `HAR \`${pointer.slice(1)}\``;
  return new AppError("invalid", errorCodes.recordedRequests.invalidRequest, `Invalid ${place}: ${rule}`, {
    pointer,
  });
}

export function malformedLine(line: number): AppError {
  return new AppError(
    "invalid",
    errorCodes.recordedRequests.invalidLine,
    `Line ${line} is not in the combined log format`,
    { pointer: "/file" },
  );
}

export function unknownFormat(): AppError {
  return new AppError(
    "invalid",
    errorCodes.recordedRequests.unknownFormat,
    "The file is neither a HAR 1.2 nor a log in the combined format",
    { pointer: "/file" },
  );
}

export function tooManyRequests(): AppError {
  const message = `The file holds more than ${requestsMax} requests: no more are replayed at once`;
  return new AppError("invalid", errorCodes.recordedRequests.tooMany, message, { pointer: "/file" });
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

/** The HTTP version as expressions know it, `HTTP/1.1` if the text is not one. */
export function protocolOf(text: string): string {
  return protocols.get(text.toLowerCase()) ?? "HTTP/1.1";
}
