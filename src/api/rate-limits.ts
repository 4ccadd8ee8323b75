import { partyOf, type Identity } from "../core/policy/caller.ts";
import { clientNetwork, providerNetwork } from "../core/net/client-network.ts";
import { FixedWindowLimiter, type RateLimit, type RateStatus } from "../core/fixed-window-limiter.ts";
import { transportErrors } from "./errors.ts";

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

/** The rest of a quota after a request. */
export interface Rate extends RateStatus {
  readonly policy: Policy;
}

interface CountedRequest {
  readonly address: string;
  rate: Rate | undefined;
}

/** The rate limits of a server (docs/contract/credentials.md#rate-limits). Errors: 429 code 971. */
export interface RateLimits {
  readonly countAddress: (request: CountedRequest) => void;
  /** Counts a request of its user, or of a token that an account owns. */
  readonly countCaller: (request: CountedRequest, identity: Identity) => void;
  /** The headers that tell what a request has left, as names and values in turns. */
  readonly fieldsOf: (request: CountedRequest) => readonly string[];
}

const fiveMinutes = 300_000;
const second = 1_000;

/** Creates the rate limits of a server, which limit nothing without quotas. */
export function createRateLimits({ rateQuotas, now, onRestored }: RateLimitOptions): RateLimits {
  if (rateQuotas === undefined) {
    return { countAddress: () => undefined, countCaller: () => undefined, fieldsOf: () => [] };
  }
  const ofUser = { name: "default", quota: rateQuotas.user, windowMs: fiveMinutes, penaltyMs: fiveMinutes };
  const ofAddress = { name: "burst", quota: rateQuotas.address, windowMs: second };
  const users = new FixedWindowLimiter(ofUser);
  const addresses = new FixedWindowLimiter(ofAddress);
  onRestored?.(() => {
    users.clear();
    addresses.clear();
  });

  const count = (
    request: CountedRequest,
    policy: Policy,
    limiter: FixedWindowLimiter,
    key: string,
    owners: readonly string[],
  ): void => {
    const status = limiter.count(key, now().getTime(), 1, owners);
    request.rate = { ...status, policy };
    if (status.isExceeded) throw transportErrors.tooManyRequests();
  };

  return {
    countAddress: (request) => {
      const { address } = request;
      count(request, ofAddress, addresses, clientNetwork(address), [providerNetwork(address)]);
    },
    countCaller: (request, identity) =>
      count(request, ofUser, users, rateLimitKey(identity), [partyOf(identity)]),
    fieldsOf: ({ rate }) =>
      rate === undefined ? [] : Object.entries(rateLimitHeaders(rate, now().getTime())).flat(),
  };
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
