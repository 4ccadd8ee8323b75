import { createServer, type IncomingMessage } from "node:http";

import { Counter, type Registry } from "prom-client";

import type { ClientAddresses } from "../../wire/client-address.ts";
import type { ListeningAddress } from "../../wire/listening.ts";
import { answerInTurn } from "../../wire/pipelining.ts";
import { ruledAnswer } from "../answer/ruled-answer.ts";
import { isChallengeAnswer } from "../challenges/challenges.ts";
import { answerPath } from "../challenges/challenge-script.ts";
import { startListener, type Listener } from "../connections/listeners.ts";
import { problemAnswer, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import { OwnAnswerDue, problems, refusedQuestion } from "../errors/problems.ts";
import { judgeExchange, noteJudged, takeChallengeAnswer, type Judging } from "../rules/run-rules.ts";
import { sentOn } from "../origin/origin-request.ts";
import { edgeHeaders, Exchange, type Edge } from "../request/exchange.ts";
import { RequestRefused, endToEnd } from "../request/visitor-request.ts";
import { VisitorGone } from "../request/request-body.ts";
import type { Locate } from "../request/visitor-location.ts";
import type { EdgeZones, HeldZone } from "../zones/edge-zone.ts";
import { unservedHost, readHost } from "../zones/hosts.ts";
import { AskRefused, contractNames, readAsked, type ContractName } from "./contracts.ts";
import { allow, Denials } from "./verdicts.ts";

interface JudgeOptions {
  readonly edge: Edge;
  readonly zones: EdgeZones;
  readonly locate: Locate | undefined;
  readonly judging: Judging;
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

/** The path at which nginx fetches the response for a visitor whose request was denied. */
const keptAnswerPath = "/nginx/answer";

/** Listens for reverse proxies that ask whether a request may pass. Throws what listening throws. */
export function judgeListener(options: JudgeOptions): (address: ListeningAddress) => Promise<Listener> {
  const judge = new Judge(options);
  return (address) => {
    const limits = {
      maxHeaderSize: headerBytesMax,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
    };
    const server = createServer(limits, (request, response) => {
      void judge.answer(new Exchange(options.edge, { request, response, upgrade: undefined }, ""));
    });
    answerInTurn(server);
    server.maxConnections = options.connectionsMax;
    return startListener(server, address);
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

  /** Answers a proxy's question. Never throws. */
  async answer(exchange: Exchange): Promise<void> {
    const { edge, ray } = exchange;
    try {
      const { headers, ...own } = await this.#answerTo(exchange);
      await exchange.send({ ...own, headers: [["date", edge.now().toUTCString()], ...headers] });
    } catch (error) {
      if (!(error instanceof VisitorGone))
        edge.logger.error({ err: error, ray }, "a question of a proxy failed");
      exchange.cut();
    }
  }

  async #answerTo(exchange: Exchange): Promise<OwnAnswer> {
    const request = exchange.visit.request as IncomingMessage;
    const { remoteAddress = "" } = request.socket;
    if (!this.#options.mayAsk(remoteAddress))
      return this.#refuse(exchange, 403, `${remoteAddress} may not ask; edge_judge_peers says who may`);
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    if (path === keptAnswerPath) return this.#keptAnswer(exchange);
    if (path === answerPath) return this.#takeChallengeAnswer(exchange);
    const contract = contractNames.find(
      (name) => path === `/${name}` || (name === "envoy" && path.startsWith("/envoy/")),
    );
    if (contract === undefined) {
      // Told once, whatever the path: visitors may have chosen it.
      return this.#refuse(exchange, 404, `there is no contract at ${path.slice(0, 40)}`, "no contract");
    }
    try {
      const { answer, verdict } = await this.#judge(contract, exchange, query);
      this.#answers.inc({ contract, answer: verdict });
      return withRay(answer, exchange.ray);
    } catch (error) {
      if (!(error instanceof AskRefused)) throw error;
      this.#answers.inc({ contract, answer: "refused" });
      return this.#refuse(exchange, 400, `${contract}: ${error.message}`);
    }
  }

  async #judge(
    contract: ContractName,
    exchange: Exchange,
    query: string,
  ): Promise<{ readonly answer: OwnAnswer; readonly verdict: "allowed" | "denied" }> {
    const { judging, clientAddresses } = this.#options;
    const denied = (own: OwnAnswer) =>
      ({ answer: this.#denials.deny(contract, own, exchange), verdict: "denied" }) as const;
    let held: HeldZone | undefined;
    try {
      readAsked(exchange, contract, clientAddresses);
      held = await this.#hold(exchange);
      // A proxy may leave out headers: Envoy passes on those that its configuration names.
      const judged = await judgeExchange(judging, exchange, { hasAllHeaders: false });
      exchange.judged = judged;
      await judging.matchedRules?.add(exchange, judged);
      const own = judged.decided && ruledAnswer(judging, exchange, judged, judged.decided);
      exchange.edgeStatus = own?.status ?? 0;
      noteJudged(judging, exchange);
      if (own !== undefined) return denied(own);
      const wanted = contract === "envoy" ? [] : wantedHeaders(query);
      const came = endToEnd(exchange.visitor.headers);
      return { answer: allow(contract, sentOn(exchange), came, wanted), verdict: "allowed" };
    } catch (error) {
      if (error instanceof OwnAnswerDue) return denied(exchange.problemAnswer(error.problem));
      throw error;
    } finally {
      held?.release();
    }
  }

  /** Finds the zone of a request, which is to be released. Throws OwnAnswerDue where no zone serves its host. */
  async #hold(exchange: Exchange): Promise<HeldZone> {
    const { zones, locate } = this.#options;
    const { hostname } = exchange.visitor;
    await readHost(zones, hostname);
    const zone = zones.enclosing(hostname);
    if (zone === undefined) throw new OwnAnswerDue(unservedHost(zones, hostname));
    const held = await zones.hold(zone);
    exchange.zone = held.zone;
    if (locate !== undefined) exchange.location = locate(exchange.address);
    return held;
  }

  /**
   * Proxies forward these requests here instead of asking first, so that the visitor gets the response
   * whatever its status.
   */
  async #takeChallengeAnswer(exchange: Exchange): Promise<OwnAnswer> {
    const { zones, judging, clientAddresses } = this.#options;
    let held: HeldZone | undefined;
    try {
      readAsked(exchange, "passed on", clientAddresses);
      held = await this.#hold(exchange);
      const { visitor, zone } = exchange;
      if (zone.isPaused) throw new OwnAnswerDue(unservedHost(zones, visitor.hostname));
      if (!isChallengeAnswer(visitor)) throw new OwnAnswerDue(problems.notFound);
      return withRay(await takeChallengeAnswer(judging, exchange), exchange.ray);
    } catch (error) {
      if (error instanceof AskRefused || error instanceof RequestRefused)
        return this.#refuse(exchange, 400, `the answer to a challenge: ${error.message}`);
      if (error instanceof OwnAnswerDue) return withRay(exchange.problemAnswer(error.problem), exchange.ray);
      throw error;
    } finally {
      held?.release();
    }
  }

  #keptAnswer({ visit, edge }: Exchange): OwnAnswer {
    const ray = String(visit.request.headers["x-zoneward-ray"] ?? "");
    const asked = { accept: undefined, hostname: "", address: "", ray, now: edge.now() };
    const answer = this.#denials.kept(ray) ?? problemAnswer(problems.blocked, asked);
    return ray === "" ? answer : withRay(answer, ray);
  }

  /**
   * Visitors may see what is answered: why a question is refused is for the log alone, each reason (or `topic`)
   * once.
   */
  #refuse({ visit, ray, edge }: Exchange, status: number, reason: string, topic = reason): OwnAnswer {
    if (!this.#told.has(topic) && this.#told.size < 100) {
      this.#told.add(topic);
      edge.logger.warn({ ray }, `a question of a proxy is refused: ${reason}`);
    }
    const { accept } = visit.request.headers;
    const asked = { accept, hostname: "", address: "", ray, now: edge.now() };
    return withRay(problemAnswer(refusedQuestion(status), asked), ray);
  }
}

function withRay(own: OwnAnswer, ray: string): OwnAnswer {
  return { ...own, headers: [...own.headers, ...edgeHeaders(ray)] };
}

/** `headers=A,B` in a query. */
function wantedHeaders(query: string): string[] {
  const list = new URLSearchParams(query).get("headers") ?? "";
  return list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}
