import { FairQueue } from "../../core/fair-queue.ts";
import { clientNetwork, providerNetwork } from "../../core/net/client-network.ts";
import { foldEmail } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

/** The party whose job it is. No party gets a second turn while another waits for its first. */
interface Party {
  readonly key: string;
  /** Whether the client has proven who it is: known parties get every second turn. */
  readonly isKnown: boolean;
}

/** Runs jobs one at a time. Rejects with `refused` when too many wait. */
export type PasswordTurns = <T>(party: Party, work: () => Promise<T>) => Promise<T>;

interface Job {
  /** Never rejects. */
  readonly run: () => Promise<void>;
  readonly refuse: () => void;
}

/**
 * At most `waitingMax` jobs of known parties wait, and as many of others. When the queue is full, a party
 * with fewer jobs replaces the newest job of the party with the most.
 */
export function createPasswordTurns(waitingMax: number, refused: () => Error): PasswordTurns {
  const known = new FairQueue<Job>();
  const others = new FairQueue<Job>();
  let lastLane = others;
  let isRunning = false;

  const takeNext = (): Job | undefined => {
    lastLane = lastLane === known ? others : known;
    const job = lastLane.take();
    if (job !== undefined) return job;
    lastLane = lastLane === known ? others : known;
    return lastLane.take();
  };
  const runAll = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let job = takeNext(); job !== undefined; job = takeNext()) await job.run();
    isRunning = false;
  };

  return ({ key, isKnown }, work) =>
    new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject);
      const job = { run, refuse: () => reject(refused()) };
      for (const out of (isKnown ? known : others).addWithin(waitingMax, key, job)) out.refuse();
      void runAll();
    });
}

export interface PasswordClient {
  readonly address: string;
  /** Proof, without the password, that the user signed in there before. */
  readonly known: KnownClient | undefined;
}

export interface KnownClient {
  readonly userId: string;
  /** Unique to the client: `device ID`, `session ID` or `link ID`. */
  readonly proof: string;
}

interface Attempt {
  readonly client: PasswordClient;
  readonly email: string;
  readonly password: string;
  /** Undefined for an unknown e-mail, or a user without a password. */
  readonly hash: string | undefined;
}

/**
 * Limits guesses at passwords, and the threads and memory that hashing takes.
 *
 * Wrong passwords are counted by the client's network and by the e-mail. Clients in which the user signed in
 * before have their own counters, so that strangers cannot lock them out (OWASP: device cookies); so has an
 * e-mail at a network from which the user signed in.
 */
export interface PasswordGuard {
  /** Errors: 429 code 10429, without checking, after too many wrong passwords or while too many wait. */
  verify(attempt: Attempt): Promise<boolean>;
  /** Errors: 429 code 10429 while too many wait. */
  hash(client: PasswordClient, password: string): Promise<string>;
  /**
   * Runs the check of a second factor, which counts where it fails. To be called under the lock of the user.
   * Errors: 429 code 10429, without the check, after too many wrong ones.
   */
  verifyFactor(client: PasswordClient, userId: string, check: () => Promise<boolean>): Promise<boolean>;
  /** Notes a sign-in from an address; forgotten after 30 days and on a restart. */
  signedIn(address: string, email: string): void;
  /** Forgets wrong passwords and sign-ins. */
  forget(): void;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** OWASP ASVS 2.2.1. */
const wrongPerHour = 100;
/** Per user, or per known client: guessing a code of six digits takes years. */
const wrongFactorsPerHour = 20;
const networkKnownMs = 30 * day;
const waitingMax = 50;

/** `wrongMax` per minute for a network or known client; undefined for no limit. */
export function createPasswordGuard(wrongMax: number | undefined, now: () => Date): PasswordGuard {
  const perMinute = { quota: wrongMax ?? Infinity, windowMs: minute };
  const perHour = { quota: wrongMax === undefined ? Infinity : wrongPerHour, windowMs: hour };
  // Separate from the others, whose keys clients choose and may crowd out.
  const ofKnown = [new FixedWindowLimiter(perMinute), new FixedWindowLimiter(perHour)] as const;
  const ofNetworks = new FixedWindowLimiter(perMinute);
  const ofEmails = new FixedWindowLimiter(perHour);
  const ofEmailsAtNetworks = new FixedWindowLimiter(perHour);
  const ofFactors = new FixedWindowLimiter({
    quota: wrongMax === undefined ? Infinity : wrongFactorsPerHour,
    windowMs: hour,
  });
  /** Used up by the first sign-in. */
  const signIns = new FixedWindowLimiter({ quota: 1, windowMs: networkKnownMs });
  const inTurn = createPasswordTurns(waitingMax, () => tooMany("Too many sign in at this moment: try again"));

  const countersOf = ({ address, known }: PasswordClient, email: string) => {
    if (known !== undefined) return ofKnown.map((limiter) => [limiter, known.proof, known.userId] as const);
    const network = providerNetwork(address);
    const atNetwork = emailAtNetwork(address, email);
    const ofEmail = signIns.isUsedUp(atNetwork, now().getTime())
      ? ([ofEmailsAtNetworks, atNetwork, network] as const)
      : ([ofEmails, foldEmail(email), network] as const);
    return [[ofNetworks, clientNetwork(address), network] as const, ofEmail];
  };

  return {
    verify: async ({ client, email, password, hash }) => {
      const counters = countersOf(client, email);
      const refuseTooMany = (): void => {
        if (counters.some(([limiter, key]) => limiter.isUsedUp(key, now().getTime()))) {
          throw tooMany("Too many wrong passwords: wait, or use a browser that was signed in before");
        }
      };
      refuseTooMany();
      return inTurn(partyOf(client), async () => {
        // Attempts that were queued before may have been wrong.
        refuseTooMany();
        const isRight = await verifyPassword(password, hash);
        if (!isRight)
          for (const [limiter, key, owner] of counters) limiter.count(key, now().getTime(), 1, [owner]);
        return isRight;
      });
    },
    hash: (client, password) => inTurn(partyOf(client), () => hashPassword(password)),
    verifyFactor: async ({ known }, userId, check) => {
      const key = known?.proof ?? `user ${userId}`;
      if (ofFactors.isUsedUp(key, now().getTime())) throw tooMany("Too many wrong codes: wait");
      const isRight = await check();
      if (!isRight) ofFactors.count(key, now().getTime(), 1, [userId]);
      return isRight;
    },
    signedIn: (address, email) =>
      void signIns.count(emailAtNetwork(address, email), now().getTime(), 1, [foldEmail(email)]),
    forget: () => {
      for (const limiter of [...ofKnown, ofNetworks, ofEmails, ofEmailsAtNetworks, ofFactors, signIns])
        limiter.clear();
    },
  };
}

function partyOf({ address, known }: PasswordClient): Party {
  return known === undefined
    ? { key: clientNetwork(address), isKnown: false }
    : { key: known.userId, isKnown: true };
}

function emailAtNetwork(address: string, email: string): string {
  return `${clientNetwork(address)} ${foldEmail(email)}`;
}

function tooMany(message: string): AppError {
  return new AppError("too-many-requests", errorCodes.sessions.tooManyWrongPasswords, message, {
    beforeResource: true,
  });
}
