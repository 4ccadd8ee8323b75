import type { IncomingMessage } from "node:http";

import type { Logger } from "pino";

import type { Identity } from "../core/policy/caller.ts";
import type { AppError } from "../core/error.ts";
import type { ClientAddresses } from "../wire/client-address.ts";
import type { Credentials } from "./credentials.ts";
import type { ApiHeaders } from "./envelope.ts";
import type { Metrics, MetricsAccess } from "../wire/metrics.ts";
import type { HostCheck } from "../wire/host-header.ts";
import type { RateLimitOptions } from "./rate-limits.ts";
import type { Authorize, Route } from "./route.ts";

/** Operations below one base path, and who may call them. */
export interface Api {
  /** The path of the routes, `/client/v4`. */
  readonly basePath: string;
  readonly routes: readonly Route[];
  /**
   * Returns whom credentials belong to, or an error: 403 code 9103 or 9109 for credentials that are unknown, or not
   * valid now or from this address; 401 code 10401 for a session that has ended. Throws 403 code 9109 for an address
   * that is blocked after many failures.
   */
  readonly authenticate: (credentials: Credentials, address: string) => Promise<Identity | AppError>;
  readonly authorize: Authorize;
  /** Restricts the hosts that browsers may use; any without. */
  readonly mayUseHost?: HostCheck;
}

/** Parts that the test controls add to the server (docs/testing/README.md). */
export interface TestControls {
  readonly api: Api;
  readonly headers: ApiHeaders;
  /** Called for each request with valid credentials, before its rights are checked. */
  readonly noteCaller: (request: IncomingMessage, caller: Identity) => void;
  /** Calls `listener` when the content of the store has been replaced. */
  readonly onRestored: (listener: () => void) => void;
}

export interface ServerOptions extends Omit<RateLimitOptions, "onRestored">, Api {
  readonly version: string;
  /** Called for each request with an authorized caller, before its body is read. */
  readonly onAuthorized: (request: IncomingMessage) => void;
  /** Turns a failure of the store that may pass into its public error. */
  readonly asUnavailable: (error: unknown) => AppError | undefined;
  /** Throws if the store does not answer. */
  readonly ping: () => Promise<void>;
  readonly clientAddresses: ClientAddresses;
  readonly mayReadMetrics: MetricsAccess;
  readonly isOwner: (caller: Identity) => Promise<boolean>;
  /** The certificate and its key as PEM text; undefined for plain HTTP. */
  readonly tls: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** The URL that browsers use, if it differs from the address of the listener (setting `public_url`). */
  readonly publicUrl?: URL | undefined;
  /** The directory of the built dashboard; undefined for no dashboard and no sessions. */
  readonly dashboardDirectory?: string | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly testControls?: TestControls | undefined;
  /** Selects the upgrade requests for the listeners of `upgrade`; none by default. */
  readonly mayUpgrade?: (request: IncomingMessage) => boolean;
}
