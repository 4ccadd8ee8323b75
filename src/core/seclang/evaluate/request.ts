import { lowerAscii } from "../../expression/byte-string.ts";
import { type Entry, readArguments, readCookies } from "../bodies/url-encoded.ts";
import { readJson } from "../bodies/json.ts";
import { readMultipart } from "../bodies/multipart.ts";
import { readXml } from "../bodies/xml.ts";
import { decodeUrl } from "../transform/encodings.ts";
import type { Transaction } from "./transaction.ts";

/** A request as rules see it. All texts are byte strings. */
export interface RuleRequest {
  readonly method: string;
  /** The request target as it was sent: path and query, or a whole URL. */
  readonly target: string;
  /** `HTTP/1.1`. */
  readonly protocol: string;
  readonly headers: readonly Entry[];
  readonly body: string;
  readonly remoteAddress: string;
}

export interface RuleResponse {
  readonly status: number;
  readonly headers: readonly Entry[];
  readonly body: string;
}

/** Sets the variables of phase 1. */
export function setRequest(transaction: Transaction, request: RuleRequest): void {
  const { method, target, protocol, headers } = request;
  const [beforeFragment = ""] = target.split("#", 1);
  const uri = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/is.exec(beforeFragment)?.[1] ?? beforeFragment;
  const at = uri.indexOf("?");
  const path = at < 0 ? uri : uri.slice(0, at);
  const query = at < 0 ? "" : uri.slice(at + 1);
  const fileName = decodePath(path);
  transaction.set("REQUEST_METHOD", method);
  transaction.set("REQUEST_PROTOCOL", protocol);
  transaction.set("REQUEST_LINE", `${method} ${target} ${protocol}`);
  transaction.set("REQUEST_URI_RAW", target);
  transaction.set("REQUEST_URI", uri === "" ? "/" : uri);
  transaction.set("REQUEST_FILENAME", fileName);
  transaction.set(
    "REQUEST_BASENAME",
    fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1),
  );
  transaction.set("QUERY_STRING", query);
  transaction.set("REMOTE_ADDR", request.remoteAddress);
  transaction.set("DURATION", "0");
  transaction.set("REQUEST_HEADERS", headers);
  transaction.set("REQUEST_HEADERS_NAMES", namesOf(headers));
  const cookies = headers
    .filter(({ name }) => lowerAscii(name) === "cookie")
    .flatMap(({ value }) => readCookies(value));
  transaction.set("REQUEST_COOKIES", cookies);
  transaction.set("REQUEST_COOKIES_NAMES", namesOf(cookies));
  const args = readArguments(query);
  transaction.set("ARGS_GET", args);
  transaction.set("ARGS_GET_NAMES", namesOf(args));
  setArguments(transaction, []);
  const contentType = headerOf(headers, "content-type");
  transaction.bodyProcessor = processorOf(contentType);
  transaction.set("REQBODY_PROCESSOR", transaction.bodyProcessor);
  transaction.set("REQBODY_ERROR", "0");
  transaction.set("MULTIPART_STRICT_ERROR", "0");
  transaction.set("FILES_COMBINED_SIZE", "0");
}

/** Sets the variables that phase 2 adds. */
export function setBody(transaction: Transaction, { body, headers }: RuleRequest): void {
  transaction.set("REQUEST_BODY_LENGTH", String(body.length));
  if (body === "") return;
  const { bodyProcessor } = transaction;
  if (bodyProcessor === "URLENCODED" || bodyProcessor === "" || transaction.isBodyForced) {
    transaction.set("REQUEST_BODY", body);
  }
  switch (bodyProcessor) {
    case "URLENCODED":
      setArguments(transaction, readArguments(body));
      break;
    case "MULTIPART":
      setParts(transaction, headerOf(headers, "content-type"), body);
      break;
    case "JSON":
      setJson(transaction, body);
      break;
    case "XML":
      setXml(transaction, body);
      break;
    default:
  }
}

/** Sets the variables that phases 3 and 4 add. */
export function setResponse(transaction: Transaction, { status, headers, body }: RuleResponse): void {
  transaction.set("RESPONSE_STATUS", String(status));
  transaction.set("RESPONSE_HEADERS", headers);
  transaction.set("RESPONSE_CONTENT_TYPE", headerOf(headers, "content-type"));
  transaction.set("RESPONSE_BODY", body);
}

/** Sets the arguments. `lists` are names of arguments without values. */
function setArguments(
  transaction: Transaction,
  posted: readonly Entry[],
  lists: readonly string[] = [],
): void {
  const args = [...transaction.values("ARGS_GET"), ...posted];
  const named = lists.map((name) => ({ name, value: name }));
  transaction.set("ARGS_POST", posted);
  transaction.set("ARGS_POST_NAMES", [...namesOf(posted), ...named]);
  transaction.set("ARGS", args);
  transaction.set("ARGS_NAMES", [...namesOf(args), ...named]);
  const octets = args.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  transaction.set("ARGS_COMBINED_SIZE", String(octets));
}

function setParts(transaction: Transaction, contentType: string, body: string): void {
  const parts = readMultipart(contentType, body);
  if (parts === undefined) return setBodyError(transaction);
  setArguments(transaction, parts.fields);
  transaction.set("FILES", parts.files);
  transaction.set("FILES_NAMES", namesOf(parts.files));
  transaction.set("FILES_COMBINED_SIZE", String(parts.files.reduce((sum, { octets }) => sum + octets, 0)));
  transaction.set("MULTIPART_PART_HEADERS", parts.headers);
  if (parts.isLax) transaction.set("MULTIPART_STRICT_ERROR", "1");
}

function setJson(transaction: Transaction, body: string): void {
  const { values, lists, isWellFormed } = readJson(body);
  setArguments(transaction, values, lists);
  if (!isWellFormed) setBodyError(transaction);
}

function setXml(transaction: Transaction, body: string): void {
  const { text, attributes, isWellFormed } = readXml(body);
  const values = attributes.map((value) => ({ name: "//@*", value }));
  transaction.set("XML", [{ name: "/*", value: text }, ...values]);
  if (!isWellFormed) setBodyError(transaction);
}

function setBodyError(transaction: Transaction): void {
  transaction.set("REQBODY_ERROR", "1");
}

function namesOf(entries: readonly Entry[]): Entry[] {
  return entries.map(({ name }) => ({ name, value: name }));
}

function headerOf(headers: readonly Entry[], name: string): string {
  return headers.find((header) => lowerAscii(header.name) === name)?.value ?? "";
}

const processors: readonly (readonly [RegExp, string])[] = [
  [/^application\/x-www-form-urlencoded/i, "URLENCODED"],
  [/^multipart\/form-data/i, "MULTIPART"],
  [/^(?:application(?:\/soap\+|\/)|text\/)xml/i, "XML"],
  [/^application\/(?:json|[a-z0-9.-]+\+json)/i, "JSON"],
];

function processorOf(contentType: string): string {
  return processors.find(([pattern]) => pattern.test(contentType))?.[1] ?? "";
}

/** Decodes a path, in which `+` does not stand for a space, unlike in a query. */
function decodePath(path: string): string {
  return decodeUrl(path.replaceAll("+", "%2b"));
}
