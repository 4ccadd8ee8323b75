import type { Counter, Registry } from "prom-client";
import type { Logger } from "pino";

import type { Config } from "../../config/settings.ts";
import type { PartOutcome, PartsQuestion } from "../../core/judging/request-parts.ts";
import type { CoreJudgement } from "../../core/judging/core-rules.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/judge.ts";
import type { RuleRequest, RuleResponse } from "../../core/seclang/evaluate/request.ts";
import type { TakeSeed } from "../../edge/challenges/puzzle.ts";
import { OwnAnswerDue, problems } from "../../edge/errors/problems.ts";
import type { RateCounters, Counted } from "../../edge/rules/rate-counters.ts";
import type { AskCoreRules, AskRuleParts } from "../../edge/rules/run-rules.ts";
import type { SharedRelease } from "../../engines/crs-release.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import type { SecretKeySource } from "../../secrets/secret-box.ts";
import type { Changes } from "../../storage/changes.ts";
import type { Database, DatabaseLocation } from "../../storage/database.ts";
import type { ListeningAddress } from "../../wire/listening.ts";
import { KeptThreads, type KeptThread } from "../../workers/kept-threads.ts";
import { toPlainError, type PlainError } from "../../workers/messages.ts";
import type { RequestEvents } from "./edge-events.ts";
import type { ThreadsShare } from "./serve-visitors.ts";

export interface EdgeWorkerSettings extends ThreadsShare {
  readonly config: Config;
  readonly location: DatabaseLocation;
  readonly secretKey: SecretKeySource;
  readonly zones: ZoneContext["settings"];
  readonly snapshotFile: string | undefined;
  /** The addresses at which the main thread listens for visitors. */
  readonly addresses: {
    readonly http: readonly ListeningAddress[];
    readonly https: readonly ListeningAddress[];
  };
  /** The release of the Core Rule Set in force; undefined for the built-in rules. */
  readonly release: SharedRelease | undefined;
  readonly logLevel: string;
}

/** Questions of threads about what the main thread does for all of them. */
export type Question =
  | { readonly about: "seed"; readonly seed: string; readonly owners: readonly string[] }
  | { readonly about: "rule parts"; readonly accountId: string; readonly question: PartsQuestion }
  | {
      readonly about: "core rules";
      readonly accountId: string;
      readonly asked: readonly [RuleRequest, ParanoiaLevel, RuleResponse | undefined];
    };

type Outcome = boolean | readonly PartOutcome[] | CoreJudgement;

export type ToEdgeWorker =
  /** The changes of the store; undefined: anything may have changed. */
  | { readonly kind: "changed"; readonly changes: Changes | undefined }
  | { readonly kind: "core rules"; readonly release: SharedRelease }
  | { readonly kind: "counted"; readonly counted: readonly Counted[] }
  | { readonly kind: "answer"; readonly number: number; readonly outcome: Outcome }
  /** `isOverload`: the visitor is told to come again. */
  | {
      readonly kind: "failed";
      readonly number: number;
      readonly error: PlainError;
      readonly isOverload: boolean;
    }
  | { readonly kind: "end" };

/** The growth of a counter in the metrics of a thread. */
export interface Growth {
  readonly name: string;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly amount: number;
}

export type FromEdgeWorker =
  | { readonly kind: "counted"; readonly counted: readonly Counted[] }
  | { readonly kind: "events"; readonly events: RequestEvents }
  | { readonly kind: "metrics"; readonly growths: readonly Growth[] }
  | { readonly kind: "ask"; readonly number: number; readonly question: Question };

interface EdgeWorkersOptions {
  /** The program that each thread runs; that of `edge.worker.ts` unless a test has its own. */
  readonly program: URL | undefined;
  readonly settings: Omit<EdgeWorkerSettings, "logLevel" | "release">;
  readonly coreRules: (() => SharedRelease | undefined) | undefined;
  readonly onChange: Database["onChange"];
  readonly askCoreRules: AskCoreRules;
  readonly askRuleParts: AskRuleParts;
  readonly takeSeed: TakeSeed;
  readonly store: (events: RequestEvents) => void;
  readonly counters: Pick<RateCounters, "add">;
  readonly now: () => Date;
  readonly register: Registry;
  readonly logger: Logger;
}

type EdgeThread = KeptThread<ToEdgeWorker, FromEdgeWorker>;

const edgeProgram = new URL("./edge.worker.ts", import.meta.url);
/** Longer than requests have to finish. */
const endMsMax = 10_000;

/** Threads that serve visitors besides the main one. A thread that ends unexpectedly is replaced. */
export class EdgeWorkers {
  readonly #options: EdgeWorkersOptions;
  readonly #threads: KeptThreads<ToEdgeWorker, FromEdgeWorker>;
  /** Tells all threads what the main one has counted for rate limits. */
  readonly tell: (counted: Counted) => void;

  constructor(options: EdgeWorkersOptions) {
    const { program = edgeProgram, settings, logger } = options;
    this.#options = options;
    this.#threads = new KeptThreads({
      program,
      settings: (): EdgeWorkerSettings => ({
        ...settings,
        release: options.coreRules?.(),
        logLevel: logger.level,
      }),
      name: "edge",
      what: "a thread of the edge",
      endMsMax,
      hear: (message, thread) => this.#hear(message, thread),
      logger,
    });
    this.tell = together((counted) => this.#threads.post({ kind: "counted", counted }));
    options.onChange((changes) => this.#threads.post({ kind: "changed", changes }));
  }

  /** Resolves when `count` threads listen. Throws the error of one that cannot. */
  start(count: number): Promise<void> {
    return this.#threads.start(count);
  }

  /** Tells all threads which release of the Core Rule Set is in force. */
  tellCoreRules(): void {
    const release = this.#options.coreRules?.();
    if (release !== undefined) this.#threads.post({ kind: "core rules", release });
  }

  /** Ends all threads after they have answered the requests in flight. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  #hear(message: FromEdgeWorker, thread: EdgeThread): void {
    const { store, counters, now, register } = this.#options;
    switch (message.kind) {
      case "counted":
        for (const counted of message.counted) counters.add(counted, now().getTime());
        this.#threads.post(message, thread);
        return;
      case "events":
        store(message.events);
        return;
      case "metrics":
        for (const { name, labels, amount } of message.growths)
          (register.getSingleMetric(name) as Counter | undefined)?.inc(labels as never, amount);
        return;
      case "ask":
        void this.#answer(message.number, message.question, thread);
    }
  }

  async #answer(number: number, question: Question, thread: EdgeThread): Promise<void> {
    try {
      thread.post({ kind: "answer", number, outcome: await this.#outcomeOf(question) });
    } catch (error) {
      const isOverload = error instanceof OwnAnswerDue && error.problem === problems.overloaded;
      thread.post({ kind: "failed", number, error: toPlainError(error), isOverload });
    }
  }

  #outcomeOf(question: Question): Outcome | Promise<Outcome> {
    const { askCoreRules, askRuleParts, takeSeed } = this.#options;
    if (question.about === "seed") return takeSeed(question.seed, question.owners);
    const { accountId } = question;
    return question.about === "rule parts"
      ? askRuleParts({ accountId }, question.question)
      : askCoreRules({ accountId }, ...question.asked);
  }
}

/** A moment in which what is counted is added up before others are told. */
const togetherMs = 10;

/** Adds up what is counted for the same key in a moment, and tells it together. */
export function together(tell: (counted: readonly Counted[]) => void): (counted: Counted) => void {
  let waiting = new Map<string, Counted>();
  const tellAll = (): void => {
    const all = waiting;
    waiting = new Map();
    // Without what cannot be told, as functions.
    const plain = ({ limit: { json, limit }, ...one }: Counted): Counted => ({
      ...one,
      limit: { json, limit },
    });
    tell(Array.from(all.values(), plain));
  };
  return (counted) => {
    const place = `${counted.ruleId} ${counted.key}`;
    const before = waiting.get(place);
    if (waiting.size === 0) setTimeout(tellAll, togetherMs);
    waiting.set(
      place,
      before === undefined ? counted : { ...before, amount: before.amount + counted.amount },
    );
  };
}
