import { PassThrough, type Readable } from "node:stream";

import type { TObject, TSchema } from "@sinclair/typebox";

import type { Caller, Credential } from "../core/policy/caller.ts";
import type { Permission } from "../core/policy/permission.ts";
import type { Credentials } from "./credentials.ts";
import type { Cookie } from "./session-cookie.ts";
import type { CursorListOptions, ListOptions } from "./pagination.ts";
import type { Query as RawQuery } from "./query.ts";

/** The form of an id in a path, unless the route has another in `ids`. */
export const identifier = /^[0-9a-f]{32}$/;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers that are let in: a caller with a permission; `credentials`: anyone with well-formed credentials, which
 * the operation checks itself; `session`: browsers, whose session the operation checks itself; `open`: anyone.
 */
type Access = Permission | "credentials" | "session" | "open";

/**
 * Throws unless the caller has the permission on the zone or account that `names` (the parameters of a path) names.
 * Returns the row that it was decided on, if there is one and it is asked for.
 * Errors: 404 code 1001, 403 code 10000, 403 code 9109, 400 code 9106, 403 code 0.
 */
export type Authorize = (
  caller: Caller,
  permission: Permission,
  names: Readonly<Record<string, string | undefined>>,
  options?: Pick<RouteDescription, "readsScopeLocked">,
) => Promise<unknown>;

/** The description of an operation, for the reference and the transport. */
export interface RouteDescription {
  readonly operation: string;
  readonly summary: string;
  readonly method: Method;
  /** Below the base path, parameters in braces: `/zones/{zone_id}`. */
  readonly path: string;
  /** Whether the path is not below the base path: operations of the dashboard. */
  readonly isAtRoot?: true;
  /** The form of each id in the path that is not 32 hexadecimal characters. */
  readonly ids?: Readonly<Partial<Record<string, RegExp>>>;
  readonly access: Access;
  /** The authentication schemes that it accepts, all by default. Others get 405 code 10405. */
  readonly schemes?: readonly Credential["kind"][];
  readonly schemesHint?: string;
  readonly schemas: { readonly query?: TObject; readonly body?: TSchema; readonly result: TSchema };
  readonly list?: ListOptions<string>;
  readonly cursorList?: CursorListOptions;
  /** Octets of the largest JSON body, where that is not the 1 MiB of most operations. */
  readonly bodyBytesMax?: number;
  /** Octets of the largest `multipart/form-data` body, where the operation takes one instead of JSON. */
  readonly uploadBytesMax?: number;
  /** Schema of a line of progress, for clients that accept `application/x-ndjson`. */
  readonly progress?: TObject;
  /** Content type of the answer, where it is text instead of an envelope. */
  readonly textType?: string;
  /** Whether the operation reads the zone itself, under its lock: authorization reads only whose it is. */
  readonly readsScopeLocked?: true;
  /** Whether a success is the result itself, without an envelope. */
  readonly isBare?: true;
  /** Whether a success is a 204 without a body. */
  readonly answersNothing?: true;
}

/** An operation as the transport mounts it. */
export interface Route extends RouteDescription {
  /** Returns the body of a success; undefined for none. */
  readonly handle: (
    request: RouteRequest,
  ) => Promise<string | TextAnswer | FollowedAnswer | SessionAnswer | undefined>;
}

/** An envelope and the new cookie of the session, if it changes. */
interface SessionAnswer {
  readonly body: string;
  readonly cookie: Cookie | "none" | undefined;
  readonly deviceCookie: Cookie | undefined;
}

/** The client of an operation with access `session`. */
export interface Browser extends Pick<Caller, "address" | "noteAuditLog"> {
  readonly sessionId: string | undefined;
  readonly deviceCookie: string | undefined;
}

/** Text instead of an envelope, which is streamed. */
export interface TextAnswer {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** Work that reports its progress until it returns its envelope. */
interface FollowedAnswer {
  readonly follow: (report: (progress: object) => void) => Promise<string>;
}

/** A request whose credentials, ids and permission have been checked; query and body have not. */
export interface RouteRequest {
  readonly caller: Caller | undefined;
  readonly scope: unknown;
  readonly credentials: Credentials | undefined;
  readonly browser: Browser | undefined;
  readonly address: string;
  readonly authorize: Authorize;
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: unknown;
  readonly contentType: string | undefined;
  /** Whether the client accepts lines of progress. */
  readonly wantsProgress: boolean;
  /** Aborts when the client closes the connection before it has the answer. */
  readonly untilGone: () => AbortSignal;
}

/** Lines of JSON (https://github.com/ndjson/ndjson-spec). */
export const progressType = "application/x-ndjson";

/** Whether a client accepts lines of progress before the envelope. */
export function acceptsProgress(accept: string | undefined): boolean {
  return accept?.includes(progressType) === true;
}

/**
 * Each progress report of the work as a line, then its envelope as the last line: that of a failure if the
 * work fails. An error before the first line is thrown, so that it is answered like any other.
 */
export async function progressLines(
  { follow }: FollowedAnswer,
  failureOf: (error: unknown) => string,
): Promise<Readable> {
  const lines = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const done = follow((progress) => {
    lines.write(`${JSON.stringify(progress)}\n`);
    begun.resolve();
  });
  await Promise.race([begun.promise, done]);
  void done.catch(failureOf).then((envelope) => lines.end(`${envelope}\n`));
  return lines;
}
