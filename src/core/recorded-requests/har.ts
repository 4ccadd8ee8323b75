import { isJsonObject, exceededBound } from "../json.ts";
import { integerBetween } from "../validate/rules.ts";
import {
  malformedHar,
  protocolOf,
  requestsMax,
  tooManyRequests,
  UnreadableEntries,
  type RecordedRequest,
  type Recording,
} from "./recorded-request.ts";

/** Bounds far above a HAR of 16 MiB. Parsed, many small values take a hundred times their text. */
const bounds = { levelsMax: 256, valuesMax: 2_000_000 } as const;
const boundRules = {
  levelsMax: `must not be nested more than ${bounds.levelsMax} levels deep`,
  valuesMax: `must have at most ${bounds.valuesMax} values`,
} as const;

/** The reason why an entry is skipped. */
class UnreadableRequest extends Error {
  constructor(place: string, rule: string) {
    super(`${place} ${rule}`);
  }
}

/**
 * Reads the requests of a HAR 1.2, and only those.
 * Errors: 400 code 40021 with a pointer into the HAR, code 40024 for more than 10,000 entries.
 */
export function parseHar(text: string): Recording {
  const log = optional(parseJson(text), "log");
  if (!isJsonObject(log)) throw malformedHar("/log", "must be an object");
  const { entries } = log;
  if (!Array.isArray(entries)) throw malformedHar("/log/entries", "must be a list");
  if (entries.length > requestsMax) throw tooManyRequests();
  const requests: RecordedRequest[] = [];
  const unreadable = new UnreadableEntries();
  for (const [index, entry] of entries.entries()) {
    try {
      requests.push(toRequest(entry, index + 1));
    } catch (error) {
      if (!(error instanceof UnreadableRequest)) throw error;
      unreadable.add(index + 1, error.message);
    }
  }
  return { format: "har", requests, unreadable };
}

function parseJson(text: string): unknown {
  const exceeded = exceededBound(text, bounds);
  if (exceeded !== undefined) throw malformedHar("", boundRules[exceeded]);
  try {
    return JSON.parse(text);
  } catch {
    throw malformedHar("", "must be JSON");
  }
}

/** Throws an UnreadableRequest. */
function toRequest(written: unknown, entry: number): RecordedRequest {
  const place = "request";
  const request = member(written, "entry", place);
  const headers = pairs(request, place, "headers");
  const version = optional(request, "httpVersion");
  const startedOn = optional(written, "startedDateTime");
  const status = optional(optional(written, "response"), "status");
  // Some exporters repeat the cookies of the header.
  const cookies = "cookie" in headers ? {} : pairs(request, place, "cookies");
  return {
    entry,
    method: textOf(request, place, "method").toUpperCase(),
    url: textOf(request, place, "url"),
    protocol: protocolOf(typeof version === "string" ? version : ""),
    headers,
    cookies,
    ...bodyOf(optional(request, "postData"), `${place}/postData`),
    ...(typeof startedOn === "string" && { startedOn }),
    status: httpStatus.accepts(status) ? status : 0,
  };
}

/** Reads pairs by name in lower case; repeated values are joined as by a server. */
function pairs(request: unknown, place: string, name: "headers" | "cookies"): Record<string, string> {
  const list = optional(request, name) ?? [];
  if (!Array.isArray(list)) throw new UnreadableRequest(`${place}/${name}`, "must be a list");
  const values = new Map<string, string>();
  for (const [index, pair] of list.entries()) {
    const at = `${place}/${name}/${index}`;
    const given = textOf(pair, at, "name");
    const value = optional(pair, "value");
    if (typeof value !== "string") throw new UnreadableRequest(`${at}/value`, "must be a text");
    // Pseudo-headers of HTTP/2, such as `:authority`.
    if (given.startsWith(":")) continue;
    const key = name === "headers" ? given.toLowerCase() : given;
    const earlier = values.get(key);
    values.set(key, earlier === undefined ? value : `${earlier}${key === "cookie" ? "; " : ", "}${value}`);
  }
  return Object.fromEntries(values);
}

function bodyOf(data: unknown, place: string): Pick<RecordedRequest, "body" | "bodyType"> {
  if (data === undefined || data === null) return { body: "" };
  const { mimeType, text, params } = objectOf(data, place);
  const bodyType = typeof mimeType === "string" && mimeType !== "" ? { bodyType: mimeType } : {};
  if (typeof text === "string" && text !== "") return { body: text, ...bodyType };
  if (!Array.isArray(params)) return { body: "", ...bodyType };
  const form = params.map((parameter: unknown, index) => {
    const name = textOf(parameter, `${place}/params/${index}`, "name");
    const value = optional(parameter, "value");
    return `${formEncoded(name)}=${formEncoded(typeof value === "string" ? value : "")}`;
  });
  return { body: form.join("&"), ...bodyType };
}

function formEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%20", "+");
}

function member(value: unknown, place: string, name: string): unknown {
  const found = objectOf(value, place)[name];
  if (found === undefined) throw new UnreadableRequest(place, `has no ${name}`);
  return found;
}

function textOf(value: unknown, place: string, name: string): string {
  const text = member(value, place, name);
  if (typeof text !== "string" || text === "")
    throw new UnreadableRequest(`${place}/${name}`, "must be a text");
  return text;
}

function objectOf(value: unknown, place: string): Record<string, unknown> {
  if (isJsonObject(value)) return value;
  throw new UnreadableRequest(place, "must be an object");
}

function optional(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The status of an answer; browsers write 0 for a request without one. */
const httpStatus = integerBetween(0, 999);
