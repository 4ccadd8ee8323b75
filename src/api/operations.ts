import type { Caller } from "../core/policy/caller.ts";
import { AppError } from "../core/error.ts";
import { readBody } from "../wire/request-body.ts";
import type { ApiRequest } from "./api-request.ts";
import { readCredentials } from "./credentials.ts";
import { readSession, refuseOtherOrigins } from "./session-cookie.ts";
import { transportErrors } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import { parseQuery } from "./query.ts";
import type { RateLimits } from "./rate-limits.ts";
import { identifier, type Route } from "./route.ts";
import type { Api, ServerOptions } from "./server-options.ts";

interface AdmissionOptions extends Pick<
  ServerOptions,
  "onAuthorized" | "publicUrl" | "dashboardDirectory" | "testControls"
> {
  /** Undefined for an API without rate limits. */
  readonly countCaller: RateLimits["countCaller"] | undefined;
}

/** Octets of the largest JSON body of most operations. */
const bodyBytesMax = 1024 * 1024;

/** Checks origin, credentials, ids and permission of a request, before its query and its body are read. */
export async function admit(
  request: ApiRequest,
  route: Route,
  { authenticate, authorize }: Api,
  options: AdmissionOptions,
): Promise<void> {
  if (route.access === "open") return;
  const publicOrigin = options.publicUrl?.origin;
  if (route.access === "session") {
    refuseOtherOrigins(request, publicOrigin);
    return;
  }
  const session = options.dashboardDirectory === undefined ? undefined : readSession(request, publicOrigin);
  const credentials = session ?? readCredentials(request.headers);
  request.credentials = credentials;
  const identity = await authenticate(credentials, request.address);
  if (!(identity instanceof AppError)) {
    options.testControls?.noteCaller(request.message, identity);
    options.countCaller?.(request, identity);
  }
  if (route.access === "credentials") {
    refuseUnroutableIds(request, route.ids);
    return;
  }
  if (identity instanceof AppError) throw identity;
  const caller: Caller = { ...identity, address: request.address, noteAuditLog: request.noteAuditLog };
  request.caller = caller;
  refuseUnroutableIds(request, route.ids);
  if (route.schemes?.includes(caller.credential.kind) === false)
    throw transportErrors.methodNotAllowed(route.schemesHint);
  // Where a zone is made, or which are asked for, is only known from the body: the operation asks then.
  if (route.access.on !== "new-zone" && route.access.on !== "queried-zones") {
    request.scope = await authorize(caller, route.access, request.params, route);
  }
  options.onAuthorized(request.message);
}

function refuseUnroutableIds({ params, path }: ApiRequest, forms: Route["ids"]): void {
  for (const name in params) {
    const form = forms?.[name] ?? identifier;
    if (!form.test(params[name] as string)) throw transportErrors.unroutableId(path);
  }
}

/** Reads the query and the body of an admitted request. Errors: 400, 413, 414. */
export async function readInput(request: ApiRequest, route: Route, query: string): Promise<void> {
  request.query = parseQuery(query);
  if (route.method === "GET" || !mayHaveBody(request, route)) return;
  const { response } = request;
  const { shouldKeepAlive } = response;
  // Unless the body is understood, its sender begins anew.
  response.shouldKeepAlive = false;
  request.body = await readBodyOf(request, route);
  response.shouldKeepAlive = shouldKeepAlive;
}

function mayHaveBody({ headers }: ApiRequest, { uploadBytesMax }: Route): boolean {
  const { "content-length": length = "0", "content-type": type } = headers;
  const isUpload = uploadBytesMax !== undefined && type !== undefined;
  return length !== "0" || headers["transfer-encoding"] !== undefined || isUpload;
}

/** Reads JSON, whatever its content type, or an upload; other bodies are ignored. */
async function readBodyOf({ message, contentType }: ApiRequest, route: Route): Promise<unknown> {
  const { uploadBytesMax } = route;
  const isForm = uploadBytesMax !== undefined && mediaTypeOf(contentType) === "multipart/form-data";
  const bytesMax = uploadBytesMax ?? route.bodyBytesMax ?? bodyBytesMax;
  const body = await readBody(message, bytesMax).catch(() => {
    throw transportErrors.malformedRequest();
  });
  if (body === undefined) throw transportErrors.bodyTooLarge(bytesMax);
  if (isForm) return body;
  return route.schemas.body === undefined || uploadBytesMax !== undefined ? undefined : parseJsonBody(body);
}

const mediaType = /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;

/** Errors: 400 code 6003 for a content type of a wrong form. */
function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  const [, type] = mediaType.exec(contentType) ?? [];
  if (type === undefined) throw transportErrors.malformedRequest();
  return type.toLowerCase();
}
