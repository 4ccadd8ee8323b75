import type { IncomingMessage, ServerOptions as HttpOptions } from "node:http";
import type { ServerOptions as HttpsOptions } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";

import { AppError } from "../core/error.ts";
import { createDashboard, type Dashboard } from "./dashboard.ts";
import { failureAnswer, internalFailure, transportErrors, type FailureAnswer } from "./errors.ts";
import { apiHeaders, apiHeadersOverTls, strictTransport, verbatim, type ApiHeaders } from "./envelope.ts";
import { namesItsHost, type HostCheck } from "../wire/host-header.ts";
import type { Metrics } from "../wire/metrics.ts";
import { endWithAnswer, discardBody, hasUnreadBody } from "../wire/closing.ts";
import { mountOperations } from "./operations.ts";
import { mountProbes } from "./probes.ts";
import type { UnparsedQuery } from "./query.ts";
import { mountRateLimits } from "./rate-limits.ts";
import { mountReference } from "./reference.ts";
import { rayGenerator } from "../wire/ray.ts";
import type { Route } from "./route.ts";
import { createRouter, type Router } from "./router.ts";
import type { ServerOptions } from "./server-options.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The address of the client, in place of Fastify's `ip`. */
    readonly clientAddress: string;
    /** The path with parameters in braces: the label of metrics and logs. */
    pathPattern: string | undefined;
  }
  interface FastifyContextConfig {
    /** The path of a route that is no operation: the label of metrics and logs. */
    readonly pattern?: string;
  }
}

const bodyBytesMax = 1024 * 1024;
const requestTimeoutMs = 60_000;
/** A silent connection must not delay the end of the process. */
const handshakeTimeoutMs = 5_000;

/** Creates the server, which does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const toAnswer = failureTranslator(options);
  const { testControls } = options;
  const headers = {
    ...(options.tls === undefined ? apiHeaders : apiHeadersOverTls),
    ...testControls?.headers,
  };
  const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, body } = toAnswer(error, request);
    reply.code(status).headers(headers).header("cf-ray", request.id);
    const send = (): void => {
      if (!hasUnreadBody(request.raw)) {
        reply.serializer(verbatim).send(body);
        return;
      }
      // An unread body would keep the connection and the process alive.
      reply.headers({ connection: "close", "content-length": Buffer.byteLength(body) });
      reply.send(Readable.from(answerAhead(body, request.raw)));
    };
    // A short body that arrived together with its head is complete once the parser has gone on.
    if (hasUnreadBody(request.raw)) setImmediate(send);
    else send();
    return reply;
  };

  const record = requestRecorder(options.metrics, options.logger);
  const newRay = rayGenerator("ZWD");
  const server = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    trustProxy: options.clientAddresses.isTrusted,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    genReqId: newRay,
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // An id of any length is answered as one of a wrong form.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: Number.MAX_SAFE_INTEGER,
      querystringParser: (text) => ({ text }) satisfies UnparsedQuery,
    },
    http: requestParsing(options),
    ...secureTransport(options),
    frameworkErrors: (_, request, reply) => {
      // No hook runs for a path that cannot be decoded.
      reply.raw.once("finish", () => record(request, reply));
      answerFailure(transportErrors.noRoute(), request, reply);
    },
    clientErrorHandler: (error, socket) => {
      if (isOfHttp(error)) {
        refuseMalformedRequest(error, socket, { ...headers, "cf-ray": newRay() });
        return;
      }
      // The connection broke, or its TLS handshake failed.
      options.logger.debug({ code: error.code }, "connection ended");
      socket.destroy();
    },
  });
  server.decorateRequest("clientAddress", {
    getter() {
      return options.clientAddresses.of(this.raw);
    },
  });
  server.setErrorHandler(answerFailure);
  // Node would answer an unknown expectation with an empty body.
  server.server.on("checkExpectation", (request, response) => {
    server.server.emit("request", request, response);
  });
  const countCaller = mountRateLimits(server, { ...options, onRestored: options.testControls?.onRestored });
  const { dashboardDirectory, tls } = options;
  const dashboard =
    dashboardDirectory === undefined
      ? undefined
      : createDashboard(dashboardDirectory, tls === undefined ? {} : strictTransport);
  const apis = [options, ...(testControls === undefined ? [] : [testControls.api])];
  const router = createRouter(apis);
  server.decorateRequest("operation", undefined);
  server.decorateRequest("pathPattern", undefined);
  server.addHook("onRequest", (request, reply, done) =>
    done(routeRequest(request, reply, router, dashboard) ?? refuseHost(request, options.mayUseHost)),
  );
  if (dashboard !== undefined) server.setNotFoundHandler(dashboard.serve);

  server.addHook("onResponse", (request, reply, done) => {
    record(request, reply);
    done();
  });

  mountProbes(server, options);
  mountReference(server, options);
  mountOperations(server, { ...options, api: options, toAnswer, countCaller, headers });
  return server;
}

/** Routes validate and render by themselves (`route.ts`), so the compilers of Fastify are not loaded. */
function refuseSchemas(): never {
  throw new Error("a route has a schema of Fastify's");
}

/** The error for a browser that names a host under which the API may not serve it. */
function refuseHost(request: FastifyRequest, mayUseHost: HostCheck | undefined): AppError | undefined {
  const isOfApi = request.operation !== undefined;
  return isOfApi && mayUseHost?.(request) === false ? transportErrors.unknownHost() : undefined;
}

/** Counts and logs requests by route pattern and outcome, never with paths, queries, headers or bodies. */
function requestRecorder(
  metrics: Metrics,
  logger: Logger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const pattern = request.pathPattern ?? request.routeOptions.config.pattern;
    const route = pattern ?? (reply.statusCode < 400 ? "dashboard" : "unknown");
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    logger.info(
      {
        ray: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        client: request.clientAddress,
        user: request.caller?.user?.id,
      },
      "request",
    );
  };
}

function requestParsing({ mayUpgrade = () => false }: ServerOptions): HttpOptions {
  return {
    // Node would answer a request without a host with an empty body.
    requireHostHeader: false,
    // Some clients offer HTTP/2 with every request, and continue without it.
    shouldUpgradeCallback: mayUpgrade,
  };
}

function secureTransport(options: ServerOptions): { https?: HttpsOptions } {
  if (options.tls === undefined) return {};
  const { certificate: cert, privateKey: key } = options.tls;
  const handshake = { cert, key, minVersion: "TLSv1.2", handshakeTimeout: handshakeTimeoutMs } as const;
  return { https: { ...requestParsing(options), ...handshake } };
}

function failureTranslator(
  options: Pick<ServerOptions, "asUnavailable" | "logger">,
): (error: unknown, request: FastifyRequest) => FailureAnswer {
  return (error, request) => {
    const ray = request.id;
    if (error instanceof AppError) return failureAnswer(error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
      return failureAnswer(transportErrors.bodyTooLarge(request.routeOptions.bodyLimit));
    if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH" || code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
      return failureAnswer(transportErrors.malformedRequest());
    // The client is gone.
    if (request.raw.errored !== null && request.raw.errored === error)
      return failureAnswer(transportErrors.malformedRequest());
    const unavailable = options.asUnavailable(error);
    if (unavailable !== undefined) {
      options.logger.error({ ray, err: error }, "the database is not available");
      return failureAnswer(unavailable);
    }
    options.logger.error({ ray, err: error }, "unexpected error");
    return internalFailure;
  };
}

async function* answerAhead(answer: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(answer);
  await discardBody(request);
}

/** Finds the operation of a request, or the error with which it is refused before its body is read. */
function routeRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  router: Router<Route>,
  dashboard: Dashboard | undefined,
): AppError | undefined {
  if (!namesItsHost(request.raw)) return transportErrors.malformedRequest();
  const found = router(request.url);
  if (found === undefined) {
    const isServed = request.is404 ? dashboard?.mayServe(request) : request.routeOptions.config.pattern;
    return isServed ? undefined : transportErrors.noRoute();
  }
  request.pathPattern = found.pattern;
  const route = found.operations.get(request.method);
  if (route === undefined) {
    reply.header("allow", [...found.operations.keys()].join(", "));
    return transportErrors.methodNotAllowed();
  }
  request.operation = { route, params: found.params };
  return undefined;
}

type ConnectionError = Error & { readonly code?: string };

function isOfHttp({ code = "" }: ConnectionError): boolean {
  return code.startsWith("HPE_") || code.startsWith("ERR_HTTP_");
}

/** Answers on a connection whose request could not be parsed, so that there is no reply object. */
function refuseMalformedRequest(error: ConnectionError, socket: Socket, headers: ApiHeaders): void {
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : isLate
        ? "408 Request Timeout"
        : "400 Bad Request";
  const { body } = failureAnswer(
    isLate ? transportErrors.requestTimeout() : transportErrors.malformedRequest(),
  );
  const framing = { "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries({ ...headers, ...framing }).map(([name, value]) => `${name}: ${value}`);
  endWithAnswer(socket, [`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n"));
}
