import { isHostname } from "../../core/dns/content/name.ts";
import { type ZoneChangeWork, zoneUnitOfWork } from "../../operation/scope.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { deleteRows, selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import { findProxiedNames, streamProxiedNames } from "../dns-records/dns-records.ts";
import { findChangedNames } from "../dns-serving/dns-serving.ts";
import { addTotalTlsPack, deletePack, findPack, type PackDelay } from "./certificate-packs.ts";
import { foreignHosts, type NameSettings } from "./hosts.ts";
import { toCertificatePack } from "./pack.ts";
import {
  selectHostsAfter,
  selectOrderedHosts,
  selectOtherHosts,
  selectUnseenZones,
  updateSeen,
  type UnseenZone,
} from "./store.ts";

type TotalTlsContext = PackDelay & NameSettings;

/** The longest common name of a certificate (RFC 5280 appendix A.1). */
const hostLengthMax = 64;
/** The names of one transaction. */
const namesAtOnce = 200;

/**
 * Orders the packs that Total TLS lacks and deletes those that it no longer needs, where names of a zone or
 * its packs have changed; called by a timer. Throws the first failure, after every zone had its turn.
 */
export async function followTotalTls(context: TotalTlsContext): Promise<void> {
  const failures: unknown[] = [];
  for (const unseen of await selectUnseenZones(context.db.read)) {
    await followZone(context, unseen).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function followZone(context: TotalTlsContext, unseen: UnseenZone): Promise<void> {
  for await (const names of unseenNames(context.db.read, unseen)) {
    for (let from = 0; from < names.length; from += namesAtOnce) {
      const some = names.slice(from, from + namesAtOnce);
      await zoneUnitOfWork(context, { interface: "timer" }, unseen.zone_id, (work) =>
        followNames(work, some),
      );
    }
  }
  await context.db.transaction((tx) => updateSeen(tx, unseen));
}

/** The names that may need a pack, or need theirs no longer. */
async function* unseenNames(db: Db, unseen: UnseenZone): AsyncGenerator<readonly string[], void, undefined> {
  const { zone_id, seen_records_version, dns_records_version } = unseen;
  if (unseen.revision === unseen.seen_revision) {
    const changed = await findChangedNames(db, zone_id, seen_records_version, dns_records_version);
    if (changed !== undefined) {
      yield [...changed];
      return;
    }
  }
  let hosts: string[];
  let last = "";
  do {
    hosts = await selectHostsAfter(db, zone_id, last, namesAtOnce);
    yield hosts;
    last = hosts.at(-1) ?? "";
  } while (hosts.length === namesAtOnce);
  if (unseen.enabled === 1) yield* streamProxiedNames(db, zone_id);
}

async function followNames(work: ZoneChangeWork<TotalTlsContext>, names: readonly string[]): Promise<void> {
  const { tx, zone, context, now, audit } = work;
  const settings = await selectRow(tx, "total_tls", { zone_id: zone.id });
  if (settings === undefined || names.length === 0) return;
  const proxied = new Set(settings.enabled === 1 ? await findProxiedNames(tx, zone.id, names) : []);
  for (const host of await foreignHosts(context, tx, zone, [...proxied])) proxied.delete(host);
  const rows = await selectOrderedHosts(tx, zone.id, [...names, ...names.map(wildcardAbove)]);
  const packs = new Map(rows.map(({ host, pack_id }) => [host, pack_id]));
  const otherHosts = await selectOtherHosts(tx, zone.id);
  const isCovered = (host: string): boolean => otherHosts.has(host) || typeof packs.get(host) === "string";

  for (const host of new Set(names)) {
    const packId = packs.get(host);
    if (typeof packId === "string" && !proxied.has(host)) {
      await deleteRows(tx, "total_tls_hosts", { zone_id: zone.id, host });
      await deletePack(work, await findPack(tx, zone.id, packId));
      packs.delete(host);
    } else if (packId === undefined && proxied.has(host) && mayHaveCertificate(host)) {
      if (isCovered(host) || isCovered(wildcardAbove(host))) continue;
      const pack = await addTotalTlsPack(context, tx, zone, { ...settings, host });
      packs.set(host, pack.id);
      const after = toCertificatePack({ pack, certificates: [] }, toTimestamp(now));
      audit({ action: "certificate_pack_order", id: pack.id, after });
    }
  }
}

/** The wildcard that covers a host. A wildcard is covered by itself alone. */
function wildcardAbove(host: string): string {
  return host.startsWith("*.") ? host : `*${host.slice(host.indexOf("."))}`;
}

function mayHaveCertificate(host: string): boolean {
  return host.length <= hostLengthMax && isHostname(host.replace(/^\*\./, ""));
}
