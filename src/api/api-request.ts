import type { IncomingMessage, ServerResponse } from "node:http";

import type { Caller } from "../core/policy/caller.ts";
import type { Answer } from "../wire/answers.ts";
import type { ClientAddresses } from "../wire/client-address.ts";
import type { Credentials } from "./credentials.ts";
import { readDeviceCookie, readSessionId } from "./session-cookie.ts";
import { transportErrors } from "./errors.ts";
import type { Query } from "./query.ts";
import type { Rate } from "./rate-limits.ts";
import { acceptsProgress, type Authorize, type Browser, type Route, type RouteRequest } from "./route.ts";

/** A request to the API with what becomes known of it on its way. */
export class ApiRequest implements RouteRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly ray: string;
  readonly address: string;
  readonly beganMs = performance.now();
  /** The path with parameters in braces: the label of metrics and logs. */
  pattern: string | undefined;
  /** The operation that it names; undefined where it names none. */
  route: Route | undefined;
  /** Set with the operation. */
  authorize!: Authorize;
  params: Readonly<Record<string, string>> = {};
  query: Query = {};
  credentials: Credentials | undefined;
  caller: Caller | undefined;
  scope: unknown;
  body: unknown;
  /** Its count towards the rate limit that it came closest to; undefined without a limit. */
  rate: Rate | undefined;
  allow: string | undefined;
  /** The audit log entry of what it changed; undefined if it changed nothing. */
  auditLogId: string | undefined;

  readonly #clients: ClientAddresses;

  constructor(message: IncomingMessage, response: ServerResponse, ray: string, clients: ClientAddresses) {
    this.message = message;
    this.response = response;
    this.ray = ray;
    this.address = clients.of(message);
    this.#clients = clients;
  }

  get method(): string {
    return this.message.method ?? "";
  }

  get path(): string {
    return (this.message.url ?? "").split("?", 1)[0] ?? "";
  }

  get headers(): IncomingMessage["headers"] {
    return this.message.headers;
  }

  get host(): string {
    return this.#clients.hostOf(this.message);
  }

  get isSecure(): boolean {
    return this.#clients.isSecure(this.message);
  }

  get contentType(): string | undefined {
    return this.message.headers["content-type"];
  }

  get wantsProgress(): boolean {
    return acceptsProgress(this.headers.accept);
  }

  get browser(): Browser | undefined {
    if (this.route?.access !== "session") return undefined;
    return {
      sessionId: readSessionId(this),
      deviceCookie: readDeviceCookie(this),
      address: this.address,
      noteAuditLog: this.noteAuditLog,
    };
  }

  readonly noteAuditLog = (id: string): void => {
    this.auditLogId = id;
  };

  untilGone(): AbortSignal {
    const controller = new AbortController();
    this.response.once("close", () => {
      if (!this.response.writableFinished) controller.abort(transportErrors.clientGone());
    });
    return controller.signal;
  }
}

/** A path beside the operations: probes, and documents. */
export interface Page {
  readonly method: "GET";
  readonly path: string;
  /** Whether it has no rate limit. */
  readonly isUnlimited?: true;
  readonly answer: (request: ApiRequest) => Promise<Answer>;
}
