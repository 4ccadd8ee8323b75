import type { Logger } from "pino";

import { transferNetworksOf } from "../../config/dns-settings.ts";
import type { Config } from "../../config/settings.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import { IncomingTransfers } from "./incoming-transfers.ts";
import { NotifiedZones } from "./notified-zones.ts";
import { areOfTransfers } from "../zone-changes.ts";
import type { Timers } from "../../process/timer.ts";

const roundMs = 1_000;

/** Transfers zones from their primary servers, on one instance at a time; all of it stops with `opened`. */
export function openIncomingTransfers(
  opened: AsyncDisposableStack,
  config: Config,
  context: TransferKeyContext,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): NotifiedZones {
  const ending = new AbortController();
  const transfers = new IncomingTransfers(context, {
    networks: transferNetworksOf(config),
    client: async () => {
      const { TransferClient } = await import("../../name-server/transfer-client.ts");
      return new TransferClient({ nowMs: () => context.now().getTime() });
    },
    signal: ending.signal,
    logger,
  });
  const task = "incoming transfers";
  const timer = timers.repeat(
    task,
    roundMs,
    () => context.db.runAlone(task, () => transfers.round()),
    () => transfers.nextDue(),
  );
  opened.defer(() => {
    ending.abort();
    return timer.stop();
  });
  const wake = (): void => {
    transfers.wake();
    timer.wake();
  };
  context.db.onChange((changes) => {
    if (areOfTransfers(changes)) wake();
  });
  return new NotifiedZones(context, wake);
}
