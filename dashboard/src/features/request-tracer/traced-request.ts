import type { TraceBody } from "../../../../src/resources/request-tracer/schema.ts";
import type { TracerSearch } from "./search.ts";

/** A request while it is described. */
export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  readonly protocol: string;
  /** One on a line: `Name: value`. */
  readonly headers: string;
  readonly body: string;
  /** Two letters, or empty. */
  readonly country: string;
  readonly botScore: number | undefined;
  readonly skipsChallenges: boolean;
}

export function initialRequest(search: TracerSearch, zoneName: string): TracedRequest {
  return {
    method: search.method ?? "GET",
    url: search.url ?? `https://${zoneName}/`,
    protocol: search.protocol ?? "HTTP/2",
    headers: search.agent === undefined ? "" : `User-Agent: ${search.agent}`,
    body: "",
    country: search.country ?? "",
    botScore: undefined,
    skipsChallenges: false,
  };
}

/** The headers, and the lines that are none by their number from 1 on. */
export function readHeaders(text: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly bad: readonly number[];
} {
  const headers: Record<string, string> = {};
  const bad: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) bad.push(index + 1);
    else headers[name] = value;
  }
  return { headers, bad };
}

export function toTraceBody(request: TracedRequest): TraceBody {
  const { headers } = readHeaders(request.headers);
  const { botScore, country, skipsChallenges } = request;
  const context = {
    ...(country !== "" && { geoloc: { iso_code: country.toUpperCase() } }),
    ...(botScore !== undefined && { bot_score: botScore }),
    ...(skipsChallenges && { skip_challenge: true }),
  };
  return {
    method: request.method,
    url: request.url,
    protocol: request.protocol,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(request.body !== "" && { body: { plain_text: request.body } }),
    ...(Object.keys(context).length > 0 && { context }),
  };
}
