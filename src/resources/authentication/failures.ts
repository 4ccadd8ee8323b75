import { clientNetwork, providerNetwork } from "../../core/net/client-network.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { FairMap } from "../../core/fair-map.ts";

const minute = 60_000;
const badSecretsMax = 10_000;

/** Counts the invalid secrets of each address. */
export interface Failures {
  /**
   * Call before looking up a secret. Errors: 403 code 9109 for a known invalid secret of an address at its
   * limit.
   */
  refuseKnown(address: string, secretHash: string): void;
  /** Call for every invalid secret. Errors: 403 code 9109 above the limit. */
  count(address: string): void;
  /** Remembers a secret that an address sent as invalid. */
  remember(address: string, secretHash: string): void;
  /** Call when secrets may have become valid. */
  forgetSecrets(): void;
  /** Forgets secrets and numbers. */
  forgetAll(): void;
}

/** `failuresMax` per minute; undefined for no limit. */
export function createFailures(failuresMax: number | undefined, now: () => Date): Failures {
  if (failuresMax === undefined) {
    const nothing = (): void => undefined;
    return {
      refuseKnown: nothing,
      count: nothing,
      remember: nothing,
      forgetSecrets: nothing,
      forgetAll: nothing,
    };
  }
  const addresses = new FixedWindowLimiter({ quota: failuresMax, windowMs: minute });
  const badSecrets = new FairMap<string, true>({ weightMax: badSecretsMax });
  return {
    refuseKnown: (address, secretHash) => {
      if (badSecrets.get(secretHash) === undefined) return;
      if (addresses.isUsedUp(clientNetwork(address), now().getTime())) throw tooManyFailures();
    },
    count: (address) => {
      if (addresses.count(clientNetwork(address), now().getTime(), 1, [providerNetwork(address)]).isExceeded)
        throw tooManyFailures();
    },
    remember: (address, secretHash) => badSecrets.set(secretHash, true, [providerNetwork(address)]),
    forgetSecrets: () => badSecrets.clear(),
    forgetAll: () => {
      badSecrets.clear();
      addresses.clear();
    },
  };
}

function tooManyFailures(): AppError {
  const message = "Max auth failures reached, please check your Authorization header.";
  return new AppError("forbidden", errorCodes.credentials.invalidToken, message, { beforeResource: true });
}
