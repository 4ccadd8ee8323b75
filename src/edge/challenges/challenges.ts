import { FixedWindowLimiter } from "../../core/fixed-window-limiter.ts";
import { clientNetwork, providerNetwork } from "../../core/net/client-network.ts";
import type { Decision, Solved } from "../../core/judging/evaluation.ts";
import { isChallenge } from "../../core/rulesets/phases.ts";
import { problemAnswer, uncached, type OwnAnswer } from "../errors/pages.ts";
import { problems } from "../errors/problems.ts";
import { askedOf, type Visited } from "../request/visited.ts";
import type { VisitorRequest } from "../request/visitor-request.ts";
import { challengePage } from "./challenge-page.ts";
import { answerPath } from "./challenge-script.ts";
import { clearanceCookie, clearedBy } from "./clearance.ts";
import { Puzzles, type Answered } from "./puzzle.ts";
import { Seals } from "./seals.ts";

const descriptionCharactersMax = 200;

/** Failed answers of one client to an account: each is stored as an event, and browsers hardly ever fail. */
const failures = { quota: 20, windowMs: 60_000 };
const clientsMax = 10_000;

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
  constructor(keys: () => readonly Buffer[], now: () => Date) {
    this.#seals = new Seals(keys);
    this.#puzzles = new Puzzles(this.#seals);
    this.#now = now;
  }

  /** The challenges that a visitor need not pass again, and when it passed them. */
  clearedBy(visited: Visited): Solved {
    return clearedBy(this.#seals, visited, this.#now);
  }

  /** The page for a visitor whom a rule challenges; undefined where it does something else. */
  pageOf(visited: Visited, { stage, rulesetId = "", rule }: Decision): OwnAnswer | undefined {
    const { id: ruleId, action } = rule;
    if (!isChallenge(action)) return undefined;
    const now = this.#now();
    const description = (rule.description ?? "").slice(0, descriptionCharactersMax);
    const match = { stage, rulesetId, ruleId, description, action };
    const puzzle = this.#puzzles.pose(visited, match, now.getTime());
    const { visitor } = visited;
    const isInteractive = action === "challenge";
    return challengePage(
      { puzzle, method: visitor.method, isInteractive },
      askedOf({ now: this.#now }, visitor, visited),
    );
  }

  /**
   * Takes the answer to a puzzle, a form with `puzzle` and `answer`. Only the first correct answer gets a
   * cookie. `answered` is undefined where the form has no puzzle of the zone, and where the client has failed
   * so often that its answers are no longer read.
   */
  take(
    visited: Visited,
    form: string,
  ): { readonly answered: Answered | undefined; readonly answer: OwnAnswer } {
    const passedAt = this.#now().getTime();
    // Of this account alone: what a page of another one makes a browser send does not count here.
    const { accountId } = visited.zone;
    const client = `${accountId} ${clientNetwork(visited.address)}`;
    const asked = askedOf({ now: this.#now }, visited.visitor, visited);
    if (this.#failures.isUsedUp(client, passedAt)) {
      return { answered: undefined, answer: problemAnswer(problems.unsolvedOften, asked) };
    }
    const fields = new URLSearchParams(form);
    const answered = this.#puzzles.take(
      visited,
      fields.get("puzzle") ?? "",
      fields.get("answer") ?? "",
      passedAt,
    );
    if (answered?.isSolved !== true) {
      this.#failures.count(client, passedAt, 1, [accountId, providerNetwork(visited.address)]);
      const refusal = problemAnswer(problems.unsolved, asked);
      return {
        answered,
        answer: { ...refusal, headers: [...refusal.headers, ["cf-mitigated", "challenge"]] },
      };
    }
    const cookie = clearanceCookie(this.#seals, visited, { action: answered.match.action, passedAt });
    return { answered, answer: { status: 200, headers: [uncached, cookie], body: Buffer.alloc(0) } };
  }
}

/** Whether a request carries the answer to a puzzle. No rule may block such a request. */
export function isChallengeAnswer({ method, path }: VisitorRequest): boolean {
  return method === "POST" && path === answerPath;
}
