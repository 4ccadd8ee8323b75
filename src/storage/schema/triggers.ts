import { accessChangesChannel, zoneChangesChannel } from "../postgres-watch.ts";

/** The statements that create the triggers of a store. */
export function triggersOf(engine: "sqlite" | "postgres"): string[] {
  return engine === "sqlite"
    ? edgeTriggersOfSqlite()
    : [...accessTriggersOfPostgres(), ...zoneTriggersOfPostgres(), ...edgeTriggersOfPostgres()];
}

const all = ["insert", "delete", "update"];

/**
 * The changes that other instances must be told of, as they may concern the rights of a caller they remember; not the last use
 * of a token, which is written often. For SQLite, instances poll `data_version` instead.
 */
const accessChanges: Readonly<Record<string, readonly string[]>> = {
  users: all,
  memberships: all,
  resource_groups: all,
  user_groups: all,
  user_group_members: all,
  tokens: [
    "insert",
    "delete",
    "update of user_id, account_id, status, secret_hash, policies, condition, not_before, expires_on",
  ],
  sessions: ["delete"],
  accounts: ["update of enforces_two_factor"],
};

/**
 * The changes that name servers and edges must be told of: for each table, the column with the id of the zone, or of the
 * account whose zones are meant.
 */
export const zoneChanges: Readonly<
  Record<string, { readonly owner: string; readonly events: readonly string[] }>
> = {
  zones: {
    owner: "id",
    events: [
      "insert",
      "delete",
      "update of type, status, paused, vanity_name_servers, dns_records_version, dns_serial, activation_order, subdomain_consents",
    ],
  },
  transfer_acls: { owner: "account_id", events: all },
  transfer_keys: { owner: "account_id", events: all },
  transfer_peers: { owner: "account_id", events: all },
  outgoing_transfers: {
    owner: "zone_id",
    events: ["insert", "delete", "update of enabled, backlog_serial"],
  },
  outgoing_peers: { owner: "zone_id", events: ["insert", "delete"] },
  incoming_transfers: {
    owner: "zone_id",
    events: ["insert", "delete", "update of modified_on, soa, expires_on, wants_whole"],
  },
  edge_versions: { owner: "zone_id", events: ["insert", "update"] },
};

function accessTriggersOfPostgres(): string[] {
  const announce = functionOf("announce_access_change", `perform pg_notify('${accessChangesChannel}', '')`);
  const triggers = Object.entries(accessChanges).map(
    ([table, events]) =>
      `create trigger access_changed after ${events.join(" or ")} on ${table} ` +
      "for each statement execute function announce_access_change()",
  );
  return [announce, ...triggers];
}

function zoneTriggersOfPostgres(): string[] {
  return Object.entries(zoneChanges).flatMap(([table, { owner, events }]) =>
    triggerOfPostgres(
      "announce_zone_change",
      table,
      events,
      `perform pg_notify('${zoneChangesChannel}', row_of.${owner})`,
    ),
  );
}

/** Tables that an edge compiles a zone from; `zone_id` of a row names the zone. */
const tablesOfZones = [
  "zone_settings",
  "page_rules",
  "zone_lockdowns",
  "user_agent_rules",
  "url_normalizations",
  "managed_transforms",
  "filters",
  "firewall_rules",
  "waf_packages",
  "waf_groups",
  "waf_rules",
  "waf_overrides",
  "certificate_packs",
  "custom_certificates",
];

interface Raise {
  /** The zones whose version a change of a row raises, as a condition on `zones`. */
  readonly of: (row: string) => string;
  /** Whether the change is of the account: an edge does not read a zone again because of it. */
  readonly isOfAccount?: true;
}

const ofZone: Raise = { of: (row) => `id = ${row}.zone_id` };

/**
 * What raises the version of a zone, which grows with every change of what an edge compiles the zone from, so that an edge
 * reads and compiles only changed zones.
 */
const raises: Readonly<Record<string, readonly Raise[]>> = {
  ...Object.fromEntries(tablesOfZones.map((table) => [table, [ofZone]])),
  rulesets: [ofZone, { of: (row) => `account_id = ${row}.account_id`, isOfAccount: true }],
  access_rules: [
    {
      of: (row) =>
        `id = ${row}.zone_id or account_id = ${row}.account_id ` +
        `or account_id in (select account_id from memberships where user_id = ${row}.user_id)`,
    },
  ],
  lists: [
    {
      of: (row) =>
        `account_id = ${row}.account_id and exists (select 1 from list_references r ` +
        `where r.account_id = ${row}.account_id and r.list_name = ${row}.name)`,
      isOfAccount: true,
    },
  ],
};

/** Changes of a zone itself that an edge must be told of. */
const zoneUpdate =
  "update of name, type, status, paused, plan, waf, account_id, dns_records_version, dns_serial, vanity_name_servers, " +
  "activation_order, subdomain_consents";
const zoneItself: Raise = { of: (row) => `id = ${row}.id` };

/** A zone that is deleted and restored begins at another number, so that no edge mistakes it for the one it knew. */
const firstVersion = {
  sqlite: "abs(random() % 1000000000)",
  postgres: "floor(random() * 1000000000)::integer",
};

function raiseIn(engine: "sqlite" | "postgres", row: string): (raise: Raise) => string {
  return ({ of, isOfAccount }) =>
    `insert into edge_versions (zone_id, version, account_version) ` +
    `select id, ${firstVersion[engine]}, 0 from zones where ${of(row)} ` +
    "on conflict (zone_id) do update set version = edge_versions.version + 1" +
    (isOfAccount ? ", account_version = edge_versions.account_version + 1" : "");
}

function edgeTriggersOfSqlite(): string[] {
  const trigger = (table: string, event: string, of: readonly Raise[]): string => {
    const [kind = ""] = event.split(" ");
    const actions = of.map(raiseIn("sqlite", kind === "delete" ? "old" : "new"));
    return `create trigger edge_${table}_${kind} after ${event} on ${table} begin ${actions.join("; ")}; end`;
  };
  return [
    ...Object.entries(raises).flatMap(([table, of]) => all.map((event) => trigger(table, event, of))),
    trigger("zones", zoneUpdate, [zoneItself]),
  ];
}

function edgeTriggersOfPostgres(): string[] {
  const trigger = (table: string, events: readonly string[], of: readonly Raise[]): string[] =>
    triggerOfPostgres("raise_edge_version", table, events, of.map(raiseIn("postgres", "row_of")).join("; "));
  return [
    ...Object.entries(raises).flatMap(([table, of]) => trigger(table, all, of)),
    ...trigger("zones", [zoneUpdate], [zoneItself]),
  ];
}

/** A trigger for each row, which is `row_of` in its action. */
function triggerOfPostgres(name: string, table: string, events: readonly string[], action: string): string[] {
  return [
    functionOf(`${name}_of_${table}`, `row_of := coalesce(new, old); ${action}`, "declare row_of record; "),
    `create trigger ${name} after ${events.join(" or ")} on ${table} ` +
      `for each row execute function ${name}_of_${table}()`,
  ];
}

function functionOf(name: string, body: string, declaration = ""): string {
  return (
    `create function ${name}() returns trigger language plpgsql as ` +
    `$$ ${declaration}begin ${body}; return null; end $$`
  );
}
