import type { Static, TSchema } from "@sinclair/typebox";

import type { ParameterNames } from "../../../src/operation/operation.ts";
import type { TypedOperation } from "../../../src/server/operations.ts";
import type { operations as testControls } from "../../../src/test-controls/operations.ts";
import { operationsByName, type CalledOperation } from "./operations.ts";

/** A value of a query; undefined and the empty text leave the parameter out. */
type QueryValue = string | number | boolean | undefined;

/** A file as the body, sent as `multipart/form-data` with fields beside it. */
export interface FileBody {
  readonly file: { readonly name: string; readonly text: string };
  readonly fields: Readonly<Record<string, string>>;
}

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

declare const resultOf: unique symbol;

type Served = TypedOperation | (typeof testControls)[number];
type Operations = { readonly [Of in Served as Of["operation"]]: Of };
type OperationName = keyof Operations;

/** The parameters of the path; at several levels, those of any of its paths. */
type Params<Path> = Path extends string ? Readonly<Record<ParameterNames<Path>, string>> : never;

type PageQuery<Of> = Of extends { readonly list: object }
  ? { page: number; per_page: number; order: string; direction: string }
  : Of extends { readonly cursorList: object }
    ? { cursor: string; per_page: number }
    : object;

type Query<Of> = Schema<Of, "query"> & PageQuery<Of> extends infer All
  ? { readonly [Name in keyof All]?: All[Name] | "" | undefined }
  : never;

type Schema<Of, Part extends string> = Of extends {
  readonly schemas: { readonly [Name in Part]: infer Shape extends TSchema };
}
  ? Static<Shape>
  : object;

/** A field that may be sent need not be one that may be changed. */
type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { readonly [Part in keyof Value]: Sent<Value[Part]> }
    : Value;

export type BodyOf<Name extends OperationName> = Sent<Schema<Operations[Name], "body">>;

export type ResultOf<Name extends OperationName> = Operations[Name] extends { readonly textType: string }
  ? string
  : Operations[Name] extends { readonly list: object } | { readonly cursorList: object }
    ? Schema<Operations[Name], "result">[]
    : Schema<Operations[Name], "result">;

type Optional<Value> = object extends Value ? [value?: Value] : [value: Value];

type Input<Of> = Of extends { readonly uploadBytesMax: number }
  ? [file: FileBody]
  : Of extends { readonly schemas: { readonly body: TSchema } }
    ? [...Optional<Sent<Schema<Of, "body">>>, query?: Query<Of>]
    : [query?: Query<Of>];

/**
 * A call of an operation by its name: with the parameters of its path, its body where it takes one, and those of its
 * query. Parameters of a query that are undefined or empty are left out. An operation that zones and accounts have
 * has one name, such as those of rulesets and tokens: its parameters tell the owner.
 */
export function call<Name extends OperationName>(
  name: Name,
  params: Params<Operations[Name]["path"]>,
  ...input: Input<Operations[Name]>
): ApiCall<ResultOf<Name>>;
export function call(
  name: string,
  params: Readonly<Record<string, string>>,
  ...input: readonly unknown[]
): ApiCall<unknown> {
  const { method, path, base, takes } = operationAt(name, "account_id" in params);
  const [body, query] = takes === undefined ? [undefined, ...input] : input;
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] as string)),
    ...(base !== undefined && { base }),
    ...(query !== undefined && { query: query as Record<string, QueryValue> }),
    ...(takes === "file" ? { upload: body as FileBody } : body !== undefined && { body }),
  };
}

/** `createRule` of an account is `createAccountRule`. */
function operationAt(name: string, isOfAccount: boolean): CalledOperation {
  const operation = operationsByName[name] as CalledOperation;
  if (!isOfAccount || operation.path.includes("{account_id}")) return operation;
  return operationAt(name.replace(/^[a-z]+/, "$&Account"), true);
}

const apiBase = "/client/v4";

/** A page that has a whole list on it: the most that the API answers at once. */
export const wholeList = { page: 1, per_page: 1000 } as const;

/** Path and query of a call, from the origin's root. */
export function urlOf({ base = apiBase, path: below, query = {} }: ApiCall<unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.append(name, String(value));
  return base + below + (search.size === 0 ? "" : `?${search}`);
}

/** The command that sends a call from a shell, with the token in `$TOKEN`. */
export function asCurl(shown: ApiCall<unknown>, origin: string, token = "$TOKEN"): string {
  const lines = [`curl ${shellWord(origin + urlOf(shown))}`, `-H "Authorization: Bearer ${token}"`];
  if (shown.method !== "GET") lines.splice(1, 0, `-X ${shown.method}`);
  if (shown.upload !== undefined) {
    for (const [name, value] of Object.entries(shown.upload.fields))
      lines.push(`-F ${shellWord(`${name}=${value}`)}`);
    lines.push(`-F ${shellWord(`file=@${shown.upload.file.name}`)}`);
  }
  if (shown.body !== undefined)
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${shellWord(JSON.stringify(shown.body, undefined, 2))}`,
    );
  return lines.join(" \\\n  ");
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
