import { clientNetwork } from "../../core/client-network.ts";
import { foldEmail } from "../../core/email.ts";
import { AppError } from "../../core/error.ts";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

interface Attempt {
  /** The client's address. */
  readonly address: string;
  readonly email: string;
  readonly password: string;
  /** Undefined if no user has the e-mail, or the user has no password yet. */
  readonly hash: string | undefined;
}

/** Keeps passwords from being guessed, and their hashes from taking the process's threads and memory. */
export interface PasswordGuard {
  /**
   * Whether it is the password. Errors: 429 code 10429, without looking at the password, after too many wrong ones from
   * the address or for the e-mail, or while too many wait.
   */
  verify(attempt: Attempt): Promise<boolean>;
  /** Errors: 429 code 10429 while too many wait. */
  hash(password: string): Promise<string>;
}

const minute = 60_000;
const hour = 60 * minute;
/** OWASP ASVS 2.2.1: from wherever they come. */
const wrongOfEmailPerHour = 100;
const waitingMax = 50;

/** `wrongMax` of an address in a minute; undefined for no limit. */
export function createPasswordGuard(wrongMax: number | undefined, now: () => Date): PasswordGuard {
  const addresses = new FixedWindowLimiter({ quota: wrongMax ?? Infinity, windowMs: minute });
  const emails = new FixedWindowLimiter({
    quota: wrongMax === undefined ? Infinity : wrongOfEmailPerHour,
    windowMs: hour,
  });
  const inTurn = oneAtATime();
  return {
    verify: ({ address, email, password, hash }) =>
      inTurn(async () => {
        const keys = [
          [addresses, clientNetwork(address)],
          [emails, foldEmail(email)],
        ] as const;
        const time = now().getTime();
        if (keys.some(([limiter, key]) => limiter.isUsedUp(key, time))) {
          throw tooMany("Too many wrong passwords: wait before you try again");
        }
        const isRight = await verifyPassword(password, hash);
        if (!isRight) for (const [limiter, key] of keys) limiter.count(key, time);
        return isRight;
      }),
    hash: (password) => inTurn(() => hashPassword(password)),
  };
}

/** Each takes a thread and 19 MiB; and an attempt has to see how the one before it ended. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= waitingMax) throw tooMany("Too many sign in at this moment: try again");
    waiting += 1;
    const result = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = result.catch(() => undefined);
    return result;
  };
}

function tooMany(message: string): AppError {
  return new AppError("too-many-requests", 10429, message, { beforeResource: true });
}
