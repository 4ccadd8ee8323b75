import { randomBytes } from "node:crypto";

import type { Logger } from "pino";

import type { CachedSource } from "../cache/cached-source.ts";
import { createChainFollower } from "./chain-follower.ts";
import { codes, RpcError } from "../rpc/json-rpc.ts";
import { readLogFilter, type LogFilter } from "./log-filter.ts";

/** Takes the JSON of one `eth_subscription` notification. */
type Deliver = (notification: string) => void;

/** The subscriptions to one network, of all its connections. */
export interface Subscriptions {
  /** Answers the id. Errors: `RpcError` -32602 where there is no such subscription. */
  readonly subscribe: (params: readonly unknown[], deliver: Deliver) => string;
  /** Answers whether there was one of that id. */
  readonly unsubscribe: (id: unknown) => boolean;
  /** A block is known to be there. */
  readonly wake: () => void;
  readonly close: () => void;
}

interface SubscriptionsOptions {
  readonly source: CachedSource;
  readonly pollMs: number;
  readonly onCount: (count: number) => void;
  readonly logger: Logger;
}

interface Subscription {
  readonly kind: "newHeads" | "logs" | "newPendingTransactions";
  readonly filter: LogFilter | undefined;
  readonly deliver: Deliver;
}

/** Subscriptions are made here out of what any upstream answers, so they outlive every single one of them. */
export function createSubscriptions({
  source,
  pollMs,
  onCount,
  logger,
}: SubscriptionsOptions): Subscriptions {
  const open = new Map<string, Subscription>();
  const has = (kind: Subscription["kind"]): boolean => [...open.values()].some((one) => one.kind === kind);

  const notify = (
    kind: Subscription["kind"],
    result: unknown,
    isWanted?: (one: Subscription) => boolean,
  ): void => {
    const text = JSON.stringify(result);
    for (const [id, subscription] of open) {
      if (subscription.kind !== kind || isWanted?.(subscription) === false) continue;
      subscription.deliver(
        `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${text}}}`,
      );
    }
  };

  const follower = createChainFollower({
    source,
    pollMs,
    logger,
    interest: () => ({
      isFollowed: open.size > 0,
      logs: has("logs"),
      pendingTransactions: has("newPendingTransactions"),
    }),
    events: {
      newHead: (header) => notify("newHeads", header),
      log: (log) => notify("logs", log, ({ filter }) => filter?.(log) ?? true),
      pendingTransaction: (hash) => notify("newPendingTransactions", hash),
    },
  });

  return {
    subscribe: (params, deliver) => {
      const subscription = { ...readSubscription(params), deliver };
      const id = `0x${randomBytes(16).toString("hex")}`;
      open.set(id, subscription);
      onCount(open.size);
      follower.wake();
      return id;
    },
    unsubscribe: (id) => {
      const was = open.delete(String(id));
      onCount(open.size);
      return was;
    },
    wake: follower.wake,
    close: follower.close,
  };
}

function readSubscription([kind, detail]: readonly unknown[]): Omit<Subscription, "deliver"> {
  if (kind === "newHeads") return { kind, filter: undefined };
  if (kind === "newPendingTransactions") {
    if (detail === true)
      throw new RpcError(codes.invalidParams, "Only hashes of pending transactions are told");
    return { kind, filter: undefined };
  }
  if (kind !== "logs") {
    throw new RpcError(
      codes.invalidParams,
      "There are subscriptions to newHeads, logs and newPendingTransactions",
    );
  }
  const filter = readLogFilter(detail ?? {});
  if (filter === undefined) throw new RpcError(codes.invalidParams, "Invalid filter of logs");
  return { kind, filter };
}
