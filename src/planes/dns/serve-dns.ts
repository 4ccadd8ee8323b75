import type { MessagePort } from "node:worker_threads";

import { opcodeOf, opcodes, typeCodes } from "../../core/dns/wire/codes.ts";
import type { Message } from "../../core/dns/wire/message.ts";
import { foldName } from "../../core/dns/wire/names.ts";
import { QueryCounts } from "../../name-server/query-counts.ts";
import { createRespond, type PassOn } from "../../name-server/responder.ts";
import { listenOnUdp } from "../../name-server/listeners.ts";
import { createDnsResolver } from "../../network/dns-resolver.ts";
import { createSecretBox } from "../../secrets/secret-box.ts";
import type { ChangeListener } from "../../storage/changes.ts";
import { openDatabaseInTurns } from "../../storage/open-database.ts";
import { logInMainThread, type FromKeptThread } from "../../workers/kept-threads.ts";
import { catalogSuffix } from "./catalog-zones.ts";
import type { DnsWorkerSettings, FromDnsWorker, ToDnsWorker } from "./dns-workers.ts";
import { ActiveZones } from "../active-zones.ts";
import { ServedZones } from "./served-zones.ts";

const countsRoundMs = 500;
/** Number of queries that may wait for the main thread; further ones are dropped. */
const passedOnMax = 1_000;

/**
 * Runs a thread of the name server: it answers queries over UDP from zones that it reads itself. Queries
 * about transfers are passed on to the main thread, which also announces changes. Errors: those of the store,
 * and of binding the addresses.
 */
export async function serveDns(port: MessagePort, settings: DnsWorkerSettings): Promise<void> {
  const post = (message: FromDnsWorker | FromKeptThread): void => port.postMessage(message);
  await using opened = new AsyncDisposableStack();
  const ended = Promise.withResolvers<void>();
  const passedOn = new PassedOn(post);
  const listeners: ChangeListener[] = [];
  port.on("message", (message: ToDnsWorker) => {
    if (message.kind === "changed") for (const listener of listeners) listener(message.changes);
    else if (message.kind === "answer") passedOn.answer(message.number, message.bytes);
    else ended.resolve();
  });
  opened.defer(() => port.close());

  const db = await openDatabaseInTurns(settings.location, () => {
    throw new Error("the name server only reads");
  });
  opened.defer(() => db.close());
  const logger = logInMainThread(settings.logLevel, post);
  const context = {
    db: { read: db.read, onChange: (listener: ChangeListener) => void listeners.push(listener) },
    settings: settings.zones,
    secretBox: createSecretBox(settings.secretKey),
  };
  const index = new ActiveZones(context.db, () => new Date());
  opened.defer(() => index.stop());
  const zones = new ServedZones(context, index, logger, settings);
  opened.defer(() => zones.stop());
  await zones.start();

  const resolver = createDnsResolver(settings.resolvers);
  opened.defer(resolver.close);
  const counts = new QueryCounts();
  const { responsesPerSecond, logsQueries, cookieSecret } = settings;
  const respond = createRespond({
    zones: zones.index,
    readZone: (zone) => zones.readInTime(zone),
    isComplete: () => zones.isComplete,
    lookUpAddresses: resolver.lookUpAddresses,
    passOn: passedOn.passOn,
    responsesPerSecond,
    cookieSecret,
    logsQueries,
    now: () => new Date(),
    logger,
    counts,
  });
  const tellCounts = (): void => {
    const tally = counts.take();
    if (tally.size > 0) post({ kind: "counted", tally });
  };
  opened.defer(tellCounts);
  for (const address of settings.addresses) {
    const socket = await listenOnUdp(address, respond, true);
    opened.defer(() => socket.close());
  }
  const round = setInterval(tellCounts, countsRoundMs);
  opened.defer(() => clearInterval(round));
  post({ kind: "listening" });
  await ended.promise;
}

/** Queries that wait for the main thread's answer. */
class PassedOn {
  readonly #post: (message: FromDnsWorker) => void;
  readonly #waiting = new Map<number, (bytes: Uint8Array | undefined) => void>();
  #number = 0;

  constructor(post: (message: FromDnsWorker) => void) {
    this.#post = post;
  }

  readonly passOn: PassOn = ({ bytes, address }, message) => {
    if (!isOfTransfers(message)) return undefined;
    if (this.#waiting.size >= passedOnMax) return Promise.resolve(undefined);
    const number = (this.#number += 1);
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#post({ kind: "query", number, bytes: Uint8Array.from(bytes), address });
    });
  };

  answer(number: number, bytes: Uint8Array | undefined): void {
    this.#waiting.get(number)?.(bytes);
    this.#waiting.delete(number);
  }
}

/** Whether a message is a transfer's, a notification, signed, or about a catalog. */
function isOfTransfers({ flags, questions: [question], additionals }: Message): boolean {
  if (opcodeOf(flags) === opcodes.notify || additionals.some(({ type }) => type === typeCodes.TSIG))
    return true;
  if (question === undefined) return false;
  const { type, name } = question;
  return type === typeCodes.AXFR || type === typeCodes.IXFR || foldName(name).endsWith(catalogSuffix);
}
