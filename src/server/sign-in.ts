import { readFileSync } from "node:fs";
import { isIP } from "node:net";

import { readRoleMapping } from "../config/oidc-settings.ts";
import { wrongPasswordLimitOf, type Config, publicUrlOf, isLoopbackHost } from "../config/settings.ts";
import { createOpenIdConnect } from "../network/openid-connect.ts";
import type { Context } from "../operation/context.ts";
import type { Timers } from "../process/timer.ts";
import {
  createPasswordGuard,
  pruneSessions,
  saveSessionUse,
  type SessionContext,
} from "../resources/sessions/sessions.ts";
import type { SingleSignOn } from "../resources/single-sign-on/single-sign-on.ts";

type Sessions = Pick<SessionContext, "passwordGuard" | "sessionTerms" | "sessionUse" | "twoFactor">;

interface BrowserSessions {
  readonly sessions: Sessions;
  /** Stores when sessions were last used. */
  readonly save: () => Promise<void>;
  /** Ends the timer and stores once more when sessions were last used. */
  readonly stop: () => Promise<void>;
}

/** Starts the timer of browser sessions, a round every `roundMs`. */
export function startBrowserSessions(
  context: Context,
  config: Config,
  timers: Timers,
  roundMs: number,
): BrowserSessions {
  const sessions: Sessions = {
    passwordGuard: createPasswordGuard(wrongPasswordLimitOf(config), context.now),
    sessionTerms: {
      idleMs: config.session_idle_minutes * 60_000,
      lifetimeMs: config.session_hours * 3_600_000,
    },
    sessionUse: new Map(),
    twoFactor: { isRequired: config.two_factor === "required", passkeySite: passkeySiteOf(config) },
  };
  const save = () => saveSessionUse(context, sessions.sessionUse);
  const prune = () => pruneSessions(context, sessions.sessionTerms);
  const round = async (): Promise<void> => {
    await save();
    await context.db.runAlone("sessions", prune);
  };
  const timer = timers.repeat("sessions", roundMs, round);
  return {
    sessions,
    save,
    stop: async () => {
      await timer.stop();
      await save();
    },
  };
}

/** Single sign-on as the settings say it; undefined without a provider. Users become members of the owner's account. */
export function singleSignOnOf(config: Config, accountId: string): SingleSignOn | undefined {
  const { oidc_issuer: issuer, oidc_client_id: clientId } = config;
  if (issuer === undefined || clientId === undefined || config.dashboard === "off") return undefined;
  const { oidc_client_secret: secret, oidc_client_secret_file: file } = config;
  return {
    provider: createOpenIdConnect({
      issuer,
      clientId,
      clientSecret: file === undefined ? secret : readFileSync(file, "utf8").trim(),
      scopes: config.oidc_scopes,
      redirectUrl: new URL("/single-sign-on", publicUrlOf(config)).href,
    }),
    label: config.oidc_label,
    createsUsers: config.oidc_new_users === "create",
    accountId,
    roleClaim: config.oidc_role_claim,
    roles: config.oidc_roles.map(readRoleMapping),
  };
}

/**
 * The site for which browsers keep passkeys of the server. They accept only host names, and only over HTTPS or at
 * `localhost`. Undefined where passkeys cannot be used. A server on a loopback address is `localhost` too.
 */
function passkeySiteOf(
  config: Pick<Config, "public_url" | "host" | "port" | "tls" | "tls_cert">,
): { readonly name: string; readonly origin: string } | undefined {
  const url = publicUrlOf(config);
  if (config.public_url === undefined && isLoopbackHost(config.host)) url.hostname = "localhost";
  const { hostname, origin, protocol } = url;
  // The number of a free port is not known before the server listens.
  if (url.port === "0") return undefined;
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return undefined;
  return protocol === "https:" || hostname === "localhost" ? { name: hostname, origin } : undefined;
}
