import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";

import { AppError } from "../core/error.ts";
import { sendAheadOfBody, sendAnswer } from "../wire/answers.ts";
import { endWithAnswer } from "../wire/closing.ts";
import { namesItsHost } from "../wire/host-header.ts";
import { rayGenerator } from "../wire/ray.ts";
import { ApiRequest } from "./api-request.ts";
import { createDashboard } from "./dashboard.ts";
import { apiHeaders, apiHeadersOverTls, strictTransport, type ApiHeaders } from "./envelope.ts";
import { failureAnswer, internalFailure, transportErrors, type FailureAnswer } from "./errors.ts";
import { admit, readInput } from "./operations.ts";
import { probes } from "./probes.ts";
import { createRateLimits } from "./rate-limits.ts";
import { reference } from "./reference.ts";
import { sendResult } from "./results.ts";
import { createRouter, readTarget } from "./router.ts";
import type { Api, ServerOptions } from "./server-options.ts";

const requestTimeoutMs = 60_000;
const keepAliveMs = 72_000;
/** A silent connection must not delay the end of the process. */
const handshakeTimeoutMs = 5_000;

/** Creates the server, which does not listen yet. */
export function createServer(options: ServerOptions): Server {
  const { testControls, logger, tls } = options;
  const headers = { ...(tls === undefined ? apiHeaders : apiHeadersOverTls), ...testControls?.headers };
  const newRay = rayGenerator("ZWD");
  const limits = createRateLimits({ ...options, onRestored: testControls?.onRestored });
  const toFailure = failureTranslator(options);
  const record = requestRecorder(options);
  const serve = requestServer(options, { headers, limits, toFailure });

  const server = createListener(options);
  server.on("request", (message, response) => {
    const request = new ApiRequest(message, response, newRay(), options.clientAddresses);
    // The last one of its connection while the server closes.
    if (!server.listening) response.shouldKeepAlive = false;
    response.on("finish", () => record(request));
    void serve(request);
  });
  // Node would answer an unknown expectation with an empty body.
  server.on("checkExpectation", (message, response) => server.emit("request", message, response));
  server.on("clientError", (error: ConnectionError, socket: Socket) => {
    if (isOfHttp(error)) {
      refuseMalformedRequest(error, socket, { ...headers, "cf-ray": newRay() });
      return;
    }
    // The connection broke, or its TLS handshake failed.
    logger.debug({ code: error.code }, "connection ended");
    socket.destroy();
  });
  return server;
}

function createListener({ tls, mayUpgrade = () => false }: ServerOptions): Server {
  const parsing = {
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    // Node would answer a request without a host with an empty body.
    requireHostHeader: false,
    // Some clients offer HTTP/2 with every request, and continue without it.
    shouldUpgradeCallback: mayUpgrade,
  };
  if (tls === undefined) return createHttpServer(parsing);
  const { certificate: cert, privateKey: key } = tls;
  const handshake = { cert, key, minVersion: "TLSv1.2", handshakeTimeout: handshakeTimeoutMs } as const;
  return createHttpsServer({ ...parsing, ...handshake });
}

interface ServedParts {
  readonly headers: ApiHeaders;
  readonly limits: ReturnType<typeof createRateLimits>;
  readonly toFailure: ReturnType<typeof failureTranslator>;
}

/** Creates the function that answers each request; it never rejects. */
function requestServer(
  options: ServerOptions,
  { headers, limits, toFailure }: ServedParts,
): (request: ApiRequest) => Promise<void> {
  const { testControls, tls, publicUrl } = options;
  const controls = testControls?.api;
  const find = createRouter<Api>(controls === undefined ? [options] : [options, controls]);
  const findPage = createRouter([{ basePath: "", routes: [...probes(options), ...reference(options)] }]);
  const dashboard =
    options.dashboardDirectory === undefined
      ? undefined
      : createDashboard(options.dashboardDirectory, tls === undefined ? {} : strictTransport);
  const { "content-type": type = "", ...others } = headers;
  const common = Object.entries(others).flat();
  const limited = { ...options, countCaller: limits.countCaller };
  const unlimited = { ...options, countCaller: undefined };

  const fieldsOf = (request: ApiRequest): string[] => {
    const { ray, auditLogId } = request;
    const fields = [...common, "cf-ray", ray, ...limits.fieldsOf(request)];
    if (auditLogId !== undefined) fields.push("cf-auditlog-id", auditLogId);
    return fields;
  };

  /** Answers with a page, or a file of the dashboard. */
  const answerBeside = async (request: ApiRequest, segments: readonly string[]): Promise<void> => {
    const page = findPage(segments)?.operations.get(request.method);
    request.pattern = page?.path;
    if (page?.isUnlimited !== true) limits.countAddress(request);
    if (!namesItsHost(request.message)) throw transportErrors.malformedRequest();
    const source = page?.answer ?? (dashboard?.mayServe(request) === true ? dashboard.serve : undefined);
    if (source === undefined) throw transportErrors.noRoute();
    const { status, fields, body } = await source(request);
    sendAnswer(request.response, { status, fields: [...fields, ...limits.fieldsOf(request)], body });
  };

  const answer = async (request: ApiRequest): Promise<void> => {
    const { message, method } = request;
    const target = readTarget(message.url ?? "");
    if (target === undefined) throw transportErrors.noRoute();
    const found = find(target.segments);
    if (found === undefined) return answerBeside(request, target.segments);
    request.pattern = found.pattern;
    const isLimited = found.api !== controls;
    if (isLimited) limits.countAddress(request);
    if (!namesItsHost(message)) throw transportErrors.malformedRequest();
    const route = found.operations.get(method);
    if (route === undefined) {
      request.allow = [...found.operations.keys()].join(", ");
      throw transportErrors.methodNotAllowed();
    }
    request.route = route;
    request.params = found.params;
    request.authorize = found.api.authorize;
    // Browsers may name only some hosts.
    if (options.mayUseHost?.(message) === false) throw transportErrors.unknownHost();
    await admit(request, route, found.api, isLimited ? limited : unlimited);
    await readInput(request, route, target.query);
    const result = await route.handle(request);
    await sendResult(request, result, {
      fields: fieldsOf(request),
      isSecure: tls !== undefined || publicUrl?.protocol === "https:" || request.isSecure,
      failureOf: (error) => toFailure(error, request).body,
    });
  };

  return (request) =>
    answer(request).catch((error: unknown) => {
      const { response, allow } = request;
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const { status, body } = toFailure(error, request);
      const fields = [...fieldsOf(request), "content-type", type];
      if (allow !== undefined) fields.push("allow", allow);
      sendAheadOfBody(response, { status, fields, body });
    });
}

/** Counts and logs requests by route pattern and outcome, never with paths, queries, headers or bodies. */
function requestRecorder({ metrics, logger }: ServerOptions): (request: ApiRequest) => void {
  return ({ response, pattern, method, beganMs, ray, address, caller }) => {
    const status = response.statusCode;
    const ms = performance.now() - beganMs;
    const route = pattern ?? (status < 400 ? "dashboard" : "unknown");
    metrics.observe(method, route, status, ms / 1000);
    logger.info(
      {
        ray,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        client: address,
        user: caller?.user?.id,
      },
      "request",
    );
  };
}

function failureTranslator({
  asUnavailable,
  logger,
}: ServerOptions): (error: unknown, request: ApiRequest) => FailureAnswer {
  return (error, { ray }) => {
    if (error instanceof AppError) return failureAnswer(error);
    const unavailable = asUnavailable(error);
    if (unavailable !== undefined) {
      logger.error({ ray, err: error }, "the database is not available");
      return failureAnswer(unavailable);
    }
    logger.error({ ray, err: error }, "unexpected error");
    return internalFailure;
  };
}

type ConnectionError = Error & { readonly code?: string };

function isOfHttp({ code = "" }: ConnectionError): boolean {
  return code.startsWith("HPE_") || code.startsWith("ERR_HTTP_");
}

/** Answers on a connection whose request could not be parsed, so that there is no response object. */
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
