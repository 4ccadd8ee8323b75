import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { clientNetwork, providerNetwork } from "../../core/net/client-network.ts";
import type { Decision, Solved } from "../../core/judging/evaluation.ts";
import { isChallenge, type ChallengeAction } from "../../core/rulesets/phases.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import { uncached, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import { problems } from "../errors/problems.ts";
import type { Exchange } from "../request/exchange.ts";
import { cookiesOf, type VisitorRequest } from "../request/visitor-request.ts";
import { challengePage } from "./challenge-page.ts";
import { answerPath } from "./challenge-script.ts";
import { askerOf, isSameAsker, Puzzles, type Answered, type Asker, type TakeSeed } from "./puzzle.ts";
import { sameSiteOf, Seals } from "./seals.ts";

const descriptionCharactersMax = 200;

/** Failed answers of one client to an account: each is stored as an event, and browsers hardly ever fail. */
const failures = { quota: 20, windowMs: 60_000 };
const clientsMax = 10_000;

interface Clearance extends Asker {
  readonly action: ChallengeAction;
  /** Milliseconds since 1970. */
  readonly passedAt: number;
}

const cookieName = "cf_clearance";
const purpose = "clearance";

/** The weakest first: a visitor who passed one has also passed those before it. */
const byStrength: readonly ChallengeAction[] = ["js_challenge", "managed_challenge", "challenge"];
const none: Solved = new Map();

/**
 * Challenges visitors, and recognises those who have passed. It stores nothing about a challenge that it
 * poses.
 */
export class Challenges {
  readonly #seals: Seals;
  readonly #puzzles: Puzzles;
  readonly #now: () => Date;
  readonly #failures = new FixedWindowLimiter(failures, clientsMax);

  /** `keys` are of 32 bytes: the first encrypts answers and cookies, any of them decrypts. */
  constructor(keys: () => readonly Buffer[], now: () => Date, takeSeed: TakeSeed) {
    this.#seals = new Seals(keys);
    this.#puzzles = new Puzzles(this.#seals, takeSeed);
    this.#now = now;
  }

  /**
   * The challenges that a visitor need not pass, because of one that it passed and that has not expired, and when it
   * passed that.
   */
  clearedBy(exchange: Exchange): Solved {
    const sealed = cookiesOf(exchange.visitor, cookieName);
    if (sealed.length === 0) return none;
    const asker = askerOf(exchange);
    const { challengeMs } = exchange.zone.settings;
    const nowMs = this.#now().getTime();
    const solved = new Map<ChallengeAction, number>();
    for (const text of sealed) {
      const clearance = this.#seals.open(text, purpose) as Clearance | undefined;
      if (clearance === undefined || !isSameAsker(clearance, asker)) continue;
      const { action, passedAt } = clearance;
      if (nowMs >= passedAt + challengeMs) continue;
      for (const weaker of byStrength.slice(0, byStrength.indexOf(action) + 1))
        solved.set(weaker, Math.max(passedAt, solved.get(weaker) ?? 0));
    }
    return solved;
  }

  /** The page for a visitor whom a rule challenges; undefined where it does something else. */
  pageOf(exchange: Exchange, { stage, rulesetId = "", rule }: Decision): OwnAnswer | undefined {
    const { id: ruleId, action } = rule;
    if (!isChallenge(action)) return undefined;
    const now = this.#now();
    const description = (rule.description ?? "").slice(0, descriptionCharactersMax);
    const match = { stage, rulesetId, ruleId, description, action };
    const puzzle = this.#puzzles.pose(exchange, match, now.getTime());
    const isInteractive = action === "challenge";
    return challengePage({ puzzle, method: exchange.visitor.method, isInteractive }, exchange.asked());
  }

  /**
   * Takes the answer to a puzzle, a form with `puzzle` and `answer`. Only the first correct answer gets a
   * cookie. `answered` is undefined where the form has no puzzle of the zone, and where the client has failed
   * so often that its answers are no longer read.
   */
  async take(
    exchange: Exchange,
    form: string,
  ): Promise<{ readonly answered: Answered | undefined; readonly answer: OwnAnswer }> {
    const passedAt = this.#now().getTime();
    // Of this account alone: what a page of another one makes a browser send does not count here.
    const { accountId } = exchange.zone;
    const client = `${accountId} ${clientNetwork(exchange.address)}`;
    if (this.#failures.isUsedUp(client, passedAt)) {
      return { answered: undefined, answer: exchange.problemAnswer(problems.unsolvedOften) };
    }
    const fields = new URLSearchParams(form);
    const answered = await this.#puzzles.take(
      exchange,
      fields.get("puzzle") ?? "",
      fields.get("answer") ?? "",
      passedAt,
    );
    if (answered?.isSolved !== true) {
      this.#failures.count(client, passedAt, 1, [accountId, providerNetwork(exchange.address)]);
      const refusal = exchange.problemAnswer(problems.unsolved);
      return {
        answered,
        answer: { ...refusal, headers: [...refusal.headers, ["cf-mitigated", "challenge"]] },
      };
    }
    const cookie = this.#clearanceCookie(exchange, answered.match.action, passedAt);
    return { answered, answer: { status: 200, headers: [uncached, cookie], body: Buffer.alloc(0) } };
  }

  #clearanceCookie(exchange: Exchange, action: ChallengeAction, passedAt: number): Header {
    const clearance: Clearance = { ...askerOf(exchange), action, passedAt };
    const { visitor, zone } = exchange;
    // Without `Partitioned`, browsers keep no cookie of a page that another site shows within its own.
    const sameSite = visitor.isSecure ? `${sameSiteOf(visitor)}; Partitioned` : sameSiteOf(visitor);
    const seconds = Math.floor(zone.settings.challengeMs / 1_000);
    return [
      "set-cookie",
      `${cookieName}=${this.#seals.seal(clearance, purpose)}; Path=/; Max-Age=${seconds}; HttpOnly; ${sameSite}`,
    ];
  }
}

/** Whether a request carries the answer to a puzzle. No rule may block such a request. */
export function isChallengeAnswer({ method, path }: VisitorRequest): boolean {
  return method === "POST" && path === answerPath;
}
