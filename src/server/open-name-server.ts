import type { Logger } from "pino";
import type { Registry } from "prom-client";

import { dnsAddressesOf, proxiedAddressesOf, responsesPerSecondOf } from "../config/dns-settings.ts";
import type { Config } from "../config/settings.ts";
import type { LookUpAddresses } from "../name-server/outside-addresses.ts";
import type { TransferKeyContext } from "../resources/zone-transfers/zone-transfers.ts";
import type { ZoneContext } from "../resources/zones/zones.ts";
import type { Traffic } from "../test-controls/traffic.ts";
import type { NotifiedZones } from "./notified-zones.ts";
import { explainFailure } from "./open-store.ts";

/** What the settings say of every zone. */
export function zoneSettingsOf(config: Config): ZoneContext["settings"] {
  return {
    vendor: config.vendor,
    nameServers: config.name_servers,
    defaultPlan: config.default_plan,
    activation: config.activation,
    activationDelayMs: config.async_delay * 1_000,
    newZoneWaf: config.new_zone_waf,
  };
}

interface NameServerContext {
  readonly context: Pick<ZoneContext & TransferKeyContext, "db" | "settings" | "now" | "secretBox">;
  /** The zones that are transferred to us. */
  readonly notifiedZones: NotifiedZones;
  readonly lookUpAddresses: LookUpAddresses;
  /** Undefined where the test controls are off. */
  readonly watchQuestions: Traffic["watchQuestions"] | undefined;
  readonly logger: Logger;
  readonly register: Registry;
  /** Calls the listener, and waits for it, when another state has been put in the place of the store's. */
  readonly onRestored: (listener: () => Promise<void>) => void;
}

/**
 * The name server as the settings describe it; where it is off, it listens nowhere and is not loaded. Stops with `opened`.
 * Resolves once every zone has been read.
 */
export async function openNameServer(
  opened: AsyncDisposableStack,
  config: Config,
  {
    context,
    notifiedZones,
    lookUpAddresses,
    watchQuestions,
    logger,
    register,
    onRestored,
  }: NameServerContext,
): Promise<readonly string[]> {
  const addresses = dnsAddressesOf(config);
  if (addresses.length === 0) return [];
  const { startNameServer } = await import("../name-server/name-server.ts");
  const { createTransferSource, startNotifications } = await import("./open-transfers.ts");
  const { ServedZones } = await import("./served-zones.ts");
  const zones = new ServedZones(context, proxiedAddressesOf(config), logger);
  opened.defer(() => zones.stop());
  const transfers = createTransferSource(context, zones, notifiedZones);
  const listening = `answering DNS queries at ${addresses.map(({ host, port }) => `${host}, port ${port}`).join(" and ")}`;
  const server = await explainFailure(listening, () =>
    startNameServer({
      addresses,
      zones: zones.index,
      isComplete: () => zones.isComplete,
      lookUpAddresses,
      transfers: transfers.source,
      around: (respond) => watchQuestions?.(respond, (name) => zones.idOf(name)) ?? respond,
      responsesPerSecond: responsesPerSecondOf(config),
      logsQueries: config.dns_query_log,
      now: context.now,
      logger,
      register,
    }),
  );
  opened.defer(server.close);
  await zones.start();
  onRestored(() => zones.reload());
  await transfers.catalogs.refresh();
  startNotifications(opened, context, zones, transfers, { addresses, logger });
  return server.addresses;
}
