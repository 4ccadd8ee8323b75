import type { FastifyInstance, FastifyRequest } from "fastify";

import { partyOf, type Identity } from "../core/policy/caller.ts";
import { clientNetwork, providerNetwork } from "../core/net/client-network.ts";
import { FixedWindowLimiter, type RateLimit, type RateStatus } from "../core/fixed-window-limiter.ts";
import { transportErrors } from "./errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    rate: Rate | undefined;
  }
  interface FastifyContextConfig {
    /** Whether it has no rate limit. */
    readonly isUnlimited?: boolean;
  }
}

interface RateQuotas {
  /** Requests in five minutes for each user, and for each token that an account owns. */
  readonly user: number;
  /** Requests in a second for each address. */
  readonly address: number;
}

export interface RateLimitOptions {
  /** Undefined for no limit. */
  readonly rateQuotas: RateQuotas | undefined;
  readonly now: () => Date;
  /** Calls the listener when all counts must be reset. */
  readonly onRestored?: ((listener: () => void) => void) | undefined;
}

interface Policy extends RateLimit {
  readonly name: string;
}

interface Rate extends RateStatus {
  readonly policy: Policy;
}

/** Errors: 429 code 971. */
export type CountCaller = (request: FastifyRequest, identity: Identity) => void;

const fiveMinutes = 300_000;
const second = 1_000;

/**
 * Limits the requests of each address, and through the returned function those of each user
 * (docs/contract/credentials.md#rate-limits). Errors: 429 code 971.
 */
export function mountRateLimits(
  server: FastifyInstance,
  { rateQuotas, now, onRestored }: RateLimitOptions,
): CountCaller {
  if (rateQuotas === undefined) return () => undefined;
  const ofUser = { name: "default", quota: rateQuotas.user, windowMs: fiveMinutes, penaltyMs: fiveMinutes };
  const ofAddress = { name: "burst", quota: rateQuotas.address, windowMs: second };
  const users = new FixedWindowLimiter(ofUser);
  const addresses = new FixedWindowLimiter(ofAddress);
  onRestored?.(() => {
    users.clear();
    addresses.clear();
  });

  const count = (
    request: FastifyRequest,
    policy: Policy,
    limiter: FixedWindowLimiter,
    key: string,
    owners: readonly string[],
  ): void => {
    const status = limiter.count(key, now().getTime(), 1, owners);
    request.rate = { ...status, policy };
    if (status.isExceeded) throw transportErrors.tooManyRequests();
  };

  server.decorateRequest("rate", undefined);
  server.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.isUnlimited) return;
    const { clientAddress } = request;
    count(request, ofAddress, addresses, clientNetwork(clientAddress), [providerNetwork(clientAddress)]);
  });
  server.addHook("onSend", (request, reply, payload, done) => {
    if (request.rate !== undefined) reply.headers(rateLimitHeaders(request.rate, now().getTime()));
    done(null, payload);
  });
  return (request, identity) => count(request, ofUser, users, rateLimitKey(identity), [partyOf(identity)]);
}

function rateLimitKey({ user, credential }: Identity): string {
  return user?.id ?? (credential.kind === "token" ? credential.tokenId : "");
}

/** Both the older headers of the public service and those of the IETF draft. */
export function rateLimitHeaders({ policy, remaining, isExceeded, resetsAt }: Rate, now: number) {
  const seconds = Math.max(0, Math.ceil((resetsAt - now) / 1000));
  return {
    ratelimit: `"${policy.name}";r=${remaining};t=${seconds}`,
    "ratelimit-policy": `"${policy.name}";q=${policy.quota};w=${policy.windowMs / 1000}`,
    "x-ratelimit-limit": String(policy.quota),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": new Date(resetsAt).toUTCString(),
    ...(isExceeded && { "retry-after": String(seconds) }),
  };
}
