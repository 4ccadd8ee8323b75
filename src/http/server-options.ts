import type { IncomingMessage } from "node:http";

import type { Logger } from "pino";

import type { Identity } from "../core/caller.ts";
import type { AppError } from "../core/error.ts";
import type { ClientAddresses } from "./client-address.ts";
import type { Credentials } from "./credentials.ts";
import type { HostCheck } from "./host-header.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimitOptions } from "./rate-limits.ts";
import type { Authorize, Route } from "./route.ts";

export interface ServerOptions extends RateLimitOptions {
  /** Where the routes are mounted, `/client/v4`. */
  readonly basePath: string;
  readonly routes: readonly Route[];
  /** Version of the software, for the reference. */
  readonly version: string;
  /**
   * Answers whom credentials stand for, or the error that they are refused with: 403 code 9103 or 9109 for those that
   * are nobody's, or no good now or from there, 401 code 10401 for a session that has ended. Throws 403 code 9109 where
   * nothing else is to be said to the address.
   */
  readonly authenticate: (credentials: Credentials, address: string) => Promise<Identity | AppError>;
  readonly authorize: Authorize;
  /** Called for each request with an authorized caller, before its body is read. */
  readonly onAuthorized: (request: IncomingMessage) => void;
  /** Turns a failure of the store that may pass into its public error. */
  readonly asUnavailable: (error: unknown) => AppError | undefined;
  /** Throws when the store cannot answer. */
  readonly ping: () => Promise<void>;
  readonly clientAddresses: ClientAddresses;
  /** Asked for what needs no credentials on loopback. */
  readonly isHostAllowed: HostCheck;
  /** The certificate and its key as PEM text; undefined for plain HTTP. */
  readonly tls: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** Where browsers reach it, if that is not where it listens (setting `public_url`). */
  readonly publicUrl?: URL | undefined;
  /** Where the built files of the dashboard are; without it there is none, and no session is good. */
  readonly dashboardDirectory?: string | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Which requests for an upgrade the listeners of `upgrade` get; without it none. */
  readonly mayUpgrade?: (request: IncomingMessage) => boolean;
}
