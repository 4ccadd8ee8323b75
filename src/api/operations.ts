import { isUtf8 } from "node:buffer";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Caller } from "../core/policy/caller.ts";
import {
  readDeviceCookie,
  readSession,
  readSessionId,
  refuseOtherOrigins,
  renderDeviceCookie,
  renderSessionCookie,
  readCredentials,
  type Credentials,
} from "./credentials.ts";
import { AppError } from "../core/error.ts";
import {
  acceptsProgress,
  progressLines,
  progressType,
  identifier,
  type Method,
  type Route,
} from "./route.ts";
import { isNestedTooDeep, jsonLevelsMax } from "../core/json-scan.ts";
import { transportErrors, type FailureAnswer } from "./errors.ts";
import { verbatim, type ApiHeaders } from "./envelope.ts";
import { fullPath } from "./router.ts";
import { parseQuery, type Query, type UnparsedQuery } from "./query.ts";
import type { CountCaller } from "./rate-limits.ts";
import type { Api, ServerOptions } from "./server-options.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    scope: unknown;
    credentials: Credentials | undefined;
    /** The operation that the request names; undefined where it names none. */
    operation: RequestedOperation | undefined;
    /** The audit log entry of what the request changed; undefined if it changed nothing. */
    auditLogId: string | undefined;
  }
}

/** An operation with the values of the parameters in its path, which need not have the form of ids. */
export interface RequestedOperation {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface OperationOptions extends Pick<
  ServerOptions,
  "onAuthorized" | "publicUrl" | "dashboardDirectory" | "tls" | "testControls"
> {
  readonly api: Api;
  /** Turns an error into its answer, and logs it if nobody expected it. */
  readonly toAnswer: (error: unknown, request: FastifyRequest) => FailureAnswer;
  readonly countCaller: CountCaller;
  readonly headers: ApiHeaders;
}

/** Mounts the operations, and the test controls. The request's `operation` has to be set before. */
export function mountOperations(server: FastifyInstance, options: OperationOptions): void {
  server.decorateRequest("caller", undefined);
  server.decorateRequest("scope", undefined);
  server.decorateRequest("credentials", undefined);
  server.decorateRequest("auditLogId", undefined);
  acceptAnyJson(server);
  mountRoutes(server, options.api, options);
  if (options.testControls !== undefined) {
    mountRoutes(server, options.testControls.api, { ...options, countCaller: undefined });
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] satisfies (Method | "HEAD")[];

/** Without `countCaller` they have no rate limit. */
type RouteOptions = Omit<OperationOptions, "countCaller"> & { readonly countCaller: CountCaller | undefined };

function mountRoutes(server: FastifyInstance, api: Api, options: RouteOptions): void {
  const publicOrigin = options.publicUrl?.origin;
  const common = {
    config: { isUnlimited: options.countCaller === undefined },
    onRequest: async (request: FastifyRequest): Promise<void> => {
      await admit(request, operationOf(request), publicOrigin, api, options);
      request.query = parseQuery((request.query as UnparsedQuery).text);
    },
    handler: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { route, params } = operationOf(request);
      const answer = await route.handle({
        caller: request.caller,
        scope: request.scope,
        credentials: request.credentials,
        browser: route.access === "session" ? browserOf(request) : undefined,
        address: request.clientAddress,
        authorize: api.authorize,
        params,
        query: request.query as Query,
        body: request.body,
        contentType: request.headers["content-type"],
        wantsProgress: acceptsProgress(request.headers.accept),
        untilGone: () => untilGone(reply.raw),
      });
      return send(request, reply, answer, options);
    },
  };
  server.route({ ...common, method: methods, url: `${api.basePath}/*` });
  // The library counts the octets of a body against the limit of its own route.
  for (const route of api.routes) {
    const bodyLimit = route.uploadBytesMax ?? route.bodyBytesMax;
    if (bodyLimit === undefined && !route.isAtRoot) continue;
    server.route({
      ...common,
      // One route for both: the second one that Fastify would add costs as much as the first.
      method: route.method === "GET" ? ["GET", "HEAD"] : route.method,
      url: fullPath(route, api.basePath).replaceAll(/\{(\w+)\}/g, ":$1"),
      ...(bodyLimit !== undefined && { bodyLimit }),
    });
  }
}

/** Requests that name no operation are refused before. */
function operationOf({ operation }: FastifyRequest): RequestedOperation {
  if (operation === undefined) throw transportErrors.noRoute();
  return operation;
}

/** Checks credentials, ids and permission, before the body is read. */
async function admit(
  request: FastifyRequest,
  { route, params }: RequestedOperation,
  publicOrigin: string | undefined,
  { authenticate, authorize }: Api,
  { onAuthorized, countCaller, dashboardDirectory, testControls }: RouteOptions,
): Promise<void> {
  // A body is parsed as JSON, whatever its content type.
  if (route.uploadBytesMax === undefined && request.headers["content-type"] !== undefined) {
    request.headers["content-type"] = "application/json";
  }
  if (route.access === "open") return;
  if (route.access === "session") {
    refuseOtherOrigins(request, publicOrigin);
    return;
  }
  const session = dashboardDirectory === undefined ? undefined : readSession(request, publicOrigin);
  const credentials = session ?? readCredentials(request.headers);
  request.credentials = credentials;
  const identity = await authenticate(credentials, request.clientAddress);
  if (!(identity instanceof AppError)) {
    testControls?.noteCaller(request.raw, identity);
    countCaller?.(request, identity);
  }
  if (route.access === "credentials") {
    refuseUnroutableIds(request, params, route.ids);
    return;
  }
  if (identity instanceof AppError) throw identity;
  const caller: Caller = {
    ...identity,
    address: request.clientAddress,
    noteAuditLog: auditLogNoter(request),
  };
  request.caller = caller;
  refuseUnroutableIds(request, params, route.ids);
  if (route.schemes?.includes(caller.credential.kind) === false)
    throw transportErrors.methodNotAllowed(route.schemesHint);
  // Where a zone is made, or which are asked for, is only known from the body: the operation asks then.
  if (route.access.on !== "new-zone" && route.access.on !== "queried-zones") {
    request.scope = await authorize(caller, route.access, params, route);
  }
  onAuthorized(request.raw);
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Awaited<ReturnType<Route["handle"]>>,
  options: RouteOptions,
): Promise<FastifyReply> {
  const { headers, tls, publicUrl, toAnswer } = options;
  if (answer !== undefined && typeof answer !== "string" && "follow" in answer) {
    const chunks = await progressLines(answer, (error) => toAnswer(error, request).body);
    return send(request, reply, { contentType: progressType, chunks }, options);
  }
  reply.headers(headers).header("cf-ray", request.id);
  if (request.auditLogId !== undefined) reply.header("cf-auditlog-id", request.auditLogId);
  if (answer === undefined) return reply.removeHeader("content-type").code(204).send();
  if (typeof answer === "string") return reply.serializer(verbatim).send(answer);
  if ("body" in answer) {
    const { cookie, deviceCookie } = answer;
    const isSecure = tls !== undefined || publicUrl?.protocol === "https:" || request.protocol === "https";
    if (cookie !== undefined) reply.header("set-cookie", renderSessionCookie(cookie, isSecure));
    if (deviceCookie !== undefined) reply.header("set-cookie", renderDeviceCookie(deviceCookie, isSecure));
    return reply.serializer(verbatim).send(answer.body);
  }
  reply.type(answer.contentType);
  if (request.raw.httpVersion !== "1.0")
    return reply.send(Readable.from(answer.chunks, { objectMode: false }));
  // HTTP/1.0 has no chunked encoding; its clients need the length.
  return reply.send(Buffer.concat(await Array.fromAsync(answer.chunks, (chunk) => Buffer.from(chunk))));
}

function untilGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(transportErrors.clientGone());
  });
  return controller.signal;
}

function browserOf(request: FastifyRequest) {
  return {
    sessionId: readSessionId(request),
    deviceCookie: readDeviceCookie(request),
    address: request.clientAddress,
    noteAuditLog: auditLogNoter(request),
  };
}

function auditLogNoter(request: FastifyRequest): (id: string) => void {
  return (id) => {
    request.auditLogId = id;
  };
}

function acceptAnyJson(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser("remove", "remove");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (_, body, done) =>
    done(null, body),
  );
  server.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    if (!readsJson(request.operation) || body.length === 0) {
      done(null, undefined);
      return;
    }
    // Other encodings than UTF-8 (RFC 8259, section 8.1) would be stored as wrong characters.
    if (!isUtf8(body as Buffer)) {
      done(transportErrors.malformedJson());
      return;
    }
    const text = body.toString();
    if (isNestedTooDeep(text)) {
      done(transportErrors.nestedTooDeep(jsonLevelsMax));
      return;
    }
    void parseJson(request, text, (error, value) => {
      if (error !== null) done(transportErrors.malformedJson());
      else done(null, value);
    });
  });
}

/** Other bodies are ignored, except uploads. */
function readsJson(operation: RequestedOperation | undefined): boolean {
  return operation?.route.schemas.body !== undefined && operation.route.uploadBytesMax === undefined;
}

function refuseUnroutableIds(
  request: FastifyRequest,
  params: RequestedOperation["params"],
  forms: Route["ids"],
): void {
  for (const [name, value] of Object.entries(params)) {
    const form = forms?.[name] ?? identifier;
    if (!form.test(value)) throw transportErrors.unroutableId(request.url.split("?", 1)[0] ?? "");
  }
}
