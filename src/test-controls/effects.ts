import type { OutgoingHttpHeaders, ServerResponse, IncomingMessage } from "node:http";
import { errorCodes } from "../core/error-codes.ts";
import { isJsonObject } from "../core/json.ts";
import type { Effect } from "../core/test-controls/fault.ts";
import { codes, RpcError, rpcErrors } from "../gateway/chain/errors.ts";
import { errorReply } from "../gateway/rpc/batch.ts";
import { failureBody, apiHeaders } from "../api/envelope.ts";
import { upgraded } from "../wire/handshake.ts";
import { failureAnswer, transportErrors } from "../api/errors.ts";
import { hasUnreadBody } from "../wire/closing.ts";
import { rateLimitHeaders } from "../api/rate-limits.ts";
import type { HttpExchange } from "./http-exchange.ts";

/**
 * Keeps an answer back until it is whole. `whenWhole` gets its body and sends it, changed or not, with the
 * methods of the response, or ends the connection. Status and headers are on the response by then.
 */
export function holdAnswer(response: ServerResponse, whenWhole: (body: Buffer) => void): void {
  const { writeHead, write, end, flushHeaders } = response;
  const parts: Buffer[] = [];
  const keep = (part: unknown, encoding: unknown): void => {
    if (typeof part === "string") {
      parts.push(Buffer.from(part, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    } else if (part instanceof Uint8Array) parts.push(Buffer.from(part));
  };
  response.writeHead = (status: number, ...rest: readonly unknown[]) => {
    response.statusCode = status;
    setHeaders(response, rest.at(-1));
    return response;
  };
  response.flushHeaders = () => undefined;
  response.write = ((part: unknown, encoding: unknown) => {
    keep(part, encoding);
    return true;
  }) as typeof write;
  response.end = ((part: unknown, encoding: unknown) => {
    keep(part, encoding);
    Object.assign(response, { writeHead, write, end, flushHeaders });
    whenWhole(Buffer.concat(parts));
    return response;
  }) as typeof end;
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    const named = new Set<string>();
    for (let index = 0; index < headers.length; index += 2) {
      const [name, value] = [String(headers[index]), headers[index + 1] as string];
      if (named.has(name.toLowerCase())) response.appendHeader(name, value);
      else response.setHeader(name, value);
      named.add(name.toLowerCase());
    }
  } else if (typeof headers === "object" && headers !== null) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
  }
}

/** Sends a whole answer, whose body may differ from that of its headers. */
export function sendWhole(response: ServerResponse, body: Buffer): void {
  if (response.hasHeader("content-length")) response.setHeader("content-length", body.length);
  response.end(body);
}

/** A request over HTTP that waits for the decision on it. */
interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: HttpExchange;
  /** Lets the server answer. */
  readonly proceed: () => void;
  /** The body of the newest answer to the same request that differs from `current`. */
  readonly earlierAnswer: (current: string) => string | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export function carries({ method, route, query }: HttpExchange, effect: Effect): boolean {
  if (effect.type !== "stale_read" && effect.type !== "page") return true;
  if (method !== "GET" || effect.type === "stale_read") return method === "GET";
  return route?.list !== undefined && isPage(pageOf(query), effect.page);
}

function isPage(asked: number, wanted: number | undefined): boolean {
  return wanted === undefined ? asked >= 2 : asked === wanted;
}

/** Carries out an effect. */
export function perform(effect: Effect, turn: Turn): void {
  const { request, response, proceed } = turn;
  const { socket } = request;
  switch (effect.type) {
    case "error":
      return answerWithError(effect, turn);
    case "rate_limit":
      return answerWithRateLimit(effect, turn);
    case "html":
      return answerWithHtml(effect, turn);
    case "close":
      if (effect.when === "before") {
        socket.destroy();
        return;
      }
      if (effect.when === "within") {
        holdAnswer(response, (body) => breakOff(response, body));
        loseHandshake(turn);
      } else {
        response.once("finish", () => socket.destroySoon());
        // The handshake is written right after the event.
        response.once(upgraded, () => setImmediate(() => socket.destroySoon()));
      }
      return proceed();
    case "lost_answer":
      holdAnswer(response, () => socket.destroy());
      loseHandshake(turn);
      return proceed();
    case "slow_body":
      holdAnswer(response, (body) => sendSlowly(response, body, effect.bytes_per_second));
      return proceed();
    case "bad_json":
      holdAnswer(response, (body) =>
        sendWhole(response, isJson(response) ? damaged(body, effect.form) : body),
      );
      return proceed();
    case "stale_read":
      holdAnswer(response, (body) => {
        const earlier = response.statusCode === 200 ? turn.earlierAnswer(body.toString()) : undefined;
        sendWhole(response, earlier === undefined ? body : Buffer.from(earlier));
      });
      return proceed();
    case "page":
      return answerWithOtherPage(effect.form, turn);
    case "latency":
      return proceed();
  }
}

function answerWithError(
  { status = 500, code, message = "Internal server error" }: Extract<Effect, { type: "error" }>,
  turn: Turn,
): void {
  if (turn.exchange.listener === "gateway") {
    sendRpcError(turn, new RpcError(code ?? codes.internalError, message, { status }));
    return;
  }
  if (turn.exchange.listener === "edge") {
    answerWithHtml({ type: "html", status }, turn);
    return;
  }
  const body = failureBody([{ code: code ?? errorCodes.server.internal, message }], false);
  answerInstead(turn, status, apiHeaders, body);
}

function answerWithRateLimit(
  { retry_after_seconds: seconds = 1 }: Extract<Effect, { type: "rate_limit" }>,
  turn: Turn,
): void {
  if (turn.exchange.listener === "gateway") {
    sendRpcError(turn, rpcErrors.tooManyCalls(seconds));
    return;
  }
  if (turn.exchange.listener === "edge") {
    answerWithHtml({ type: "html", status: 429 }, turn, { "retry-after": String(seconds) });
    return;
  }
  const policy = { name: "default", quota: 1_200, windowMs: 300_000 };
  const resetsAt = turn.nowMs + seconds * 1_000;
  const headers = rateLimitHeaders({ policy, remaining: 0, isExceeded: true, resetsAt }, turn.nowMs);
  const { status, body } = failureAnswer(transportErrors.tooManyRequests());
  answerInstead(turn, status, { ...apiHeaders, ...headers }, body);
}

function sendRpcError(turn: Turn, error: RpcError): void {
  const { status, body = "", headers } = errorReply(error);
  answerInstead(turn, status, { ...headers, "content-type": "application/json" }, body);
}

const reasons: Readonly<Record<number, string>> = {
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function answerWithHtml(
  { status = 502 }: Extract<Effect, { type: "html" }>,
  turn: Turn,
  headers: Readonly<Record<string, string>> = {},
): void {
  const title = `${status} ${reasons[status] ?? "Error"}`;
  const body = `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`;
  answerInstead(turn, status, { "content-type": "text/html", ...headers }, body);
}

/** Answers in place of the server, after the request was received. */
function answerInstead(
  { request, response }: Turn,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const send = (): void => {
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  if (!hasUnreadBody(request)) {
    send();
    return;
  }
  request.on("data", () => undefined);
  request.once("end", send);
}

function loseHandshake({ request, response }: Turn): void {
  response.once(upgraded, () => request.socket.destroy());
}

function breakOff(response: ServerResponse, body: Buffer): void {
  const { socket } = response;
  if (body.length === 0 && response.req.httpVersionMajor === 1) {
    socket?.write("HTTP/1.1 ", () => socket.destroy());
    return;
  }
  response.setHeader("content-length", body.length);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => socket?.destroy());
}

const slicesPerSecond = 10;

function sendSlowly(response: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  const slice = Math.max(1, Math.floor(bytesPerSecond / slicesPerSecond));
  response.setHeader("content-length", body.length);
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(
    () => {
      const next = body.subarray(sent, sent + slice);
      sent += next.length;
      if (sent < body.length) response.write(next);
      else {
        clearInterval(timer);
        response.end(next);
      }
    },
    (slice / bytesPerSecond) * 1_000,
  );
  response.once("close", () => clearInterval(timer));
}

export function isJson(response: ServerResponse): boolean {
  return String(response.getHeader("content-type")).startsWith("application/json");
}

export function damaged(body: Buffer, form: "truncated" | "malformed"): Buffer {
  if (form === "truncated") return body.subarray(0, Math.floor((body.length * 2) / 3));
  return Buffer.concat([body.subarray(0, -1), Buffer.from(",}")]);
}

/** Asks for another page, and labels it as the requested one. */
function answerWithOtherPage(
  form: "repeated" | "missing",
  { request, response, exchange, proceed }: Turn,
): void {
  const asked = pageOf(exchange.query);
  const query = new URLSearchParams(exchange.query);
  query.set("page", String(form === "repeated" ? asked - 1 : asked + 1));
  request.url = `${exchange.path}?${query.toString()}`;
  holdAnswer(response, (body) => {
    sendWhole(response, response.statusCode === 200 ? Buffer.from(asPage(body.toString(), asked)) : body);
  });
  proceed();
}

function asPage(text: string, page: number): string {
  const envelope: unknown = JSON.parse(text);
  if (!isJsonObject(envelope) || !isJsonObject(envelope["result_info"])) return text;
  return JSON.stringify({ ...envelope, result_info: { ...envelope["result_info"], page } });
}

function pageOf(query: string): number {
  return Number(new URLSearchParams(query).get("page") ?? 1);
}
