import type { MessagePort } from "node:worker_threads";

import { Registry } from "prom-client";

import { originNetworksOf } from "../../config/edge-settings.ts";
import type { CoreJudgement, CoreRules } from "../../core/judging/core-rules.ts";
import type { PartOutcome } from "../../core/judging/request-parts.ts";
import { OwnAnswerDue, problems } from "../../edge/errors/problems.ts";
import type { RateCounters } from "../../edge/rules/rate-counters.ts";
import type { SharedRelease } from "../../engines/crs-release.ts";
import { createDnsResolver } from "../../network/dns-resolver.ts";
import { createContext } from "../../process/open-store.ts";
import { createRulesetContext } from "../../process/ruleset-context.ts";
import { createSecretBox } from "../../secrets/secret-box.ts";
import type { ChangeListener } from "../../storage/changes.ts";
import { openDatabaseInTurns } from "../../storage/open-database.ts";
import { clientAddressesBehind } from "../../wire/client-address.ts";
import { logInMainThread, type FromKeptThread } from "../../workers/kept-threads.ts";
import { toError } from "../../workers/messages.ts";
import { ActiveZones } from "../active-zones.ts";
import { EdgeSnapshot } from "./edge-snapshot.ts";
import {
  together,
  type EdgeWorkerSettings,
  type FromEdgeWorker,
  type Growth,
  type Question,
  type ToEdgeWorker,
} from "./edge-workers.ts";
import { ServedEdgeZones } from "./edge-zones.ts";
import { serveVisitors } from "./serve-visitors.ts";

const metricsRoundMs = 500;

/**
 * Runs a thread of the edge: it serves visitors with zones that it reads itself. The main thread is asked for all that
 * exists once in a process. Errors: those of the store, and of listening.
 */
export async function serveEdge(port: MessagePort, settings: EdgeWorkerSettings): Promise<void> {
  const { config } = settings;
  const post = (message: FromEdgeWorker | FromKeptThread): void => port.postMessage(message);
  await using opened = new AsyncDisposableStack();
  const ended = Promise.withResolvers<void>();
  const asked = new Asked(post);
  const listeners: ChangeListener[] = [];
  let serving: { readonly zones: ServedEdgeZones; readonly counters: RateCounters } | undefined;
  let rules: CoreRules | undefined;
  const takeRelease = async (release: SharedRelease | undefined): Promise<void> => {
    if (release === undefined) return;
    const { openSharedRelease } = await import("../../engines/crs-release.ts");
    rules = openSharedRelease(release);
    serving?.zones.compileAgain();
  };
  port.on("message", (message: ToEdgeWorker) => {
    switch (message.kind) {
      case "changed":
        for (const listener of listeners) listener(message.changes);
        return;
      case "core rules":
        void takeRelease(message.release);
        return;
      case "counted":
        for (const counted of message.counted) serving?.counters.add(counted, Date.now());
        return;
      case "end":
        ended.resolve();
        return;
      case "answer":
      case "failed":
        asked.hear(message);
    }
  });
  opened.defer(() => port.close());
  await takeRelease(settings.release);

  const db = await openDatabaseInTurns(settings.location, () => {
    throw new Error("a thread of the edge only reads");
  });
  opened.defer(() => db.close());
  const logger = logInMainThread(settings.logLevel, post);
  const register = new Registry();
  const growths = new Growths(register);
  const tellMetrics = async (): Promise<void> => {
    const grown = await growths.take();
    if (grown.length > 0) post({ kind: "metrics", growths: grown });
  };
  opened.defer(tellMetrics);
  const secretBox = createSecretBox(settings.secretKey);
  const context = {
    ...createRulesetContext(createContext(db), config.vendor, () => rules),
    db: { ...db, onChange: (listener: ChangeListener) => void listeners.push(listener) },
    settings: settings.zones,
    secretBox,
    originNetworks: originNetworksOf(config),
  };
  const index = new ActiveZones(context.db, context.now);
  opened.defer(() => index.stop());
  const { snapshotFile } = settings;
  const zones = new ServedEdgeZones(context, index, logger, {
    snapshot: snapshotFile === undefined ? undefined : new EdgeSnapshot(snapshotFile, secretBox, logger),
    copiesAll: false,
    readyBytesMax: config.edge_ready_bytes_max,
    zonesBytesMax: config.edge_zones_bytes_max,
  });
  opened.defer(() => zones.stop());
  await zones.start();
  const resolver = createDnsResolver(config.resolvers);
  opened.defer(resolver.close);
  const { edge, counters } = await serveVisitors(config, {
    connectMs: settings.connectMs,
    ownKey: settings.ownKey,
    ticketKeys: settings.ticketKeys,
    context,
    addresses: { ...settings.addresses, judge: [] },
    zones,
    askCoreRules: ({ accountId }, request, level, response) =>
      asked.ask({
        about: "core rules",
        accountId,
        asked: [request, level, response],
      }) as Promise<CoreJudgement>,
    askRuleParts: ({ accountId }, question) =>
      asked.ask({ about: "rule parts", accountId, question }) as Promise<readonly PartOutcome[]>,
    takeSeed: (seed, owners) => asked.ask({ about: "seed", seed, owners }) as Promise<boolean>,
    lookUpAddresses: resolver.lookUpAddresses,
    clientAddresses: clientAddressesBehind(config.trusted_proxies),
    watchVisits: undefined,
    store: (events) => post({ kind: "events", events }),
    tell: together((counted) => post({ kind: "counted", counted })),
    logger,
    register,
  });
  opened.defer(edge.close);
  serving = { zones, counters };
  const round = setInterval(() => void tellMetrics(), metricsRoundMs);
  opened.defer(() => clearInterval(round));
  post({ kind: "listening" });
  await ended.promise;
}

/** Questions that wait for the main thread's answer. */
class Asked {
  readonly #post: (message: FromEdgeWorker) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #number = 0;

  constructor(post: (message: FromEdgeWorker) => void) {
    this.#post = post;
  }

  ask(question: Question): Promise<unknown> {
    const number = (this.#number += 1);
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(number, waiting);
    this.#post({ kind: "ask", number, question });
    return waiting.promise;
  }

  hear(message: Extract<ToEdgeWorker, { readonly kind: "answer" | "failed" }>): void {
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if (message.kind === "answer") waiting?.resolve(message.outcome);
    else waiting?.reject(message.isOverload ? new OwnAnswerDue(problems.overloaded) : toError(message.error));
  }
}

/** The growth of the counters of a register since they were asked for last. */
class Growths {
  readonly #register: Registry;
  readonly #told = new Map<string, number>();

  constructor(register: Registry) {
    this.#register = register;
  }

  async take(): Promise<Growth[]> {
    const metrics = await this.#register.getMetricsAsJSON();
    return metrics.flatMap(({ name, values }) =>
      values.flatMap(({ labels, value }) => {
        const place = `${name} ${JSON.stringify(labels)}`;
        const amount = value - (this.#told.get(place) ?? 0);
        this.#told.set(place, value);
        return amount > 0 ? [{ name, labels, amount }] : [];
      }),
    );
  }
}
