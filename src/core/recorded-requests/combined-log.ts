import {
  protocolOf,
  requestsMax,
  tooManyRequests,
  unknownFormat,
  UnreadableEntries,
  type RecordedRequest,
  type Recording,
} from "./recorded-request.ts";

const quoted = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
/**
 * The format `%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`; further fields that some servers
 * append are ignored.
 */
const line = new RegExp(
  String.raw`^(\S+) \S+ [^["]+ \[([^\]"]+)\] ${quoted} (\d{3}) (?:\d+|-) ${quoted} ${quoted}(?: .*)?$`,
);

/** Maximum length of a line, far above the limits of servers. */
const lineLengthMax = 65_536;

/**
 * The requests of an access log in the combined format of Apache and nginx. Requests without a host are for
 * `host`, over HTTPS. Errors: 400 code 40020 for a file without a line in that format, code 40024 for more
 * than 10,000 requests.
 */
export function parseCombinedLog(text: string, host: string): Recording {
  const requests: RecordedRequest[] = [];
  const unreadable = new UnreadableEntries();
  let isLog = false;
  let number = 0;
  for (const written of linesOf(text)) {
    number += 1;
    const trimmed = written.trimEnd();
    if (trimmed === "") continue;
    const parts = trimmed.length > lineLengthMax ? null : line.exec(trimmed);
    if (parts === null) {
      unreadable.add(number, "is not in the combined log format");
      continue;
    }
    isLog = true;
    const request = toRequest(parts, host, number);
    if (request === undefined) unreadable.add(number, "holds no HTTP request");
    else if (requests.push(request) > requestsMax) throw tooManyRequests();
  }
  if (!isLog) throw unknownFormat();
  return { format: "combined_log", requests, unreadable };
}

/** Yields one line at a time, as a list of all lines would take many times the memory of the text. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/** Reads a request; undefined for an invalid request line, for example of another protocol. */
function toRequest(parts: RegExpExecArray, host: string, entry: number): RecordedRequest | undefined {
  const [, client = "", time = "", request = "", status = "", referer = "", userAgent = ""] = parts;
  const [, method = "", target = "", protocol = ""] =
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) (HTTP\/\d(?:\.\d)?)$/.exec(unescaped(request)) ?? [];
  if (!/^(?:\/|https?:\/\/)/i.test(target)) return undefined;
  const startedOn = rfc3339(time);
  return {
    entry,
    method: method.toUpperCase(),
    url: target.startsWith("/") ? `https://${host}${target}` : target,
    protocol: protocolOf(protocol),
    headers: { ...header("referer", referer), ...header("user-agent", userAgent) },
    cookies: {},
    body: "",
    client,
    ...(startedOn !== undefined && { startedOn }),
    status: Number(status),
  };
}

/** The header of a field of the log, where `-` stands for a missing header. */
function header(name: string, written: string): Record<string, string> {
  return written === "-" || written === "" ? {} : { [name]: unescaped(written) };
}

const utf8 = new TextDecoder();
const characters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", v: "\v", f: "\f" };

/** Decodes `\xhh`, which Apache and nginx write for unprintable octets. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:\\x[0-9a-f]{2})+|\\(.)/gi, (escape, character: string | undefined) => {
    if (character !== undefined) return characters[character] ?? character;
    const octets = escape.split(/\\x/i).slice(1);
    return utf8.decode(Uint8Array.from(octets, (octet) => Number.parseInt(octet, 16)));
  });
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Converts `10/Oct/2000:13:55:36 -0700` to RFC 3339. */
function rfc3339(time: string): string | undefined {
  const [, day, name = "", year, clock, hours, minutes] =
    /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/.exec(time) ?? [];
  const month = months.indexOf(name) + 1;
  if (month === 0) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${day}T${clock}${hours}:${minutes}`;
}
