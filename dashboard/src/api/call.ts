/** A value of a query; undefined and the empty text leave the parameter out. */
type QueryValue = string | number | boolean | undefined;

/** A file as the body, sent as `multipart/form-data` with fields beside it. */
export interface FileBody {
  readonly file: { readonly name: string; readonly text: string };
  readonly fields: Readonly<Record<string, string>>;
}

declare const resultOf: unique symbol;

/**
 * One call of the public API as data. It is what is sent, what a query is cached under and what is shown as `curl`,
 * so that the three cannot differ.
 */
export interface ApiCall<Result> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `base`, with its leading slash. */
  readonly path: string;
  /** `/client/v4` by default. */
  readonly base?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly upload?: FileBody;
  /** Only for the types. */
  readonly [resultOf]?: Result;
}

const apiBase = "/client/v4";

/** A page that has a whole list on it: the most that the API answers at once. */
export const wholeList = { page: 1, per_page: 1000 } as const;

/** A path whose parts are encoded: path`/zones/${zoneId}`. */
export function path(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: texts }, ...parts.map((part) => encodeURIComponent(part)));
}

/** Path and query of a call, from the origin's root. */
export function urlOf({ base = apiBase, path: below, query = {} }: ApiCall<unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.append(name, String(value));
  return base + below + (search.size === 0 ? "" : `?${search}`);
}

/** The command that sends a call from a shell, with the token in `$TOKEN`. */
export function asCurl(call: ApiCall<unknown>, origin: string, token = "$TOKEN"): string {
  const lines = [`curl ${shellWord(origin + urlOf(call))}`, `-H "Authorization: Bearer ${token}"`];
  if (call.method !== "GET") lines.splice(1, 0, `-X ${call.method}`);
  if (call.upload !== undefined) {
    for (const [name, value] of Object.entries(call.upload.fields))
      lines.push(`-F ${shellWord(`${name}=${value}`)}`);
    lines.push(`-F ${shellWord(`file=@${call.upload.file.name}`)}`);
  }
  if (call.body !== undefined)
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${shellWord(JSON.stringify(call.body, undefined, 2))}`,
    );
  return lines.join(" \\\n  ");
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
