import { randomBytes } from "node:crypto";
import { networkInterfaces } from "node:os";

import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";

import {
  dnsAddressesOf,
  proxiedAddressesOf,
  responsesPerSecondOf,
  transferNetworksOf,
} from "../../config/dns-settings.ts";
import type { Config } from "../../config/settings.ts";
import type { LookUpAddresses } from "../../name-server/outside-addresses.ts";
import { noteServerSettings } from "../../resources/dns-settings/served-with.ts";
import type { TransferKeyContext } from "../../resources/zone-transfers/zone-transfers.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import type { Traffic } from "../../test-controls/traffic.ts";
import type { ServedZones } from "./served-zones.ts";
import type { ActiveZones } from "../active-zones.ts";
import type { NotifiedZones } from "./notifications.ts";
import { explainFailure, secretKeySourceOf } from "../../process/open-store.ts";

/** The parts of the settings that hold for every zone. */
export function zoneSettingsOf(config: Config): ZoneContext["settings"] {
  return {
    vendor: config.vendor,
    nameServers: config.name_servers,
    nameServerSets: config.name_server_sets.map((set) => set.toLowerCase().split(/\s+/)),
    defaultPlan: config.default_plan,
    activation: config.activation,
    activationDelayMs: config.async_delay * 1_000,
    newZoneWaf: config.new_zone_waf,
  };
}

const wildcards = new Set(["0.0.0.0", "::"]);

/**
 * The addresses of this name server: where it listens, on all interfaces those of the machine, and what the names
 * in `name_servers` lead to, as others see it.
 */
export async function ownAddressesOf(
  config: Config,
  lookUpAddresses: LookUpAddresses,
): Promise<ReadonlySet<string>> {
  const listening = dnsAddressesOf(config).map(({ host }) => host);
  const ofMachine = listening.some((host) => wildcards.has(host))
    ? Object.values(networkInterfaces()).flatMap((some = []) => some.map(({ address }) => address))
    : [];
  const lookUps = config.name_servers.flatMap((name) => [lookUpAddresses(name, 4), lookUpAddresses(name, 6)]);
  const found = await Promise.all(lookUps);
  return new Set([...listening, ...ofMachine, ...found.flatMap((one) => one?.addresses ?? [])]);
}

interface NameServerContext {
  readonly index: ActiveZones;
  readonly context: Pick<ZoneContext & TransferKeyContext, "db" | "settings" | "now" | "secretBox">;
  /** The zones that are transferred to us. */
  readonly notifiedZones: NotifiedZones;
  readonly lookUpAddresses: LookUpAddresses;
  /** Undefined where the test controls are off. */
  readonly watchQuestions: Traffic["watchQuestions"] | undefined;
  readonly logger: Logger;
  readonly register: Registry;
  /** Calls the listener, and awaits it, when the content of the store was replaced. */
  readonly onRestored: (listener: () => Promise<void>) => void;
  /** The program of each further thread. */
  readonly workerProgram: URL | undefined;
}

const cookieSecretOctets = 16;

/**
 * The name server as the settings describe it; where it is off, it listens nowhere and is not loaded. Stops with
 * `opened`. Resolves once the names of all zones are known.
 */
export async function openNameServer(
  opened: AsyncDisposableStack,
  config: Config,
  {
    context,
    index,
    notifiedZones,
    lookUpAddresses,
    watchQuestions,
    logger,
    register,
    onRestored,
    workerProgram,
  }: NameServerContext,
): Promise<readonly string[]> {
  const addresses = dnsAddressesOf(config);
  if (addresses.length === 0) return [];
  const { startNameServer, showSocketAddress } = await import("../../name-server/name-server.ts");
  const { createRespond } = await import("../../name-server/responder.ts");
  const { QueryCounts, showQueryCounts } = await import("../../name-server/query-counts.ts");
  const { createTransferSource, startNotifications } = await import("./open-transfers.ts");
  const { ServedZones: Zones } = await import("./served-zones.ts");
  const edgeAddresses = proxiedAddressesOf(config);
  await noteServerSettings(context, edgeAddresses);
  const octetsMax = config.dns_zones_bytes_max;
  const zones = new Zones(context, index, logger, { edgeAddresses, octetsMax });
  opened.defer(() => zones.stop());
  const transfers = createTransferSource(context, zones, notifiedZones);
  const counts = new QueryCounts();
  showQueryCounts(counts, register);
  watchZones(zones, register);
  const answering = {
    responsesPerSecond: responsesPerSecondOf(config),
    logsQueries: config.dns_query_log,
    cookieSecret: randomBytes(cookieSecretOctets),
  };
  const answer = createRespond({
    ...answering,
    zones: zones.index,
    readZone: (zone) => zones.readInTime(zone),
    isComplete: () => zones.isComplete,
    lookUpAddresses,
    transfers: transfers.source,
    now: context.now,
    logger,
    counts,
  });
  const respond = watchQuestions?.(answer, (name) => zones.zoneOf(name)) ?? answer;
  const listening = `answering DNS queries at ${addresses.map(({ host, port }) => `${host}, port ${port}`).join(" and ")}`;
  const server = await explainFailure(listening, () =>
    startNameServer({ addresses, respond, sharesPorts: config.dns_workers > 1 }),
  );
  opened.defer(server.close);
  await zones.start();
  if (config.dns_workers > 1) {
    const { DnsWorkers } = await import("./dns-workers.ts");
    const workers = new DnsWorkers({
      program: workerProgram,
      settings: {
        ...answering,
        location: context.db.location,
        secretKey: secretKeySourceOf(config),
        zones: zoneSettingsOf(config),
        edgeAddresses,
        octetsMax,
        resolvers: config.resolvers,
        addresses: server.addresses,
      },
      onChange: context.db.onChange,
      respond,
      counts,
      logger,
    });
    opened.defer(() => workers.close());
    await explainFailure("starting the threads of the name server", () =>
      workers.start(config.dns_workers - 1),
    );
  }
  onRestored(() => zones.reload());
  await transfers.catalogs.refresh();
  startNotifications(opened, context, zones, transfers, {
    addresses,
    networks: transferNetworksOf(config),
    logger,
  });
  return server.addresses.map(showSocketAddress);
}

function watchZones(zones: Pick<ServedZones, "size" | "octets">, register: Registry): void {
  const registers = [register];
  const held: Gauge = new Gauge({
    name: "zoneward_dns_zones_held",
    help: "Zones that the name server's main thread holds in memory; another one is read when somebody asks for it",
    registers,
    collect: () => held.set(zones.size),
  });
  const octets: Gauge = new Gauge({
    name: "zoneward_dns_zones_bytes",
    help: "Memory of these zones, as it is estimated, of `dns_zones_bytes_max`",
    registers,
    collect: () => octets.set(zones.octets),
  });
}
