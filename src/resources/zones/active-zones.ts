import { NameAuthority, type ActiveZone, type ZoneOwner } from "../../core/dns/names/name-authority.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { ZoneFacts } from "../../core/documents/zone-document.ts";
import { chosenNameServers, nameServersOf } from "./name-servers.ts";
import {
  selectActivatedZones,
  selectActiveZones,
  selectDelegations,
  selectZoneFacts,
  type OwnerColumns,
} from "./names-store.ts";
import type { ZoneSettings } from "./zone.ts";

type OwnerFacts = Pick<
  ZoneFacts,
  "id" | "name" | "accountId" | "activationOrder" | "nameServerSet" | "vanityNameServers" | "consents"
>;

/** The claims of a zone on its name and on names below. */
export function ownerOf(row: OwnerColumns, settings: ZoneSettings): ZoneOwner {
  return ownerOfFacts(ownerFactsOf(row), settings);
}

/** The same of a document. */
export function ownerOfFacts(
  { id, name, accountId, activationOrder, nameServerSet, vanityNameServers, consents }: OwnerFacts,
  settings: ZoneSettings,
): ZoneOwner {
  const chosen = { account_id: accountId, name_server_set: nameServerSet };
  return {
    id,
    name,
    accountId,
    activationOrder: activationOrder ?? Infinity,
    nameServers: nameServersOf(chosen, settings).map((server) => server.toLowerCase()),
    vanityNameServers: chosenNameServers(chosen, settings) === undefined ? vanityNameServers : [],
    consents,
  };
}

function ownerFactsOf(row: OwnerColumns): OwnerFacts {
  const consents = row.subdomain_consents === null ? [] : fromJson(row.subdomain_consents);
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    activationOrder: row.activation_order,
    nameServerSet: row.name_server_set,
    vanityNameServers: fromJson(row.vanity_name_servers),
    consents: consents.map(({ name, account_id }) => ({ name, accountId: account_id })),
  };
}

/**
 * Reads the facts that planes need of these zones besides their settings, rules, certificates and records; of
 * those that exist.
 */
export async function readZoneFacts(db: Db, zoneIds: readonly string[]): Promise<ZoneFacts[]> {
  return (await selectZoneFacts(db, zoneIds)).map((row) => {
    const { status, plan, waf, paused } = row;
    return Object.assign(ownerFactsOf(row), { status, plan, waf, isPaused: paused === 1 });
  });
}

/** A name with all that enclose it, from the longest. */
export function enclosingNames(name: string): string[] {
  const labels = name.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The number of parameters that a statement of either engine takes with ease. */
const namesAtOnce = 500;

/** Reads who answers for these names and those of the zones that enclose them, as the store says it now. */
export async function readAuthority(
  db: Db,
  settings: ZoneSettings,
  names: readonly string[],
): Promise<NameAuthority<ActiveZone>> {
  const rows = new Map<string, OwnerColumns>();
  const read = async (wanted: readonly string[]): Promise<void> => {
    const all = [...new Set(wanted.flatMap(enclosingNames))].filter((name) => !rows.has(name));
    for (let at = 0; at < all.length; at += namesAtOnce) {
      for (const row of await selectActiveZones(db, all.slice(at, at + namesAtOnce))) rows.set(row.name, row);
    }
  };
  await read(names);
  const vanity = [...rows.values()].flatMap((row) => fromJson(row.vanity_name_servers));
  if (vanity.length > 0) await read(vanity);

  const delegations = new Map<string, string[]>();
  const asked = delegatedNames([...new Set([...names, ...rows.keys()])], rows);
  for (let at = 0; at < asked.length; at += namesAtOnce) {
    const some = asked.slice(at, at + namesAtOnce);
    const zoneIds = [...new Set(some.flatMap(({ uppers }) => uppers))];
    for (const found of await selectDelegations(db, { zoneIds, names: some.map(({ name }) => name) })) {
      const key = `${found.zoneId} ${found.name}`;
      delegations.set(key, [...(delegations.get(key) ?? []), found.server]);
    }
  }
  const zones = new Map<string, ActiveZone>();
  for (const row of rows.values()) {
    const delegationOf = (name: string): readonly string[] => delegations.get(`${row.id} ${name}`) ?? [];
    zones.set(row.name, { ...ownerOf(row, settings), delegationOf });
  }
  return new NameAuthority((name) => zones.get(name));
}

/** The names about which a zone of another account may be asked, with the ids of the zones above. */
function delegatedNames(
  names: readonly string[],
  rows: ReadonlyMap<string, OwnerColumns>,
): { readonly name: string; readonly uppers: readonly string[] }[] {
  return names.flatMap((name) => {
    const uppers = enclosingNames(name)
      .slice(1)
      .flatMap((upper) => rows.get(upper) ?? []);
    const account = rows.get(name)?.account_id;
    const isAsked = uppers.some((upper) => upper.account_id !== account);
    return isAsked ? [{ name, uppers: uppers.map(({ id }) => id) }] : [];
  });
}

/** Finds the zones, of these active ones, that answer for their own names. */
export async function zonesInCharge<Zone extends { readonly id: string; readonly name: string }>(
  db: Db,
  settings: ZoneSettings,
  zones: readonly Zone[],
): Promise<Zone[]> {
  const authority = await readAuthority(
    db,
    settings,
    zones.map(({ name }) => name),
  );
  return zones.filter(({ id, name }) => authority.inChargeOf(name)?.id === id);
}

/** A zone that is not served, as one of another account above it does not let it. */
interface EnclosedZone {
  readonly id: string;
  readonly name: string;
  readonly status: ZoneRow["status"];
  readonly upper: string;
}

/**
 * The zones that are or were active, and lie below a zone of another account that does not let them be
 * served.
 */
export async function findEnclosedZones(db: Db, settings: ZoneSettings): Promise<EnclosedZone[]> {
  const rows = await selectActivatedZones(db);
  const names = rows.map(({ name }) => name);
  const authority = await readAuthority(db, settings, names);
  return rows.flatMap((row) => {
    const upper = authority.inChargeOf(row.name.slice(row.name.indexOf(".") + 1));
    if (upper === undefined || authority.yields(upper, ownerOf(row, settings))) return [];
    return [{ id: row.id, name: row.name, status: row.status, upper: upper.name }];
  });
}
