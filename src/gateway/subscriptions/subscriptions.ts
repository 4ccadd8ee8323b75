import { randomBytes } from "node:crypto";

import type { Logger } from "pino";

import { FairRoom } from "../../core/fair-room.ts";
import type { CachedSource } from "../cache/cached-source.ts";
import type { Party } from "../chain/chain-source.ts";
import { createChainFollower } from "./chain-follower.ts";
import { rpcErrors } from "../chain/errors.ts";
import { parseLogFilter, type LogFilter } from "./log-filter.ts";

/** Receives the JSON of one `eth_subscription` notification. */
type Deliver = (notification: string) => void;

/** The subscriptions of all connections to one network. */
export interface Subscriptions {
  /**
   * Returns the id. Errors: `RpcError` -32602 for parameters that name no subscription, -32005 where the party has had
   * its share.
   */
  readonly subscribe: (party: Party, params: readonly unknown[], deliver: Deliver) => string;
  /** Returns whether the subscription existed. */
  readonly unsubscribe: (id: unknown) => boolean;
  /** Looks for new blocks now. */
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
  /** Gives back the room that it takes. */
  readonly leave: () => void;
}

/** Subscriptions to a network, which those who make them share. */
const subscriptionsMax = 20_000;

/** Subscriptions are made from the answers to calls, so they do not depend on any one upstream. */
export function createSubscriptions({
  source,
  pollMs,
  onCount,
  logger,
}: SubscriptionsOptions): Subscriptions {
  const open = new Map<string, Subscription>();
  const room = new FairRoom(subscriptionsMax);
  const has = (kind: Subscription["kind"]): boolean =>
    [...open.values()].some((subscription) => subscription.kind === kind);

  const notify = (
    kind: Subscription["kind"],
    result: unknown,
    isWanted?: (subscription: Subscription) => boolean,
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
    subscribe: (party, params, deliver) => {
      const parsed = parseSubscription(params);
      const leave = room.take([party]);
      if (leave === undefined) throw rpcErrors.subscriptionsFull;
      const subscription = { ...parsed, deliver, leave };
      const id = `0x${randomBytes(16).toString("hex")}`;
      open.set(id, subscription);
      onCount(open.size);
      follower.wake();
      return id;
    },
    unsubscribe: (id) => {
      open.get(String(id))?.leave();
      const existed = open.delete(String(id));
      onCount(open.size);
      return existed;
    },
    wake: follower.wake,
    close: follower.close,
  };
}

function parseSubscription([kind, detail]: readonly unknown[]): Omit<Subscription, "deliver" | "leave"> {
  if (kind === "newHeads") return { kind, filter: undefined };
  if (kind === "newPendingTransactions") {
    if (detail === true) throw rpcErrors.fullPendingTransactions;
    return { kind, filter: undefined };
  }
  if (kind !== "logs") throw rpcErrors.unknownSubscription;
  const filter = parseLogFilter(detail ?? {});
  if (filter === undefined) throw rpcErrors.invalidLogFilter;
  return { kind, filter };
}
