import { clientNetwork } from "../../core/net/client-network.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { LruMap } from "../../core/lru-map.ts";

const minute = 60_000;
const badSecretsMax = 10_000;

/** Counts the bad secrets that come from an address. */
export interface Failures {
  /**
   * To be called before a secret is looked up. Errors: 403 code 9109 where the address has used up its bad secrets and
   * this one was found bad before.
   */
  refuseKnown(address: string, secretHash: string): void;
  /** To be called for every bad secret. Errors: 403 code 9109 where it is one too many. */
  count(address: string): void;
  /** Notes that a secret was found bad. */
  remember(secretHash: string): void;
  /** What was found bad may be good now. */
  forgetSecrets(): void;
}

/** `failuresMax` in a minute; undefined for no limit. */
export function createFailures(failuresMax: number | undefined, now: () => Date): Failures {
  if (failuresMax === undefined) {
    const nothing = (): void => undefined;
    return { refuseKnown: nothing, count: nothing, remember: nothing, forgetSecrets: nothing };
  }
  const addresses = new FixedWindowLimiter({ quota: failuresMax, windowMs: minute });
  const badSecrets = new LruMap<string, true>(badSecretsMax);
  return {
    refuseKnown: (address, secretHash) => {
      if (badSecrets.get(secretHash) === undefined) return;
      if (addresses.isUsedUp(clientNetwork(address), now().getTime())) throw tooManyFailures();
    },
    count: (address) => {
      if (addresses.count(clientNetwork(address), now().getTime()).isExceeded) throw tooManyFailures();
    },
    remember: (secretHash) => badSecrets.set(secretHash, true),
    forgetSecrets: () => badSecrets.clear(),
  };
}

function tooManyFailures(): AppError {
  const message = "Max auth failures reached, please check your Authorization header.";
  return new AppError("forbidden", errorCodes.credentials.invalidToken, message, { beforeResource: true });
}
