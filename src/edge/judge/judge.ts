import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { Counter, type Registry } from "prom-client";

import type { ClientAddresses } from "../../wire/client-address.ts";
import { answerInTurn } from "../../wire/pipelining.ts";
import { isChallengeAnswer } from "../challenges/challenges.ts";
import { answerPath } from "../challenges/challenge-script.ts";
import { VisitorGone } from "../origin/forward.ts";
import { takeChallengeAnswer } from "../challenges/take-challenge-answer.ts";
import { judgeVisitor } from "../judging/judge-visitor.ts";
import { noteJudged } from "../judging/note-judged.ts";
import { ruledAnswer } from "../answer/ruled-answers.ts";
import { listen, type Address, type Listener } from "../connections/listeners.ts";
import { endToEnd } from "../origin/origin-headers.ts";
import { problemAnswer, type OwnAnswer } from "../errors/pages.ts";
import type { Problem } from "../errors/problem.ts";
import { problems, refusal, refusedQuestion } from "../errors/problems.ts";
import { RequestBody } from "../request/request-body.ts";
import { sentOn } from "../serve-origin.ts";
import { unservedHost } from "../zones/served-hosts.ts";
import { edgeHeaders, OwnAnswerDue, type Serving } from "../serving.ts";
import { readHost } from "../zones/unread-hosts.ts";
import { cut, sendAnswer } from "../connections/visit.ts";
import { askedOf, ownersOf } from "../request/visited.ts";
import { RequestRefused } from "../request/visitor-request.ts";
import { AskRefused, contractNames, readAsked, type Asked, type ContractName } from "./contracts.ts";
import { allow, Denials } from "./verdicts.ts";

interface JudgeOptions {
  readonly serving: Serving;
  readonly clientAddresses: Pick<ClientAddresses, "behind">;
  /** Whether a reverse proxy at this address may ask. */
  readonly mayAsk: (address: string) => boolean;
  readonly connectionsMax: number;
  readonly register: Registry;
}

/** Large, as the visitor's headers and target all arrive as headers. */
const headerBytesMax = 64 * 1024;
const requestMs = 60_000;
/** Longer than proxies keep idle connections. */
const keepAliveMs = 120_000;

/** Where nginx fetches the response for a visitor whose request was denied. */
const keptAnswerPath = "/nginx/answer";

/** Listens for reverse proxies that ask whether a request may pass. Throws what listening throws. */
export function judgeListener(options: JudgeOptions): (address: Address) => Promise<Listener> {
  const judge = new Judge(options);
  return (address) => {
    const limits = {
      maxHeaderSize: headerBytesMax,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
    };
    const server = createServer(limits, (request, response) => void judge.answer(request, response));
    answerInTurn(server);
    server.maxConnections = options.connectionsMax;
    return listen(server, address);
  };
}

class Judge {
  readonly #options: JudgeOptions;
  readonly #denials = new Denials();
  readonly #answers: Counter<"contract" | "answer">;
  /** Configuration errors that have been logged, so that each is logged once. */
  readonly #told = new Set<string>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#answers = new Counter({
      name: "zoneward_edge_judge_answers_total",
      help: "What proxies were answered that asked about a request: allowed, denied, or refused as their question is not valid",
      labelNames: ["contract", "answer"],
      registers: [options.register],
    });
  }

  /** Never throws. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit = { request, response, upgrade: undefined };
    const ray = this.#options.serving.newRay();
    try {
      const { headers, ...own } = await this.#answerTo(request, ray);
      const date = this.#options.serving.now().toUTCString();
      await sendAnswer(visit, { ...own, headers: [["date", date], ...headers] });
    } catch (error) {
      if (!(error instanceof VisitorGone)) {
        this.#options.serving.logger.error({ err: error, ray }, "a question of a proxy failed");
      }
      cut(visit);
    }
  }

  async #answerTo(request: IncomingMessage, ray: string): Promise<OwnAnswer> {
    const { mayAsk } = this.#options;
    if (!mayAsk(request.socket.remoteAddress ?? "")) {
      const reason = `${request.socket.remoteAddress} may not ask; edge_judge_peers says who may`;
      return this.#refuse(request, ray, 403, reason);
    }
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    if (path === keptAnswerPath) return this.#keptAnswer(request);
    if (path === answerPath) return this.#takeChallengeAnswer(request, ray);
    const contract = contractNames.find(
      (name) => path === `/${name}` || (name === "envoy" && path.startsWith("/envoy/")),
    );
    if (contract === undefined) {
      // Told once, whatever the path: visitors may have chosen it.
      return this.#refuse(request, ray, 404, `there is no contract at ${path.slice(0, 40)}`, "no contract");
    }
    try {
      const { answer, verdict } = await this.#judge(contract, request, query, ray);
      this.#answers.inc({ contract, answer: verdict });
      return { ...answer, headers: [...answer.headers, ...edgeHeaders(ray)] };
    } catch (error) {
      if (!(error instanceof AskRefused)) throw error;
      this.#answers.inc({ contract, answer: "refused" });
      return this.#refuse(request, ray, 400, `${contract}: ${error.message}`);
    }
  }

  async #judge(
    contract: ContractName,
    request: IncomingMessage,
    query: string,
    ray: string,
  ): Promise<{ readonly answer: OwnAnswer; readonly verdict: "allowed" | "denied" }> {
    const { serving } = this.#options;
    // Before the zone is known, what is kept is nobody's.
    let owners = ["", ""] as readonly string[];
    const denied = (own: OwnAnswer) =>
      ({ answer: this.#denials.deny(contract, own, ray, owners), verdict: "denied" }) as const;
    const told = (problem: Problem, of: Partial<Asked> = {}) =>
      denied(problemAnswer(problem, askedOf(serving, of.visitor, { address: of.address ?? "", ray })));
    let asked: Asked;
    try {
      asked = this.#read(contract, request);
    } catch (error) {
      if (error instanceof RequestRefused) return told(refusal(error));
      throw error;
    }
    const { visitor, address } = asked;
    await readHost(serving.zones, visitor.hostname);
    const zone = serving.zones.enclosing(visitor.hostname);
    if (zone === undefined) return told(unservedHost(serving.zones, visitor.hostname), asked);
    const held = await serving.zones.hold(zone);
    const visited = { visitor, zone: held.zone, address, location: serving.locate(address), ray };
    owners = ownersOf(visited);
    try {
      // A proxy may leave out headers: Envoy passes on those that its configuration names.
      const judged = await judgeVisitor(serving, visited, asked.body, { hasAllHeaders: false });
      await serving.matchedRules?.add(visited, judged);
      const own = ruledAnswer(serving, visited, judged);
      noteJudged(serving, visited, judged, { edgeStatus: own?.status ?? 0, originStatus: 0 });
      if (own !== undefined) return denied(own);
      const wanted = contract === "envoy" ? [] : wantedHeaders(query);
      const came = endToEnd(visitor.headers);
      return { answer: allow(contract, sentOn(serving, visited, judged), came, wanted), verdict: "allowed" };
    } catch (error) {
      if (error instanceof OwnAnswerDue) return told(error.problem, asked);
      throw error;
    } finally {
      held.release();
    }
  }

  /** Throws AskRefused and RequestRefused. */
  #read(contract: Parameters<typeof readAsked>[0], request: IncomingMessage): Asked {
    const body = new RequestBody(request, Infinity);
    return readAsked(contract, request, body, this.#options.clientAddresses);
  }

  /**
   * Proxies forward these requests here instead of asking first, so that the visitor gets the response
   * whatever its status.
   */
  async #takeChallengeAnswer(request: IncomingMessage, ray: string): Promise<OwnAnswer> {
    const { serving } = this.#options;
    try {
      const { visitor, address, body } = this.#read("passed on", request);
      await readHost(serving.zones, visitor.hostname);
      const zone = serving.zones.enclosing(visitor.hostname);
      const location = serving.locate(address);
      const told = (problem: Problem) => problemAnswer(problem, askedOf(serving, visitor, { address, ray }));
      const own =
        zone === undefined || zone.isPaused
          ? told(unservedHost(serving.zones, visitor.hostname))
          : isChallengeAnswer(visitor)
            ? await takeChallengeAnswer(serving, { visitor, zone, address, location, ray }, body)
            : told(problems.notFound);
      return { ...own, headers: [...own.headers, ...edgeHeaders(ray)] };
    } catch (error) {
      if (error instanceof AskRefused || error instanceof RequestRefused) {
        return this.#refuse(request, ray, 400, `the answer to a challenge: ${error.message}`);
      }
      throw error;
    }
  }

  #keptAnswer({ headers }: IncomingMessage): OwnAnswer {
    const { serving } = this.#options;
    const ray = String(headers["x-zoneward-ray"] ?? "");
    const answer =
      this.#denials.kept(ray) ??
      problemAnswer(problems.blocked, askedOf(serving, undefined, { address: "", ray }));
    return { ...answer, headers: [...answer.headers, ...(ray === "" ? [] : edgeHeaders(ray))] };
  }

  /** Visitors may see what is answered: why a question is refused is for the log alone, each reason (or `topic`) once. */
  #refuse(
    { headers }: IncomingMessage,
    ray: string,
    status: number,
    reason: string,
    topic = reason,
  ): OwnAnswer {
    const { now, logger } = this.#options.serving;
    if (!this.#told.has(topic) && this.#told.size < 100) {
      this.#told.add(topic);
      logger.warn({ ray }, `a question of a proxy is refused: ${reason}`);
    }
    const asked = { accept: headers.accept, hostname: "", address: "", ray, now: now() };
    const own = problemAnswer(refusedQuestion(status), asked);
    return { ...own, headers: [...own.headers, ...edgeHeaders(ray)] };
  }
}

/** `headers=A,B` in a query. */
function wantedHeaders(query: string): string[] {
  const list = new URLSearchParams(query).get("headers") ?? "";
  return list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}
